"""Shortest way through a grid: breadth-first search with copied paths against parent pointers."""

from __future__ import annotations

from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe

_MOVES = (("D", 1, 0), ("L", 0, -1), ("R", 0, 1), ("U", -1, 0))


def render(grid: list[str]) -> str:
    """The number of rows, then the rows."""
    return "\n".join([str(len(grid)), *grid]) + "\n"


def generate(rng: Random, size: int) -> list[str]:
    """A square with walls on a quarter of its cells, drawn again until there is a way."""
    while True:
        cells = [["#" if rng.random() < 0.25 else "." for _ in range(size)] for _ in range(size)]
        cells[0][0] = cells[-1][-1] = "."
        grid = ["".join(row) for row in cells]
        if _way(grid) is not None:
            return grid


def reference(grid: list[str]) -> str:
    """The way on two lines, or -1."""
    way = _way(grid)
    return "-1\n" if way is None else f"{len(way)}\n{way}\n"


def _way(grid: list[str]) -> str | None:
    n = len(grid)
    ways = {(0, 0): ""}
    layer = [(0, 0)]
    # Layers stay in alphabetical order of their ways, so that the first way to reach a cell is the first one.
    while layer and (n - 1, n - 1) not in ways:
        following = []
        for r, c in layer:
            for letter, dr, dc in _MOVES:
                cell = (r + dr, c + dc)
                free = 0 <= cell[0] < n and 0 <= cell[1] < n and grid[cell[0]][cell[1]] == "."
                if free and cell not in ways:
                    ways[cell] = ways[r, c] + letter
                    following.append(cell)
        layer = following
    return ways.get((n - 1, n - 1))


RECIPE = Recipe(
    title="Shortest way through a grid",
    topic="copied paths against parent pointers",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=len,
    examples=(["..#", "#..", "..."], [".#", "#."], ["....", ".##.", ".#..", "...."]),
    sizes=range(4, 23, 2),
    checker=Checker("tokens"),
)
