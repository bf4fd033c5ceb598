from collections import deque


def main():
    n = int(input())
    grid = [input() for _ in range(n)]
    queue = deque([(0, 0, "")])
    seen = {(0, 0)}
    while queue:
        r, c, path = queue.popleft()
        if r == n - 1 and c == n - 1:
            print(len(path))
            print(path)
            return
        for d, dr, dc in (("D", 1, 0), ("L", 0, -1), ("R", 0, 1), ("U", -1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < n and 0 <= nc < n and grid[nr][nc] == "." and (nr, nc) not in seen:
                seen.add((nr, nc))
                queue.append((nr, nc, path + d))
    print(-1)


main()
