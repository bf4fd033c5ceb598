"""A metric that reads timings: how many lines the correct solutions execute."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, Timing


class ExecutedLines(Metric[NoOptions]):
    """Mean number of executed lines of each correct solution over its tests."""

    needs = Timing

    def measure(self, cohort: Cohort) -> Iterable[Measure]:
        """The correct solutions."""
        for sample in cohort.correct:
            counts = [p.seconds[0] for p in sample.profiles.values() if isinstance(p, Timing)]
            if counts:
                yield Measure({"executed_lines": fmean(counts)}, solutions=(sample.index,))
            else:
                yield Measure({"executed_lines": None}, solutions=(sample.index,), reason="no profile")

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterable[Estimate]:
        """The mean over all correct solutions."""
        counts = [value for c in cohorts for m in c.measures if (value := m.values["executed_lines"]) is not None]
        if counts:
            yield Estimate("executed_lines", fmean(counts), n=len(cohorts))
        else:
            yield Estimate("executed_lines", None, n=0, left_out=len(cohorts), reason="no profile")
