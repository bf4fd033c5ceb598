"""References: accepted solutions, the canonical one first, measured beside the solutions of every model."""

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
    """The references that have to be judged, as attempts of nobody; none where no profiler asks for them."""
    for attempt in {id(attempt.subject): attempt for attempt in attempts}.values():
        asked = (code for profiler in plan.setup.profilers for code in references(attempt.subject, profiler))
        for code in dict.fromkeys(asked):
            yield Attempt("canonical", attempt.condition, attempt.subject, 0, Solution("ok", code))


def references(subject: Subject, profiler: Configured[Profiler[Any]]) -> tuple[str, ...]:
    """The programs of those accepted solutions of a problem that a profiler measures beside others, in order."""
    known = {"none": 0, "canonical": 1, "all": len(subject.problem.solutions)}
    return tuple(solution.code for solution in subject.problem.solutions[: known[profiler.component.references]])


def reference_keys(
    plan: Plan, condition: Condition, profiler: Configured[Profiler[Any]], keys: Mapping[str, str]
) -> Mapping[str, str]:
    """Key of the profile of a reference beside one model at one temperature, by test id.

    What need not be measured alone does not depend on when it is measured, and is measured once.

    Args:
        plan: The experiment.
        condition: For its model and temperature.
        profiler: The instrument.
        keys: Of a profile of the reference as one solution among others.
    """
    if not profiler.component.exclusive:
        return keys
    model = next(model for model in plan.setup.models if model.label == condition.model)
    beside = [model.plugin.name, dict(model.keyed), condition.temperature]
    return {test: canonical_key(key, beside) for test, key in keys.items()}
