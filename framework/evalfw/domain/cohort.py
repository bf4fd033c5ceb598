"""Cohorts: what a metric compares, and what it finds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from evalfw.domain.answer import Solution, Verdict
from evalfw.domain.problem import Problem, TestCase
from evalfw.domain.profile import Profile


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """One combination of settings: one row of a results table.

    Args:
        dataset: Label of the dataset.
        model: Label of the model.
        temperature: None for a model that has none.
        profiler: Label of the profiler setting; empty for what needs no profile.
        size: Size bucket of the tests; None where tests are not bucketed.
    """

    dataset: str
    model: str
    temperature: float | None = None
    profiler: str = ""
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One solution of a cohort with all that is known of it.

    Args:
        index: 0-based number of the completion it came from.
        solution: The extracted program.
        verdict: Over all the tests that decide correctness.
        profiles: By test id; only tests on which the solution was accepted and could be profiled.
        failures: Why there is no profile, by test id.
        duplicate_of: Index of an earlier correct sample that is the same program, where the experiment compares
            different programs only (`cohorts.distinct`); else None.
    """

    index: int
    solution: Solution
    verdict: Verdict
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    failures: Mapping[str, Verdict] = field(default_factory=dict)
    duplicate_of: int | None = None


@dataclass(frozen=True, slots=True)
class Until:
    """The rule of an experiment that samples until there are enough correct solutions (`sampling.until`).

    Args:
        correct: How many are enough. The sample that makes it so many is the last.
        max: Samples after which there is no other in any case.
        distinct: Whether only different programs count.
    """

    correct: int
    max: int
    distinct: bool


@dataclass(frozen=True, slots=True)
class Cohort:
    """The samples of one condition for one problem.

    Args:
        condition: Which row of the results table this contributes to.
        problem: With its statement, accepted solutions and tests.
        tests: The tests that were profiled, in order; for a metric that needs no profile, those that are judged.
        samples: Every sample, correct or not, by index.
        wanted: How many samples the experiment asks for; where it samples until there are enough correct ones, how
            many that has come to.
        until: The rule by which it does, if it does.
        references: Profiles of accepted solutions of the problem, measured beside these samples, by test id: one
            mapping for each solution in the order of the problem, the canonical one first; none where the profiler
            does not ask for them.
    """

    condition: Condition
    problem: Problem
    tests: tuple[TestCase, ...]
    samples: tuple[Sample, ...]
    wanted: int
    until: Until | None = None
    references: tuple[Mapping[str, Profile], ...] = ()

    @property
    def canonical(self) -> Mapping[str, Profile]:
        """Profiles of the canonical solution of the problem, by test id; none where it was not measured."""
        return self.references[0] if self.references else {}

    @property
    def correct(self) -> tuple[Sample, ...]:
        """The samples to be compared, by index: their verdict is `accepted`, and none is the duplicate of another."""
        return tuple(sample for sample in self.samples if sample.verdict.accepted and sample.duplicate_of is None)

    @property
    def judged(self) -> bool:
        """Whether there was a test to pass at all; without one nothing is known of correctness."""
        return bool(self.tests)

    def pairs(self) -> Iterator[tuple[TestCase, Sample, Sample]]:
        """Every unordered pair of correct samples on every test that both have a profile for.

        Yields:
            The test, then the two samples, the one of lower index first. These are the terms of the sum in
            paper A, equation 4.
        """
        for test in self.tests:
            profiled = [sample for sample in self.correct if test.id in sample.profiles]
            for a, b in combinations(profiled, 2):
                yield test, a, b


@dataclass(frozen=True, slots=True)
class Measure:
    """What a metric found about a pair, a solution or a problem of a cohort.

    Args:
        values: Column name to number; null where undefined. They become columns of a table: of pairs, of
            solutions, of profiles (one solution on one test) or of problems.
        solutions: Indices of the samples concerned: two for a pair, one for a solution, none for the problem.
        test: The test, where the finding is about a pair or a solution on one.
        reason: Why a value is null.

    Raises:
        ValueError: It is about something there is no table for.
    """

    values: Mapping[str, int | float | None]
    solutions: tuple[int, ...] = ()
    test: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse what would be lost."""
        if len(self.solutions) > 2 or (self.test is not None and not self.solutions):
            raise ValueError(
                "a measure is about a pair, a solution or the problem, the first two perhaps on one test:"
                f" found solutions {self.solutions} and test {self.test!r}"
            )


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of one metric for one cohort, as `Metric.aggregate` receives them."""

    problem: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number about a whole condition: one cell of a results table.

    Args:
        metric: Name of the row in the results table, e.g. `pass@1`.
        value: Null where undefined.
        n: How many problems the value rests on.
        left_out: How many problems could not take part.
        reason: Why the value is null or problems were left out.
        low: Lower end of a confidence interval; where it is not given, it is computed from the terms.
        high: Upper end of the same.
        terms: What the value is made of: for each problem a numerator and a denominator above 0, of which the value is
            the ratio of the sums. A mean over problems has the denominator 1 in each.

    Raises:
        ValueError: The terms do not make the value.
    """

    metric: str
    value: float | None
    n: int
    left_out: int = 0
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    terms: tuple[tuple[float, float], ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse terms that are those of another value: their interval would be, too."""
        if not self.terms:
            return
        if not all(denominator > 0 for _, denominator in self.terms):
            raise ValueError(f"the terms of '{self.metric}' have a denominator that is not above 0")
        numerators, denominators = (math.fsum(parts) for parts in zip(*self.terms, strict=True))
        made = numerators / denominators
        if self.value is None or not math.isclose(self.value, made, rel_tol=1e-9, abs_tol=1e-12):
            raise ValueError(f"the terms of '{self.metric}' make {made!r}, but its value is {self.value!r}")
