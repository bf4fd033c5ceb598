"""Run-length encoding: string concatenation against parts that are joined."""

from __future__ import annotations

from itertools import groupby
from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe


def render(text: str) -> str:
    """The string on a line."""
    return text + "\n"


def generate(rng: Random, size: int) -> str:
    """Runs of 1 to 4 letters until the size is reached."""
    text = ""
    while len(text) < size:
        text += rng.choice("abcdefgh") * rng.randint(1, 4)
    return text[:size]


def reference(text: str) -> str:
    """Letter and length of every group."""
    return "".join(f"{letter}{len(list(run))}" for letter, run in groupby(text)) + "\n"


RECIPE = Recipe(
    title="Run-length encoding",
    topic="string concatenation against join",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=len,
    examples=("aaabccd", "z", "aabbaaaaaaaaaaaa"),
    sizes=range(100, 1001, 100),
    checker=Checker("tokens"),
)
