"""Tests of two independent groups."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_EXACT_UP_TO = 8


@dataclass(frozen=True, slots=True)
class GroupTest:
    """A two-sided test of two groups; the sign of the statistic is that of the first less the second.

    Args:
        statistic: t, or U of the first group.
        p: Two-sided.
        df: Degrees of freedom, where the test has any.
        method: Which test, in full.
        reason: Why the others are None.
    """

    statistic: float | None
    p: float | None
    df: float | None
    method: str
    reason: str | None = None


def student_t(a: Sequence[float], b: Sequence[float]) -> GroupTest:
    """Student's t-test of the means, with one variance for both groups.

    Source: paper B, section 4.2. Means and variances are summed exactly and rounded once, so that groups of one
    constant have variance 0 and not what rounding leaves.
    """
    method = "Student's t-test"
    if not a or not b or len(a) + len(b) < 3:
        return GroupTest(None, None, None, method, "fewer than three values, or a group without any")
    return _t_test(a, b, method, equal=True)


def welch_t(a: Sequence[float], b: Sequence[float]) -> GroupTest:
    """Welch's t-test of the means, with a variance for each group."""
    method = "Welch's t-test"
    if len(a) < 2 or len(b) < 2:
        return GroupTest(None, None, None, method, "a group of fewer than two values")
    return _t_test(a, b, method, equal=False)


def mann_whitney(a: Sequence[float], b: Sequence[float]) -> GroupTest:
    """Mann and Whitney's U test.

    Exact where one group has at most eight values and no two values are equal; else by the normal distribution, with
    corrections for ties and continuity. The method says which.
    """
    if not a or not b:
        return GroupTest(None, None, None, "Mann-Whitney U", "a group without values")
    distinct = len({*a, *b})
    if distinct == 1:
        return GroupTest(None, None, None, "Mann-Whitney U", "all values are the same")
    from scipy import stats

    exact = distinct == len(a) + len(b) and min(len(a), len(b)) <= _EXACT_UP_TO
    how: Literal["exact", "asymptotic"] = "exact" if exact else "asymptotic"
    found = stats.mannwhitneyu(a, b, method=how)
    return GroupTest(float(found.statistic), float(found.pvalue), None, f"Mann-Whitney U, {how}")


def _t_test(a: Sequence[float], b: Sequence[float], method: str, *, equal: bool) -> GroupTest:
    deviations = [statistics.stdev(group) if len(group) > 1 else 0.0 for group in (a, b)]
    if not any(deviations):
        return GroupTest(None, None, None, method, "both groups are constant")
    from scipy import stats

    (mean_a, mean_b), (deviation_a, deviation_b) = map(statistics.fmean, (a, b)), deviations
    found = stats.ttest_ind_from_stats(mean_a, deviation_a, len(a), mean_b, deviation_b, len(b), equal_var=equal)
    return GroupTest(float(found.statistic), float(found.pvalue), _degrees(a, b, deviations, equal=equal), method)


def _degrees(a: Sequence[float], b: Sequence[float], deviations: Sequence[float], *, equal: bool) -> float:
    if equal:
        return len(a) + len(b) - 2
    parts = [deviation**2 / len(group) for deviation, group in zip(deviations, (a, b), strict=True)]
    return sum(parts) ** 2 / sum(part**2 / (len(group) - 1) for part, group in zip(parts, (a, b), strict=True))
