"""Numbers in ascending order: sorting in place against copies and pieces."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def sort_numbers(nums: list[int]) -> list[int]:
    ...
"""


def generate(rng: Random, size: int) -> tuple[list[int]]:
    """As many numbers as the size."""
    return ([rng.randint(-100_000, 100_000) for _ in range(size)],)


def reference(data: tuple[list[int]]) -> list[int]:
    """Each number is put where it belongs."""
    result: list[int] = []
    for x in data[0]:
        at = sum(y < x for y in result)
        result.insert(at, x)
    return result


RECIPE = Recipe(
    title="Numbers in order",
    topic="sorting in place against copies and pieces",
    level="easy",
    style=Method("sort_numbers", class_name=None, args=("list[int]",), returns="list[int]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([1, 2, -5],), ([],), ([3, 3, 1, 0],)),
    sizes=range(12, 121, 12),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
