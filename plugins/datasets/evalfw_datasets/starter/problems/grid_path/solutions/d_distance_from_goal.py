import sys
from collections import deque


def solve():
    n, *rows = sys.stdin.read().split()
    n = int(n)
    distance = [-1] * (n * n)
    distance[-1] = 0
    queue = deque([n * n - 1])
    while queue:
        cell = queue.popleft()
        r, c = divmod(cell, n)
        for nr, nc in ((r + 1, c), (r, c - 1), (r, c + 1), (r - 1, c)):
            if 0 <= nr < n and 0 <= nc < n and rows[nr][nc] == "." and distance[nr * n + nc] < 0:
                distance[nr * n + nc] = distance[cell] + 1
                queue.append(nr * n + nc)

    print(distance[0])
    if distance[0] < 0:
        return
    r = c = 0
    answer = ""
    while distance[r * n + c] > 0:
        wanted = distance[r * n + c] - 1
        for letter, nr, nc in (("D", r + 1, c), ("L", r, c - 1), ("R", r, c + 1), ("U", r - 1, c)):
            if 0 <= nr < n and 0 <= nc < n and distance[nr * n + nc] == wanted:
                answer += letter
                r, c = nr, nc
                break
    print(answer)


solve()
