from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.statistics.effects import Effect, cliffs_delta, cohens_d
from tests.evalfw.statistics.numbers import GROUP, MEASURED, TIED


@given(st.one_of(TIED, GROUP), st.one_of(TIED, GROUP))
def test_cliffs_delta_by_its_definition(a: list[float], b: list[float]) -> None:
    wins = sum((x > y) - (x < y) for x in a for y in b)
    assert cliffs_delta(a, b).value == float(Fraction(wins, len(a) * len(b)))
    assert cliffs_delta(b, a).value == -(cliffs_delta(a, b).value or 0.0)


def test_pairs_of_equal_values_count_in_the_denominator() -> None:
    assert cliffs_delta([1, 2, 2, 3], [2, 2, 3, 4]) == Effect(-7 / 16)
    assert cliffs_delta([2.0], [1.0]) == Effect(1.0)
    assert cliffs_delta([], [1.0]) == Effect(None, "a group without values")


def test_variances_are_weighted_by_their_degrees_of_freedom() -> None:
    b = [1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 9.0, 11.0]
    assert cohens_d([2.0, 4.0, 4.0, 6.0], b).value == pytest.approx(-0.13828776509907031, abs=1e-12)


@given(GROUP, GROUP, st.floats(0.5, 2.0), MEASURED)
def test_cohens_d_has_no_unit(a: list[float], b: list[float], scale: float, shift: float) -> None:
    d = cohens_d(a, b).value
    if d is None or max(max(g) - min(g) for g in (a, b)) < 1:
        return
    moved = cohens_d([scale * x + shift for x in a], [scale * x + shift for x in b])
    assert moved.value == pytest.approx(d, rel=1e-6, abs=1e-6)
    assert cohens_d(b, a).value == pytest.approx(-d)


def test_cohens_d_is_undefined_without_a_spread() -> None:
    assert cohens_d([1.0], [2.0]) == Effect(None, "fewer than three values, or a group without any")
    assert cohens_d([0.04] * 10, [0.04] * 30) == Effect(None, "both groups are constant")
    assert cohens_d([1.0], [2.0, 4.0]).value == pytest.approx(-(2**0.5))
