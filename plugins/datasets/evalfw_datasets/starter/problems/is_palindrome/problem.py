"""Forwards and backwards: reversed copies against two pointers."""

from __future__ import annotations

from random import Random

from evalfw import Call, Checker, Method
from evalfw_datasets.starter.recipe import Recipe

_STARTER_CODE = """\
def is_palindrome(text: str) -> bool:
    ...
"""


def generate(rng: Random, size: int) -> tuple[str]:
    """A palindrome of that length, spoilt by one letter in half of the cases."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    half = "".join(rng.choice(letters) for _ in range((size + 1) // 2))
    text = half + half[: size // 2][::-1]
    if rng.random() < 0.5:
        at = rng.randrange(size)
        text = text[:at] + rng.choice(letters) + text[at + 1 :]
    return (text,)


def reference(data: tuple[str]) -> bool:
    """Every letter has its like."""
    text = data[0]
    return all(text[i] == text[len(text) - 1 - i] for i in range(len(text)))


RECIPE = Recipe(
    title="Palindrome",
    topic="reversed copies against two pointers",
    level="easy",
    style=Method("is_palindrome", class_name=None, args=("str",), returns="bool"),
    render=Call,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(("level",), ("ab",), ("",)),
    sizes=range(100, 1001, 100),
    checker=Checker("value"),
    starter_code=_STARTER_CODE,
)
