from __future__ import annotations

import pytest
from hypothesis import given, settings

from evalfw_metrics import dtaidistance_warping, warping
from tests.evalfw_metrics.lexicographic import length_of_walk_back, warp_by_definition
from tests.evalfw_metrics.series import any_shape, rising, runs, small


@settings(max_examples=200, deadline=None)
@given(rising(small), rising(small))
def test_both_engines_agree_on_series_that_never_fall(a: list[int], b: list[int]) -> None:
    assert dtaidistance_warping.warp(runs(a), runs(b)) == warping.warp(runs(a), runs(b))


@settings(max_examples=200, deadline=None)
@given(any_shape(), any_shape())
def test_any_shape_against_the_definition(a: list[int], b: list[int]) -> None:
    assert dtaidistance_warping.warp(runs(a), runs(b)) == warp_by_definition(a, b)


def test_a_shape_on_which_walking_back_misses_the_shortest_path() -> None:
    a, b = [0, 2, 0], [0, 1, 0, 2]
    shortest = warp_by_definition(a, b)
    assert length_of_walk_back(a, b, ((1, 1), (1, 0), (0, 1))) > shortest[1]
    assert dtaidistance_warping.warp(runs(a), runs(b)) == shortest == (3, 4)


def test_numbers_just_below_the_limit_are_exact() -> None:
    scale = 2**53 // 6 - 1
    a, b = [0, scale // 2, scale], [0, scale // 2 + 1, scale]
    assert dtaidistance_warping.warp(runs(a), runs(b)) == (1, 3)


def test_too_many_cells() -> None:
    with pytest.raises(ValueError, match="2001 x 2000 samples are over the 4000000 cells"):
        dtaidistance_warping.warp([(0, 2000), (1, 1)], [(0, 2000)])


def test_too_large_a_scale() -> None:
    with pytest.raises(ValueError, match=r"2 \+ 2 samples on a scale of 2251799813685248 can need"):
        dtaidistance_warping.warp([(0, 1), (2**51, 1)], [(0, 2)])


def test_costs_too_large_for_the_route_of_series_that_fall() -> None:
    zigzag = [(0, 1), (2**45, 1)] * 50
    with pytest.raises(ValueError, match="that rise and fall on a scale of 35184372088832 reach 2"):
        dtaidistance_warping.warp(zigzag, [(2**45, 100)])
    assert dtaidistance_warping.warp([(0, 50), (2**45, 50)], [(2**45, 100)]) == (50 * 2**45, 100)
