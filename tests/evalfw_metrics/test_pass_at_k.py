from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Cohort, Estimate, Measure, Outcome, Until
from evalfw_metrics.pass_at_k import PassAtK, PassAtKOptions, pass_at_k, pass_at_k_until
from tests.evalfw_metrics.cohorts import cohort, made, measured, problem_measure, rows, sample

ROWS = rows("passk_rows.jsonl")


def of(op: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", [row for row in ROWS if row["op"] == op], ids=lambda row: row["id"])


def judged(*outcomes: Outcome) -> Cohort:
    return cohort(*(sample(index, outcome) for index, outcome in enumerate(outcomes)))


def counts(n: int, c: int) -> Cohort:
    return judged(*[Outcome.ACCEPTED] * c, *[Outcome.WRONG_ANSWER] * (n - c))


@of("pass_at_k")
def test_rows_of_one_problem(row: dict[str, Any]) -> None:
    found = pass_at_k(row["n"], row["c"], row["k"])
    assert found == (None if row["expected"] is None else pytest.approx(row["expected"], abs=row["tol"]))


@of("pass_at_k_mean")
def test_rows_of_means(row: dict[str, Any]) -> None:
    metric = made(PassAtK, k=[row["k"]])
    [found] = metric.aggregate([measured(metric, counts(**problem)) for problem in row["problems"]])
    expected = row["expected"]
    assert found.metric == f"pass@{row['k']}"
    assert found.value == (None if expected["value"] is None else pytest.approx(expected["value"], abs=1e-12))
    assert (found.n, found.left_out) == (expected["problems_used"], expected["problems_left_out"])
    assert (found.reason is None) == (found.left_out == 0 and found.value is not None)


@given(st.integers(1, 9), st.data())
def test_share_of_all_draws(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == float(Fraction(sum(map(any, draws)), len(draws)))


@pytest.mark.parametrize(("n", "c", "k"), [(2, 3, 1), (2, -1, 1), (2, 1, 0), (-1, 0, 1)])
def test_numbers_that_do_not_fit(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=f"found n = {n}, c = {c}, k = {k}"):
        pass_at_k(n, c, k)


def test_every_judged_sample_counts() -> None:
    group = judged(Outcome.ACCEPTED, Outcome.NO_CODE, Outcome.COMPILE_ERROR, Outcome.TIME_LIMIT, Outcome.ACCEPTED)
    expected = Measure({"pass@1": 0.4, "pass@3": 0.9})
    assert problem_measure(made(PassAtK, k=[1, 3]), group) == expected


def test_sandbox_errors_are_neither_right_nor_wrong() -> None:
    group = judged(Outcome.ACCEPTED, Outcome.SANDBOX_ERROR, Outcome.WRONG_ANSWER)
    assert problem_measure(made(PassAtK, k=[1, 3]), group) == Measure(
        {"pass@1": 0.5, "pass@3": None},
        reason="fewer judged samples than k; sandbox errors, not judged: 1 of 3 samples",
    )


@pytest.mark.parametrize(
    "group",
    [
        cohort(sample(0, Outcome.NO_TESTS), sample(1, Outcome.NO_CODE), tests=()),
        judged(Outcome.NO_TESTS, Outcome.NO_CODE),
    ],
)
def test_without_tests_nothing_is_known(group: Cohort) -> None:
    assert problem_measure(made(PassAtK), group) == Measure({"pass@1": None}, reason="no tests")


def test_no_samples() -> None:
    assert problem_measure(made(PassAtK), cohort()) == Measure({"pass@1": None}, reason="fewer judged samples than k")


def test_problems_without_tests_are_left_out_of_the_mean() -> None:
    metric = made(PassAtK)
    groups = [
        judged(Outcome.ACCEPTED, Outcome.WRONG_ANSWER),
        cohort(sample(0, Outcome.NO_TESTS), sample(1, Outcome.NO_TESTS), tests=()),
        judged(Outcome.ACCEPTED, Outcome.ACCEPTED),
    ]
    assert list(metric.aggregate([measured(metric, group) for group in groups])) == [
        Estimate("pass@1", 0.75, n=2, left_out=1, reason="1 problem: no tests")
    ]


@pytest.mark.parametrize(
    ("k", "message"),
    [([], "at least 1"), ([0], "greater than 0"), ([1, 5, 5], "more than once: 5"), (1, "list")],
)
def test_options(k: object, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        made(PassAtK, k=k)
    assert PassAtKOptions().k == [1]


# -- sampled until there are enough ------------------------------------------------------------------------------------


def _expected(p: Fraction, k: int, enough: int, most: int) -> Fraction:
    """Mean of the estimate over all that sampling may come to, where each sample is correct with probability p."""
    ends: Counter[tuple[int, int]] = Counter()  # in how many orders sampling ends with n samples, of which c correct
    going = Counter({(0, 0): 1})
    while going:
        (n, c), orders = going.popitem()
        if c == enough or n == most:
            ends[n, c] += orders
        else:
            going[n + 1, c] += orders
            going[n + 1, c + 1] += orders
    total = Fraction(0)
    for (n, c), orders in ends.items():
        estimate = pass_at_k_until(n, c, k, enough, most)
        assert estimate is not None
        total += orders * p**c * (1 - p) ** (n - c) * Fraction(estimate).limit_denominator(10**9)
    return total


@pytest.mark.parametrize(("enough", "most"), [(1, 1), (1, 6), (2, 5), (3, 3), (4, 9)])
def test_the_estimate_from_adaptive_samples_is_unbiased(enough: int, most: int) -> None:
    for k in range(1, most + 1):
        for p in (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)):
            assert _expected(p, k, enough, most) == 1 - (1 - p) ** k


def test_k_samples_that_are_never_drawn_say_nothing() -> None:
    assert pass_at_k_until(3, 2, 6, 2, 5) is None


def _until(*outcomes: Outcome, until: Until, k: int = 1) -> Measure:
    group = replace(cohort(*(sample(i, outcome) for i, outcome in enumerate(outcomes))), until=until)
    (measure,) = PassAtK(PassAtKOptions(k=[k])).measure(group)
    return measure


def test_what_ended_the_sampling_is_left_out() -> None:
    right, wrong = Outcome.ACCEPTED, Outcome.WRONG_ANSWER
    enough = Until(2, 5, distinct=False)
    assert _until(right, wrong, wrong, right, until=enough).values == {"pass@1": pytest.approx(1 / 3)}
    assert _until(wrong, wrong, wrong, right, wrong, until=enough).values == {"pass@1": pytest.approx(1 / 5)}


@pytest.mark.parametrize(
    ("outcomes", "until", "k", "reason"),
    [
        ("AW", Until(2, 5, False), 1, "sampling has not come to its end"),
        ("AS", Until(2, 2, False), 1, "sampling has not come to its end"),
        ("AA", Until(2, 5, True), 1, "sampled until enough are different"),
        ("AA", Until(2, 5, False), 6, "k is more than until.max"),
    ],
)
def test_where_that_cannot_be_told(outcomes: str, until: Until, k: int, reason: str) -> None:
    known = {"A": Outcome.ACCEPTED, "W": Outcome.WRONG_ANSWER, "S": Outcome.SANDBOX_ERROR}
    measure = _until(*(known[each] for each in outcomes), until=until, k=k)
    assert (measure.values, measure.reason) == ({f"pass@{k}": None}, reason)
