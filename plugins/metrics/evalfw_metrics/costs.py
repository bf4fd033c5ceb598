"""What solutions and accepted solutions cost over the tests of a problem, for metrics that compare them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from evalfw import Cohort, Cost, InstructionCount, Outcome, Profile, Sample, TestCase, Timing

CostName: TypeAlias = Literal["seconds", "instructions"]
"""The unit of a kind of cost, by which options name it."""

KINDS: Mapping[str, type[Cost]] = {kind.unit: kind for kind in (Timing, InstructionCount)}

Over: TypeAlias = Callable[[Iterable[float]], float]
"""What the costs on the tests of a problem come to: `math.fsum` or `max`."""


def named(metric: str, *departures: str) -> str:
    """Name of a column: the published one, and in brackets what it departs from its publication in.

    >>> named("dps", "", "seconds")
    'dps[seconds]'
    """
    said = ", ".join(filter(None, departures))
    return f"{metric}[{said}]" if said else metric


def cost(profiles: Mapping[str, Profile], tests: Sequence[TestCase], over: Over = math.fsum) -> float | None:
    """The costs on all tests together; None where a test has none."""
    costs = [profile.cost for test in tests if isinstance(profile := profiles.get(test.id), Cost)]
    return over(costs) if tests and len(costs) == len(tests) else None


def cost_of_sample(sample: Sample, tests: Sequence[TestCase], over: Over = math.fsum) -> float | None:
    """What a sample costs: infinite where it is not correct, or went beyond the limits when it was profiled."""
    outcomes = {failure.outcome for failure in sample.failures.values()}
    if not sample.verdict.accepted or Outcome.PROFILE_TIMEOUT in outcomes:
        return math.inf
    return cost(sample.profiles, tests, over)


def costs_of_references(cohort: Cohort, over: Over = math.fsum) -> list[float]:
    """The costs of the accepted solutions that were measured on all tests, the canonical one first if it was."""
    costs = (cost(profiles, cohort.tests, over) for profiles in cohort.references)
    return [each for each in costs if each is not None]


def unmeasured(profiles: Mapping[str, Profile], tests: Sequence[TestCase]) -> str:
    """Why a cost over all tests is not known."""
    missing = sum(test.id not in profiles for test in tests)
    return f"no profile on {missing} of {len(tests)} tests"
