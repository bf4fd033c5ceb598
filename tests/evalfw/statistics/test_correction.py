from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalfw.statistics.correction import CORRECTIONS, Adjusted, benjamini_hochberg, holm

P = st.floats(0, 1)


def test_worked_examples() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert holm([0.9, 0.6]) == [1.0, 1.0]


@given(st.lists(P, min_size=1))
def test_holm_rejects_as_his_procedure_does(p_values: list[float]) -> None:
    level = 0.05
    rejected = set()
    for step, place in enumerate(sorted(range(len(p_values)), key=lambda each: p_values[each])):
        if p_values[place] * (len(p_values) - step) > level:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(p_values)) if p is not None and p <= level} == rejected


@given(st.lists(P, min_size=1))
def test_benjamini_hochberg_is_that_of_scipy(p_values: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(list(stats.false_discovery_control(p_values)), abs=1e-12)


@pytest.mark.parametrize("correct", CORRECTIONS.values())
@given(p_values=st.lists(st.one_of(P, st.none())))
def test_tests_without_a_p_are_no_part_of_the_family(
    correct: Callable[[list[float | None]], Adjusted], p_values: list[float | None]
) -> None:
    adjusted = correct(p_values)
    defined: list[float | None] = [p for p in p_values if p is not None]
    assert [p is None for p in adjusted] == [p is None for p in p_values]
    assert [p for p in adjusted if p is not None] == correct(defined)
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True) if a is not None and p is not None)
