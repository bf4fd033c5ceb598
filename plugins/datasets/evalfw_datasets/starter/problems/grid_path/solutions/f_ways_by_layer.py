import sys


def main():
    n, *grid = sys.stdin.read().split()
    n = int(n)
    free = {(r, c) for r in range(n) for c in range(n) if grid[r][c] == "."}
    free.discard((0, 0))
    layer = {(0, 0): ""}
    while layer and (n - 1, n - 1) not in layer:
        new_layer = {}
        for (r, c), way in layer.items():
            for letter, cell in (("D", (r + 1, c)), ("L", (r, c - 1)), ("R", (r, c + 1)), ("U", (r - 1, c))):
                if cell in free:
                    free.remove(cell)
                    new_layer[cell] = way + letter
        layer = new_layer
    if layer:
        way = layer[n - 1, n - 1]
        print(len(way))
        print(way)
    else:
        print(-1)


main()
