"""The samples that were drawn, as the store has them: what every stage after sampling works on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from evalfw.domain.answer import SampleStatus, Solution, Usage, sample_status
from evalfw.domain.cohort import Condition, Until
from evalfw.extraction.normal import is_current, normal_form
from evalfw.pipeline.asking import all_series
from evalfw.pipeline.plan import Plan, Subject
from evalfw.store.rows import Answer
from evalfw.store.run import RunStore


@dataclass(frozen=True, slots=True)
class Attempt:
    """One completion with the solution in it.

    Args:
        key: Of the completion.
        condition: Without a profiler.
        subject: The problem.
        index: Number of the sample.
        solution: What was extracted.
        form: Normal form of the program, the same for programs that are the same.
        status: What the completion is worth as a sample.
        usage: Tokens.
        seconds: How long the answer took.
        served_by: What the provider says which model answered.
        cost: None where nobody knows.
    """

    key: str
    condition: Condition
    subject: Subject
    index: int
    solution: Solution
    form: str = ""
    status: SampleStatus = "ok"
    usage: Usage = field(default_factory=Usage)
    seconds: float | None = None
    served_by: str | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The samples of one condition for one problem.

    Args:
        condition: Without a profiler.
        subject: The problem.
        attempts: What has come, by index.
        wanted: How many the experiment asks for.
        unasked: How many of them were not asked for, by the limit of the budget that kept them from it.
    """

    condition: Condition
    subject: Subject
    attempts: tuple[Attempt, ...]
    wanted: int
    unasked: Mapping[str, int]

    @property
    def duplicates(self) -> Mapping[int, int]:
        """Index of the first sample that is the same program, by index; of those that have such a one before them."""
        return duplicates((a.index, a.form) for a in self.attempts if a.solution.status == "ok")


def duplicates(forms: Iterable[tuple[int, str]]) -> dict[int, int]:
    """For each index whose normal form occurred before: the first index that has it."""
    first: dict[str, int] = {}
    return {index: first[form] for index, form in forms if first.setdefault(form, index) != index}


def recall(plan: Plan, store: RunStore) -> list[Drawn]:
    """The samples that were asked for, in the order of the experiment, with what has come of them."""
    rows = defaultdict(list)
    for row in store.samples():
        rows[row.place].append(row)
    found = []
    for series in all_series(plan):
        mine = rows[series.place]
        unasked: dict[str, int] = defaultdict(int)
        for row in mine:
            if row.unasked and row.answer is None:
                unasked[row.unasked] += 1
        attempts = tuple(
            attempt_of(row.completion, series.condition, series.subject, row.index, row.answer)
            for row in mine
            if row.answer is not None
        )
        found.append(Drawn(series.condition, series.subject, attempts, len(mine), unasked))
    return found


def attempts_of(drawn: Iterable[Drawn]) -> Iterator[Attempt]:
    """All that has come."""
    for one in drawn:
        yield from one.attempts


def attempt_of(key: str, condition: Condition, subject: Subject, index: int, answer: Answer) -> Attempt:
    """A sample with what is stored of its completion."""
    solution, form = answer.solution, answer.form
    return Attempt(
        *(key, condition, subject, index, solution),
        form=form if is_current(form) else normal_form(solution.code),
        status=sample_status(answer.finish_reason, solution),
        usage=answer.usage,
        seconds=answer.seconds,
        served_by=answer.served_by,
        cost=answer.cost,
    )


def until(plan: Plan) -> Until | None:
    """The rule by which sampling ends, where it depends on the answers."""
    experiment = plan.setup.experiment
    target = experiment.sampling.until
    return None if target is None else Until(target.correct, target.max, experiment.cohorts.distinct)
