"""What an experiment asks its models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from evalfw.contracts import Model
from evalfw.domain.answer import Request
from evalfw.domain.cohort import Condition
from evalfw.pipeline.plan import Plan, Subject, temperatures
from evalfw.registry.setup import Configured
from evalfw.store.keys import completion_key, digest


@dataclass(frozen=True, slots=True)
class Series:
    """The samples of one condition for one problem, before any is drawn.

    Args:
        place: Its number in the order of the experiment.
        condition: Without a profiler.
        subject: The problem.
        model: What answers.
    """

    place: int
    condition: Condition
    subject: Subject
    model: Configured[Model[Any]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One completion that is wanted, and the key it is stored under."""

    key: str
    series: Series
    request: Request


def all_series(plan: Plan) -> Iterator[Series]:
    """Every series of the experiment, model by model, problem by problem."""
    place = 0
    for model in plan.setup.models:
        for subject in plan.subjects:
            for temperature in temperatures(plan.setup.experiment, model):
                condition = Condition(subject.dataset.label, model.label, temperature)
                yield Series(place, condition, subject, model)
                place += 1


def want(plan: Plan, series: Series, index: int) -> Wanted:
    """The sample of this number. Its key holds what is asked, not why: how many others are wanted is no part of it."""
    experiment, subject, model = plan.setup.experiment, series.subject, series.model
    sampling, dataset, temperature = experiment.sampling, subject.dataset.plugin.name, series.condition.temperature
    origin = (dataset, subject.problem.id, model.plugin.name, temperature, index)
    seed = int(digest("seed", experiment.seed, *origin)[:8], 16)
    request = Request(
        *(subject.problem, subject.prompt, temperature, index, seed),
        *(sampling.top_p, sampling.max_tokens, sampling.stop),
    )
    request = replace(request, prompt=plan.setup.listeners.prompt(request))
    depends_on = model.component.depends_on(request)
    return Wanted(completion_key(request, dataset, model.plugin.name, model.keyed, depends_on), series, request)
