"""Lets a driver of hostile programs run them in our sandbox: `judge(source, kind, entry_point, tests, limits)`.

`judge` runs them at the best level that works here; the classes each at the level of their name.
"""

from __future__ import annotations

import os
import sys
from typing import Any

# The driver puts this folder first, where `tests/evalfw` would be taken for the package.
sys.path = [path for path in sys.path if os.path.abspath(path) != os.path.dirname(os.path.abspath(__file__))]

from evalfw import (  # noqa: E402
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
from evalfw import judge as judge_test  # noqa: E402
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine  # noqa: E402

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


class Judge:
    """Judges programs, and profiles those that pass."""

    sandbox = Sandbox()

    def __init__(self) -> None:
        self.sandbox.run(Job("", Stdin(), "", Limits()))  # the driver's clock has not started yet

    def judge(
        self, source: str, kind: str, entry_point: str | None, tests: list[dict[str, Any]], limits: dict[str, Any]
    ) -> dict[str, object]:
        problem = _problem(kind, entry_point, tests)
        bounds = Limits(limits["cpu_s"], limits["memory_mb"] << 20, limits["output_kb"] << 10)
        verdict = Verdict(Outcome.NO_TESTS)
        for test in problem.tests:
            verdict, execution = judge_test(self.sandbox, problem, test, source, bounds)
            if not verdict.accepted:
                break
        answer: dict[str, object] = {
            "status": STATUS[verdict.outcome],
            # Not the reason of the verdict: it says what was expected.
            "report": f"{execution.reason} {execution.stderr.decode(errors='replace')!a}",
        }
        if verdict.accepted:
            answer["profile_status"] = self._profile(problem, source, bounds)
        return answer

    def _profile(self, problem: Problem, source: str, bounds: Limits) -> str:
        profiler = TracemallocLine(LineOptions())
        # Little time, since the driver counts it as part of the time to a verdict.
        wider = Limits(min(bounds.time_seconds, 2.0), bounds.memory_bytes * 4, bounds.output_bytes)
        instrument = Instrument(profiler.instrument_path(), profiler.settings())
        test = problem.tests[0]
        execution = self.sandbox.run(Job(source, problem.style, test.input, wider, instrument))
        if execution.outcome is not None:
            return STATUS[execution.outcome]
        try:
            profiler.profile(execution.record)  # type: ignore[arg-type]
        except ValueError:
            return "instrumentation-error"
        return "passed"


class Namespaces(Judge):
    sandbox = Sandbox(level="namespaces")


class Landlock(Judge):
    sandbox = Sandbox(level="landlock+seccomp")


class Seccomp(Judge):
    sandbox = Sandbox(level="seccomp+rlimits")


class Rlimits(Judge):
    sandbox = Sandbox(level="rlimits")


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name == "judge":
        return Judge().judge
    raise AttributeError(name)


def _problem(kind: str, entry_point: str | None, tests: list[dict[str, Any]]) -> Problem:
    if kind == "stdin":
        cases = [TestCase(str(i), "private", test["input"], test["expected"]) for i, test in enumerate(tests)]
        return Problem("hostile", "", tuple(cases), Stdin(), Checker("tokens"))
    class_name, _, method = (entry_point or "Solution.solve").rpartition(".")
    cases = [TestCase(str(i), "private", Call(tuple(test["args"])), test["expected"]) for i, test in enumerate(tests)]
    return Problem("hostile", "", tuple(cases), Method(method, class_name or None), Checker("value"))
