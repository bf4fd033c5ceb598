"""A list backwards: slices against building up and swapping."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def reverse_list(nums: list[int]) -> list[int]:
    ...
"""


def generate(rng: Random, size: int) -> tuple[list[int]]:
    """As many numbers as the size."""
    return ([rng.randint(-100_000, 100_000) for _ in range(size)],)


def reference(data: tuple[list[int]]) -> list[int]:
    """From the last to the first."""
    nums = data[0]
    return [nums[len(nums) - 1 - i] for i in range(len(nums))]


RECIPE = Recipe(
    title="List backwards",
    topic="slices against building up and swapping",
    level="easy",
    style=Method("reverse_list", class_name=None, args=("list[int]",), returns="list[int]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([1, 2, 3],), ([],), ([4, 4, -9, 0],)),
    sizes=range(60, 601, 60),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
