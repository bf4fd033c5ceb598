from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from evalfw.statistics.paired import SignedRank, Spread, signed_rank, spread
from tests.evalfw.statistics.numbers import FEW, MEASURED


def test_spread() -> None:
    assert spread([1.0, 2.0, 3.0, 10.0]) == Spread(4, 2.5, 3.0)
    assert spread([7.0]) == Spread(1, 7.0, 0.0)
    assert spread([]) == Spread(0, None, None, "no values")


@given(st.lists(MEASURED, min_size=1))
def test_spread_is_that_of_scipy(values: list[float]) -> None:
    found = spread(values)
    assert found.median == pytest.approx(float(np.median(values)), abs=1e-12)
    assert found.iqr == pytest.approx(float(stats.iqr(values)), abs=1e-12)


def by_definition(differences: list[float]) -> tuple[float, float]:
    """The smaller sum of ranks, and the share of all signs that give a sum as far from the middle."""
    nonzero = np.array([each for each in differences if each])
    ranks = stats.rankdata(np.abs(nonzero))
    observed = float(ranks[nonzero > 0].sum())
    middle = float(ranks.sum()) / 2
    sums = [float(np.dot(ranks, signs)) for signs in product((0, 1), repeat=len(ranks))]
    extreme = sum(abs(each - middle) >= abs(observed - middle) - 1e-9 for each in sums)
    return min(observed, 2 * middle - observed), extreme / len(sums)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(MEASURED, FEW), min_size=1, max_size=8))
def test_few_differences_are_tested_exactly_ties_or_not(differences: list[float]) -> None:
    assume(any(differences))
    found = signed_rank(differences)
    statistic, p = by_definition(differences)
    assert found.method == "exact"
    assert found.statistic == statistic
    assert found.p == pytest.approx(p, abs=1e-12)
    assert (found.n, found.n_nonzero) == (len(differences), sum(map(bool, differences)))


@given(st.lists(MEASURED.filter(bool), min_size=1, max_size=50, unique_by=abs))
def test_without_ties_it_is_that_of_scipy(differences: list[float]) -> None:
    found, theirs = signed_rank(differences), stats.wilcoxon(differences, method="exact")
    assert found.statistic == float(theirs.statistic)
    assert found.p == pytest.approx(float(theirs.pvalue), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(FEW.filter(bool), min_size=51, max_size=80), st.integers(0, 5))
def test_many_differences_go_by_the_normal_distribution(nonzero: list[float], zeros: int) -> None:
    found = signed_rank([0.0] * zeros + nonzero)
    theirs = stats.wilcoxon([*nonzero, *[0.0] * zeros], zero_method="wilcox", method="approx")
    assert found.statistic == float(theirs.statistic)
    assert found.p == pytest.approx(float(theirs.pvalue), abs=1e-12)
    assert (found.method, found.n_nonzero, found.n) == ("asymptotic", len(nonzero), len(nonzero) + zeros)


@given(st.lists(st.one_of(MEASURED, FEW), min_size=1, max_size=60))
def test_which_side_is_which_has_no_effect(differences: list[float]) -> None:
    assert signed_rank([-each for each in differences]) == signed_rank(differences)


def test_a_worked_example() -> None:
    """The ranks are 3, 1, 7, 2, 6, 4, 5; those of the negative ones sum to 5. Of 128 signs 10 give at most 5."""
    found = signed_rank([0.3, -0.1, 1.1, 0.2, 0.7, -0.4, 0.6])
    assert (found.statistic, found.method) == (5.0, "exact")
    assert found.p == pytest.approx(20 / 128)


def test_nothing_to_rank_is_undefined() -> None:
    assert signed_rank([0.0] * 5) == SignedRank(None, None, 5, 0, reason="all differences are 0")
    assert signed_rank([]) == SignedRank(None, None, 0, 0, reason="no pairs")
