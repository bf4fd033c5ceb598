"""Run times: how long correct solutions take, how much that varies, and how fast they are among known ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, Sample, TestCase, Timing
from evalfw_metrics.averages import mean, mean_over_problems, why_incomplete
from evalfw_metrics.comparison import profile_of
from evalfw_metrics.costs import cost, costs_of_references, unmeasured
from evalfw_metrics.scores import defined

_OF_ROUNDS = ("runtime_median", "runtime_mean", "runtime_cv_rounds")
_AMONG_OTHERS = ("speed_canonical", "speed_fastest", "runtime_rank")
_OF_PROBLEM = (*_OF_ROUNDS, "runtime_cv_solutions", *_AMONG_OTHERS)


def variation(values: Sequence[float]) -> float | None:
    """Coefficient of variation: standard deviation, with n - 1, over mean; None of fewer than two or of zeros."""
    return stdev(values) / fmean(values) if len(values) > 1 and any(values) else None


def rank(own: float, known: Sequence[float]) -> float | None:
    """The share of known run times that are longer, in percent, as LeetCode ranks; None where none is known."""
    return 100 * sum(other > own for other in known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class _Known:
    """Run times that solutions are compared with, as means over the tests; None where not known."""

    canonical: float | None
    fastest: float | None
    all: tuple[float, ...]


class Runtime(Metric[NoOptions]):
    """Run time, its variation, and speed relative to known solutions (paper B, sections 3.3 and 5).

    Run times are medians of the rounds; `runtime_mean` is the mean of the same rounds. A solution has the means over
    all tests of its problem, and none where a test has no timing; the problem has the means over its solutions, the
    results table the means over problems. Speeds are ratios of run times, above 1 where the solution is faster than
    what it is compared with; that of a problem is relative to the mean run time of its solutions. Known solutions are
    those accepted ones that were timed beside.
    """

    needs = Timing

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Solutions on each test, solutions and the problem."""
        known = _known(cohort)
        solutions = []
        for sample in cohort.correct:
            yield from (_on(sample, test) for test in cohort.tests if test.id in sample.profiles)
            solutions.append(_solution(sample, cohort, known))
        yield from solutions
        yield _problem(solutions, cohort, known)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in _OF_PROBLEM:
            yield mean_over_problems(name, cohorts)


def _on(sample: Sample, test: TestCase) -> Measure:
    seconds = profile_of(sample, test, Timing).seconds
    values = (profile_of(sample, test, Timing).cost, fmean(seconds), variation(seconds))
    reason = "fewer than two rounds, or all of 0 seconds" if values[2] is None else None
    return Measure(dict(zip(_OF_ROUNDS, values, strict=True)), (sample.index,), test.id, reason)


def _known(cohort: Cohort) -> _Known:
    count = len(cohort.tests) or 1
    canonical = cost(cohort.canonical, cohort.tests)
    known = tuple(each / count for each in costs_of_references(cohort))
    solved = (cost(sample.profiles, cohort.tests) for sample in cohort.correct)
    fastest = min((*known, *(each / count for each in solved if each is not None)), default=None)
    return _Known(None if canonical is None else canonical / count, fastest, known)


def _solution(sample: Sample, cohort: Cohort, known: _Known) -> Measure:
    total = cost(sample.profiles, cohort.tests)
    if total is None:
        reason = unmeasured(sample.profiles, cohort.tests) if cohort.judged else "no tests"
        return Measure(dict.fromkeys((*_OF_ROUNDS, *_AMONG_OTHERS)), (sample.index,), reason=reason)
    own = total / len(cohort.tests)
    timings = [profile_of(sample, test, Timing) for test in cohort.tests]
    variations = [each for timing in timings if (each := variation(timing.seconds)) is not None]
    values = {
        "runtime_median": own,
        "runtime_mean": fmean(fmean(timing.seconds) for timing in timings),
        "runtime_cv_rounds": mean(variations),
        "speed_canonical": _speed(known.canonical, own),
        "speed_fastest": _speed(known.fastest, own),
        "runtime_rank": rank(own, known.all),
    }
    return Measure(values, (sample.index,), reason=_why(values, known))


def _problem(solutions: Sequence[Measure], cohort: Cohort, known: _Known) -> Measure:
    medians = defined("runtime_median", solutions)
    own = mean(medians)
    values = {
        **{name: mean(defined(name, solutions)) for name in _OF_ROUNDS},
        "runtime_cv_solutions": variation(medians),
        "speed_canonical": _speed(known.canonical, own),
        "speed_fastest": _speed(known.fastest, own),
        "runtime_rank": mean(defined("runtime_rank", solutions)),
    }
    reasons = [why_incomplete(solutions, cohort)]
    if cohort.judged and solutions and values["runtime_cv_solutions"] is None:
        reasons.append("fewer than two solutions with run times")
    reason = "; ".join(filter(None, reasons)) or None
    return Measure({**values, "runtime_known": len(known.all)}, reason=reason)


def _speed(other: float | None, own: float | None) -> float | None:
    return other / own if other is not None and own else None


def _why(values: dict[str, float | None], known: _Known) -> str | None:
    reasons = []
    if known.canonical is None:
        reasons.append("the canonical solution has no run time")
    if not known.all:
        reasons.append("no accepted solution has a run time")
    if values["runtime_median"] == 0:
        reasons.append("its run time is 0")
    if values["runtime_cv_rounds"] is None:
        reasons.append("no variation of rounds")
    return ", ".join(reasons) or None
