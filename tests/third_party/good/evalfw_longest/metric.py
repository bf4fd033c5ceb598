"""A metric that reads the code of the correct solutions."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from pydantic import Field

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options


class LongestLineOptions(Options):
    tab_size: int = Field(default=4, ge=1, description="Columns that a tab counts for.")


class LongestLine(Metric[LongestLineOptions]):
    """Length of the longest line of each correct solution, in columns."""

    def measure(self, cohort: Cohort) -> Iterable[Measure]:
        for sample in cohort.correct:
            lines = sample.solution.code.expandtabs(self.options.tab_size).splitlines()
            yield Measure({"longest_line": max(map(len, lines))}, solutions=(sample.index,))

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterable[Estimate]:
        lengths = [[m.values["longest_line"] or 0 for m in cohort.measures] for cohort in cohorts]
        terms = tuple((sum(of_problem), len(of_problem)) for of_problem in lengths if of_problem)
        if terms:
            value = fmean(length for of_problem in lengths for length in of_problem)
            yield Estimate("longest_line", value, len(terms), len(cohorts) - len(terms), terms=terms)
        else:
            yield Estimate("longest_line", None, n=0, left_out=len(cohorts), reason="no correct solution")
