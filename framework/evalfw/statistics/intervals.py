"""Confidence intervals: of means, ratios and medians over problems by the bootstrap, and of proportions.

The bootstrap draws problems with replacement, since they are what a score would be computed on again. Its intervals are
the percentiles of what comes out. They never leave the range of the statistic and exist for any two problems. BCa, the
usual refinement, needs a jackknife, which is wrong for medians and undefined where leaving out a problem has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Resampling:
    """How a bootstrap is done.

    Args:
        resamples: How many.
        confidence: Share of them between the ends of an interval.
        seed: Of the draws.
    """

    resamples: int
    confidence: float
    seed: int


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of a confidence interval, or why there is none."""

    low: float | None
    high: float | None
    reason: str | None = None


def ratio_interval(terms: Sequence[tuple[float, float]], how: Resampling) -> Interval:
    """Bootstrap interval of the sum of numerators over the sum of denominators, which are above 0.

    With all denominators 1 it is that of the mean. The order of the terms has no effect.
    """
    import numpy as np

    table = np.array(sorted(terms), dtype=np.float64).reshape(-1, 2)
    return _bootstrap(len(table), lambda drawn: np.divide(*table[drawn].sum(axis=1).T), how)


def median_interval(values: Sequence[float], how: Resampling) -> Interval:
    """Bootstrap interval of the median. The order of the values has no effect."""
    import numpy as np

    ordered = np.array(sorted(values), dtype=np.float64)
    return _bootstrap(len(ordered), lambda drawn: np.median(ordered[drawn], axis=1), how)


def proportion_interval(
    successes: int, n: int, confidence: float, method: Literal["wilson", "exact"] = "wilson"
) -> Interval:
    """Interval of a probability from independent trials: Wilson's, or the exact one of Clopper and Pearson.

    Raises:
        ValueError: The numbers do not fit: 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"0 <= successes <= n is needed, found {successes} of {n}")
    if not n:
        return Interval(None, None, "no trials")
    from scipy import stats

    found = stats.binomtest(successes, n).proportion_ci(confidence, method=method)
    return Interval(float(found.low), float(found.high))


def _bootstrap(n: int, statistic: Callable[[NDArray[np.int64]], NDArray[np.float64]], how: Resampling) -> Interval:
    """Percentiles of a statistic of drawn places, one row a resample."""
    import numpy as np

    if n < 2:
        return Interval(None, None, "an interval takes two problems or more")
    draw = np.random.default_rng(how.seed % 2**64)
    # In blocks, so that memory stays bounded; the draws are the same as in one.
    block = max(1, _NUMBERS_AT_ONCE // n)
    sizes = [min(block, how.resamples - start) for start in range(0, how.resamples, block)]
    found = np.concatenate([statistic(draw.integers(0, n, (size, n))) for size in sizes])
    outside = (1 - how.confidence) / 2
    low, high = np.quantile(found, (outside, 1 - outside))
    return Interval(float(low), float(high))
