from __future__ import annotations

import random
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings

from evalfw_metrics.warping import Incomparable, Run, warp
from tests.evalfw_metrics.lexicographic import length_of_walk_back, warp_by_definition
from tests.evalfw_metrics.series import rising, runs

UP_FIRST = ((1, 1), (1, 0), (0, 1))
LEFT_FIRST = ((1, 1), (0, 1), (1, 0))
SHORT = [s for n in range(1, 5) for s in combinations_with_replacement(range(4), n)]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([7], [7], (0, 1)),
        ([3], [10], (7, 1)),
        ([0, 0, 0], [0, 0, 0, 0], (0, 4)),
        ([0], [0, 2, 4], (6, 3)),
        ([0, 2, 4], [0, 1, 2, 3, 4], (2, 5)),  # 1 and 3 each cost 1
        ([0, 0, 0, 4], [0, 4, 4, 4], (0, 6)),  # zeros on zeros, fours on fours
        ([0, 0, 0], [0, 3, 3], (6, 3)),  # paths of 3, 4 and 5 cells cost 6
        ([0] * 7, [0, 0, 1, 1, 1], (3, 7)),
        ([0, 1, 2, 3, 4, 4, 4, 4], [0, 4, 4, 4, 4, 4, 4, 4], (4, 9)),
        ([5, 6, 6], [0, 6], (5, 3)),  # neither series begins at 0
    ],
)
def test_examples_worked_by_hand(a: list[int], b: list[int], expected: tuple[int, int]) -> None:
    assert warp(runs(a), runs(b)) == expected
    assert warp(runs(b), runs(a)) == expected


def test_greedy_alignment_is_not_enough() -> None:
    """The diagonal through values far from each other beats the paths that keep close to equal values."""
    a, b = [0] + [50] * 10 + [60] * 10 + [100], [0] + [30] * 10 + [40] * 10 + [100]
    assert warp(runs(a), runs(b)) == warp_by_definition(a, b) == (400, 22)


def test_all_short_pairs_against_the_definition() -> None:
    different = [
        (a, b)
        for a, b in product(SHORT, repeat=2)
        if not warp(runs(a), runs(b))
        == (expected := warp_by_definition(a, b))
        == (expected[0], length_of_walk_back(a, b, UP_FIRST))
        == (expected[0], length_of_walk_back(a, b, LEFT_FIRST))
    ]
    assert len(SHORT) == 69
    assert different == []


@settings(max_examples=300, deadline=None)
@given(rising(), rising())
def test_random_pairs_against_the_definition(a: list[int], b: list[int]) -> None:
    assert warp(runs(a), runs(b)) == warp_by_definition(a, b)


@settings(deadline=None)
@given(rising(), rising())
def test_invariances(a: list[int], b: list[int]) -> None:
    cost, length = warp(runs(a), runs(b))
    top = max(a[-1], b[-1])
    assert warp(runs(b), runs(a)) == (cost, length)
    assert warp(runs([3 * x for x in a]), runs([3 * x for x in b])) == (3 * cost, length)
    assert warp(runs([x + 11 for x in a]), runs([x + 11 for x in b])) == (cost, length)
    assert warp(runs([top - x for x in a[::-1]]), runs([top - x for x in b[::-1]])) == (cost, length)
    assert warp([(x, 1) for x in a], [(x, 1) for x in b]) == (cost, length)  # runs of one sample each
    assert max(len(a), len(b)) <= length < len(a) + len(b)


def test_realistic_profiles_against_the_definition() -> None:
    draw = random.Random(20)
    for _ in range(3):
        a, b = (expanded(staircase(draw, samples=250, levels=levels)) for levels in (12, 90))
        assert warp(runs(a), runs(b)) == warp_by_definition(a, b)


def test_a_million_samples() -> None:
    draw = random.Random(1)
    a, b = (staircase(draw, samples=10**6, levels=1000) for _ in range(2))
    cost, length = warp(a, b)
    assert warp(b, a) == (cost, length)
    assert 10**6 <= length < 2 * 10**6
    assert 0 < cost < 10**6 * max(value for value, _ in (*a, *b))
    assert warp(a, a) == (0, 10**6)


def test_time_does_not_grow_with_samples() -> None:
    late = 10**30
    assert warp([(0, late), (4, 1)], [(0, 1), (3, late)]) == (late, 2 * late)


def test_a_series_that_falls_is_refused() -> None:
    with pytest.raises(Incomparable, match=r"'exact' compares monotone profiles .*'dtaidistance' takes any"):
        warp([(0, 1)], [(0, 1), (2, 1), (1, 1)])


def staircase(draw: random.Random, samples: int, levels: int) -> list[Run]:
    ends = [*sorted(draw.sample(range(1, samples), levels - 1)), samples]
    heights = sorted(draw.sample(range(10**8), levels))
    return [(height, end - start) for height, start, end in zip(heights, [0, *ends], ends, strict=False)]


def expanded(staircase: list[Run]) -> list[int]:
    return [value for value, count in staircase for _ in range(count)]
