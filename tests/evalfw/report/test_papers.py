from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evalfw import InputError
from evalfw.report.paper_rows import pass_at_k, runtimes, scores
from evalfw.report.papers import TABLES, tables
from evalfw.report.runs import Run
from tests.evalfw.report.runs import cell, rows, run, solved


def two_models() -> Run:
    """Two models at two temperatures: pass@k needs no profile, MIS is of one of the two profilers."""
    problems, cells = [], []
    for model, low, high in (("a", 0.2, 0.4), ("b", 0.9, 0.5)):
        for temperature, value in ((0.0, low), (0.7, high)):
            who: dict[str, Any] = {"model": model, "temperature": temperature}
            for profiler in ("memory", "clock"):
                problems += rows("pass@1", {"p": value, "q": value}, **who, profiler=profiler)
            cells += [cell("pass@1", value, **who, profiler=None), cell("pass@10", value / 2, **who, profiler=None)]
            cells += [cell("mis_macro", value / 10, **who, profiler="memory")]
            cells += [cell("mis_micro", None, **who, profiler="memory")]
            cells += [cell("runtime_median", value / 1000, **who, profiler="clock")]
    return run(problems, cells)


def test_scores_stand_side_by_side_for_the_profiler_that_has_them() -> None:
    found = scores(two_models())
    assert [(row["model"], row["temperature"], row["profiler"], row["pass@1"], row["mis_macro"]) for row in found] == [
        ("a", 0.0, "memory", 0.2, pytest.approx(0.02)),
        ("a", 0.7, "memory", 0.4, pytest.approx(0.04)),
        ("b", 0.0, "memory", 0.9, pytest.approx(0.09)),
        ("b", 0.7, "memory", 0.5, pytest.approx(0.05)),
    ]
    first = found[0]
    assert (first["pass@1_low"], first["pass@1_high"], first["pass@1_n"]) == (
        pytest.approx(0.19),
        pytest.approx(0.21),
        2,
    )
    assert (first["mis_micro"], first["reason"]) == (None, "mis_micro: no problems")


def test_scores_without_a_profiler_come_once() -> None:
    found = two_models()
    cells = [each for each in found.tables["conditions"] if each["metric"] == "pass@1"]
    only = scores(replace(found, tables={**found.tables, "conditions": cells}))
    assert [(row["model"], row["temperature"], row["profiler"]) for row in only] == [
        *(("a", 0.0, None), ("a", 0.7, None)),
        *(("b", 0.0, None), ("b", 0.7, None)),
    ]
    assert only[0]["reason"].startswith("mis_macro: not among the metrics of the run")


def test_run_times_are_of_the_clock() -> None:
    found = runtimes(two_models())
    assert {row["profiler"] for row in found} == {"clock"}
    assert [row["runtime_median"] for row in found] == pytest.approx([2e-4, 4e-4, 9e-4, 5e-4])


def test_pass_at_k_is_that_of_the_best_temperature() -> None:
    found = {(row["model"], row["k"]): (row["temperature"], row["value"]) for row in pass_at_k(two_models())}
    assert found == {("a", 1): (0.7, 0.4), ("a", 10): (0.7, 0.2), ("b", 1): (0.0, 0.9), ("b", 10): (0.0, 0.45)}
    (made,) = tables([two_models()], ["pass-at-k"])
    (sheet,) = made.sheets
    assert [row[0] for row in sheet.cells] == ["b", "a"]  # by decreasing pass@1
    assert sheet.cells[0] == ("b", "0.900", "[0.890, 0.910]", "0", "0.450", "[0.440, 0.460]", "0")
    with pytest.raises(InputError, match=r"no pass@k: list the metric pass_at_k"):
        pass_at_k(run([]))


def test_a_sheet_shows_only_what_is_there_and_says_why_the_rest_is_not() -> None:
    (made,) = tables([two_models()], ["conditions"])
    (sheet,) = made.sheets
    assert sheet.title == "dataset d, profiler memory"
    assert sheet.headers == ("model", "temperature", "pass@1", "90% interval", "mis_macro", "90% interval")
    assert sheet.cells[0] == ("a", "0", "0.2000", "[0.1900, 0.2100]", "0.0200", "[0.0100, 0.0300]")
    assert sheet.notes[1:] == ("4 cells: mis_micro: no problems",)


def test_several_runs_are_told_apart() -> None:
    found = tables([two_models(), replace(two_models(), name="other"), run([], name="empty")], ["conditions"])
    (one,) = found
    assert [sheet.title for sheet in one.sheets] == [
        "run r; dataset d, profiler memory",
        "run other; dataset d, profiler memory",
    ]
    assert [row["run"] for row in one.rows] == ["r"] * 4 + ["other"] * 4
    (reason,) = one.reasons
    assert reason.startswith("empty: the run has none of pass@1, mis_macro, mis_micro: list the metrics pass_at_k")


def test_similarity_takes_the_measures_that_are_there() -> None:
    values = {"p": 0.1, "q": 0.2, "r": 0.4}
    problems = [{**row, "tsed": tsed} for row, tsed in zip(rows("dmpd", values), (3.0, 1.0, 2.0), strict=True)]
    (found,) = tables([run(problems)], ["similarity"])
    (row,) = found.rows
    assert (row["x"], row["y"], row["n"]) == ("dmpd", "tsed", 3)
    (absent,) = tables([run(rows("dmpd", values))], ["similarity"])
    assert (absent.rows, len(absent.reasons)) == ([], 1)
    assert "fewer than two of dmpd, ngram_overlap" in absent.reasons[0]


def test_correlations_of_run_time_stand_together_by_what_is_observed() -> None:
    problems: list[dict[str, Any]] = []
    solutions: list[dict[str, Any]] = []
    cells = []
    for temperature, passed, cv in ((0.1, 0.9, 0.1), (0.5, 0.7, 0.3), (0.9, 0.6, 0.2)):
        who: dict[str, Any] = {"temperature": temperature}
        problems += [{**row, "pass@1": passed} for row in rows("runtime_cv_solutions", {"p": cv}, **who)]
        solutions += solved({"runtime_median": [1.0 + temperature**2, 1.1]}, **who)
        cells.append(cell("pass@1", passed, **who, profiler=None))
    (found,) = tables([run(problems, cells, solutions)], ["runtime-correlations"])
    assert [(row["of"], row["x"], row["y"]) for row in found.rows] == [
        ("solutions", "conditions.pass@1", "runtime_median"),
        ("solutions", "temperature", "runtime_median"),
        ("problems", "conditions.pass@1", "runtime_cv_solutions"),
        ("problems", "temperature", "runtime_cv_solutions"),
    ]
    assert [sheet.title.split(",")[0] for sheet in found.sheets] == [
        "pearson correlation over solutions",
        "pearson correlation over problems",
    ]


def test_a_table_that_cannot_be_made_says_what_it_takes() -> None:
    empty = run([])
    found = tables([replace(empty, tables={**empty.tables, "canonical": []})], TABLES[1:])
    assert [each.name for each in found] == list(TABLES[1:])
    for each in found:
        assert (each.rows, each.sheets, len(each.reasons)) == ([], [], 1), each.name
