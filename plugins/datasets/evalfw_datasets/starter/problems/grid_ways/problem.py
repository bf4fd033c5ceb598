"""Ways through a rectangle: full table, rolling row, memo and closed form."""

from __future__ import annotations

from math import comb
from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Rectangle = tuple[int, int]

_STARTER_CODE = """\
class Solution:
    def grid_ways(self, rows: int, cols: int) -> int:
        ...
"""


def generate(rng: Random, size: int) -> Rectangle:
    """That many rows and about as many columns."""
    return size, rng.randint(size - 3, size + 3)


def reference(data: Rectangle) -> int:
    """Choose which of the steps go down."""
    rows, cols = data
    return comb(rows + cols - 2, rows - 1)


RECIPE = Recipe(
    title="Ways through a rectangle",
    topic="full table against rolling row against closed form",
    style=Method("grid_ways", args=("int", "int"), returns="int"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: data[0],
    examples=((3, 3), (1, 1), (5, 2)),
    sizes=range(5, 51, 5),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
