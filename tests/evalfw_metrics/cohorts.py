"""Cohorts of real domain objects, and the rows of the case files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    Timing,
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


def cohort(
    *samples: Sample,
    tests: Sequence[str] = ("t1",),
    problem: str = "p",
    references: Sequence[Mapping[str, Profile]] = (),
) -> Cohort:
    cases = tuple(TestCase(test, "private", "1\n", "1\n") for test in tests)
    condition = Condition("dataset", "model", 0.7, "tracemalloc_line")
    asked = Problem(problem, "Print 1.", cases)
    return Cohort(condition, asked, cases, samples, wanted=len(samples), references=tuple(references))


def timed(*costs: float | None, wrong: int = 0, references: Sequence[float | None] = ()) -> Cohort:
    """Correct samples with these run times on one test, None being one that was too slow to be timed, then wrong ones.

    References have these run times too; None: it was not timed.
    """
    samples = [
        Sample(index, Solution("ok", "print(1)\n"), Verdict(Outcome.ACCEPTED), {"t1": Timing((each,))})
        if each is not None
        else replace(sample(index), failures={"t1": Verdict(Outcome.PROFILE_TIMEOUT)})
        for index, each in enumerate(costs)
    ]
    samples += [sample(len(costs) + index, Outcome.WRONG_ANSWER) for index in range(wrong)]
    return cohort(*samples, references=[{} if each is None else {"t1": Timing((each,))} for each in references])


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
