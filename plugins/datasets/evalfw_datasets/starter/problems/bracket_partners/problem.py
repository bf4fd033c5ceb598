"""Partners of brackets: everybody uses the same stack."""

from __future__ import annotations

from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe

_CLOSING = {"(": ")", "[": "]", "{": "}"}


def render(text: str) -> str:
    """The string on a line."""
    return text + "\n"


def generate(rng: Random, size: int) -> str:
    """A balanced string of the size, which is even: open or close at random while both are possible."""
    text, waiting = "", ""
    while len(text) < size:
        if waiting and (len(waiting) == size - len(text) or rng.random() < 0.4):
            text += waiting[-1]
            waiting = waiting[:-1]
        else:
            text += (bracket := rng.choice("([{"))
            waiting += _CLOSING[bracket]
    return text


def reference(text: str) -> str:
    """For an opening bracket, the first position behind it at which the depth is back."""
    partners = [-1] * len(text)
    for start, bracket in enumerate(text):
        if bracket in _CLOSING:
            depth, end = 1, start
            while depth:
                end += 1
                depth += 1 if text[end] in _CLOSING else -1
            partners[start], partners[end] = end, start
    return " ".join(map(str, partners)) + "\n"


RECIPE = Recipe(
    title="Partners of brackets",
    topic="one algorithm in several styles",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=len,
    examples=("([]){}", "()", "{[(())][]}"),
    sizes=range(120, 1201, 120),
    checker=Checker("tokens"),
)
