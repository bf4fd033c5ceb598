"""Judge: solutions to verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from evalfw.checkers import RULES
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import TestCase
from evalfw.hookspecs import Judged, StageAdvanced, StageStarted
from evalfw.judging import judge as judge_test
from evalfw.pipeline.drawn import Attempt
from evalfw.pipeline.inbox import Inbox
from evalfw.pipeline.plan import Plan, Subject
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.process import Sandbox
from evalfw.store.keys import verdict_key
from evalfw.store.rows import StoredVerdict
from evalfw.store.run import RunStore


@dataclass(frozen=True, slots=True)
class Trial:
    """A program to be judged on the tests it has no verdict for yet.

    Args:
        subject: The problem.
        code: The program.
        tests: With the keys of their verdicts, in order.
        of_buckets: The same of generated tests, to be run if the program is correct.
        deciding: Ids of the tests that decide whether it is.
        stop_early: Whether the first test that is not accepted decides, so that the others need not be run.
    """

    subject: Subject
    code: str
    tests: tuple[tuple[TestCase, str], ...]
    of_buckets: tuple[tuple[TestCase, str], ...]
    deciding: frozenset[str]
    stop_early: bool


Tried: TypeAlias = tuple[Trial, Mapping[str, Verdict], list[tuple[TestCase, StoredVerdict]]]
"""A trial, all verdicts there are now by test id, and those that are new."""


def verdict_keys(plan: Plan, subject: Subject, code: str) -> Mapping[str, str]:
    """Key of the verdict on each test of a problem, by test id; the tests in the order in which they are run."""
    return {
        test.id: verdict_key(code, subject.problem, test, subject.limits, plan.sandbox, RULES)
        for test in (*subject.public, *subject.private, *subject.of_buckets)
    }


def deciding(plan: Plan, subject: Subject) -> tuple[TestCase, ...]:
    """The tests that a solution must pass to be correct: of the dataset, never of a size bucket."""
    by_public = plan.setup.experiment.tests.correct_on == "public"
    return subject.public if by_public else (*subject.public, *subject.private)


def overall(plan: Plan, attempt: Attempt, verdicts: Mapping[str, Verdict]) -> Verdict:
    """The verdict of a solution over the tests that decide correctness: the first that is not accepted.

    Args:
        plan: Says which tests decide.
        attempt: The solution.
        verdicts: By test id; a test may be missing after one that was not accepted.
    """
    solution, subject = attempt.solution, attempt.subject
    if solution.status == "no_code":
        return Verdict(Outcome.NO_CODE, solution.reason or "")
    if solution.status == "truncated":
        return Verdict(Outcome.COMPILE_ERROR, "the answer breaks off")
    by_public = plan.setup.experiment.tests.correct_on == "public"
    tests = deciding(plan, subject)
    # Where generated tests are profiled, public ones are enough to tell what is correct.
    if not (tests if by_public or plan.sizes else subject.private):
        return Verdict(Outcome.NO_TESTS, f"the problem has no {'public' if by_public else 'private'} tests")
    for test in tests:
        verdict = verdicts.get(test.id, Verdict(Outcome.SANDBOX_ERROR, "not judged"))
        if not verdict.accepted:
            return Verdict(verdict.outcome, verdict.reason, test.id)
    return Verdict(Outcome.ACCEPTED)


def judge(plan: Plan, store: RunStore, workers: Workers, attempts: Sequence[Attempt], told: bool = True) -> int:
    """Judge samples that are there.

    Args:
        plan: The experiment.
        store: Where verdicts are kept.
        workers: Where programs run.
        attempts: The samples.
        told: Whether they are a stage of their own, of which listeners are told.

    Returns:
        How many executions failed through no fault of the program; they have no verdict and the next run
        tries them again.
    """
    inbox = Inbox()
    judging = Judging(plan, store, workers, inbox)
    judging.expect(len(attempts))
    for attempt in attempts:
        judging.add(attempt)
    if told:
        judging.begin()
    inbox.serve(lambda: judging.busy)
    return judging.faults


class Judging:
    """Judges samples as they come: every distinct program, on the tests it has no verdict for yet.

    All of it but the executions happens in the main thread.

    Args:
        plan: The experiment.
        store: Where verdicts are kept.
        workers: Where programs run.
        inbox: Of the main thread.
        judged: Told of each sample with its verdict.
    """

    def __init__(
        self,
        plan: Plan,
        store: RunStore,
        workers: Workers,
        inbox: Inbox,
        judged: Callable[[Attempt, Verdict], None] = lambda attempt, verdict: None,
    ) -> None:
        self._plan, self._store, self._workers, self._inbox, self._judged = plan, store, workers, inbox, judged
        self._waiting: dict[tuple[int, str], list[Attempt]] = {}
        self._known: dict[tuple[int, str], Verdict] = {}
        self._total = self._done = 0
        self._begun = False
        self.faults = 0
        """How many executions failed through no fault of the program."""

    @property
    def busy(self) -> bool:
        """Whether a program is being run."""
        return bool(self._waiting)

    def expect(self, total: int) -> None:
        """Say how many samples there may be in all."""
        self._total = total

    def begin(self) -> None:
        """Announce the stage, with what an earlier run has done of it."""
        self._begun = True
        self._plan.setup.listeners.tell(StageStarted("judge", self._total, self._done))

    def end(self) -> None:
        """Announce that no sample comes any more."""
        if self._total != self._done:
            self._total = self._done
            self._plan.setup.listeners.tell(StageAdvanced("judge", self._done, self._total))

    def add(self, attempt: Attempt) -> None:
        """Judge a sample; one whose verdict is known already, at once."""
        program = (id(attempt.subject), attempt.solution.code)
        if attempt.solution.status != "ok":
            self._conclude(attempt, overall(self._plan, attempt, {}))
        elif program in self._waiting:
            self._waiting[program].append(attempt)
        elif program in self._known:
            self._conclude(attempt, self._known[program])
        else:
            keys = verdict_keys(self._plan, attempt.subject, attempt.solution.code)
            known = stored_verdicts(self._store, keys)
            trial = _trial(self._plan, attempt, keys, known)
            if trial is None:
                self._known[program] = overall(self._plan, attempt, known)
                self._conclude(attempt, self._known[program])
            else:
                self._waiting[program] = [attempt]
                future = self._workers.submit(_try, (trial, known))
                future.add_done_callback(lambda done: self._inbox.post(partial(self._take, done)))

    def _take(self, done: Future[Tried]) -> None:
        trial, verdicts, rows = done.result()
        tell = self._plan.setup.listeners.tell
        for test, row in rows:
            if row.verdict.outcome is Outcome.SANDBOX_ERROR:
                self.faults += 1
            else:
                self._store.put_verdict(row)
            tell(Judged(trial.subject.problem.id, test, trial.code, row.verdict))
        self._store.commit()
        program = (id(trial.subject), trial.code)
        attempts = self._waiting.pop(program)
        self._known[program] = overall(self._plan, attempts[0], verdicts)
        for attempt in attempts:
            self._conclude(attempt, self._known[program])

    def _conclude(self, attempt: Attempt, verdict: Verdict) -> None:
        self._done += 1
        if self._begun:
            self._plan.setup.listeners.tell(StageAdvanced("judge", self._done, self._total))
        self._judged(attempt, verdict)


def stored_verdicts(store: RunStore, keys: Mapping[str, str]) -> dict[str, Verdict]:
    """The verdicts that are stored, by test id."""
    found = {test: store.verdict(key) for test, key in keys.items()}
    return {test: verdict for test, verdict in found.items() if verdict is not None}


def _trial(plan: Plan, attempt: Attempt, keys: Mapping[str, str], known: Mapping[str, Verdict]) -> Trial | None:
    """What is to be run of a program; None where nothing is."""
    subject, stop_early = attempt.subject, plan.setup.experiment.tests.correct_on == "all"
    decide = frozenset(test.id for test in deciding(plan, subject))
    correct = all(verdict.accepted for test, verdict in known.items() if test in decide)
    if stop_early and not correct:
        return None
    tests, of_buckets = (
        tuple((test, keys[test.id]) for test in of if test.id not in known)
        for of in ((*subject.public, *subject.private), subject.of_buckets if correct else ())
    )
    if not (tests or of_buckets):
        return None
    return Trial(subject, attempt.solution.code, tests, of_buckets, decide, stop_early)


def _try(sandbox: Sandbox, task: tuple[Trial, Mapping[str, Verdict]]) -> Tried:
    trial, known = task
    rows = []
    correct = True
    for test, key in trial.tests:
        row = _judged(sandbox, trial, test, key)
        rows.append((test, row))
        correct = correct and (row.verdict.accepted or test.id not in trial.deciding)
        if trial.stop_early and not correct:
            break
    if correct:
        rows += [(test, _judged(sandbox, trial, test, key)) for test, key in trial.of_buckets]
    return trial, {**known, **{test.id: row.verdict for test, row in rows}}, rows


def _judged(sandbox: Sandbox, trial: Trial, test: TestCase, key: str) -> StoredVerdict:
    verdict, execution = judge_test(sandbox, trial.subject.problem, test, trial.code, trial.subject.limits)
    return StoredVerdict(
        *(key, verdict, execution.stderr[-2000:]),
        *(execution.cpu_seconds, execution.wall_seconds, execution.peak_bytes),
    )
