"""Sums of the levels of a tree: recursion against queues, running sums against collected values."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Tree = tuple[list[int | None]]

_STARTER_CODE = """\
# class TreeNode:
#     def __init__(self, val=0, left=None, right=None):
#         self.val = val
#         self.left = left
#         self.right = right
class Solution:
    def level_sums(self, root: Optional[TreeNode]) -> list[int]:
        ...
"""


def generate(rng: Random, size: int) -> Tree:
    """As many nodes as the size, each hung below a random one of the younger half of those before it."""
    children: list[list[int | None]] = [[None, None]]
    while len(children) < size:
        parent = rng.randrange(len(children) // 2, len(children))
        side = rng.randrange(2)
        if children[parent][side] is None:
            children[parent][side] = len(children)
            children.append([None, None])
    array: list[int | None] = []
    queue: list[int | None] = [0]
    for node in queue:
        array.append(None if node is None else rng.randint(-10_000, 10_000))
        if node is not None:
            queue.extend(children[node])
    while array[-1] is None:
        array.pop()
    return (array,)


def reference(data: Tree) -> list[int]:
    """Walks the array level by level: every value that is there has two places in the next level."""
    array, sums, start, width = data[0], [], 0, 1
    while level := [value for value in array[start : start + width] if value is not None]:
        sums.append(sum(level))
        start, width = start + width, 2 * len(level)
    return sums


RECIPE = Recipe(
    title="Sums of the levels of a tree",
    topic="recursion against queues",
    style=Method("level_sums", args=("TreeNode",), returns="list[int]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: sum(value is not None for value in data[0]),
    examples=(([3, 9, 20, None, None, 15, 7],), ([],), ([1, None, 2, 3],)),
    sizes=range(30, 301, 30),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
