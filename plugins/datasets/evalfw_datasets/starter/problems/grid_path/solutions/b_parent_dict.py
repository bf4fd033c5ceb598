import sys
from collections import deque

lines = sys.stdin.read().split()
n = int(lines[0])
grid = lines[1:]
target = (n - 1, n - 1)

parent = {(0, 0): None}
queue = deque([(0, 0)])
while queue:
    cell = queue.popleft()
    if cell == target:
        break
    r, c = cell
    for letter, nr, nc in (("D", r + 1, c), ("L", r, c - 1), ("R", r, c + 1), ("U", r - 1, c)):
        if nr < 0 or nc < 0 or nr >= n or nc >= n:
            continue
        if grid[nr][nc] == "#" or (nr, nc) in parent:
            continue
        parent[(nr, nc)] = (cell, letter)
        queue.append((nr, nc))

if target not in parent:
    print(-1)
else:
    letters = []
    cell = target
    while parent[cell] is not None:
        cell, letter = parent[cell]
        letters.append(letter)
    letters.reverse()
    print(len(letters))
    print("".join(letters))
