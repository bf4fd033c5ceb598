"""Judge: solutions to verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evalfw.checkers import RULES
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import TestCase
from evalfw.hookspecs import Judged, StageAdvanced, StageStarted
from evalfw.judging import judge as judge_test
from evalfw.pipeline.generate import Attempt
from evalfw.pipeline.plan import Plan, Subject
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.process import Sandbox
from evalfw.store.keys import verdict_key
from evalfw.store.run import RunStore, StoredVerdict


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
    if not (tests if by_public or subject.buckets else subject.private):
        return Verdict(Outcome.NO_TESTS, f"the problem has no {'public' if by_public else 'private'} tests")
    for test in tests:
        verdict = verdicts.get(test.id, Verdict(Outcome.SANDBOX_ERROR, "not judged"))
        if not verdict.accepted:
            return Verdict(verdict.outcome, verdict.reason, test.id)
    return Verdict(Outcome.ACCEPTED)


def judge(plan: Plan, store: RunStore, workers: Workers, attempts: Sequence[Attempt]) -> int:
    """Run every distinct solution on the tests it has no verdict for.

    Returns:
        How many executions failed through no fault of the program; they have no verdict and the next run
        tries them again.
    """
    tell = plan.setup.listeners.tell
    programs = {(id(a.subject), a.solution.code): a for a in attempts if a.solution.status == "ok"}
    trials = list(_trials(plan, store, programs.values()))
    total, done, faults = len(programs), len(programs) - len(trials), 0
    tell(StageStarted("judge", total, done))
    for trial, verdicts in workers.map(_try, trials):
        for test, row in verdicts:
            if row.verdict.outcome is Outcome.SANDBOX_ERROR:
                faults += 1
            else:
                store.put_verdict(row)
            tell(Judged(trial.subject.problem.id, test, trial.code, row.verdict))
        store.commit()
        done += 1
        tell(StageAdvanced("judge", done, total))
    return faults


def stored_verdicts(store: RunStore, keys: Mapping[str, str]) -> dict[str, Verdict]:
    """The verdicts that are stored, by test id."""
    found = {test: store.verdict(key) for test, key in keys.items()}
    return {test: verdict for test, verdict in found.items() if verdict is not None}


def _trials(plan: Plan, store: RunStore, attempts: Iterable[Attempt]) -> Iterator[Trial]:
    stop_early = plan.setup.experiment.tests.correct_on == "all"
    for attempt in attempts:
        subject, code = attempt.subject, attempt.solution.code
        keys = verdict_keys(plan, subject, code)
        known = stored_verdicts(store, keys)
        decide = frozenset(test.id for test in deciding(plan, subject))
        correct = all(verdict.accepted for test, verdict in known.items() if test in decide)
        if stop_early and not correct:
            continue
        tests, of_buckets = (
            tuple((test, keys[test.id]) for test in of if test.id not in known)
            for of in ((*subject.public, *subject.private), subject.of_buckets if correct else ())
        )
        if tests or of_buckets:
            yield Trial(subject, code, tests, of_buckets, decide, stop_early)


def _try(sandbox: Sandbox, trial: Trial) -> tuple[Trial, list[tuple[TestCase, StoredVerdict]]]:
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
    return trial, rows


def _judged(sandbox: Sandbox, trial: Trial, test: TestCase, key: str) -> StoredVerdict:
    verdict, execution = judge_test(sandbox, trial.subject.problem, test, trial.code, trial.subject.limits)
    return StoredVerdict(
        *(key, verdict, execution.stderr[-2000:]),
        *(execution.cpu_seconds, execution.wall_seconds, execution.peak_bytes),
    )
