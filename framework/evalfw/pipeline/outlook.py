"""What a run would do, without doing any of it."""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalfw.contracts import Model
from evalfw.pipeline.asking import Series, all_series, want
from evalfw.pipeline.budget import check_budget
from evalfw.pipeline.drawn import attempt_of, until
from evalfw.pipeline.judge import overall, stored_verdicts, verdict_keys
from evalfw.pipeline.plan import Plan
from evalfw.pipeline.rounds import Tally
from evalfw.pipeline.scale import buckets_stored
from evalfw.registry.setup import Configured
from evalfw.store.run import RunStore


@dataclass(frozen=True, slots=True)
class Requests:
    """What a run would ask of one model.

    Args:
        model: Its label.
        free: Whether that costs nothing.
        stored: Completions that are there already.
        least: How many there are to ask for in any case.
        most: How many it may become, where sampling goes on until there are enough correct solutions.
        cost_at_most: What `most` of them can cost; None where the model cannot say.
        cost_about: What they cost if they are like those that are stored; None where none is.
    """

    model: str
    free: bool
    stored: int
    least: int
    most: int
    cost_at_most: float | None
    cost_about: float | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a run would do.

    Args:
        requests: Model by model.
        requests_stored: Completions in the run directory that count against `max_requests`.
        spent: What they cost, as far as is known.
        verdicts_stored: Verdicts on single tests in the run directory.
        profiles_stored: Profiles there.
        buckets: How many size buckets the experiment asks for, of problems that have a generator.
        buckets_stored: How many of them are stored.
        executions_at_most: Executions of the whole experiment, should every completion be a different, correct
            program; without those that make the tests of size buckets and those of canonical solutions.
    """

    requests: tuple[Requests, ...]
    requests_stored: int
    spent: float
    verdicts_stored: int
    profiles_stored: int
    buckets: int
    buckets_stored: int
    executions_at_most: int

    @property
    def stored(self) -> int:
        """Completions that are there already."""
        return sum(each.stored for each in self.requests)

    @property
    def least(self) -> int:
        """Completions to sample in any case."""
        return sum(each.least for each in self.requests)

    @property
    def most(self) -> int:
        """Completions to sample at most."""
        return sum(each.most for each in self.requests)


def outlook(plan: Plan, directory: Path) -> Outlook:
    """What a run would do.

    Raises:
        InputError: Costs are limited, and a model cannot say what it costs.
    """
    check_budget(plan)
    there = (directory / "run.db").is_file()
    with RunStore.read(directory) if there else nullcontext() as store:
        counts = store.counts() if store else {"verdict": 0, "profile": 0}
        requests_stored, spent = store.spent() if store else (0, 0.0)
        generated = plan.setup.experiment.tests.generated
        return Outlook(
            requests=tuple(_requests(plan, model, store) for model in plan.setup.models),
            requests_stored=requests_stored,
            spent=spent,
            verdicts_stored=counts["verdict"],
            profiles_stored=counts["profile"],
            buckets=len(plan.sizes) * sum(s.problem.generator is not None for s in plan.subjects) if generated else 0,
            buckets_stored=buckets_stored(plan, store) if store else 0,
            executions_at_most=_executions_at_most(plan),
        )


def _requests(plan: Plan, model: Configured[Model[Any]], store: RunStore | None) -> Requests:
    stored, least = 0, 0
    known: list[float] = []
    coming: list[float | None] = []
    for series in all_series(plan):
        if series.model is not model:
            continue
        certain, possible = _reach(plan, series, store)
        for index in range(possible):
            wanted = want(plan, series, index)
            row = store.completion(wanted.key) if store else None
            if row is None:
                least += index < certain
                usage = model.component.at_most(wanted.request)
                coming.append(None if usage is None else model.component.cost(usage))
            else:
                stored += 1
                known += [] if row.cost is None else [row.cost]
    costs = [cost for cost in coming if cost is not None]
    return Requests(
        model=model.label,
        free=model.component.free,
        stored=stored,
        least=least,
        most=len(coming),
        cost_at_most=math.fsum(costs) if costs and len(costs) == len(coming) else None,
        cost_about=len(coming) * math.fsum(known) / len(known) if coming and known else None,
    )


def _reach(plan: Plan, series: Series, store: RunStore | None) -> tuple[int, int]:
    """How many samples are certain to be drawn, and how many may be, as far as stored verdicts tell."""
    rule = until(plan)
    if rule is None:
        return (plan.setup.experiment.sampling.n,) * 2
    tally = Tally()
    while further := tally.further(rule):
        for index in range(tally.drawn, tally.drawn + further):
            row = store.completion(want(plan, series, index).key) if store else None
            if store and row:
                attempt = attempt_of(row.key, series.condition, series.subject, index, row.answer)
                keys = verdict_keys(plan, series.subject, row.solution.code)
                tally.add(attempt, overall(plan, attempt, stored_verdicts(store, keys)), rule)
        tally.drawn += further
    return tally.drawn, tally.drawn if tally.settled else rule.max


def _executions_at_most(plan: Plan) -> int:
    generated, profilers = plan.setup.experiment.tests.generated, len(plan.setup.profilers)
    per_problem = generated.per_size * len(generated.sizes) if generated else 0
    at_most = 0
    for series in all_series(plan):
        subject = series.subject
        in_buckets = per_problem if subject.problem.generator else 0
        of_one = len(subject.public) + len(subject.private) + in_buckets
        of_one += profilers * (in_buckets if generated else len(subject.private))
        at_most += plan.setup.experiment.sampling.most * of_one
    return at_most
