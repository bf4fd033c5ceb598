"""Corrections of p-values for the number of tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Adjusted = list[float | None]


def holm(p_values: Sequence[float | None]) -> Adjusted:
    """Holm's step-down correction, which bounds the chance of even one false discovery.

    Tests without a p are no part of the family, and stay None. Source: Holm, "A simple sequentially rejective multiple
    test procedure" (1979).
    """
    order, adjusted = _ranked(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[place] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> Adjusted:
    """Benjamini and Hochberg's step-up correction, which bounds the share of false ones among discoveries.

    Tests without a p are no part of the family, and stay None. Source: Benjamini and Hochberg, "Controlling the false
    discovery rate" (1995).
    """
    order, adjusted = _ranked(p_values)
    smallest = 1.0
    for rank, (p, place) in reversed(list(enumerate(order, start=1))):
        smallest = min(smallest, p * (len(order) / rank))
        adjusted[place] = smallest
    return adjusted


def _ranked(p_values: Sequence[float | None]) -> tuple[list[tuple[float, int]], Adjusted]:
    """The defined values with their places, the smallest first; and room for the adjusted ones."""
    return sorted((p, place) for place, p in enumerate(p_values) if p is not None), [None] * len(p_values)


CORRECTIONS: Mapping[str, Callable[[Sequence[float | None]], Adjusted]] = {
    "none": list,
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
}
"""By name, as on the command line."""
