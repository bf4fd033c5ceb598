"""Time and memory of solutions over those of the canonical solution, as EffiBench reports them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import Field, model_validator

from evalfw import Cohort, Estimate, Measure, Measured, MemoryOverTime, Metric, Options, Profile, Sample, TestCase
from evalfw_metrics.averages import estimate, mean, mean_over_problems, why_incomplete
from evalfw_metrics.costs import KINDS, CostName, cost, named, unmeasured
from evalfw_metrics.scores import defined

Amount: TypeAlias = Callable[[Mapping[str, Profile], Sequence[TestCase]], float | None]
"""What a solution takes over all tests; None where it has no profile on one."""


def peak(profiles: Mapping[str, Profile], tests: Sequence[TestCase]) -> float | None:
    """The largest peak on any test, in bytes."""
    return max((each.peak_bytes for each in _memory(profiles, tests)), default=None)


def area(profiles: Mapping[str, Profile], tests: Sequence[TestCase]) -> float | None:
    """Memory times time, in byte seconds: the sum of the areas under the profiles of all tests."""
    known = _memory(profiles, tests)
    return math.fsum(each.interval * sum(v * n for v, n in each.runs) for each in known) if known else None


def _memory(profiles: Mapping[str, Profile], tests: Sequence[TestCase]) -> list[MemoryOverTime]:
    """The profiles on all tests; none where one is missing."""
    known = [each for test in tests if isinstance(each := profiles.get(test.id), MemoryOverTime)]
    return known if len(known) == len(tests) else []


class EffiBenchOptions(Options):
    """Options of `effibench`."""

    of: Literal["time", "memory"] = Field(default="time", description="What is compared.")
    variant: Literal["paper", "repository"] = Field(
        default="paper",
        description="`paper`: means over problems of ratios. `repository`: ratios of sums over problems, which the "
        "published script computes.",
    )
    cost: CostName = Field(
        default="seconds", description="Which cost is read, where time is compared: `seconds` or `instructions`."
    )

    @model_validator(mode="after")
    def _of_time(self) -> EffiBenchOptions:
        if self.of == "memory" and self.cost != "seconds":
            raise ValueError("`cost` is about time; with `of: memory` leave it out")
        return self


class EffiBench(Metric[EffiBenchOptions]):
    """What correct solutions take over what the canonical solution takes (EffiBench, Huang et al. 2024).

    Of time: `et`, and `net` over that of the canonical solution. Of memory: the peak `mu` and the area `tmu` under the
    profile, and `nmu` and `ntmu`. Less is better. Solutions get the amounts and the ratios, the problem the means over
    its solutions, the results table the means over problems, or the ratios of sums.
    """

    def __init__(self, options: EffiBenchOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        # The profiles are cumulative peaks above what the process held before: not what EffiBench samples.
        self.needs = KINDS[options.cost] if options.of == "time" else MemoryOverTime
        unit = options.cost if options.cost != "seconds" else ""
        self._how = unit if options.of == "time" else "peak profile"
        self._amounts: Mapping[str, Amount] = {"et": cost} if options.of == "time" else {"mu": peak, "tmu": area}

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Solutions and the problem."""
        canonical = {name: amount(cohort.canonical, cohort.tests) for name, amount in self._amounts.items()}
        solutions = [self._solution(sample, cohort, canonical) for sample in cohort.correct]
        yield from solutions
        values: dict[str, float | None] = {}
        for name, known in canonical.items():
            own, ratio = self._column(name), self._column(f"n{name}")
            values |= {own: mean(defined(own, solutions)), ratio: mean(defined(ratio, solutions))}
            values[self._column(f"{name}_canonical")] = known
        yield Measure(values, reason=why_incomplete(solutions, cohort))

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """Amounts and ratios."""
        for name in self._amounts:
            yield mean_over_problems(self._column(name), cohorts)
            if self.options.variant == "paper":
                yield mean_over_problems(self._column(f"n{name}"), cohorts)
            else:
                yield self._ratio_of_sums(name, cohorts)

    def _solution(self, sample: Sample, cohort: Cohort, canonical: Mapping[str, float | None]) -> Measure:
        values: dict[str, float | None] = {}
        for name, known in canonical.items():
            own = self._amounts[name](sample.profiles, cohort.tests)
            values[self._column(name)] = own
            values[self._column(f"n{name}")] = own / known if own is not None and known else None
        reason = None
        if not cohort.judged:
            reason = "no tests"
        elif None in (values[self._column(name)] for name in canonical):
            reason = unmeasured(sample.profiles, cohort.tests)
        elif None in canonical.values():
            reason = "the canonical solution has no profile on some test"
        elif None in values.values():
            reason = "the canonical solution takes nothing"
        return Measure(values, (sample.index,), reason=reason)

    def _ratio_of_sums(self, name: str, cohorts: Sequence[Measured]) -> Estimate:
        own, known = self._column(name), self._column(f"{name}_canonical")
        problems = [measure for cohort in cohorts for measure in cohort.measures if not measure.solutions]
        terms = []
        for problem in problems:
            above, below = problem.values[own], problem.values[known]
            if above is not None and below:
                terms.append((above, below))
        left_out = [p.reason for p in problems if p.values[own] is None or not p.values[known]]
        value = math.fsum(above for above, _ in terms) / math.fsum(below for _, below in terms) if terms else None
        how = ", ".join(filter(None, ("repository", self._how)))
        return estimate(named(f"n{name}", how), value, terms, left_out)

    def _column(self, name: str) -> str:
        return named(name, self._how)
