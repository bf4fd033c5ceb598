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
        stop_early: Whether the first test that is not accepted decides, so that the others need not be run.
    """

    subject: Subject
    code: str
    tests: tuple[tuple[TestCase, str], ...]
    stop_early: bool


def verdict_keys(plan: Plan, subject: Subject, code: str) -> Mapping[str, str]:
    """Key of the verdict on each test of a problem, by test id; the tests in the order in which they are run."""
    return {
        test.id: verdict_key(code, subject.problem, test, subject.limits, plan.sandbox, RULES)
        for test in (*subject.public, *subject.private)
    }


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
    deciding = subject.public if by_public else (*subject.public, *subject.private)
    if not (subject.public if by_public else subject.private):
        return Verdict(Outcome.NO_TESTS, f"the problem has no {'public' if by_public else 'private'} tests")
    for test in deciding:
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
        for (test, _), row in zip(trial.tests, verdicts, strict=False):
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
        if stop_early and any(not verdict.accepted for verdict in known.values()):
            continue
        tests = tuple((test, keys[test.id]) for test in (*subject.public, *subject.private) if test.id not in known)
        if tests:
            yield Trial(subject, code, tests, stop_early)


def _try(sandbox: Sandbox, trial: Trial) -> tuple[Trial, list[StoredVerdict]]:
    rows = []
    for test, key in trial.tests:
        verdict, execution = judge_test(sandbox, trial.subject.problem, test, trial.code, trial.subject.limits)
        rows.append(
            StoredVerdict(
                *(key, verdict, execution.stderr[-2000:]),
                *(execution.cpu_seconds, execution.wall_seconds, execution.peak_bytes),
            )
        )
        if trial.stop_early and not verdict.accepted:
            break
    return trial, rows
