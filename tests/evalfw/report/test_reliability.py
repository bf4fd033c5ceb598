from __future__ import annotations

import statistics
from typing import Any

import pytest

from evalfw import InputError
from evalfw.report.reliability import reliability, variations
from evalfw.report.runs import Run
from tests.evalfw.report.runs import CONDITION, run

TIMES = {("p", "1"): [1.0, 1.2, 0.8], ("p", "2"): [2.0, 2.0, 2.1], ("q", "1"): [1.0, 2.0, 3.0], ("r", "1"): [4.0]}


def measured() -> Run:
    """A run with canonical solutions, in the form of the pipeline: the cv stands in every row."""
    canonical: list[dict[str, Any]] = [
        {
            **CONDITION,
            **{"model": f"m{place}", "problem": problem, "test": test, "groups": len(times)},
            "cv": statistics.stdev(times) / statistics.fmean(times) if len(times) > 1 else None,
        }
        for (problem, test), times in TIMES.items()
        for place in range(len(times))
    ]
    found = run([])
    return Run(found.name, {**found.tables, "canonical": canonical}, found.resampling, found.sandbox)


def test_each_solution_and_test_counts_once() -> None:
    found = variations(measured())
    assert [(row["problem"], row["test"], row["cv"]) for row in found] == [
        ("p", "1", pytest.approx(0.2)),
        ("p", "2", pytest.approx(0.1 / 3**0.5 / (6.1 / 3))),
        ("q", "1", pytest.approx(0.5)),
        ("r", "1", None),
    ]
    assert found[-1]["reason"] == "measured for fewer than two models and temperatures"


def test_the_summary_is_of_what_is_defined() -> None:
    (row,) = reliability(measured())
    assert (row["dataset"], row["profiler"], row["tests"], row["undefined"]) == ("d", "base", 3, 1)
    small = 0.1 / 3**0.5 / (6.1 / 3)
    assert row["mean"] == pytest.approx((0.2 + small + 0.5) / 3)
    assert (row["median"], row["largest"]) == (pytest.approx(0.2), pytest.approx(0.5))
    assert (row["stable"], row["stable_share"]) == (1, pytest.approx(1 / 3))
    assert row["reason"] == "measured for fewer than two models and temperatures"


def test_a_run_without_canonical_solutions_says_what_to_do() -> None:
    found = run([])
    with pytest.raises(InputError, match="no canonical solutions: list a profiler that measures them"):
        reliability(Run(found.name, {**found.tables, "canonical": []}, found.resampling, found.sandbox))
