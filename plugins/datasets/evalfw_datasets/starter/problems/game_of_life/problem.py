"""One step of the game of life, in place: copies of the board against marks in its cells."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Board = tuple[list[list[int]]]

_STARTER_CODE = """\
class Solution:
    def game_of_life(self, board: list[list[int]]) -> None:
        ...
"""


def generate(rng: Random, size: int) -> Board:
    """A square with that many rows, two cells of five alive."""
    return ([[int(rng.random() < 0.4) for _ in range(size)] for _ in range(size)],)


def reference(data: Board) -> list[list[int]]:
    """A new board by the rule."""
    board = data[0]
    rows, columns = len(board), len(board[0])

    def around(r: int, c: int) -> int:
        area = sum(sum(row[max(0, c - 1) : c + 2]) for row in board[max(0, r - 1) : r + 2])
        return area - board[r][c]

    return [[int(around(r, c) in ((2, 3) if board[r][c] else (3,))) for c in range(columns)] for r in range(rows)]


RECIPE = Recipe(
    title="One step of the game of life",
    topic="copies against marks in place",
    style=Method("game_of_life", args=("list[list[int]]",), result_from="arg0"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(
        ([[0, 1, 0], [0, 1, 0], [0, 1, 0]],),
        ([[1]],),
        ([[1, 1, 0, 0], [1, 0, 0, 1]],),
    ),
    sizes=range(4, 23, 2),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
