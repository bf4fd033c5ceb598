from __future__ import annotations

from typing import Any

import pytest

from evalfw.report.runs import Run
from evalfw.report.site.tables import condition_table, exclusion_table, pairwise, problem_table, remarks
from tests.evalfw.report.runs import CONDITION, cell, rows, run

Rows = list[dict[str, Any]]


def with_tables(problems: Rows, conditions: Rows | None = None, name: str = "r", **tables: Rows) -> Run:
    """A run with a key for each problem, and the tables that pages read."""
    keys = {(row["dataset"], row["problem"]): f"key of {row['problem']}" for row in problems}
    made = run(problems, conditions or [], name=name)
    behind: dict[str, Any] = {
        "subjects": [{"dataset": d, "problem": p, "key": key} for (d, p), key in keys.items()],
        "pairs": [{**CONDITION, "problem": "a", "test": "t", "solution_a": "x", "solution_b": "y", "dmpd": 0.1}],
        **{table: [] for table in ("excluded", "canonical", "sampling")},
    }
    return Run(name, {**made.tables, **behind, **tables}, made.resampling, made.sandbox)


def solved(values: dict[str, float | None], correct: int = 3, **condition: Any) -> Rows:  # noqa: ANN401
    return [{**row, "correct": correct} for row in rows("dmpd", values, **condition)]


def shown(table: Any) -> list[list[str]]:  # noqa: ANN401
    return [[each.text for each in row] for row in table.rows]


def test_conditions_have_columns_that_tell_them_apart() -> None:
    problems = solved({"a": 0.1}, temperature=0.2) + solved({"a": 0.2}, temperature=0.8)
    table = condition_table([with_tables(problems, [cell("mis_macro", 0.1, temperature=0.2)])])
    assert [column.name for column in table.columns] == [
        *("model", "temperature", "problems", "samples", "correct", "mis_macro")
    ]
    assert table.about == "dataset d, profiler base"
    assert shown(table) == [["m", "0.2", "1", "5", "3", "0.1000"], ["m", "0.8", "1", "5", "3", "-"]]
    assert table.notes == ["not computed in this run"]
    assert (table.rows[0][1].sort, table.rows[1][-1].sort) == (0.2, None)


def test_scores_of_the_papers_come_first_and_the_others_keep_their_order() -> None:
    names = ("z", "npd", "mis_micro", "y", "mis_macro", "pass@1", "pass@5")
    table = condition_table([with_tables(solved({"a": 0.1}), [cell(name, 0.5) for name in names])])
    assert [column.name for column in table.columns][4:] == [
        *("pass@1", "pass@5", "mis_macro", "mis_micro", "npd", "z", "y")
    ]


def test_what_a_score_lacks_is_a_note_and_said_once() -> None:
    cells = [{**cell(name, None), "left_out": 2} for name in ("x", "y")] + [{**cell("z", 0.5), "left_out": 1}]
    cells.append({**cell("one", 0.5), "low": None, "high": None, "left_out": 0, "reason": "one problem"})
    table = condition_table([with_tables(solved({"a": 0.1}), cells)])
    assert [(each.text, each.below, each.notes) for each in table.rows[0][4:]] == [
        *[("-", "", (1,))] * 2,
        ("0.5000", "[0.490, 0.510]", (2,)),
        ("0.5000", "", (3,)),
    ]
    assert table.notes == [
        "undefined: no problems",
        "on 2 problems, 1 left out: None",
        "no interval: one problem",
    ]


def test_several_runs_are_told_apart() -> None:
    table = condition_table([with_tables(solved({"a": 0.1}), name=name) for name in ("one", "two")])
    assert [column.name for column in table.columns][:2] == ["model", "run"]
    assert [row[:2] for row in shown(table)] == [["m", "one"], ["m", "two"]]


def test_a_problem_of_one_condition_has_its_number() -> None:
    table = problem_table([with_tables(solved({"a": 0.25, "b": None}, correct=1))], {"key of a": "a", "key of b": "b"})
    assert [column.name for column in table.columns] == ["problem", "correct", "cohort", "dmpd"]
    assert shown(table) == [["a", "1 of 5", "1", "0.2500"], ["b", "1 of 5", "1", "-"]]
    assert table.notes == ["fewer than two correct solutions"]
    assert [row[0].link for row in table.rows] == ["a", "b"]


def test_a_problem_of_several_conditions_has_its_extremes() -> None:
    problems = [
        *solved({"a": 0.3}, temperature=0.2, correct=5),
        *solved({"a": 0.1}, temperature=0.8, correct=2),
        *solved({"a": None}, temperature=1.0, correct=2),
    ]
    table = problem_table([with_tables(problems)], {"key of a": "a"})
    (row,) = table.rows
    assert [(each.text, each.below) for each in row[1:]] == [
        *(("9 of 15", ""), ("2 to 5", "")),
        *(("0.1000", "m, temperature 0.8"), ("0.3000", "m, temperature 0.2")),
    ]
    assert table.notes == [
        "undefined in 1 of 3 conditions: no two correct solutions have profiles on one test that can be compared"
    ]


def test_samples_are_counted_once_whatever_they_are_profiled_with() -> None:
    problems = solved({"a": 0.1}) + solved({"a": 0.2}, profiler="other")
    table = problem_table([with_tables(problems)], {"key of a": "a"})
    assert table.rows[0][1].text == "3 of 5"


def test_without_pairs_there_is_no_number_of_pairs() -> None:
    without = with_tables(solved({"a": 0.1}), pairs=[])
    assert pairwise([without]) is None
    assert len(problem_table([without], {"key of a": "a"}).columns) == 3


@pytest.mark.parametrize("names", [("dmpd",), ("tsed", "dmpd"), ("dmpd", "npd")])
def test_dmpd_is_shown_where_there_is_one(names: tuple[str, ...]) -> None:
    problems = [{**row, **dict.fromkeys(names, 0.5)} for row in solved({"a": 0.1})]
    pair = {**CONDITION, "problem": "a", "test": "t", **dict.fromkeys(names, 0.5)}
    assert pairwise([with_tables(problems, pairs=[pair])]) == "dmpd"


def test_exclusions_are_put_together_by_reason() -> None:
    excluded = [
        {**CONDITION, "model": model, "what": "solution", "why": why, "count": count}
        for model, why, count in (("m", "wrong_answer", 1200), ("n", "wrong_answer", 1), ("n", "time_limit", 1))
    ]
    table = exclusion_table([with_tables(solved({"a": 0.1}), excluded=excluded)])
    assert shown(table) == [["solutions", "1,201", "wrong_answer"], ["solution", "1", "time_limit"]]
    assert table.rows[0][-1].below == "m, base: 1,200; n, base: 1"


def test_remarks_name_the_run_where_there_are_several() -> None:
    canonical = [{**CONDITION, "problem": "a", "test": "t", "cv": 0.3}]
    one = with_tables(solved({"a": 0.1}), canonical=canonical)
    (line,) = remarks([one])["How stable the measuring was"]
    assert line.startswith("Warning: base: the run time")
    (named,) = remarks([one, with_tables(solved({"a": 0.1}), name="s")])["How stable the measuring was"]
    assert named == f"r: {line}"
