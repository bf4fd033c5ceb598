"""Vowels in a text: counters against lists of what is counted."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def count_vowels(text: str) -> int:
    ...
"""


def generate(rng: Random, size: int) -> tuple[str]:
    """As many letters as the size."""
    return ("".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(size)),)


def reference(data: tuple[str]) -> int:
    """Each vowel by itself."""
    return sum(data[0].count(vowel) for vowel in "aeiou")


RECIPE = Recipe(
    title="Vowels",
    topic="counters against lists of what is counted",
    level="easy",
    style=Method("count_vowels", class_name=None, args=("str",), returns="int"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(("banana",), ("xyz",), ("queueing",)),
    sizes=range(100, 1001, 100),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
