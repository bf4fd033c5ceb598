"""Sizes of effects."""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """The size of an effect; positive where the first group is the larger one."""

    value: float | None
    reason: str | None = None


def cliffs_delta(a: Sequence[float], b: Sequence[float]) -> Effect:
    """Cliff's delta: how much oftener a value of the first group is above one of the second than below it.

    (#(x > y) - #(x < y)) / (n m) over all n m pairs, those of equal values included; in [-1, 1]. Counted in whole
    numbers in O((n + m) log m). Source: Cliff, "Dominance statistics" (1993).
    """
    if not a or not b:
        return Effect(None, "a group without values")
    ordered = sorted(b)
    above = sum(bisect_left(ordered, value) for value in a)
    below = sum(len(ordered) - bisect_right(ordered, value) for value in a)
    return Effect((above - below) / (len(a) * len(b)))


def cohens_d(a: Sequence[float], b: Sequence[float]) -> Effect:
    """Cohen's d: the difference of the means over the pooled standard deviation.

    Variances are pooled by their degrees of freedom.
    """
    degrees = len(a) + len(b) - 2
    if not a or not b or degrees < 1:
        return Effect(None, "fewer than three values, or a group without any")
    squares = sum((len(group) - 1) * statistics.variance(group) for group in (a, b) if len(group) > 1)
    if not squares:
        return Effect(None, "both groups are constant")
    return Effect((statistics.fmean(a) - statistics.fmean(b)) / (squares / degrees) ** 0.5)
