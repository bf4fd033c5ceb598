"""Values in three parts: the low, the middle and the high ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tertiles:
    """Where values are cut in three.

    Args:
        first: The value at one third of the way through them; up to it they are low.
        second: The value at two thirds; above it they are high.
    """

    first: float
    second: float

    def place(self, value: float) -> int:
        """1, 2 or 3. Equal values have one place, so that with many of them the parts differ in size."""
        return 1 + (value > self.first) + (value > self.second)


def tertiles(values: Sequence[float]) -> Tertiles:
    """Cut values at their quantiles of 1/3 and 2/3, by linear interpolation.

    Raises:
        ValueError: There are none.
    """
    if not values:
        raise ValueError("there is nothing to cut in three")
    import numpy as np

    first, second = np.quantile(np.asarray(values, dtype=np.float64), (1 / 3, 2 / 3))
    return Tertiles(float(first), float(second))
