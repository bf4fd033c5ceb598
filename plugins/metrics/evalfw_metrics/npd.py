"""Normalised peak difference: how far apart the peaks of two solutions are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, Series
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_pairs


def npd(a: Series, b: Series) -> float:
    """Difference of the peaks of two profiles over the larger one, in [0, 1]; 0 where both are 0."""
    low, high = sorted((a.peak, b.peak))
    return (high - low) / high if high else 0.0


class Npd(Metric[NoOptions]):
    """Difference of the peaks of two solutions over the larger one, in [0, 1] (baseline of paper A).

    Pairs get `npd`, solutions the mean over all their pairs and tests, the problem the mean over all pairs
    and tests, the results table the mean over problems.
    """

    needs = Series

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_pairs("npd", cohort, Series, _compare)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("npd", cohorts)


def _compare(a: Series, b: Series) -> Compared:
    return {"npd": npd(a, b)}, None
