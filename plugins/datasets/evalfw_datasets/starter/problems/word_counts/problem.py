"""Words by frequency: counters against lists of positions, the whole text against line by line."""

from __future__ import annotations

from collections import Counter
from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe

_SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu"]


def render(lines: list[list[str]]) -> str:
    """The words of each line with spaces between them."""
    return "".join(" ".join(words) + "\n" for words in lines)


def generate(rng: Random, size: int) -> list[list[str]]:
    """As many words as the size, few of them frequent and many rare, in lines of up to nine."""
    vocabulary = ["".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(size // 2 + 1)]
    words = [vocabulary[int(len(vocabulary) * rng.random() ** 2)] for _ in range(size)]
    lines = []
    while words:
        length = rng.randint(1, 9)
        lines.append(words[:length])
        words = words[length:]
    return lines


def reference(lines: list[list[str]]) -> str:
    """Counted, then sorted by falling count and by word."""
    counts = Counter(word for words in lines for word in words)
    ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{word} {count}\n" for word, count in ranking)


RECIPE = Recipe(
    title="Words by frequency",
    topic="counters against lists of positions",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=lambda lines: sum(len(words) for words in lines),
    examples=(
        [["the", "cat", "and", "the", "dog"], ["and", "the", "bird"]],
        [["one"]],
        [["b", "a"], ["c"], ["c", "b", "a", "a"]],
    ),
    sizes=range(60, 601, 60),
    checker=Checker("lines"),
)
