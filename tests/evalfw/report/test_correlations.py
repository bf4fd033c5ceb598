from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalfw import InputError
from evalfw.report.correlations import Analysis, correlate, observed, over_problems, points
from tests.evalfw.report.runs import CONDITION, cell, rows, run, solved

TEMPERATURES = (0.0, 0.5, 1.0, 1.5)


def problem(name: str, **columns: float | None) -> dict[str, float | str | None]:
    return {"problem": name, "samples": 5, **columns}


def per_problem(values: dict[str, tuple[float | None, ...]], correct: int = 2) -> list[dict[str, object]]:
    """One number by problem at four temperatures."""
    return [
        {**CONDITION, "temperature": t, **problem(name, cv=value, correct=correct)}
        for name, numbers in values.items()
        for t, value in zip(TEMPERATURES, numbers, strict=True)
    ]


VARIATION = Analysis(("temperature",), ("cv",), per_problem=True, pool=("temperature",))


def test_the_median_is_over_problems_with_a_coefficient() -> None:
    """The shared row about Spearman's coefficients, one of a constant."""
    rising = run(per_problem({"p": (2.0, 4.0, 6.0, 9.0), "q": (5.0,) * 4, "r": (4.0, 3.0, 2.0, 1.0)}))
    found = correlate(rising, replace(VARIATION, method="spearman"))
    assert [(row["problem"], row["value"], row["n"]) for row in found] == [
        ("p", pytest.approx(1.0), 4),
        ("q", None, 4),
        ("r", pytest.approx(-1.0), 4),
    ]
    (row,) = over_problems(found, rising)
    assert (row["problems"], row["undefined"], row["n"]) == (2, 1, 8)
    assert (row["mean"], row["median"]) == (pytest.approx(0.0), pytest.approx(0.0))
    assert (row["low"], row["high"]) == (pytest.approx(-1.0), pytest.approx(1.0))
    assert (row["reason"], row["temperature"], row["pooled"]) == ("q: one side is constant", None, "temperature")


def test_no_problem_with_a_coefficient_is_null_with_reasons() -> None:
    flat = run(per_problem({"p": (1.0,) * 4, "q": (None,) * 4}))
    (row,) = over_problems(correlate(flat, VARIATION), flat)
    assert (row["problems"], row["undefined"], row["median"], row["low"], row["mean"]) == (0, 2, None, None, None)
    assert row["reason"] == "p: one side is constant; q: fewer than two pairs"


def test_problems_need_enough_models_and_solutions() -> None:
    models = [
        {**row, "model": model, "correct": correct if row["problem"] == "p" else 0}
        for model, correct in (("a", 1), ("b", 2))
        for row in per_problem({"p": (1.0, 2.0, 3.0, 5.0), "q": (1.0, 3.0, 2.0, 5.0)})
    ]
    both = run(models)
    analysis = replace(VARIATION, pool=("temperature", "model"))
    assert [row["problem"] for row in correlate(both, analysis)] == ["p", "q"]
    for enough in ({"models": 2}, {"correct": 12}):
        assert [row["problem"] for row in correlate(both, replace(analysis, **enough))] == ["p"]  # type: ignore[arg-type]
    for enough in ({"models": 3}, {"correct": 13}):
        with pytest.raises(InputError, match="no problem has enough correct solutions"):
            correlate(both, replace(analysis, **enough))  # type: ignore[arg-type]


def test_every_two_of_several_columns() -> None:
    values = np.random.default_rng(1).normal(size=(3, 8))
    table = [
        {**CONDITION, **problem(str(index), **{name: float(values[place, index]) for place, name in enumerate("xyz")})}
        for index in range(8)
    ]
    found = correlate(run(table), Analysis(("x", "y", "z")))
    expected = np.atleast_2d(np.corrcoef(values))
    assert [(row["x"], row["y"]) for row in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    for row in found:
        place = "xyz".index(row["x"]), "xyz".index(row["y"])
        assert row["value"] == pytest.approx(expected[place])
        assert row["r_squared"] == pytest.approx(expected[place] ** 2)


def test_the_success_of_a_model_against_what_its_solutions_take() -> None:
    models = {"a": (0.2, [5.0, 7.0]), "b": (0.6, [4.0]), "c": (0.9, [1.0, 2.0])}
    table = run(
        [row for model in models for row in rows("correct", {"p": 2}, model=model)],
        [cell("pass@1", rate, model=model, profiler=None) for model, (rate, _) in models.items()],
        [row for model, (_, seconds) in models.items() for row in solved({"runtime": seconds}, model=model)],
    )
    analysis = Analysis(("conditions.pass@1",), ("runtime",), "solutions", per_problem=True, pool=("model",))
    (row,) = correlate(table, analysis)
    assert row["value"] == pytest.approx(np.corrcoef([0.2, 0.2, 0.6, 0.9, 0.9], [5.0, 7.0, 4.0, 1.0, 2.0])[0, 1])
    shown = points(observed(table, analysis), analysis.columns)
    assert [(each["model"], each["conditions.pass@1"], each["runtime"]) for each in shown][:2] == [
        ("a", 0.2, 5.0),
        ("a", 0.2, 7.0),
    ]


def test_bad_requests_are_one_message() -> None:
    table = run(rows("dmpd", {"p": 0.1}))
    with pytest.raises(InputError, match="no correlation 'kendall'"):
        correlate(table, Analysis(("dmpd",), ("samples",), method="kendall"))
    with pytest.raises(InputError, match="between two columns or more, found none"):
        correlate(table, Analysis(()))
    with pytest.raises(InputError, match="between two columns or more, found dmpd"):
        correlate(table, Analysis(("dmpd",)))
    two = run([*rows("dmpd", {"p": 0.1}), *rows("seconds", {"p": 0.1}, profiler="clock")])
    with pytest.raises(InputError, match="no profiler has both columns"):
        correlate(two, Analysis(("dmpd",), ("seconds",)))
