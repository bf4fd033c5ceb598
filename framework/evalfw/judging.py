"""One solution on one test: the program runs in the sandbox, the comparison happens here."""

from __future__ import annotations

from evalfw.checkers import check
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import Limits, Problem, TestCase
from evalfw.sandbox.job import Execution, Job
from evalfw.sandbox.process import Sandbox


def judge(sandbox: Sandbox, problem: Problem, test: TestCase, code: str, limits: Limits) -> tuple[Verdict, Execution]:
    """Run a program on one test and decide.

    Returns:
        The verdict, and what was observed of the execution.

    Raises:
        InputError: The problem names a checker that does not exist.
    """
    execution = sandbox.run(Job(code, problem.style, test.input, limits))
    return verdict_of(problem, test, execution), execution


def verdict_of(problem: Problem, test: TestCase, execution: Execution) -> Verdict:
    """The verdict on an execution: what stopped it, or else what the checker says of its output."""
    if execution.outcome is not None:
        return Verdict(execution.outcome, execution.reason)
    actual = execution.stdout.decode("utf-8", "surrogateescape") if isinstance(test.input, str) else execution.value
    reason = check(problem.checker, test.expected, actual)
    return Verdict(Outcome.ACCEPTED) if reason is None else Verdict(Outcome.WRONG_ANSWER, reason)
