"""One solution on one test: the program runs in the sandbox, the comparison happens outside of its process."""

from __future__ import annotations

from typing import cast

from evalfw.checkers import check
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import Call, Json, Limits, Method, Problem, TestCase
from evalfw.errors import InputError
from evalfw.sandbox.inside import plain
from evalfw.sandbox.job import Execution, Job
from evalfw.sandbox.process import Sandbox

CHECKER_LIMITS = Limits(memory_bytes=4 << 30)
"""Of a checker that is code: always the same, so that no verdict depends on what the solution was allowed."""

_CHECKING = "from evalfw_inside.checking import check"


def judge(sandbox: Sandbox, problem: Problem, test: TestCase, code: str, limits: Limits) -> tuple[Verdict, Execution]:
    """Run a program on one test and decide.

    Returns:
        The verdict, and what was observed of the execution.

    Raises:
        InputError: The problem names a checker that does not exist.
    """
    job = Job(code, problem.style, test.input, limits, recursion_limit=problem.recursion_limit)
    execution = sandbox.run(job)
    return verdict_of(sandbox, problem, test, execution), execution


def verdict_of(sandbox: Sandbox, problem: Problem, test: TestCase, execution: Execution) -> Verdict:
    """The verdict on an execution: what stopped it, or else what the checker says of its output.

    A checker that is code runs in a process of its own, after that of the solution has ended. Where it fails, that is
    no verdict on the solution but a `sandbox_error`.
    """
    if execution.outcome is not None:
        return Verdict(execution.outcome, execution.reason)
    actual = execution.stdout.decode("utf-8", "surrogateescape") if isinstance(test.input, str) else execution.value
    if problem.checker.name == "code":
        return _by_code(sandbox, problem, test, actual)
    reason = check(problem.checker, test.expected, actual)
    return Verdict(Outcome.ACCEPTED) if reason is None else Verdict(Outcome.WRONG_ANSWER, reason)


def _by_code(sandbox: Sandbox, problem: Problem, test: TestCase, actual: Json) -> Verdict:
    if not problem.checker.code:
        raise InputError("checker 'code' has no code; it needs the source of check(args, expected, actual)")
    style, encoded = problem.style, actual
    args: tuple[Json, ...] = ()
    if isinstance(test.input, Call):
        style, args = test.input.style or problem.style, test.input.args
    else:
        args = (test.input,)
    if not (isinstance(style, Method) and style.result_from == "all"):
        try:
            encoded = {"nodes": [], "value": cast(Json, plain.encode(actual))}
        except plain.NotPlain as error:  # the solution's process reported more than it may
            return Verdict(Outcome.WRONG_ANSWER, str(error))
    asked = Call((problem.checker.code, args, test.expected, encoded))
    execution = sandbox.run(Job(_CHECKING, Method("check", class_name=None), asked, CHECKER_LIMITS))
    return _answer(execution)


def _answer(execution: Execution) -> Verdict:
    if execution.outcome is not None:
        return _failed(f"{execution.outcome}: {execution.reason}")
    match execution.value:
        case (True, str()):
            return Verdict(Outcome.ACCEPTED)
        case (False, str(reason)):
            return Verdict(Outcome.WRONG_ANSWER, _line(reason))
        case (None, str(reason)):
            return _failed(reason)
        case _:
            return _failed("it reported something else than an answer")


def _failed(reason: str) -> Verdict:
    return Verdict(Outcome.SANDBOX_ERROR, f"the dataset's checker failed: {_line(reason)}")


def _line(text: str) -> str:
    """Untrusted text, fit for one line."""
    return text.encode("ascii", "backslashreplace").decode().replace("\n", " ")[:200]
