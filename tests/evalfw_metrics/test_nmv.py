from __future__ import annotations

import pytest
from pydantic import ValidationError

from evalfw import Estimate, Measure, MemoryProfile, Outcome
from evalfw_metrics.nmv import Nmv, max_velocity
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, profile, sample

KIB = 1024


@pytest.mark.parametrize(
    ("series", "expected"),
    [((0, 1, 5, 6), 4), ((0, 0, 0), 0), ((7,), 0), ((9, 4, 0), 0), ((0, 8, 2, 9), 8)],
    ids=["rising", "flat", "one sample", "falling", "zigzag"],
)
def test_max_velocity(series: tuple[int, ...], expected: int) -> None:
    assert max_velocity(profile(*series)) == expected


GROUP = cohort(
    sample(0, t1=profile(0, 10, 30), t2=profile(0, 4, 8)),
    sample(1, t1=profile(0, 40, 40)),
    sample(2, Outcome.TIME_LIMIT),
    sample(3, t1=profile(0, 20, 20)),
    tests=("t1", "t2"),
)


def test_equations_7_and_8() -> None:
    # The median peak is 30 on t1 and 8 on t2; the largest jumps are 20, 40 and 20 on t1, and 4 on t2.
    missing = "1 test: no profile"
    assert list(made(Nmv).measure(GROUP)) == [
        Measure({"nmv": about((20 / 30 + 4 / 8) / 2)}, (0,)),
        Measure({"nmv": about(40 / 30)}, (1,), reason=missing),
        Measure({"nmv": about(20 / 30)}, (3,), reason=missing),
        Measure({"nmv": about(((20 / 30 + 4 / 8) / 2 + 40 / 30 + 20 / 30) / 3)}),
    ]


def test_the_median_of_an_even_number_of_peaks_lies_between() -> None:
    group = cohort(sample(0, t1=profile(0, 10)), sample(1, t1=profile(0, 5, 15)))
    assert [m.values["nmv"] for m in made(Nmv).measure(group)] == [0.8, 0.8, 0.8]


def test_clip() -> None:
    values = [measure.values["nmv"] for measure in made(Nmv, clip=True).measure(GROUP)]
    assert values[1] == 1.0
    assert values[2] == about(2 / 3)


def test_min_peak_leaves_runs_out_but_not_out_of_the_median() -> None:
    group = cohort(
        sample(0, t1=profile(0, 50 * KIB)),
        sample(1, t1=profile(0, 100 * KIB)),
        sample(2, t1=profile(0, 400 * KIB)),
    )
    assert list(made(Nmv, min_peak="100KiB").measure(group)) == [
        Measure({"nmv": None}, (0,), reason="1 test: peak below min_peak"),
        Measure({"nmv": 1.0}, (1,)),
        Measure({"nmv": 4.0}, (2,)),
        Measure({"nmv": 2.5}, reason="1 solution: 1 test: peak below min_peak"),
    ]


@pytest.mark.parametrize("size", ["100", "-1B", 0, 1.5])
def test_min_peak_is_an_amount_of_memory(size: object) -> None:
    with pytest.raises(ValidationError, match="min_peak"):
        made(Nmv, min_peak=size)


def test_a_median_of_zero_is_undefined() -> None:
    flat = MemoryProfile(((0, 5),))
    group = cohort(sample(0, t1=flat), sample(1, t1=flat), sample(2, t1=profile(0, 3)))
    reason = "1 test: median peak is 0"
    assert list(made(Nmv).measure(group)) == [
        *(Measure({"nmv": None}, (index,), reason=reason) for index in range(3)),
        Measure({"nmv": None}, reason=f"3 solutions: {reason}"),
    ]


def test_estimate() -> None:
    groups = [
        cohort(sample(0, t1=profile(0, 4)), problem="one correct solution is enough"),
        cohort(sample(0, t1=profile(0, 1, 2)), problem="half"),
        cohort(sample(0, Outcome.WRONG_ANSWER), problem="none correct"),
        cohort(sample(0, Outcome.NO_TESTS), tests=(), problem="no tests"),
    ]
    assert problem_measure(made(Nmv), groups[2]).reason == "no correct solution"
    assert list(made(Nmv).aggregate([measured(made(Nmv), group) for group in groups])) == [
        Estimate("nmv", 0.75, n=2, left_out=2, reason="1 problem: no correct solution; 1 problem: no tests")
    ]
