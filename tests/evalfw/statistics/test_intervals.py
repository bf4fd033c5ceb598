from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from evalfw.statistics import intervals
from evalfw.statistics.intervals import Interval, Resampling, median_interval, proportion_interval, ratio_interval
from tests.evalfw.statistics.numbers import MEASURED

HOW = Resampling(resamples=500, confidence=0.9, seed=7)
TERMS = st.lists(st.tuples(MEASURED, st.integers(1, 100)), min_size=2, max_size=40)


def by_scipy(
    data: tuple[NDArray[np.float64], ...], statistic: Callable[..., NDArray[np.float64]], paired: bool
) -> tuple[float, float]:
    found = stats.bootstrap(
        data,
        statistic,
        paired=paired,
        method="percentile",
        n_resamples=HOW.resamples,
        confidence_level=HOW.confidence,
        rng=np.random.default_rng(HOW.seed),
    ).confidence_interval
    return float(found.low), float(found.high)


@settings(max_examples=30, deadline=None)
@given(TERMS)
def test_a_ratio_of_sums_is_bootstrapped_as_by_scipy(terms: list[tuple[float, int]]) -> None:
    def ratio(n: NDArray[np.float64], d: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        found: NDArray[np.float64] = n.sum(axis=axis) / d.sum(axis=axis)
        return found

    found = ratio_interval(terms, HOW)
    numerators, denominators = np.array(sorted(terms), dtype=np.float64).T
    theirs = by_scipy((numerators, denominators), ratio, paired=True)
    assert (found.low, found.high) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(MEASURED, min_size=2, max_size=40))
def test_a_median_is_bootstrapped_as_by_scipy(values: list[float]) -> None:
    found = median_interval(values, HOW)
    theirs = by_scipy((np.sort(values),), np.median, paired=False)
    assert (found.low, found.high) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(TERMS)
def test_the_order_of_problems_has_no_effect(terms: list[tuple[float, int]]) -> None:
    turned = random.Random(1).sample(terms, len(terms))
    assert ratio_interval(turned, HOW) == ratio_interval(terms, HOW)
    values = [value for value, _ in terms]
    assert median_interval(values[::-1], HOW) == median_interval(values, HOW)


@settings(max_examples=40, deadline=None)
@given(TERMS)
def test_ends_are_in_order_and_within_the_range(terms: list[tuple[float, int]]) -> None:
    found = ratio_interval(terms, HOW)
    ratios = [numerator / denominator for numerator, denominator in terms]
    assert found.low is not None and found.high is not None
    assert min(ratios) - 1e-9 <= found.low <= found.high <= max(ratios) + 1e-9


def test_memory_is_bounded_without_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [(float(index), 1) for index in range(30)]
    whole = ratio_interval(terms, HOW)
    monkeypatch.setattr(intervals, "_NUMBERS_AT_ONCE", 100)
    assert ratio_interval(terms, HOW) == whole


def test_seed_and_confidence_matter() -> None:
    terms = [(float(index**2), 1) for index in range(20)]
    base = ratio_interval(terms, HOW)
    assert ratio_interval(terms, Resampling(500, 0.9, -8)) != base
    wide = ratio_interval(terms, Resampling(500, 0.99, 7))
    assert base.low is not None and base.high is not None and wide.low is not None and wide.high is not None
    assert wide.low < base.low and wide.high > base.high


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_problems_have_no_interval(count: int) -> None:
    expected = Interval(None, None, "an interval takes two problems or more")
    assert ratio_interval([(1.0, 1)] * count, HOW) == expected
    assert median_interval([1.0] * count, HOW) == expected


def test_intervals_cover_what_they_promise() -> None:
    """Means of 60 problems from a skewed population: nine in ten intervals hold the true mean, a few less."""
    population = np.random.default_rng(1)
    held = 0
    for _ in range(300):
        values = population.gamma(2.0, 1.0, 60)
        found = ratio_interval([(float(value), 1) for value in values], HOW)
        assert found.low is not None and found.high is not None
        held += found.low <= 2.0 <= found.high
    assert 0.83 <= held / 300 <= 0.95


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.data())
def test_the_exact_interval_of_a_proportion_by_its_definition(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    found = proportion_interval(successes, n, 0.95, "exact")
    assert found.low is not None and found.high is not None
    low = 0.0 if successes == 0 else stats.beta.ppf(0.025, successes, n - successes + 1)
    high = 1.0 if successes == n else stats.beta.ppf(0.975, successes + 1, n - successes)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)


@given(st.integers(1, 1000), st.data())
def test_wilsons_interval_by_its_formula(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    z, p = 1.959963984540054, successes / n
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (p * (1 - p) / n + z**2 / (4 * n**2)) ** 0.5
    found = proportion_interval(successes, n, 0.95)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-9)


def test_proportions_that_cannot_be() -> None:
    assert proportion_interval(0, 0, 0.95) == Interval(None, None, "no trials")
    with pytest.raises(ValueError, match="found 3 of 2"):
        proportion_interval(3, 2, 0.95)
