"""Groups of anagrams: everybody fills the same dict of lists."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

Words = tuple[list[str]]

_STARTER_CODE = """\
class Solution:
    def group_anagrams(self, words: list[str]) -> list[list[str]]:
        ...
"""


def generate(rng: Random, size: int) -> Words:
    """As many words as the size, shuffled from a third as many bags of letters."""
    bags = ["".join(rng.choices("abcdefghij", k=rng.randint(3, 8))) for _ in range(size // 3 + 1)]
    return (["".join(rng.sample(bag, len(bag))) for bag in rng.choices(bags, k=size)],)


def reference(data: Words) -> list[list[str]]:
    """Each word joins the first group with its letters, or starts one."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for word in data[0]:
        groups.setdefault(tuple(sorted(word)), []).append(word)
    return list(groups.values())


RECIPE = Recipe(
    title="Groups of anagrams",
    topic="one algorithm in several styles",
    style=Method("group_anagrams", args=("list[str]",), returns="list[list[str]]"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=((["tea", "net", "eat", "go", "ten", "ate"],), (["a"],), (["ab", "aab", "ba", "ab"],)),
    sizes=range(80, 801, 80),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
