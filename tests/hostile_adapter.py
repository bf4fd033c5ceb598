"""Lets a driver of hostile programs run them in our sandbox: `judge(source, kind, entry_point, tests, limits)`."""

from __future__ import annotations

from typing import Any

from evalfw import (
    Call,
    Checker,
    Instrument,
    Job,
    Limits,
    Method,
    Outcome,
    Problem,
    Sandbox,
    Stdin,
    TestCase,
    Verdict,
)
from evalfw import (
    judge as judge_test,
)
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

STATUS = {
    Outcome.ACCEPTED: "passed",
    Outcome.WRONG_ANSWER: "failed",
    Outcome.TIME_LIMIT: "timeout",
    Outcome.MEMORY_LIMIT: "oom",
    Outcome.OUTPUT_LIMIT: "output-limit",
    Outcome.RUNTIME_ERROR: "crashed",
    Outcome.COMPILE_ERROR: "compile-error",
    Outcome.INSTRUMENTATION_ERROR: "instrumentation-error",
    Outcome.SANDBOX_ERROR: "harness-error",
}
"""Our outcomes in the words of the driver."""

_sandbox = Sandbox()


def judge(
    source: str, kind: str, entry_point: str | None, tests: list[dict[str, Any]], limits: dict[str, Any]
) -> dict[str, object]:
    """Judge a program, and profile it if it passed."""
    problem = _problem(kind, entry_point, tests)
    bounds = Limits(limits["cpu_s"], limits["memory_mb"] << 20, limits["output_kb"] << 10)
    verdict = Verdict(Outcome.NO_TESTS)
    for test in problem.tests:
        verdict, execution = judge_test(_sandbox, problem, test, source, bounds)
        if not verdict.accepted:
            break
    answer: dict[str, object] = {
        "status": STATUS[verdict.outcome],
        "report": f"{verdict.reason} {execution.stderr.decode(errors='replace')!a}",
    }
    if verdict.accepted:
        answer["profile_status"] = _profile(problem, source, bounds)
    return answer


def _profile(problem: Problem, source: str, bounds: Limits) -> str:
    profiler = TracemallocLine(LineOptions())
    wider = Limits(bounds.time_seconds * 2, bounds.memory_bytes * 4, bounds.output_bytes)
    instrument = Instrument(profiler.instrument_path(), profiler.settings())
    test = problem.tests[0]
    execution = _sandbox.run(Job(source, problem.style, test.input, wider, instrument))
    if execution.outcome is not None:
        return STATUS[execution.outcome]
    try:
        profiler.profile(execution.record)  # type: ignore[arg-type]
    except ValueError:
        return "instrumentation-error"
    return "passed"


def _problem(kind: str, entry_point: str | None, tests: list[dict[str, Any]]) -> Problem:
    if kind == "stdin":
        cases = [TestCase(str(i), "private", test["input"], test["expected"]) for i, test in enumerate(tests)]
        return Problem("hostile", "", tuple(cases), Stdin(), Checker("tokens"))
    class_name, _, method = (entry_point or "Solution.solve").rpartition(".")
    cases = [TestCase(str(i), "private", Call(tuple(test["args"])), test["expected"]) for i, test in enumerate(tests)]
    return Problem("hostile", "", tuple(cases), Method(method, class_name or None), Checker("value"))
