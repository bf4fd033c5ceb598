from __future__ import annotations

import pytest

from evalfw import InputError
from evalfw.report.association import associate, thirds
from tests.evalfw.report.runs import rows, run, solved

STEPS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
RUN = run(
    [*rows("x", {"p": 1.0}, model="a"), *rows("x", {"p": 1.0}, model="b")],
    solutions=[
        *solved({"x": STEPS, "y": [1.0, 3.0, 2.0, 5.0, 4.0, 2.0], "z": [7.0] * 6}, model="a"),
        *solved({"x": [0.0, 0.0, 0.0, None], "y": [1.0, 2.0, 3.0, 4.0], "z": [7.0, 8.0, None, 9.0]}, model="b"),
    ],
)


def test_an_association_by_hand() -> None:
    row, constant, *_ = associate(RUN, ["x"], ["y", "z"])
    assert (row["model"], row["proxy"], row["against"], row["n"]) == ("a", "x", "y", 6)
    # Quantiles at 1/3 and 2/3 of 1 ... 6; the thirds of y are {1, 3}, {2, 5} and {4, 2}.
    assert (row["tertile_1"], row["tertile_2"]) == (pytest.approx(8 / 3), pytest.approx(13 / 3))
    assert (row["n_1"], row["n_2"], row["n_3"]) == (2, 2, 2)
    assert row["cliffs_delta"] == (1 - 3) / 4
    assert row["pearson"] == pytest.approx(5.5 / (17.5 * 65 / 6) ** 0.5)
    assert row["spearman"] == pytest.approx(7 / (17.5 * 17) ** 0.5)
    assert row["reason"] is None
    assert (constant["spearman"], constant["cliffs_delta"]) == (None, 0.0)
    assert constant["reason"] == "spearman: one side is constant; pearson: one side is constant"


def test_a_proxy_that_never_differs_has_no_third_third() -> None:
    row = associate(RUN, ["x"], ["y"])[-1]
    assert (row["model"], row["n"], row["n_1"], row["n_3"], row["cliffs_delta"]) == ("b", 3, 3, 0, None)
    assert row["reason"].endswith("delta: no solution in the third third")


def test_the_thirds_are_of_the_proxy_whatever_else_is_defined() -> None:
    row = associate(RUN, ["x"], ["z"])[-1]
    assert (row["n"], row["n_1"]) == (2, 2)
    both = run(rows("x", {"p": 1.0}), solutions=solved({"x": STEPS, "z": [None, None, 3.0, 4.0, 5.0, 6.0]}))
    (row,) = associate(both, ["x"], ["z"])
    assert (row["n"], row["n_1"], row["n_2"], row["n_3"]) == (4, 0, 2, 2)
    assert row["reason"] == "delta: no solution in the first third"


def test_a_proxy_that_is_null_everywhere_says_so() -> None:
    nothing = run(rows("x", {"p": None}), solutions=solved({"x": [None, None], "y": [1.0, 2.0]}))
    (row,) = associate(nothing, ["x"], ["y"])
    assert (row["n"], row["spearman"], row["tertile_1"], row["cliffs_delta"]) == (0, None, None, None)
    assert row["reason"] == (
        "spearman: fewer than two pairs; pearson: fewer than two pairs;"
        " delta: no solution in the first and the third third"
    )


def test_the_solutions_behind_it() -> None:
    found = thirds(RUN, ["x"], ["y"])
    assert [row["x_tertile"] for row in found] == [1, 1, 2, 2, 3, 3, 1, 1, 1, None]
    assert [row["solution"] for row in found if row["model"] == "b"] == ["p0", "p1", "p2", "p3"]
    assert (found[-1]["x"], found[-1]["y"]) == (None, 4.0)


def test_other_columns_are_one_message() -> None:
    with pytest.raises(InputError, match="no number 'dmpd'"):
        associate(RUN)
