"""Even numbers of a list: comprehensions against appending and copies."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def even_numbers(nums: list[int]) -> list[int]:
    ...
"""


def generate(rng: Random, size: int) -> tuple[list[int]]:
    """As many numbers as the size."""
    return ([rng.randint(-100_000, 100_000) for _ in range(size)],)


def reference(data: tuple[list[int]]) -> list[int]:
    """The definition."""
    return [x for x in data[0] if x % 2 == 0]


RECIPE = Recipe(
    title="Even numbers",
    topic="comprehensions against appending and copies",
    level="easy",
    style=Method("even_numbers", class_name=None, args=("list[int]",), returns="list[int]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([3, 8, -2, 5],), ([],), ([7, 4, 4, 1, 0],)),
    sizes=range(60, 601, 60),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
