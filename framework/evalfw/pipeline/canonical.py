"""Canonical solutions: the first accepted one of a problem, measured beside the solutions of every model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evalfw.contracts import Profiler
from evalfw.domain.answer import Solution
from evalfw.domain.cohort import Condition
from evalfw.pipeline.drawn import Attempt
from evalfw.pipeline.plan import Plan, Subject
from evalfw.registry.setup import Configured
from evalfw.store.keys import canonical_key


def canonicals(plan: Plan, attempts: Iterable[Attempt]) -> Iterator[Attempt]:
    """The canonical solutions that have to be judged, as attempts of nobody; none where no profiler asks for them."""
    if any(profiler.component.canonical for profiler in plan.setup.profilers):
        for attempt in {id(attempt.subject): attempt for attempt in attempts}.values():
            code = canonical(attempt.subject)
            if code is not None:
                yield Attempt("canonical", attempt.condition, attempt.subject, 0, Solution("ok", code))


def canonical(subject: Subject) -> str | None:
    """The program of the first accepted solution of a problem; None if it has none."""
    return subject.problem.solutions[0].code if subject.problem.solutions else None


def canonical_keys(
    plan: Plan, condition: Condition, profiler: Configured[Profiler[Any]], keys: Mapping[str, str]
) -> Mapping[str, str]:
    """Key of the profile of the canonical solution beside one model at one temperature, by test id.

    Args:
        plan: The experiment.
        condition: For its model and temperature.
        profiler: The instrument; where it does not ask for canonical solutions, there are no keys.
        keys: Of a profile of the canonical solution as one among others.
    """
    if not profiler.component.canonical:
        return {}
    model = next(model for model in plan.setup.models if model.label == condition.model)
    beside = [model.plugin.name, dict(model.keyed), condition.temperature]
    return {test: canonical_key(key, beside) for test, key in keys.items()}
