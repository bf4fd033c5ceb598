"""Normalised maximum velocity: the largest jump of a solution's memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from pydantic import Field

from evalfw import Bytes, Cohort, Estimate, Measure, Measured, MemoryProfile, Metric, Options, Sample, Series
from evalfw_metrics.averages import mean, mean_over_problems, tally
from evalfw_metrics.comparison import profile_of


def max_velocity(profile: Series) -> int:
    """MaxVel (paper A, section 3.5): the largest rise from one step to the next, in the unit of the profile.

    A profile that never rises, such as one of a single sample, has none: 0.
    """
    return max([0, *(later - earlier for (earlier, _), (later, _) in pairwise(profile.runs))])


class NmvOptions(Options):
    """Options of `nmv`."""

    min_peak: Bytes | None = Field(
        default=None, description="P_min: runs with a smaller peak are left out, e.g. `100KiB`."
    )
    clip: bool = Field(default=False, description="Whether values over 1 count as 1.")


class Nmv(Metric[NmvOptions]):
    """Largest jump of a solution's memory over the median peak on the same test (paper A, equations 7 and 8).

    The median is taken over all correct solutions with a profile on the test, those below `min_peak`
    included. Where it is 0 the ratio is undefined. Solutions get the mean over their eligible tests (equation
    8), the problem the mean over its solutions, the results table the mean over problems. Values may exceed 1
    unless `clip` is set.
    """

    needs = Series

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Solutions and the problem."""
        medians = _median_peaks(cohort)
        solutions = [self._solution(sample, cohort, medians) for sample in cohort.correct]
        yield from solutions
        values = [value for solution in solutions if (value := solution.values["nmv"]) is not None]
        yield Measure({"nmv": mean(values)}, reason=_why(solutions, cohort))

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("nmv", cohorts)

    def _solution(self, sample: Sample, cohort: Cohort, medians: Mapping[str, float]) -> Measure:
        values, left_out = [], []
        for test in cohort.tests:
            if test.id not in sample.profiles:
                left_out.append("no profile")
                continue
            profile = profile_of(sample, test, Series)
            if self.options.min_peak is not None and not isinstance(profile, MemoryProfile):
                left_out.append(f"min_peak is in bytes, the profile in {profile.unit}")
            elif self.options.min_peak is not None and profile.peak < self.options.min_peak:
                left_out.append("peak below min_peak")
            elif medians[test.id] == 0:
                left_out.append("median peak is 0")
            else:
                nmv = max_velocity(profile) / medians[test.id]
                values.append(min(nmv, 1.0) if self.options.clip else nmv)
        reason = tally("test", left_out) if cohort.judged else "no tests"
        return Measure({"nmv": mean(values)}, (sample.index,), reason=reason)


def _median_peaks(cohort: Cohort) -> dict[str, float]:
    """The median peak of every test that a correct solution has a profile for."""
    medians = {}
    for test in cohort.tests:
        peaks = [profile_of(s, test, Series).peak for s in cohort.correct if test.id in s.profiles]
        if peaks:
            medians[test.id] = float(median(peaks))
    return medians


def _why(solutions: Sequence[Measure], cohort: Cohort) -> str | None:
    if not cohort.judged:
        return "no tests"
    if not solutions:
        return "no correct solution"
    return tally("solution", (each.reason for each in solutions if each.values["nmv"] is None))
