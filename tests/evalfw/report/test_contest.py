from __future__ import annotations

from dataclasses import replace

import pytest
from scipy import stats

from evalfw import InputError
from evalfw.report.contest import Rules, by_problem, contests, totals
from tests.evalfw.report.runs import rows, run, solved

FAST = [1.0, 1.1, 0.9, 1.2, 1.0, 1.1]
SLOW = [2.0, 2.2, 1.9, 2.1, 2.3, 2.0]
SAME = [1.5] * 6

SOLUTIONS = [
    *solved({"runtime": FAST}, "p", model="a"),
    *solved({"runtime": SLOW}, "q", model="a"),
    *solved({"runtime": SAME}, "r", model="a"),
    *solved({"runtime": FAST[:5]}, "s", model="a"),
    *solved({"runtime": FAST}, "only a", model="a"),
    *solved({"runtime": SLOW}, "p", model="b"),
    *solved({"runtime": [*FAST, None]}, "q", model="b"),
    *solved({"runtime": SAME}, "r", model="b"),
    *solved({"runtime": SLOW}, "s", model="b"),
    *solved({"runtime": FAST}, "q", model="c"),
]
PROBLEMS = [
    row for model in "abc" for row in rows("samples", dict.fromkeys(["p", "q", "r", "s", "only a"], 1), model=model)
]
RUN = run(PROBLEMS, solutions=SOLUTIONS)
RULES = Rules("runtime")


def test_each_side_wins_where_it_is_significantly_lower() -> None:
    first, *others = totals(contests(RUN, RULES), RULES)
    assert (first["a"], first["b"], first["problems"], first["too_few"]) == ("a", "b", 3, 1)
    assert (first["a_lower"], first["b_lower"], first["undefined"]) == (1, 1, 1)
    assert (first["a_lower_share"], first["b_lower_share"]) == (1 / 3, 1 / 3)
    assert first["reason"] == "p undefined on 1 of 3 problems"
    assert first["cohens_d"] == pytest.approx(0.0)
    assert first["cohens_d_size"] > 5
    assert [(row["a"], row["b"], row["problems"]) for row in others] == [("a", "c", 1), ("b", "c", 1)]


def test_more_than_five_means_six() -> None:
    assert [each["problem"] for each in by_problem(contests(RUN, RULES), RULES)][:3] == ["p", "q", "r"]
    rules = replace(RULES, more_than=4)
    assert [each["problem"] for each in by_problem(contests(RUN, rules), rules)][:4] == ["p", "q", "r", "s"]
    rules = replace(RULES, more_than=6)
    (row, *_) = totals(contests(RUN, rules), rules)
    assert (row["problems"], row["too_few"], row["a_lower_share"], row["cohens_d"]) == (0, 4, None, None)
    assert row["reason"] == "no problem with enough solutions of both"


@pytest.mark.parametrize("test", ["student", "welch", "mann-whitney"])
def test_a_problem_is_tested_as_scipy_does(test: str) -> None:
    rules = replace(RULES, test=test)
    p, q, constant = by_problem(contests(RUN, rules), rules)[:3]
    for row, a, b in ((p, FAST, SLOW), (q, SLOW, FAST)):
        found = (
            stats.mannwhitneyu(a, b, method="asymptotic")
            if test == "mann-whitney"
            else stats.ttest_ind(a, b, equal_var=test == "student")
        )
        assert (row["statistic"], row["p"]) == (pytest.approx(found.statistic), pytest.approx(found.pvalue))
    assert (p["lower"], q["lower"], q["n_a"], q["n_b"]) == ("a", "b", 6, 6)
    assert p["cohens_d"] > 0 > q["cohens_d"]
    assert (constant["p"], constant["lower"], constant["mean_a"]) == (None, None, 1.5)
    assert constant["reason"].startswith("p: all values" if test == "mann-whitney" else "p: both groups are constant")


def test_a_correction_is_over_all_tests_and_decides() -> None:
    rules = replace(RULES, correction="holm")
    rows = by_problem(contests(RUN, rules), rules)
    p_values = [row["p"] for row in rows if row["p"] is not None]
    # The pairs a : b, a : c and b : c share p and q: two tests, one, and one.
    assert len(p_values) == 4
    smallest = min(p_values)
    assert min(row["p_adjusted"] for row in rows if row["p"] is not None) == pytest.approx(4 * smallest)
    strict = replace(RULES, correction="holm", level=2 * smallest)
    assert [row["lower"] for row in by_problem(contests(RUN, strict), strict)] == [None] * len(rows)
    loose = replace(strict, correction="none")
    assert {row["lower"] for row in by_problem(contests(RUN, loose), loose)} == {"a", "b", None}


def test_solutions_of_all_temperatures_can_be_thrown_together() -> None:
    several = run(
        [row for t in (0.0, 1.0) for m in "ab" for row in rows("samples", {"p": 1}, model=m, temperature=t)],
        solutions=[
            row
            for t, part in ((0.0, slice(0, 3)), (1.0, slice(3, 6)))
            for m, values in (("a", FAST), ("b", SLOW))
            for row in solved({"runtime": values[part]}, model=m, temperature=t)
        ],
    )
    rules = replace(RULES, pool=("temperature",))
    (row,) = by_problem(contests(several, rules), rules)
    assert (row["n_a"], row["n_b"], row["temperature"], row["pooled"]) == (6, 6, None, "temperature")
    assert row["p"] == pytest.approx(stats.ttest_ind(FAST, SLOW).pvalue)
    apart = totals(contests(several, RULES), RULES)
    assert [(each["temperature"], each["too_few"]) for each in apart] == [(0.0, 1), (1.0, 1)]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"on": "runtim"}, "no number 'runtim' in the tables solutions, problems, conditions; did you mean 'runtime'"),
        ({"by": "run"}, "no dimension 'run'"),
        ({"by": "size"}, "no two conditions differ in nothing but size"),
        ({"test": "wilcoxon"}, "no test 'wilcoxon'"),
        ({"correction": "homl"}, "no correction 'homl'; did you mean 'holm'"),
        ({"pool": ("model",)}, "compared by 'model' cannot have it pooled"),
    ],
)
def test_bad_requests_are_one_message(changes: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        contests(RUN, replace(RULES, **changes))  # type: ignore[arg-type]
