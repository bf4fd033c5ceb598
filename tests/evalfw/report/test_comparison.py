from __future__ import annotations

import pytest

from evalfw import InputError
from evalfw.report.comparison import compare
from tests.evalfw.report.runs import cell, rows, run

VALUES = {"p": 0.1, "q": 0.2, "r": 0.4}
MORE = {"p": 0.2, "q": 0.2, "r": None}

GRID = run(
    [
        *rows("dmpd", VALUES, model="a", temperature=0.0),
        *rows("dmpd", MORE, model="a", temperature=0.7),
        *rows("dmpd", VALUES, model="b", temperature=0.0),
        *rows("dmpd", VALUES, model="b", temperature=0.0, dataset="other"),
    ]
)


def test_conditions_that_differ_in_one_thing() -> None:
    found = [(row["by"], row["a"], row["b"], row["model"], row["temperature"]) for row in compare([GRID], "dmpd")]
    assert found == [("temperature", 0.0, 0.7, "a", None), ("model", "a", "b", None, 0.0)]


def test_conditions_that_differ_in_a_given_thing() -> None:
    (row,) = compare([GRID], "dmpd", "temperature")
    assert (row["on"], row["run"], row["dataset"], row["profiler"]) == ("dmpd", "r", "d", "base")
    assert (row["common"], row["only_a"], row["only_b"]) == (2, 1, 0)
    assert row["median_difference"] == pytest.approx(0.05)
    assert (row["confidence"], row["resamples"], row["correction"]) == (0.9, 200, "none")


def test_runs_are_compared_condition_by_condition() -> None:
    other = run([*rows("dmpd", MORE, model="a", temperature=0.0), *rows("dmpd", MORE, model="c")], name="s")
    (row,) = compare([GRID, other], "dmpd")
    assert (row["by"], row["a"], row["b"], row["run"]) == ("run", "r", "s", "r, s")
    assert (row["model"], row["temperature"], row["common"]) == ("a", 0.0, 2)


def test_models_are_compared_across_runs() -> None:
    one, two = run(rows("dmpd", VALUES, model="a")), run(rows("dmpd", MORE, model="b"), name="s")
    (row,) = compare([one, two], "dmpd", "model")
    assert (row["a"], row["b"], row["run"], row["common"]) == ("a", "b", "r, s", 2)


def test_profiles_of_different_sandboxes_are_not_mixed() -> None:
    problems, cells = rows("pass@1", VALUES), [cell("pass@1", 1.0, profiler=None)]
    one, two = run(problems, cells), run(problems, cells, name="s", sandbox="cpython-3.12")
    assert len(compare([one, two], "pass@1")) == 1
    one, two = run(rows("dmpd", VALUES)), run(rows("dmpd", VALUES), name="s", sandbox="cpython-3.12")
    with pytest.raises(InputError, match=r"different sandboxes \(r: cpython-3.11; s: cpython-3.12\)"):
        compare([one, two], "dmpd")


def test_what_needs_no_profile_is_compared_once() -> None:
    several = run(
        [row for model in "ab" for profiler in "xyz" for row in rows("pass@1", VALUES, model=model, profiler=profiler)],
        [cell("pass@1", 1.0, profiler=None, model=model) for model in "ab"],
    )
    for column in ("pass@1", "samples"):
        (row,) = compare([several], column)
        assert (row["by"], row["a"], row["b"], row["profiler"]) == ("model", "a", "b", None)


def test_a_problem_without_a_number_is_not_common() -> None:
    several = run([*rows("dmpd", {"p": None}, size=1), *rows("dmpd", {"p": 0.5}, size=10)])
    (row,) = compare([several], "dmpd")
    assert (row["by"], row["a"], row["b"], row["common"]) == ("size", 1, 10, 0)
    assert row["reason"] == "no problem in common"


def test_a_correction_is_over_all_pairs() -> None:
    values = {str(index): float(index) for index in range(1, 7)}
    profilers = "xyz"
    several = run(
        [
            row
            for shift, profiler in enumerate(profilers)
            for row in rows("dmpd", {name: value * (1 + shift) for name, value in values.items()}, profiler=profiler)
        ]
    )
    assert [row["p"] for row in compare([several], "dmpd")] == [2 / 64] * 3
    assert [row["p_adjusted"] for row in compare([several], "dmpd", correction="holm")] == [pytest.approx(6 / 64)] * 3


@pytest.mark.parametrize(
    ("on", "by", "said"),
    [
        ("dmdp", None, "no problem has a number 'dmdp'; did you mean 'dmpd'"),
        ("problem", None, r"no problem has a number 'problem' \(allowed: dmpd, samples, tests\)"),
        ("temperature", None, "no problem has a number 'temperature'"),
        ("dmpd", "modle", "no dimension 'modle'; did you mean 'model'"),
        ("dmpd", "dataset", "no dimension 'dataset'"),
        (
            "dmpd",
            "size",
            "differ in nothing but size; there are:\n  run r, dataset d, model a, temperature 0.0",
        ),
    ],
)
def test_bad_requests_are_one_message(on: str, by: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare([GRID], on, by)
