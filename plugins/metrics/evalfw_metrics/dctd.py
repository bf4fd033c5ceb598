"""Dynamic canonical trace divergence: how different the executions of a cohort are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, OpcodeCounts, Sample, TestCase
from evalfw_metrics.averages import mean, mean_over_problems
from evalfw_metrics.comparison import profile_of, summarise
from evalfw_metrics.opcode_divergence import divergence, spread


class Dctd(Metric[NoOptions]):
    """How different the opcodes are that the correct programs execute, in [0, 1] (Rajput et al. 2025, DCTD).

    Pairs get `dctd` on each test, the divergence of their opcode distributions, solutions the mean over their pairs
    and tests. The problem gets the mean over tests of the means over pairs, and in `dctd_tau` the mean over tests of
    the normalised total variances. The results table has the means over problems.
    """

    needs = OpcodeCounts

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        pairs = [
            Measure({"dctd": divergence(executed(a, test), executed(b, test))}, (a.index, b.index), test.id)
            for test, a, b in cohort.pairs()
        ]
        for measure in summarise("dctd", cohort, pairs):
            if measure.solutions:
                yield measure
            else:
                over_tests = {"dctd": mean(_by_test(pairs)), "dctd_tau": mean(_spreads(cohort))}
                yield Measure({**measure.values, **over_tests}, reason=measure.reason)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in ("dctd", "dctd_tau"):
            yield mean_over_problems(name, cohorts)


def executed(sample: Sample, test: TestCase) -> Mapping[str, int]:
    """What a sample executed on a test that it has opcode counts for."""
    return dict(profile_of(sample, test, OpcodeCounts).counts)


def _by_test(pairs: Sequence[Measure]) -> list[float]:
    """The mean over pairs on each test that has any."""
    values: dict[str | None, list[float]] = {}
    for pair in pairs:
        value = pair.values["dctd"]
        assert value is not None
        values.setdefault(pair.test, []).append(value)
    return [found for each in values.values() if (found := mean(each)) is not None]


def _spreads(cohort: Cohort) -> list[float]:
    """The normalised total variance on each test that two samples have counts for."""
    runs = [[executed(s, test) for s in cohort.correct if test.id in s.profiles] for test in cohort.tests]
    return [spread(each) for each in runs if len(each) > 1]
