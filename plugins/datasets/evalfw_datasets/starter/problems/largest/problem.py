"""Largest number of a list: a running maximum against sorted copies."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def largest(nums: list[int]) -> int:
    ...
"""


def generate(rng: Random, size: int) -> tuple[list[int]]:
    """As many numbers as the size."""
    return ([rng.randint(-100_000, 100_000) for _ in range(size)],)


def reference(data: tuple[list[int]]) -> int:
    """The definition."""
    return max(data[0])


RECIPE = Recipe(
    title="Largest number",
    topic="running maximum against sorted copies",
    level="easy",
    style=Method("largest", class_name=None, args=("list[int]",), returns="int"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([3, 9, -2, 5],), ([-4, -7],), ([5],)),
    sizes=range(60, 601, 60),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
