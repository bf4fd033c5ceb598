from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from evalfw.statistics.correlation import Correlation, pearson, spearman
from tests.evalfw.statistics.numbers import FEW, MEASURED

PAIRS = st.lists(st.tuples(st.one_of(MEASURED, FEW), st.one_of(MEASURED, FEW)), min_size=3, max_size=30)


@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_correlations_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    assume(max(x) > min(x) and max(y) > min(y))
    r, rho = pearson(x, y), spearman(x, y)
    theirs = stats.pearsonr(x, y)
    assert (r.value, r.p, r.n) == (theirs.statistic, theirs.pvalue, len(pairs))
    ranks = stats.pearsonr(stats.rankdata(x), stats.rankdata(y))
    assert rho.value == pytest.approx(float(ranks.statistic), abs=1e-9)


def test_a_constant_side_has_no_correlation() -> None:
    for correlate in (pearson, spearman):
        assert correlate([1, 2, 3, 4], [5, 5, 5, 5]) == Correlation(None, None, 4, "one side is constant")
        assert correlate([0.1] * 3, [1, 2, 3]).value is None
        assert correlate([1.0], [2.0]) == Correlation(None, None, 1, "fewer than two pairs")
        of_two = correlate([1.0, 2.0], [5.0, 3.0])
        assert (of_two.p, of_two.n, of_two.reason) == (None, 2, "p takes three pairs")
        assert of_two.value == pytest.approx(-1.0)
        with pytest.raises(ValueError, match="found 2 and 1"):
            correlate([1.0, 2.0], [1.0])


def test_what_varies_by_rounding_only_has_no_correlation() -> None:
    nearly = [1.0, 1.0 + 2e-16, 1.0, 1.0 + 4e-16]
    assert pearson([1, 2, 3, 4], nearly).reason == "one side is constant but for rounding"


def test_per_problem() -> None:
    assert spearman([1, 2, 3, 4], [2, 4, 6, 9]).value == pytest.approx(1.0)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]).value == pytest.approx(-1.0)
