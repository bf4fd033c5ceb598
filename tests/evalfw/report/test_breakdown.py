from __future__ import annotations

import pytest

from evalfw import InputError
from evalfw.report.breakdown import breakdown
from evalfw.statistics.intervals import ratio_interval
from tests.evalfw.report.runs import HOW, rows, run

TRAITS = [
    {"dataset": "d", "problem": problem, "trait": trait, "value": value}
    for problem, difficulty, subset in (
        *(("p", "easy", "old"), ("q", "easy", "old"), ("r", "easy", "new")),
        *(("s", "hard", "new"), ("t", "hard", "new")),
    )
    for trait, value in (("difficulty", difficulty), ("subset", subset))
]
RUN = run(
    [
        *rows("pass@1", {"p": 1.0, "q": 0.5, "r": 0.0, "s": 0.2, "t": None, "bare": 0.4}, model="a"),
        *rows("pass@1", {"p": 0.0, "q": 0.0, "r": 0.0, "s": 0.0, "t": 0.0, "bare": 0.0}, model="b"),
    ],
    traits=[*TRAITS, {"dataset": "other", "problem": "p", "trait": "difficulty", "value": "hard"}],
)


def test_means_by_one_trait() -> None:
    found = [row for row in breakdown(RUN, ["difficulty"]) if row["model"] == "a"]
    assert [(row["difficulty"], row["problems"], row["left_out"], row["value"]) for row in found] == [
        ("easy", 3, 0, 0.5),
        ("hard", 1, 1, 0.2),
        (None, 1, 0, 0.4),
    ]
    easy, hard, _ = found
    interval = ratio_interval([(1.0, 1), (0.5, 1), (0.0, 1)], HOW)
    assert (easy["low"], easy["high"], easy["reason"]) == (interval.low, interval.high, None)
    assert (easy["confidence"], easy["resamples"]) == (0.9, 200)
    assert (hard["low"], hard["reason"]) == (None, "interval: an interval takes two problems or more")


def test_means_by_two_traits() -> None:
    found = [row for row in breakdown(RUN, ["difficulty", "subset"]) if row["model"] == "a"]
    assert [(row["difficulty"], row["subset"], row["value"]) for row in found] == [
        ("easy", "new", 0.0),
        ("easy", "old", 0.75),
        ("hard", "new", 0.2),
        (None, None, 0.4),
    ]


def test_a_kind_without_the_number_is_null() -> None:
    nothing = run(rows("pass@1", {"p": 1.0, "s": None}), traits=TRAITS)
    _, hard = breakdown(nothing, ["difficulty"])
    assert (hard["value"], hard["problems"], hard["left_out"]) == (None, 0, 1)
    assert hard["reason"] == "no problem with the number"


def test_bad_requests_are_one_message() -> None:
    with pytest.raises(InputError, match="no problem has the trait 'dificulty'; did you mean 'difficulty'"):
        breakdown(RUN, ["dificulty"])
    with pytest.raises(InputError, match="no problem has a number 'pass@2'; did you mean 'pass@1'"):
        breakdown(RUN, ["difficulty"], "pass@2")
    with pytest.raises(InputError, match="knows no traits of problems"):
        breakdown(run(rows("pass@1", {"p": 1.0})), ["difficulty"])
