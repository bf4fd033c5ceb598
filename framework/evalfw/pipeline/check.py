"""Checks a dataset: whether its accepted solutions pass its tests."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from evalfw.config.experiment import Bounds
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import AcceptedSolution, Limits, Problem
from evalfw.judging import judge
from evalfw.pipeline.plan import plain_limits
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.process import Sandbox

Required: TypeAlias = Literal["any", "all"]
"""How many of a problem's accepted solutions have to pass, for the problem to be usable."""

_PATIENCE = 3
"""Tests that a solution may run out of time on before the rest is not run: each costs the whole limit."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What one accepted solution came to on all tests of its problem, in every pool.

    Args:
        problem: The problem.
        solution: The solution.
        failures: Tests that it fails, by id, with the verdicts.
        not_run: How many tests were not run any more.
    """

    problem: Problem
    solution: AcceptedSolution
    failures: tuple[tuple[str, Verdict], ...]
    not_run: int

    @property
    def passes(self) -> bool:
        """Whether it passes every test."""
        return not self.failures

    @property
    def reason(self) -> str:
        """The first failure, in words."""
        if not self.failures:
            return ""
        test, verdict = self.failures[0]
        return f"{verdict.outcome.value} on {test}" + (f": {verdict.reason}" if verdict.reason else "")


def check_solutions(
    problems: Iterable[Problem],
    workers: Workers,
    bounds: Bounds,
    at_most: int | None = None,
    advanced: Callable[[int, int], None] = lambda done, total: None,
) -> list[Checked]:
    """Run accepted solutions on all tests of their problems.

    Args:
        problems: Those without tests or without solutions are passed over.
        workers: Where the solutions run.
        bounds: Limits, where those of a problem are not meant.
        at_most: Of each problem, only the first so many solutions.
        advanced: Told how many solutions are done, of how many; first with none.

    Returns:
        One entry a solution, in the order of problems and solutions.
    """
    tasks = [
        (number, problem, solution, plain_limits(bounds, problem))
        for number, (problem, solution) in enumerate(
            (problem, solution) for problem in problems if problem.tests for solution in problem.solutions[:at_most]
        )
    ]
    advanced(0, len(tasks))
    found: dict[int, Checked] = {}
    for number, checked in workers.map(_check, tasks):
        found[number] = checked
        advanced(len(found), len(tasks))
    return [found[number] for number in sorted(found)]


def _check(sandbox: Sandbox, task: tuple[int, Problem, AcceptedSolution, Limits]) -> tuple[int, Checked]:
    number, problem, solution, limits = task
    failures: list[tuple[str, Verdict]] = []
    out_of_time = run = 0
    for test in problem.tests:
        verdict, _ = judge(sandbox, problem, test, solution.code, limits)
        run += 1
        if not verdict.accepted:
            failures.append((test.id, verdict))
            out_of_time += verdict.outcome is Outcome.TIME_LIMIT
            if out_of_time == _PATIENCE:
                break
    return number, Checked(problem, solution, tuple(failures), len(problem.tests) - run)


def exclusions(checked: Iterable[Checked], required: Required) -> dict[str, str]:
    """The problems whose accepted solutions speak against their tests, each with the reason."""
    by_problem: dict[str, list[Checked]] = {}
    for one in checked:
        by_problem.setdefault(one.problem.id, []).append(one)
    excluded = {}
    for name, solutions in by_problem.items():
        failing = [one for one in solutions if not one.passes]
        if len(failing) == len(solutions) or (required == "all" and failing):
            count = f"{len(failing)} of {len(solutions)} accepted solutions fail"
            excluded[name] = f"{count}; {failing[0].solution.name}: {failing[0].reason}"
    return excluded


def write_exclusions(path: Path, excluded: dict[str, str]) -> None:
    """Write problems with reasons as JSON Lines, for the option `exclude` of datasets."""
    lines = (json.dumps({"problem": name, "reason": reason}) + "\n" for name, reason in excluded.items())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def flags(problem: Problem) -> list[str]:
    """The traits that are flags: what has to be known of a problem before its results are believed."""
    return [name for name, value in problem.traits.items() if value == "yes"]


def count_flags(problems: Sequence[Problem]) -> Counter[str]:
    """How many problems have each flag."""
    return Counter(flag for problem in problems for flag in flags(problem))
