"""Two conditions on the problems they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from evalfw.errors import InputError, near
from evalfw.statistics.correction import CORRECTIONS
from evalfw.statistics.effects import cliffs_delta
from evalfw.statistics.intervals import Resampling, median_interval
from evalfw.statistics.paired import signed_rank, spread


@dataclass(frozen=True, slots=True)
class Paired:
    """How a number differs between two conditions, problem by problem: always the second less the first.

    Args:
        common: Problems for which both have the number.
        only_a: Problems for which only the first has it; they take no part.
        only_b: The same for the second.
        median_a: Over the common problems.
        median_b: Over the common problems.
        median_difference: Median of the differences.
        difference_iqr: Their interquartile range.
        difference_low: Lower end of the bootstrap interval of their median.
        difference_high: Upper end of the same.
        p: Of Wilcoxon's signed-rank test.
        p_adjusted: The same after the correction for the number of comparisons.
        n_nonzero: How many differences are not 0; these were ranked.
        method: How p was computed.
        cliffs_delta: Of the two conditions, positive where the second has the larger numbers.
        reason: Why something is null.
    """

    common: int
    only_a: int
    only_b: int
    median_a: float | None
    median_b: float | None
    median_difference: float | None
    difference_iqr: float | None
    difference_low: float | None
    difference_high: float | None
    p: float | None
    p_adjusted: float | None
    n_nonzero: int
    method: str | None
    cliffs_delta: float | None
    reason: str | None


def paired(a: Mapping[str, float], b: Mapping[str, float], how: Resampling) -> Paired:
    """Compare two conditions.

    Args:
        a: The number by problem; no entry where it is null.
        b: The same for the second condition.
        how: Of the interval.
    """
    common = [problem for problem in a if problem in b]
    first, second = [a[problem] for problem in common], [b[problem] for problem in common]
    differences = [b[problem] - a[problem] for problem in common]
    typical, test = spread(differences), signed_rank(differences)
    effect, interval = cliffs_delta(second, first), median_interval(differences, how)
    reasons = [f"p: {test.reason}" if test.reason else "", f"interval: {interval.reason}" if interval.reason else ""]
    return Paired(
        common=len(common),
        only_a=len(a) - len(common),
        only_b=len(b) - len(common),
        median_a=median(first) if common else None,
        median_b=median(second) if common else None,
        median_difference=typical.median,
        difference_iqr=typical.iqr,
        difference_low=interval.low,
        difference_high=interval.high,
        p=test.p,
        p_adjusted=test.p,
        n_nonzero=test.n_nonzero,
        method=test.method,
        cliffs_delta=effect.value,
        reason=("; ".join(filter(None, reasons)) or None) if common else "no problem in common",
    )


def adjusted(family: Sequence[Paired], correction: str) -> list[Paired]:
    """The comparisons with their p-values corrected for how many they are.

    Raises:
        InputError: There is no such correction.
    """
    if correction not in CORRECTIONS:
        raise InputError(f"there is no correction '{correction}'{near(correction, CORRECTIONS)}")
    corrected = CORRECTIONS[correction]([each.p for each in family])
    return [replace(each, p_adjusted=p) for each, p in zip(family, corrected, strict=True)]
