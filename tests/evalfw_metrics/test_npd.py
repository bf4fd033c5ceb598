from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Estimate, Measure, NoOptions, Outcome
from evalfw_metrics.npd import Npd, npd
from tests.evalfw_metrics.cohorts import about, cohort, measured, profile, sample


@pytest.mark.parametrize(("a", "b", "expected"), [(0, 0, 0.0), (0, 7, 1.0), (30, 40, 0.25), (5, 5, 0.0)])
def test_examples(a: int, b: int, expected: float) -> None:
    assert npd(profile(0, a), profile(0, 0, b)) == npd(profile(b), profile(a)) == expected


@given(st.integers(0, 2**80), st.integers(0, 2**80))
def test_symmetric_and_bounded(a: int, b: int) -> None:
    found = npd(profile(a), profile(b))
    assert 0.0 <= found <= 1.0
    assert found == npd(profile(b), profile(a))
    assert (found == 0.0) == (a == b) or min(a, b) > 2**50  # closer than floats can tell


def test_measures_and_estimate() -> None:
    group = cohort(
        sample(0, t1=profile(0, 10), t2=profile(0, 4)),
        sample(1, t1=profile(0, 5), t2=profile(0, 4)),
        sample(2, Outcome.RUNTIME_ERROR),
        sample(3, t1=profile(0, 10)),
        tests=("t1", "t2"),
    )
    found = measured(Npd(NoOptions()), group)
    assert list(found.measures) == [
        Measure({"npd": 0.5}, (0, 1), "t1"),
        Measure({"npd": 0.0}, (0, 3), "t1"),
        Measure({"npd": 0.5}, (1, 3), "t1"),
        Measure({"npd": 0.0}, (0, 1), "t2"),
        Measure({"npd": about(0.5 / 3)}, (0,)),
        Measure({"npd": about(1.0 / 3)}, (1,)),
        Measure({"npd": 0.25}, (3,)),
        Measure({"npd": 0.25, "npd_entries": 4}),
    ]
    alone = measured(Npd(NoOptions()), cohort(sample(0, t1=profile(0, 1)), problem="q"))
    assert list(Npd(NoOptions()).aggregate([found, alone])) == [
        Estimate("npd", 0.25, n=1, left_out=1, reason="1 problem: fewer than two correct solutions")
    ]
