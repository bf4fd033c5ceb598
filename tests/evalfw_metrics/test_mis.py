from __future__ import annotations

from typing import Any

import pytest

from evalfw import Cohort, Estimate, InputError, Measure, Measured, Metric, Outcome
from evalfw_metrics.dmpd import Dmpd
from evalfw_metrics.mis import Mis
from evalfw_metrics.nmv import Nmv
from evalfw_metrics.npd import Npd
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, profile, rows, sample

ONE_CORRECT = cohort(sample(0, t1=profile(0, 1)), problem="P3")
NONE_CORRECT = cohort(sample(0, Outcome.WRONG_ANSWER), problem="P4")


def table() -> list[Measured]:
    """The four problems of the case: the values of two are given, two have no pair."""
    entries = rows("mis_dmpd.jsonl")
    given = [
        Measured(
            problem,
            tuple(
                Measure({"dmpd": row["dmpd"]}, tuple("abc".index(s) for s in row["pair"]), row["test"])
                for row in entries
                if row["problem"] == problem
            ),
        )
        for problem in ("P1", "P2")
    ]
    return [*given, *(measured(made(Dmpd), group) for group in (ONE_CORRECT, NONE_CORRECT))]


def test_equations_5_and_6() -> None:
    reason = "2 problems: fewer than two correct solutions"
    expected = [
        Estimate("mis_macro", about(0.13), n=2, left_out=2, reason=reason),
        Estimate("mis_micro", about(0.095), n=2, left_out=2, reason=reason),
    ]
    assert list(made(Mis).aggregate(table())) == expected


def test_the_order_of_problems_and_pairs_has_no_effect() -> None:
    turned = [Measured(each.problem, each.measures[::-1]) for each in reversed(table())]
    assert list(made(Mis).aggregate(turned)) == list(made(Mis).aggregate(table()))


def test_without_problems() -> None:
    assert list(made(Mis).aggregate([])) == [
        Estimate("mis_macro", None, n=0, reason="no problems"),
        Estimate("mis_micro", None, n=0, reason="no problems"),
    ]


def test_no_problem_with_two_correct_solutions() -> None:
    found = [measured(made(Dmpd), group) for group in (ONE_CORRECT, NONE_CORRECT)]
    assert [(each.value, each.n, each.left_out) for each in made(Mis).aggregate(found)] == [(None, 0, 2)] * 2


TWO_PROBLEMS = (
    cohort(sample(0, t1=profile(0, 10)), sample(1, t1=profile(0, 5)), problem="P1"),
    cohort(*(sample(index, t1=profile(0, 1, 2)) for index in range(3)), problem="P2"),
)


def scores(metric: Metric[Any], of: Metric[Any], groups: tuple[Cohort, ...]) -> dict[str, float | None]:
    return {each.metric: each.value for each in metric.aggregate([measured(of, group) for group in groups])}


def test_another_metric_does_not_carry_the_papers_name() -> None:
    expected = {"mis_macro(npd)": 0.25, "mis_micro(npd)": 0.125}
    assert scores(made(Mis, over="npd"), made(Npd), TWO_PROBLEMS) == expected
    assert scores(made(Mis), made(Npd), TWO_PROBLEMS) == expected  # even if labelled dmpd


def test_a_metric_under_another_label() -> None:
    expected = {"mis_macro(twice)": 0.0, "mis_micro(twice)": 0.0}
    assert scores(made(Mis, over="twice"), made(Dmpd, engine="dtaidistance"), TWO_PROBLEMS) == expected


def test_a_metric_without_pairs() -> None:
    found = [measured(made(Nmv), group) for group in TWO_PROBLEMS]
    assert list(made(Mis, over="nmv").aggregate(found)) == [
        Estimate(name, None, n=0, left_out=2, reason="2 problems: no pairs of solutions were measured")
        for name in ("mis_macro(nmv)", "mis_micro(nmv)")
    ]


def test_undefined_pairs_are_counted() -> None:
    falling = cohort(
        sample(0, t1=profile(0, 2, 1)),
        sample(1, t1=profile(0, 2)),
        sample(2, t1=profile(0, 1, 2)),
        problem="P",
    )
    macro, micro = made(Mis).aggregate([measured(made(Dmpd), falling)])
    assert macro.value == micro.value == about(1 / 6)
    assert macro.n == 1
    assert macro.left_out == 0
    assert macro.reason is not None and macro.reason.startswith("2 pairs: a profile falls")


def test_a_metric_without_a_value_of_its_own() -> None:
    odd = Measured("p", (Measure({"height": 1.0, "width": 2.0}, (0, 1), "t"),))
    with pytest.raises(InputError, match=r"which column of 'size' is its value\? Pairs have: height, width"):
        list(made(Mis, over="size").aggregate([odd]))


def test_the_metric_aggregated_is_an_option() -> None:
    assert made(Mis).over == "dmpd"
    assert made(Mis, over="npd").over == "npd"
    assert list(made(Mis).measure(ONE_CORRECT)) == []
