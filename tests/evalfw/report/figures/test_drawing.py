from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.report.figures.drawing import Box, cut, end, place, spread


@pytest.mark.parametrize(
    ("values", "expected"),
    [([0.163], 0.2), ([0.0012, 0.0009], 0.0015), ([1.0], 1.0), ([9.9], 10.0), ([0.0], 1.0), ([], 1)],
)
def test_an_axis_ends_at_a_round_number(values: list[float], expected: float) -> None:
    assert end(values) == pytest.approx(expected)


@given(st.floats(1e-12, 1e12))
def test_an_axis_reaches_its_values_and_not_twice_as_far(value: float) -> None:
    assert value <= end([value]) <= 2 * value


@given(st.lists(st.floats(0, 100), min_size=1, max_size=7))
def test_labels_are_spread_in_their_order(wanted: list[float]) -> None:
    found = spread(wanted, 14, 100)
    in_order = [found[index] for index in sorted(range(len(wanted)), key=lambda index: wanted[index])]
    assert all(after - before >= 14 - 1e-9 for before, after in pairwise(in_order))
    assert max(found) <= 100


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread([50, 10, 90], 14, 100) == [50, 10, 90]
    assert spread([50, 50], 14, 100) == [50, 64]
    assert spread([99, 100], 14, 100) == [86, 100]


@given(st.lists(st.tuples(st.floats(0, 280), st.floats(0, 250)), min_size=1, max_size=6))
def test_placed_labels_meet_nothing(points: list[tuple[float, float]]) -> None:
    taken = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    inside = Box(0, 0, 300, 250)
    found = place(["model"] * len(points), [[point] for point in points], taken, inside)
    if found is not None:
        assert not any(a.meets(b) for a, b in combinations([*found, *taken], 2) if a in found or b in found)
        assert all(box.left >= 0 and box.right <= 300 and box.top >= 0 and box.bottom <= 250 for box in found)


def test_there_is_no_place_where_all_is_taken() -> None:
    everywhere = Box(0, 0, 300, 300)
    assert place(["a"], [[(100, 100)]], [everywhere], everywhere) is None
    (found,) = place(["a"], [[(100, 100)]], [], everywhere) or []
    assert found.left == 108


def test_a_long_label_keeps_both_ends() -> None:
    assert cut("short", 8) == "short"
    assert cut("begin-middle-end", 8) == "beg…-end"
