"""Correlations."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient of correlation.

    Args:
        value: In [-1, 1].
        p: Two-sided, that there is none.
        n: Number of pairs.
        reason: Why one of them is None.
    """

    value: float | None
    p: float | None
    n: int
    reason: str | None = None


def pearson(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Pearson's r.

    Raises:
        ValueError: The two are not of one length.
    """
    if (undefined := _undefined(x, y)) is not None:
        return undefined
    from scipy import stats

    with warnings.catch_warnings():
        warnings.simplefilter("error", stats.NearConstantInputWarning)
        try:
            found = stats.pearsonr(x, y)
        except stats.NearConstantInputWarning:
            return Correlation(None, None, len(x), "one side is constant but for rounding")
    return _with_p(float(found.statistic), float(found.pvalue), len(x))


def spearman(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing the mean of theirs; p by the t distribution.

    Raises:
        ValueError: The two are not of one length.
    """
    if (undefined := _undefined(x, y)) is not None:
        return undefined
    from scipy import stats

    found = stats.spearmanr(x, y)
    return _with_p(float(found.statistic), float(found.pvalue), len(x))


def _undefined(x: Sequence[float], y: Sequence[float]) -> Correlation | None:
    if len(x) != len(y):
        raise ValueError(f"a correlation is of pairs, found {len(x)} and {len(y)} values")
    if len(x) < 2:
        return Correlation(None, None, len(x), "fewer than two pairs")
    if min(x) == max(x) or min(y) == max(y):
        return Correlation(None, None, len(x), "one side is constant")
    return None


def _with_p(value: float, p: float, n: int) -> Correlation:
    # Two points always lie on a line, so that their p says nothing.
    return Correlation(value, p, n) if n > 2 else Correlation(value, None, n, "p takes three pairs")
