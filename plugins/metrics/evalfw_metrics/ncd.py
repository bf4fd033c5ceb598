"""Normalised cost difference: how far apart the costs of two solutions are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalfw import Cohort, Cost, Estimate, Measure, Measured, Metric, NoOptions
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_pairs


def ncd(a: Cost, b: Cost) -> float:
    """Difference of two costs over the larger one, in [0, 1]; 0 where both are 0."""
    low, high = sorted((a.cost, b.cost))
    return (high - low) / high if high else 0.0


class Ncd(Metric[NoOptions]):
    """Difference of the costs of two solutions over the larger one, in [0, 1]: what `npd` is for peaks of memory.

    Pairs get `ncd`, solutions the mean over all their pairs and tests, the problem the mean over all pairs and tests,
    the results table the mean over problems.
    """

    needs = Cost

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_pairs("ncd", cohort, Cost, _compare)  # type: ignore[type-abstract]

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("ncd", cohorts)


def _compare(a: Cost, b: Cost) -> Compared:
    return {"ncd": ncd(a, b)}, None
