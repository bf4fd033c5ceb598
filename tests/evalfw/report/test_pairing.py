from __future__ import annotations

import pytest

from evalfw import InputError
from evalfw.report.pairing import adjusted, paired
from evalfw.statistics.intervals import median_interval
from tests.evalfw.report.runs import HOW

A = {"p": 0.5, "q": 0.1, "r": 0.2, "only": 1.0}
B = {"r": 0.5, "p": 0.6, "q": 0.0, "x": 9.0, "y": 9.0}


def test_common_problems_are_compared_whatever_their_order() -> None:
    found = paired(A, B, HOW)
    assert (found.common, found.only_a, found.only_b) == (3, 1, 2)
    assert (found.median_a, found.median_b) == (0.2, 0.5)
    assert found.median_difference == pytest.approx(0.1)
    assert found.difference_iqr == pytest.approx(0.2)
    assert (found.p, found.n_nonzero, found.method) == (0.75, 3, "exact")
    assert found.cliffs_delta == pytest.approx((5 - 3) / 9)
    interval = median_interval([0.6 - 0.5, 0.0 - 0.1, 0.5 - 0.2], HOW)
    assert (found.difference_low, found.difference_high) == (interval.low, interval.high)
    assert found.reason is None


def test_exchanging_the_two_turns_the_signs() -> None:
    found, turned = paired(A, B, HOW), paired(B, A, HOW)
    assert turned.cliffs_delta == -(found.cliffs_delta or 0)
    assert turned.median_difference == -(found.median_difference or 0)
    assert turned.p == found.p
    assert turned.difference_iqr == pytest.approx(found.difference_iqr)


def test_a_condition_does_not_differ_from_itself() -> None:
    found = paired(A, A, HOW)
    assert (found.p, found.reason) == (None, "p: all differences are 0")
    assert (found.median_difference, found.cliffs_delta) == (0.0, 0.0)
    assert (found.difference_low, found.difference_high) == (0.0, 0.0)


def test_what_is_undefined_says_why() -> None:
    nothing = paired({"p": 1.0}, {"q": 1.0}, HOW)
    assert (nothing.common, nothing.only_a, nothing.only_b) == (0, 1, 1)
    assert nothing.reason == "no problem in common"
    assert {nothing.median_a, nothing.median_difference, nothing.p, nothing.cliffs_delta} == {None}
    one = paired({"p": 1.0}, {"p": 2.0}, HOW)
    assert (one.p, one.difference_low) == (1.0, None)
    assert one.reason == "interval: an interval takes two problems or more"


def test_p_values_are_corrected_for_the_family() -> None:
    family = [paired(A, B, HOW), paired(A, A, HOW), paired(A, B, HOW)]
    assert [each.p_adjusted for each in adjusted(family, "none")] == [0.75, None, 0.75]
    assert [each.p_adjusted for each in adjusted(family, "holm")] == [1.0, None, 1.0]
    assert [each.p for each in adjusted(family, "holm")] == [0.75, None, 0.75]
    with pytest.raises(InputError, match="no correction 'hol'; did you mean 'holm'"):
        adjusted(family, "hol")
