"""Sums of ranges: everybody builds the same prefix sums."""

from __future__ import annotations

from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe

Questions = tuple[list[int], list[tuple[int, int]]]


def render(data: Questions) -> str:
    """Both counts, the sequence, one question a line."""
    numbers, questions = data
    head = f"{len(numbers)} {len(questions)}\n{' '.join(map(str, numbers))}\n"
    return head + "".join(f"{left} {right}\n" for left, right in questions)


def generate(rng: Random, size: int) -> Questions:
    """As many elements as the size, and as many questions."""
    numbers = [rng.randint(-1_000_000, 1_000_000) for _ in range(size)]
    questions = []
    for _ in range(size):
        left, right = sorted((rng.randint(1, size), rng.randint(1, size)))
        questions.append((left, right))
    return numbers, questions


def reference(data: Questions) -> str:
    """Each range is added up."""
    numbers, questions = data
    return "".join(f"{sum(numbers[left - 1 : right])}\n" for left, right in questions)


RECIPE = Recipe(
    title="Sums of ranges",
    topic="one algorithm in several styles",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=lambda data: len(data[0]),
    examples=(
        ([5, -1, 7, 2], [(1, 3), (2, 2)]),
        ([-3], [(1, 1)]),
        ([1, 2, 3, 4, 5], [(1, 5), (5, 5), (2, 4)]),
    ),
    sizes=range(60, 601, 60),
    checker=Checker("lines"),
)
