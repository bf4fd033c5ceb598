"""Maximum of every window: overlapping slices against a deque (paper A, figure 3)."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Window = tuple[list[int], int]

_STARTER_CODE = """\
class Solution:
    def sliding_max(self, nums: list[int], k: int) -> list[int]:
        ...
"""


def generate(rng: Random, size: int) -> Window:
    """As many numbers as the size, and a window over a fifth of them."""
    return [rng.randint(-100_000, 100_000) for _ in range(size)], size // 5


def reference(data: Window) -> list[int]:
    """The definition."""
    nums, k = data
    return [max(nums[i : i + k]) for i in range(len(nums) - k + 1)]


RECIPE = Recipe(
    title="Maximum of every window",
    topic="overlapping slices against a deque",
    style=Method("sliding_max", args=("list[int]", "int"), returns="list[int]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([1, 3, -1, -3, 5, 3], 3), ([7], 1), ([4, 4, 2, 9, 1], 5)),
    sizes=range(50, 501, 50),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
