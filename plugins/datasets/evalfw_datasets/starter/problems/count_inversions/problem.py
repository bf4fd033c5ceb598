"""Inversions of a list: merge sort with slices against a buffer, a tree, a sorted list and all pairs."""

from __future__ import annotations

from itertools import combinations
from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Numbers = tuple[list[int]]

_STARTER_CODE = """\
class Solution:
    def count_inversions(self, nums: list[int]) -> int:
        ...
"""


def generate(rng: Random, size: int) -> Numbers:
    """As many numbers as the size, some of them equal."""
    return ([rng.randint(-10 * size, 10 * size) for _ in range(size)],)


def reference(data: Numbers) -> int:
    """The definition."""
    return sum(a > b for a, b in combinations(data[0], 2))


RECIPE = Recipe(
    title="Inversions of a list",
    topic="merge sort with slices against a buffer",
    style=Method("count_inversions", args=("list[int]",), returns="int"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([3, 1, 2, 1],), ([5],), ([1, 2, 2, 9, 8],)),
    sizes=range(12, 121, 12),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
