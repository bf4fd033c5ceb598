"""Generate: problems to completions, completions to solutions, and solutions to verdicts while others are sampled."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

from evalfw.domain.answer import Completion, Solution, Verdict
from evalfw.extraction import EXTRACTOR, extract
from evalfw.extraction.normal import normal_form
from evalfw.hookspecs import CompletionStored, StageAdvanced, StageStarted
from evalfw.pipeline.asking import Series, Wanted, all_series, want
from evalfw.pipeline.budget import Budget
from evalfw.pipeline.drawn import Attempt, attempt_of, until
from evalfw.pipeline.inbox import Inbox
from evalfw.pipeline.judge import Judging
from evalfw.pipeline.plan import Plan
from evalfw.pipeline.recorded import record
from evalfw.pipeline.rounds import Tally
from evalfw.pipeline.stream import Stream
from evalfw.pipeline.workers import Workers
from evalfw.store.rows import StoredCompletion, StoredSample
from evalfw.store.run import RunStore


def generate(plan: Plan, store: RunStore, workers: Workers | None) -> int:
    """Sample what is not stored yet, every model in a thread of its own, and judge what has come meanwhile.

    Every completion is stored the moment it arrives.

    Args:
        plan: The experiment.
        store: Where the plan is recorded as well, for the stages that follow.
        workers: Where solutions are judged; None to leave that to a later stage, which cannot be where sampling goes
            on until there are enough correct solutions.

    Returns:
        How many executions failed through no fault of the program.

    Raises:
        PluginError: A model answered what it was not asked.
        InputError: A model cannot be used as configured.
    """
    return _Generation(plan, store, workers).run()


class _Generation:
    """Everything that is known while completions are sampled. All of it belongs to the main thread."""

    def __init__(self, plan: Plan, store: RunStore, workers: Workers | None) -> None:
        self._plan, self._store, self._tell = plan, store, plan.setup.listeners.tell
        self._inbox = Inbox()
        self._judging = Judging(plan, store, workers, self._inbox, self._judged) if workers else None
        sampling = plan.setup.experiment.sampling
        self._budget = Budget(sampling.max_cost, sampling.max_requests, *store.spent())
        self._streams = {
            id(model): Stream(model, self._budget, self._inbox, self._arrived) for model in plan.setup.models
        }
        self._until = until(plan)
        self._tallies: dict[int, Tally] = defaultdict(Tally)
        self._due: deque[Series] = deque()
        self._series: dict[tuple[object, int], Series] = {}
        self._sharing: dict[str, list[Wanted]] = {}
        self._total = self._done = 0

    def run(self) -> int:
        record(self._plan, self._store)
        self._store.forget_samples()
        self._due.extend(all_series(self._plan))
        self._ask()
        self._tell(StageStarted("generate", self._total, self._done))
        if self._judging:
            self._judging.begin()
        try:
            self._inbox.serve(self._busy)
        except BaseException:
            self._inbox.clear()  # whatever ends the run, what has arrived is stored
            raise
        finally:
            for stream in self._streams.values():
                stream.close()
        self._leave_unasked()
        if self._judging:
            self._judging.end()
        return self._judging.faults if self._judging else 0

    def _busy(self) -> bool:
        self._ask()
        for stream in self._streams.values():
            stream.go()
        return any(stream.running for stream in self._streams.values()) or bool(self._judging and self._judging.busy)

    # -- asking ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Draw the next samples of every series that is due."""
        if not self._due:
            return
        while self._due:
            series = self._due.popleft()
            tally = self._tallies[series.place]
            first = tally.drawn
            further = tally.further(self._until) if self._until else self._plan.setup.experiment.sampling.n - first
            tally.drawn += further
            self._total += further
            if self._judging:
                self._judging.expect(self._total)
            for index in range(first, first + further):
                self._draw(want(self._plan, series, index))
        self._store.commit()

    def _draw(self, wanted: Wanted) -> None:
        self._store.put_sample(_sample(wanted))
        if wanted.key in self._sharing:
            self._sharing[wanted.key].append(wanted)
            return
        row = self._store.completion(wanted.key)
        if row is None:
            self._sharing[wanted.key] = [wanted]
            self._streams[id(wanted.series.model)].waiting.append(wanted)
            return
        if row.cost is None and not row.free:
            self._budget.charge(wanted)
        self._have(wanted, self._up_to_date(wanted, row))

    def _leave_unasked(self) -> None:
        """Say of what the budget did not allow which limit kept it back."""
        for stream in self._streams.values():
            for first in stream.waiting:
                for wanted in self._sharing[first.key]:
                    self._store.put_sample(_sample(wanted, self._budget.refuses(first)))
        self._store.commit()

    # -- what comes ------------------------------------------------------------------------------------------------

    def _arrived(self, wanted: Wanted, completion: Completion) -> None:
        model = wanted.series.model.component
        cost = model.cost(completion.usage)
        solution = _extract(wanted, completion.text, completion.finish_reason)
        row = _row(wanted, completion, solution, cost, free=model.free)
        self._store.put_completion(row)
        self._store.commit()
        self._budget.settle(wanted, cost)
        for sharing in self._sharing.pop(wanted.key):
            self._have(sharing, row)
            self._tell(CompletionStored(sharing.series.condition, completion, solution))
            self._tell(StageAdvanced("generate", self._done, self._total))

    def _have(self, wanted: Wanted, row: StoredCompletion) -> None:
        self._done += 1
        if self._judging:
            series = wanted.series
            attempt = attempt_of(wanted.key, series.condition, series.subject, wanted.request.index, row.answer)
            self._series[attempt.condition, id(attempt.subject)] = series
            self._judging.add(attempt)

    def _up_to_date(self, wanted: Wanted, row: StoredCompletion) -> StoredCompletion:
        """A stored completion under today's labels, its solution extracted again if the rules have changed."""
        solution, form = row.solution, row.form
        if row.extractor != EXTRACTOR:
            solution = _extract(wanted, row.text, row.finish_reason)
            form = normal_form(solution.code)
        condition = wanted.series.condition
        current = replace(
            row,
            dataset=condition.dataset,
            model=condition.model,
            extractor=EXTRACTOR,
            solution=solution,
            form=form,
        )
        if current != row:
            self._store.put_completion(current)
        return current

    def _judged(self, attempt: Attempt, verdict: Verdict) -> None:
        if self._until is not None:
            series = self._series[attempt.condition, id(attempt.subject)]
            self._tallies[series.place].add(attempt, verdict, self._until)
            self._due.append(series)


def _extract(wanted: Wanted, text: str, finish_reason: str) -> Solution:
    return extract(text, wanted.series.subject.problem.style.entry_point, finish_reason)


def _sample(wanted: Wanted, unasked: str | None = None) -> StoredSample:
    series, index = wanted.series, wanted.request.index
    condition = series.condition
    return StoredSample(
        *(series.place, index, condition.dataset, series.subject.problem.id, condition.model),
        *(condition.temperature, wanted.key, unasked),
    )


def _row(
    wanted: Wanted, completion: Completion, solution: Solution, cost: float | None, free: bool
) -> StoredCompletion:
    request, condition = wanted.request, wanted.series.condition
    return StoredCompletion(
        key=wanted.key,
        dataset=condition.dataset,
        problem=request.problem.id,
        model=condition.model,
        temperature=condition.temperature,
        index=request.index,
        prompt=request.prompt,
        text=completion.text,
        finish_reason=completion.finish_reason,
        extractor=EXTRACTOR,
        solution=solution,
        form=normal_form(solution.code),
        reasoning=completion.reasoning,
        usage=completion.usage,
        seconds=completion.seconds,
        served_by=completion.served_by,
        fingerprint=completion.fingerprint,
        sent=completion.sent,
        free=free,
        cost=cost,
    )
