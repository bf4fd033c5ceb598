"""Means that do not depend on order, and what is said about values that could not be averaged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from evalfw import Cohort, Estimate, Measure, Measured

_KINDS_OF_REASON = 3


def mean(values: Collection[float]) -> float | None:
    """The arithmetic mean; None of nothing. The sum is rounded once, so the order has no effect."""
    return math.fsum(values) / len(values) if values else None


def tally(unit: str, reasons: Iterable[str | None]) -> str | None:
    """Reasons with how often they apply, the most frequent first; None where there are none.

    >>> tally("problem", ["no tests", "no tests"])
    '2 problems: no tests'
    """
    counts = Counter(reason or "no reason given" for reason in reasons)
    kinds = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    listed = [f"{_counted(count, unit)}: {reason}" for reason, count in kinds[:_KINDS_OF_REASON]]
    others = sum(count for _, count in kinds[_KINDS_OF_REASON:])
    if others:
        listed.append(f"{_counted(others, unit)}: other reasons")
    return "; ".join(listed) or None


def mean_over_problems(metric: str, cohorts: Sequence[Measured]) -> Estimate:
    """Mean of the column `metric` over the problems in which it is defined."""
    problems = [measure for cohort in cohorts for measure in cohort.measures if not measure.solutions]
    values = [value for problem in problems if (value := problem.values[metric]) is not None]
    reasons = [problem.reason for problem in problems if problem.values[metric] is None]
    return estimate(metric, mean(values), [(value, 1) for value in values], reasons)


def why_incomplete(solutions: Sequence[Measure], cohort: Cohort) -> str | None:
    """What is said of a mean over the correct solutions of a cohort: why there is none, or what is not in it."""
    if not cohort.judged:
        return "no tests"
    if not solutions:
        return "no correct solution"
    return tally("solution", (each.reason for each in solutions if each.reason))


def estimate(
    metric: str,
    value: float | None,
    terms: Sequence[tuple[float, float]],
    left_out: Collection[str | None],
    also: str | None = None,
) -> Estimate:
    """An estimate from the problems that took part.

    Args:
        metric: Its name.
        value: None where undefined.
        terms: Numerator and denominator of each problem; the value is the ratio of their sums.
        left_out: The reason of each problem that did not take part.
        also: What else should be known.
    """
    if not terms and not left_out:
        return Estimate(metric, value, 0, reason="no problems")
    reasons = [each for each in (tally("problem", left_out), also) if each]
    return Estimate(
        metric, value, len(terms), left_out=len(left_out), reason="; ".join(reasons) or None, terms=tuple(terms)
    )


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
