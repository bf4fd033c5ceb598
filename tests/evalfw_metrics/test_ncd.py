from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Cost, Estimate, InstructionCount, Measure, NoOptions, Timing
from evalfw_metrics.ncd import Ncd, ncd
from tests.evalfw_metrics.cohorts import cohort, measured, profile, sample


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (InstructionCount(0), InstructionCount(0), 0.0),
        (InstructionCount(30), InstructionCount(40), 0.25),
        (Timing((1.0, 9.0, 2.0)), Timing((8.0,)), 0.75),
    ],
)
def test_examples(a: Cost, b: Cost, expected: float) -> None:
    assert ncd(a, b) == ncd(b, a) == expected


@given(st.integers(0, 2**80), st.integers(0, 2**80))
def test_bounded(a: int, b: int) -> None:
    assert 0.0 <= ncd(InstructionCount(a), InstructionCount(b)) <= 1.0


def test_measures_and_estimate() -> None:
    group = cohort(sample(0, t1=InstructionCount(10)), sample(1, t1=InstructionCount(5)))
    found = measured(Ncd(NoOptions()), group)
    assert list(found.measures) == [
        Measure({"ncd": 0.5}, (0, 1), "t1"),
        Measure({"ncd": 0.5}, (0,)),
        Measure({"ncd": 0.5}, (1,)),
        Measure({"ncd": 0.5, "ncd_entries": 1}),
    ]
    assert list(Ncd(NoOptions()).aggregate([found])) == [Estimate("ncd", 0.5, n=1)]


def test_profiles_of_another_kind_are_no_costs() -> None:
    with pytest.raises(TypeError, match="a profile of kind 'cost' is needed, found one of kind 'memory'"):
        measured(Ncd(NoOptions()), cohort(sample(0, t1=profile(1)), sample(1, t1=profile(2))))
