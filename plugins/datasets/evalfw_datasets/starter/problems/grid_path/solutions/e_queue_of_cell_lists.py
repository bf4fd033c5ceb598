def neighbours(grid, cell):
    r, c = cell
    size = len(grid)
    if r + 1 < size and grid[r + 1][c] == ".":
        yield "D", (r + 1, c)
    if c > 0 and grid[r][c - 1] == ".":
        yield "L", (r, c - 1)
    if c + 1 < size and grid[r][c + 1] == ".":
        yield "R", (r, c + 1)
    if r > 0 and grid[r - 1][c] == ".":
        yield "U", (r - 1, c)


def shortest_path(grid):
    goal = (len(grid) - 1, len(grid) - 1)
    visited = {(0, 0)}
    paths = [[("", (0, 0))]]
    index = 0
    while index < len(paths):
        path = paths[index]
        index += 1
        if path[-1][1] == goal:
            return path
        for letter, cell in neighbours(grid, path[-1][1]):
            if cell not in visited:
                visited.add(cell)
                paths.append(path + [(letter, cell)])
    return None


n = int(input())
rows = []
for _ in range(n):
    rows.append(input())
best = shortest_path(rows)
if best is None:
    print(-1)
else:
    print(len(best) - 1)
    print("".join(letter for letter, _ in best))
