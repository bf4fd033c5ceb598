from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evalfw import InputError
from evalfw.report.costs import costs_against, within_problems
from evalfw.report.runs import Run
from tests.evalfw.report.runs import CONDITION, run


def measured(costs: dict[str, Sequence[tuple[str, float]]], column: str, **condition: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Rows of the table of profiles: by problem, the solution and its cost on one test each."""
    return [
        {**CONDITION, **condition, "problem": problem, "solution": solution, "test": str(place), column: cost}
        for problem, of in costs.items()
        for place, (solution, cost) in enumerate(of)
    ]


def two_profilers(p: Sequence[tuple[float, float]], q: Sequence[tuple[float, float]]) -> Run:
    """A run in which a clock and a counter have measured solutions of two problems, on one test each."""
    problems = [{**CONDITION, "profiler": "clock", "problem": name, "samples": 9, "tests": 1} for name in "pq"]
    profiles = [
        row
        for profiler, column, place in (("clock", "median_seconds", 0), ("counter", "instructions", 1))
        for problem, pairs in (("p", p), ("q", q))
        for index, pair in enumerate(pairs)
        for row in measured({problem: [(f"{problem}{index}", pair[place])]}, column, profiler=profiler)
    ]
    found = run(problems)
    return replace(found, tables={**found.tables, "profiles": profiles})


def test_costs_of_a_solution_stand_side_by_side() -> None:
    rows = costs_against(two_profilers([(1.0, 10.0), (2.0, 20.0)], [(3.0, 5.0)]))
    assert [(row["problem"], row["solution"], row["x"], row["y"]) for row in rows] == [
        ("p", "p0", 1.0, 10.0),
        ("p", "p1", 2.0, 20.0),
        ("q", "q0", 3.0, 5.0),
    ]
    assert {(row["x_profiler"], row["x_cost"], row["y_profiler"], row["y_cost"]) for row in rows} == {
        ("clock", "median_seconds", "counter", "instructions")
    }


def test_a_cost_is_the_mean_over_all_tests_or_there_is_none() -> None:
    found = run([{**CONDITION, "profiler": "clock", "problem": "p", "samples": 2, "tests": 2}])
    both = measured({"p": [("a", 1.0), ("a", 4.0)]}, "median_seconds", profiler="clock")
    both += measured({"p": [("a", 3.0), ("a", 5.0)]}, "opcodes", profiler="counter")
    one = measured({"p": [("b", 1.0), ("b", 4.0)]}, "median_seconds", profiler="clock")
    one += measured({"p": [("b", 3.0)]}, "opcodes", profiler="counter")
    (row,) = costs_against(replace(found, tables={**found.tables, "profiles": both + one}))
    assert (row["solution"], row["x"], row["y"]) == ("a", 2.5, 4.0)


def test_the_correlation_is_within_problems() -> None:
    p, q = [(1.0, 3.0), (2.0, 1.0), (4.0, 9.0)], [(1.0, 5.0), (1.0, 6.0), (1.0, 7.0)]
    found = within_problems(costs_against(two_profilers(p, q)))
    assert found["p"].value == pytest.approx(np.corrcoef([x for x, _ in p], [y for _, y in p])[0, 1])
    assert (found["q"].value, found["q"].n) == (None, 3)
    assert found["q"].reason


def test_one_profiler_is_not_enough() -> None:
    found = two_profilers([(1.0, 2.0)], [])
    profiles = [row for row in found.tables["profiles"] if row["profiler"] == "clock"]
    with pytest.raises(InputError, match="profilers of the run that measure costs: clock; list two"):
        costs_against(replace(found, tables={**found.tables, "profiles": profiles}))
    with pytest.raises(InputError, match="costs: none"):
        costs_against(replace(found, tables={**found.tables, "profiles": []}))
