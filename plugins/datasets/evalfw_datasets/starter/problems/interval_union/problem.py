"""Length of a union of intervals: sorting against sets of points, arrays and events."""

from __future__ import annotations

from random import Random

from evalfw import Checker, Stdin
from evalfw_datasets.starter.recipe import Recipe

Intervals = list[tuple[int, int]]


def render(intervals: Intervals) -> str:
    """The number of intervals, then one a line."""
    return f"{len(intervals)}\n" + "".join(f"{a} {b}\n" for a, b in intervals)


def generate(rng: Random, size: int) -> Intervals:
    """As many intervals as the size, on a line about ten times as long, that cover half of it."""
    starts = [rng.randrange(10 * size) for _ in range(size)]
    return [(a, a + rng.randint(1, 14)) for a in starts]


def reference(intervals: Intervals) -> str:
    """Sorted by start, each interval adds what lies beyond all the ones before it."""
    covered, reach = 0, 0
    for a, b in sorted(intervals):
        covered += max(0, b - max(a, reach))
        reach = max(reach, b)
    return f"{covered}\n"


RECIPE = Recipe(
    title="Length of a union of intervals",
    topic="sets of points against sorting",
    style=Stdin(),
    render=render,
    reference=reference,
    generate=generate,
    measure=len,
    examples=([(1, 4), (3, 6), (8, 9)], [(0, 5)], [(2, 3), (0, 10), (10, 12), (5, 6)]),
    sizes=range(30, 301, 30),
    checker=Checker("tokens"),
)
