from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from scipy import stats

from evalfw.statistics.groups import GroupTest, mann_whitney, student_t, welch_t
from tests.evalfw.statistics.numbers import GROUP, TIED


def vary(*groups: list[float]) -> bool:
    """Whether they vary by more than the rounding of their means, which scipy's own sums suffer from."""
    return any(max(group) - min(group) > 1e-2 for group in groups)


@settings(max_examples=40, deadline=None)
@given(GROUP, GROUP)
def test_student_is_that_of_scipy(a: list[float], b: list[float]) -> None:
    assume(vary(a, b))
    found = student_t(a, b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where one group is constant
        theirs = stats.ttest_ind(a, b)
    assert found.statistic == pytest.approx(float(theirs.statistic), rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(float(theirs.pvalue), rel=1e-6, abs=1e-9)
    assert found.df == theirs.df


@settings(max_examples=40, deadline=None)
@given(GROUP, GROUP)
def test_welch_is_that_of_scipy(a: list[float], b: list[float]) -> None:
    assume(vary(a) and vary(b))
    found, theirs = welch_t(a, b), stats.ttest_ind(a, b, equal_var=False)
    assert found.statistic == pytest.approx(float(theirs.statistic), rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(float(theirs.pvalue), rel=1e-6, abs=1e-9)
    assert found.df == pytest.approx(float(theirs.df), rel=1e-6)


@settings(max_examples=40, deadline=None)
@given(TIED, TIED)
def test_mann_whitney_is_that_of_scipy(a: list[float], b: list[float]) -> None:
    assume(len({*a, *b}) > 1)
    found, theirs = mann_whitney(a, b), stats.mannwhitneyu(a, b, method="auto")
    assert (found.statistic, found.p) == (theirs.statistic, theirs.pvalue)


def test_an_ordinary_case() -> None:
    found = student_t([12.1, 11.4, 13.0, 12.7, 11.9, 12.4], [10.9, 11.1, 12.0, 10.4, 11.6, 11.3, 10.8])
    assert found.statistic == pytest.approx(3.558372813442588)
    assert found.df == 11
    assert found.p == pytest.approx(0.004485646499824968)


def test_one_constant_group_is_no_reason_to_refuse() -> None:
    found = student_t([1.0, 2.0, 3.0], [3.0, 3.0, 3.0])
    assert found.statistic == pytest.approx(-(3**0.5))
    assert found.df == 4
    assert found.p == pytest.approx(0.15830242337545788)
    assert welch_t([1.0, 2.0, 3.0], [3.0, 3.0, 3.0]).df == pytest.approx(2.0)


@pytest.mark.parametrize("test", [student_t, welch_t])
def test_two_constant_groups_are_undefined_whatever_rounding_leaves(
    test: Callable[[list[float], list[float]], GroupTest],
) -> None:
    for constant in (0.04, 0.05):
        found = test([0.04] * 10, [constant] * 30)
        assert (found.statistic, found.p, found.reason) == (None, None, "both groups are constant")


def test_too_few_values_are_undefined() -> None:
    assert student_t([1.0], [2.0]).reason == "fewer than three values, or a group without any"
    assert student_t([1.0, 2.0, 3.0], []).p is None
    assert student_t([1.0], [2.0, 3.0]).df == 1
    assert welch_t([1.0], [2.0, 3.0]).reason == "a group of fewer than two values"
    assert mann_whitney([], [1.0]).reason == "a group without values"
    assert mann_whitney([1.0], [1.0, 1.0]).reason == "all values are the same"


def test_mann_whitney_says_how_it_was_computed() -> None:
    found = mann_whitney([1.0, 2.0], [3.0, 4.0])
    assert (found.statistic, found.method) == (0.0, "Mann-Whitney U, exact")
    assert found.p == pytest.approx(1 / 3)
    assert mann_whitney([1.0, 2.0], [2.0, 4.0]).method == "Mann-Whitney U, asymptotic"
