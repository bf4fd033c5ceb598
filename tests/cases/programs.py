"""Cases about programs: run in the real sandbox, judged by the real checkers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalfw import Call, Checker, Execution, Limits, Method, Problem, Sandbox, Stdin, TestCase, Verdict, judge
from tests.cases.case import Case, differs

VERDICTS = {
    "accepted": "pass",
    "wrong_answer": "wrong_answer",
    "runtime_error": "runtime_error",
    "compile_error": "runtime_error",
    "time_limit": "timeout",
    "memory_limit": "memory_limit",
    "output_limit": "output_limit",
}
"""Our outcomes in the words of the cases."""


def programs(case: Case) -> list[str]:
    problem, limits = problem_of(case), limits_of(case.input["limits"])
    before = asdict(problem)
    found = []
    with Sandbox() as sandbox:
        for name in case.input["solutions"]:
            expected = case.expected["verdicts"][name]
            started = time.monotonic()
            verdict, executions = _judge(sandbox, problem, case.text_of(name), limits, all_tests="stdout" in expected)
            seconds = time.monotonic() - started
            found += [f"{name}: {difference}" for difference in _compare(verdict, executions, expected)]
            if seconds > case.expected.get("max_wall_s_per_solution", 3600):
                found.append(f"{name} took {seconds:.1f} s")
            if case.expected.get("no_process_left_behind") and (left := list(_left_behind())):
                found.append(f"{name} left processes behind: {left}")
    if case.expected.get("stored_problem_unchanged") and asdict(problem) != before:
        found.append("the problem was changed")
    return found


def _judge(
    sandbox: Sandbox, problem: Problem, code: str, limits: Limits, all_tests: bool
) -> tuple[Verdict, dict[str, Execution]]:
    """The first verdict that is not a pass, and the executions up to it (or all)."""
    first, executions = None, {}
    for test in problem.tests:
        verdict, executions[test.id] = judge(sandbox, problem, test, code, limits)
        if first is None or first.accepted:
            first = verdict
        if not first.accepted and not all_tests:
            break
    assert first is not None
    return first, executions


def _compare(verdict: Verdict, executions: dict[str, Execution], expected: dict[str, Any]) -> list[str]:
    name = VERDICTS[verdict.outcome.value]
    found = []
    if "verdict" in expected:
        found += differs("verdict", name, expected["verdict"])
    if name not in expected.get("verdict_in", [name]) or name in expected.get("verdict_not", []):
        found.append(f"verdict is {name!r}: {verdict.reason}")
    for test, stdout in expected.get("stdout", {}).items():
        found += differs(f"stdout of {test}", executions[test].stdout.decode(), stdout)
    return found


def problem_of(case: Case) -> Problem:
    given = case.input
    checker = given.get("checker", "value" if given["mode"] == "function" else "tokens")
    rule = Checker(checker) if isinstance(checker, str) else Checker(checker["name"], **checker.get("params", {}))
    if given["mode"] == "stdin":
        tests = tuple(_stdin_test(case, test) for test in given["tests"])
        return Problem(case.id, "", tests, Stdin(), rule)
    entry = given["entry"]
    methods = entry.get("methods") or {entry["method"]: entry}
    styles = {
        name: Method(
            name=name,
            class_name=entry.get("class", "Solution"),
            args=tuple(method.get("args", ())),
            returns=method.get("returns", ""),
            result_from=method.get("result_from", "return"),
        )
        for name, method in methods.items()
    }
    default = next(iter(styles.values()))
    tests = tuple(
        TestCase(
            test["id"],
            "private",
            Call(tuple(test["args"]), styles[test["method"]] if "method" in test else None),
            test["expected"],
        )
        for test in given["tests"]
    )
    return Problem(case.id, "", tests, default, rule)


def _stdin_test(case: Case, test: dict[str, Any]) -> TestCase:
    given = test["stdin"] if "stdin" in test else case.text_of(test["stdin_file"])
    expected = test["expected_stdout"] if "expected_stdout" in test else case.text_of(test["expected_stdout_file"])
    return TestCase(test["id"], "private", given, expected)


def limits_of(given: dict[str, Any]) -> Limits:
    standard = Limits()
    return Limits(
        time_seconds=float(given.get("time_s", standard.time_seconds)),
        memory_bytes=given["memory_mb"] << 20 if "memory_mb" in given else standard.memory_bytes,
        output_bytes=given["output_kb"] << 10 if "output_kb" in given else standard.output_bytes,
    )


def _left_behind() -> Iterator[str]:
    """Command lines of processes that solutions started and that still run."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if "time.sleep(45)" in command and "Popen" not in command:
            yield command.strip()
