"""Cohorts of real domain objects, and the rows of the case files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evalfw import (
    Cohort,
    Condition,
    Measure,
    Measured,
    MemoryProfile,
    Metric,
    Options,
    Outcome,
    Problem,
    Profile,
    Sample,
    Solution,
    TestCase,
    Verdict,
)

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def profile(*samples: int) -> MemoryProfile:
    return MemoryProfile.from_samples(samples)


def about(expected: float) -> float:
    """A number that equals all numbers near it."""
    near: Any = pytest.approx(expected, abs=1e-12)
    number: float = near
    return number


def sample(index: int, outcome: Outcome = Outcome.ACCEPTED, **profiles: Profile) -> Sample:
    return Sample(index, Solution("ok", "print(1)\n"), Verdict(outcome), profiles)


def cohort(*samples: Sample, tests: Sequence[str] = ("t1",), problem: str = "p") -> Cohort:
    cases = tuple(TestCase(test, "private", "1\n", "1\n") for test in tests)
    condition = Condition("dataset", "model", 0.7, "tracemalloc_line")
    return Cohort(condition, Problem(problem, "Print 1.", cases), cases, samples, wanted=len(samples))


def programs(*codes: str, problem: str = "p", outcome: Outcome = Outcome.ACCEPTED) -> Cohort:
    """Programs without profiles, as a metric gets them that reads no profiles."""
    samples = [Sample(index, Solution("ok", code), Verdict(outcome)) for index, code in enumerate(codes)]
    return cohort(*samples, problem=problem)


def measured(metric: Metric[Any], group: Cohort) -> Measured:
    return Measured(group.problem.id, tuple(metric.measure(group)))


def problem_measure(metric: Metric[Any], group: Cohort) -> Measure:
    [found] = [measure for measure in metric.measure(group) if not measure.solutions]
    return found


def made(metric: type[Metric[Any]], **options: object) -> Metric[Any]:
    """A metric as the framework makes it: options are validated as those of an experiment file are."""
    model: type[Options] = metric.options_model
    return metric(model.model_validate(options))
