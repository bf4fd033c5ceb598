"""Generate: problems to completions, and completions to solutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from evalfw.contracts import Model
from evalfw.domain.answer import Request, Solution
from evalfw.domain.cohort import Condition
from evalfw.errors import PluginError
from evalfw.extraction import EXTRACTOR, extract
from evalfw.hookspecs import CompletionStored, StageAdvanced, StageStarted
from evalfw.pipeline.plan import Plan, Subject, temperatures
from evalfw.registry.setup import Configured
from evalfw.store.keys import completion_key, digest
from evalfw.store.run import RunStore, StoredCompletion


@dataclass(frozen=True, slots=True)
class Wanted:
    """One completion that the experiment asks for."""

    key: str
    condition: Condition
    subject: Subject
    model: Configured[Model[Any]]
    request: Request


@dataclass(frozen=True, slots=True)
class Attempt:
    """One completion with the solution in it.

    Args:
        key: Of the completion.
        condition: Without a profiler.
        subject: The problem.
        index: Number of the sample.
        solution: What was extracted.
    """

    key: str
    condition: Condition
    subject: Subject
    index: int
    solution: Solution


def wanted(plan: Plan) -> Iterator[Wanted]:
    """Every completion of the experiment, model by model."""
    experiment, listeners = plan.setup.experiment, plan.setup.listeners
    sampling = experiment.sampling
    for model in plan.setup.models:
        for subject in plan.subjects:
            for temperature in temperatures(experiment, model):
                condition = Condition(subject.dataset.label, model.label, temperature)
                for index in range(sampling.n):
                    origin = (
                        subject.dataset.plugin.name,
                        subject.problem.id,
                        model.plugin.name,
                        temperature,
                        index,
                    )
                    seed = int(digest("seed", experiment.seed, *origin)[:8], 16)
                    request = Request(
                        *(subject.problem, subject.prompt, temperature, index, seed),
                        *(sampling.top_p, sampling.max_tokens, sampling.stop),
                    )
                    request = replace(request, prompt=listeners.prompt(request))
                    depends_on = model.component.depends_on(request)
                    key = completion_key(
                        request, subject.dataset.plugin.name, model.plugin.name, model.keyed, depends_on
                    )
                    yield Wanted(key, condition, subject, model, request)


def generate(plan: Plan, store: RunStore) -> tuple[list[Attempt], int]:
    """Sample what is not stored yet; every completion is stored the moment it arrives.

    Returns:
        An attempt for every completion, in the order of the experiment, and how many completions are missing.

    Raises:
        PluginError: A model answered what it was not asked.
        InputError: A model cannot be used as configured.
    """
    tell = plan.setup.listeners.tell
    everything = list(wanted(plan))
    stored = {want.key: row for want in everything if (row := store.completion(want.key)) is not None}
    tell(StageStarted("generate", len(everything), len(stored)))
    attempts = {want.key: _up_to_date(store, want, stored[want.key]) for want in everything if want.key in stored}
    store.commit()
    for model in plan.setup.models:
        asked = {id(w.request): w for w in everything if w.model is model and w.key not in stored}
        requests = [want.request for want in asked.values()]
        for completion in model.component.complete(requests) if requests else ():
            want = asked.pop(id(completion.request), None)
            if want is None:
                raise PluginError(
                    f"{model.plugin} answered a request twice, or one it was not given:"
                    " a completion must hold the request object it answers, and each may be answered once"
                )
            solution = extract(completion.text, want.subject.problem.style.entry_point, completion.finish_reason)
            row = _row(want, completion.text, completion.finish_reason, solution)
            store.put_completion(row)
            store.commit()
            attempts[want.key] = _attempt(want, solution)
            tell(CompletionStored(want.condition, completion, solution))
            tell(StageAdvanced("generate", len(attempts), len(everything)))
    present = [attempts[want.key] for want in everything if want.key in attempts]
    return present, len(everything) - len(present)


def _up_to_date(store: RunStore, want: Wanted, row: StoredCompletion) -> Attempt:
    """A stored completion under today's labels, its solution extracted again if the rules have changed."""
    solution = row.solution
    if row.extractor != EXTRACTOR:
        solution = extract(row.text, want.subject.problem.style.entry_point, row.finish_reason)
    current = _row(want, row.text, row.finish_reason, solution)
    if current != row:
        store.put_completion(current)
    return _attempt(want, solution)


def _attempt(want: Wanted, solution: Solution) -> Attempt:
    return Attempt(want.key, want.condition, want.subject, want.request.index, solution)


def _row(want: Wanted, text: str, finish_reason: str, solution: Solution) -> StoredCompletion:
    return StoredCompletion(
        key=want.key,
        dataset=want.condition.dataset,
        problem=want.subject.problem.id,
        model=want.condition.model,
        temperature=want.condition.temperature,
        index=want.request.index,
        prompt=want.request.prompt,
        text=text,
        finish_reason=finish_reason,
        extractor=EXTRACTOR,
        solution=solution,
    )
