"""Differences of pairs: what is typical of them, and whether they lean to one side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and interquartile range.

    Args:
        n: Number of values.
        median: None of nothing.
        iqr: Third quartile less the first, both by linear interpolation.
        reason: Why they are None.
    """

    n: int
    median: float | None
    iqr: float | None
    reason: str | None = None


def spread(values: Sequence[float]) -> Spread:
    """Median and interquartile range of values."""
    if not values:
        return Spread(0, None, None, "no values")
    import numpy as np

    low, middle, high = np.quantile(np.asarray(values, dtype=np.float64), (0.25, 0.5, 0.75))
    return Spread(len(values), float(middle), float(high - low))


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Wilcoxon's signed-rank test.

    Args:
        statistic: The smaller of the two sums of ranks.
        p: Two-sided.
        n: Number of differences.
        n_nonzero: How many are not 0; only these are ranked.
        method: `exact`: all ways of giving the ranks signs are counted. `asymptotic`: the normal distribution, its
            variance corrected for ties, without correction for continuity. None where there is nothing to test.
        reason: Why statistic and p are None.
    """

    statistic: float | None
    p: float | None
    n: int
    n_nonzero: int
    method: Literal["exact", "asymptotic"] | None = None
    reason: str | None = None


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Wilcoxon's signed-rank test that differences of pairs are symmetric about 0.

    Differences of 0 are left out (Wilcoxon's own way), equal ones share the mean of their ranks. Up to 50 are tested
    exactly, with ties too, for which scipy has the normal distribution only or takes seconds. Source: Wilcoxon,
    "Individual comparisons by ranking methods" (1945).
    """
    nonzero = [each for each in differences if each]
    if not nonzero:
        reason = "all differences are 0" if differences else "no pairs"
        return SignedRank(None, None, len(differences), 0, reason=reason)
    if len(nonzero) <= _EXACT_UP_TO:
        statistic, p = _exact(nonzero)
        return SignedRank(statistic, p, len(differences), len(nonzero), "exact")
    from scipy import stats

    found = stats.wilcoxon(nonzero, method="asymptotic")  # type: ignore[call-overload]  # stubs know an old name
    return SignedRank(float(found.statistic), float(found.pvalue), len(differences), len(nonzero), "asymptotic")


def _exact(nonzero: Sequence[float]) -> tuple[float, float]:
    """Statistic and p from the number of ways in which the ranks can be given signs."""
    import numpy as np

    values = np.asarray(nonzero, dtype=np.float64)
    _, place, count = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(count) - count + 1)[place]  # whole, as means of two ranks are
    ways = np.zeros(doubled.sum() + 1, dtype=np.int64)  # by the sum of the positive ranks; at most 2^50
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    above = int(doubled[values > 0].sum())
    smaller = min(above, int(doubled.sum()) - above)
    return smaller / 2, min(1.0, 2 * int(ways[: smaller + 1].sum()) / 2 ** len(nonzero))
