"""Sort a linked list: relinking its nodes against copies of its values."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Values = tuple[list[int]]

_STARTER_CODE = """\
# class ListNode:
#     def __init__(self, val=0, next=None):
#         self.val = val
#         self.next = next
class Solution:
    def sort_list(self, head: Optional[ListNode]) -> Optional[ListNode]:
        ...
"""


def generate(rng: Random, size: int) -> Values:
    """As many values as the size, some of them equal."""
    return ([rng.randint(-4 * size, 4 * size) for _ in range(size)],)


def reference(data: Values) -> list[int]:
    """The values in order."""
    return sorted(data[0])


RECIPE = Recipe(
    title="Sort a linked list",
    topic="relinked nodes against copied values",
    style=Method("sort_list", args=("ListNode",), returns="ListNode"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(([4, 2, 1, 3],), ([],), ([5, 0, -2, 5, 0],)),
    sizes=range(12, 121, 12),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
