"""Warping by the definition: every cell of the matrix, cheapest first and then shortest, in integers."""

from __future__ import annotations

from collections.abc import Sequence

Cell = tuple[int, int]


def warp_by_definition(a: Sequence[int], b: Sequence[int]) -> Cell:
    """The least (cost, length) of a warping path, compared in this order."""
    row: list[Cell] = []
    for i, x in enumerate(a):
        above, row = row, []
        for j, y in enumerate(b):
            ways = [(0, 0)] if i == j == 0 else []
            if i:
                ways.append(above[j])
            if j:
                ways.append(row[j - 1])
            if i and j:
                ways.append(above[j - 1])
            cost, length = min(ways)
            row.append((cost + abs(x - y), length + 1))
    return row[-1]


def length_of_walk_back(a: Sequence[int], b: Sequence[int], order: Sequence[Cell]) -> int:
    """Length of the path found from the end of the matrix, taking the first of `order` on equal costs."""
    costs: dict[Cell, int] = {}
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            ways = [costs[i - di, j - dj] for di, dj in order if (i - di, j - dj) in costs]
            costs[i, j] = abs(x - y) + min(ways, default=0)
    i, j, length = len(a) - 1, len(b) - 1, 1
    while (i, j) != (0, 0):
        moves = [(di, dj) for di, dj in order if (i - di, j - dj) in costs]
        di, dj = min(moves, key=lambda move: costs[i - move[0], j - move[1]])
        i, j, length = i - di, j - dj, length + 1
    return length
