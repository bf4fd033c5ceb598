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
        """The mean over all correct solutions, with what each problem contributes: sum and number of values."""
        counts = [[v for m in c.measures if (v := m.values["executed_lines"]) is not None] for c in cohorts]
        terms = tuple((sum(of_problem), len(of_problem)) for of_problem in counts if of_problem)
        if terms:
            value = fmean(count for of_problem in counts for count in of_problem)
            yield Estimate("executed_lines", value, len(terms), len(cohorts) - len(terms), terms=terms)
        else:
            yield Estimate("executed_lines", None, n=0, left_out=len(cohorts), reason="no profile")
