from __future__ import annotations

from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Cohort, Measure, Outcome, Timing
from evalfw_metrics.runtime import Runtime, rank, variation
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, sample, timed

GROUP = cohort(
    sample(0, t1=Timing((1.0, 2.0, 6.0)), t2=Timing((4.0, 4.0))),
    sample(1, t1=Timing((1.0,)), t2=Timing((1.0, 1.0))),
    sample(2, Outcome.WRONG_ANSWER),
    tests=("t1", "t2"),
    references=[
        {"t1": Timing((3.0,)), "t2": Timing((3.0,))},  # mean 3, the canonical one
        {"t1": Timing((0.5,)), "t2": Timing((0.5,))},  # the fastest
        {"t1": Timing((9.0,))},  # not timed on t2: not known
        {"t1": Timing((1.0,)), "t2": Timing((1.0,))},
    ],
)


def test_a_cohort_by_hand() -> None:
    cv = 7**0.5 / 3  # of 1, 2, 6
    on_t1 = {"runtime_median": 2.0, "runtime_mean": 3.0, "runtime_cv_rounds": about(cv)}
    found = list(made(Runtime).measure(GROUP))
    assert found[0] == Measure(on_t1, (0,), "t1")
    assert [(m.solutions, m.test) for m in found[:4]] == [((0,), "t1"), ((0,), "t2"), ((1,), "t1"), ((1,), "t2")]
    assert found[4:] == [
        Measure(
            {
                "runtime_median": 3.0,
                "runtime_mean": 3.5,
                "runtime_cv_rounds": about(cv / 2),
                "speed_canonical": 1.0,
                "speed_fastest": about(0.5 / 3),
                "runtime_rank": 0.0,  # as slow as one, slower than two
            },
            (0,),
        ),
        Measure(
            {
                "runtime_median": 1.0,
                "runtime_mean": 1.0,
                "runtime_cv_rounds": 0.0,
                "speed_canonical": 3.0,
                "speed_fastest": 0.5,
                "runtime_rank": about(100 / 3),
            },
            (1,),
        ),
        Measure(
            {
                "runtime_median": 2.0,
                "runtime_mean": 2.25,
                "runtime_cv_rounds": about(cv / 4),
                "runtime_cv_solutions": about(2**0.5 / 2),
                "speed_canonical": 1.5,
                "speed_fastest": 0.25,
                "runtime_rank": about(100 / 6),
                "runtime_known": 3,
            },
        ),
    ]


@given(st.lists(st.floats(1e-6, 1e3), min_size=2, max_size=8), st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=8))
def test_problems_by_another_route(own: list[float], known: list[float]) -> None:
    values = problem_measure(made(Runtime), timed(*own, references=known)).values
    speeds = [known[0] / each for each in own]
    ranks = [100 * float(np.mean(np.array(known) > each)) for each in own]
    assert values["speed_canonical"] == pytest.approx(len(own) / sum(1 / speed for speed in speeds), rel=1e-9)
    assert values["runtime_rank"] == pytest.approx(fmean(ranks), abs=1e-9)
    assert values["runtime_cv_solutions"] == pytest.approx(np.std(own, ddof=1) / np.mean(own), abs=1e-9)
    assert values["speed_fastest"] == pytest.approx(min(*own, *known) / fmean(own), rel=1e-9)


def test_the_fastest_of_the_cohort_may_be_a_sample() -> None:
    found = [m for m in made(Runtime).measure(timed(1.0, 4.0, references=[2.0])) if m.solutions and m.test is None]
    assert [m.values["speed_fastest"] for m in found] == [1.0, 0.25]
    assert [m.values["runtime_rank"] for m in found] == [100.0, 0.0]


def test_a_solution_that_lacks_a_timing_is_left_out() -> None:
    group = cohort(
        sample(0, t1=Timing((1.0, 1.0))),
        sample(1, t1=Timing((2.0, 2.0)), t2=Timing((4.0, 4.0))),
        tests=("t1", "t2"),
    )
    found = list(made(Runtime).measure(group))
    [solution] = [m for m in found if m.solutions == (0,) and m.test is None]
    assert set(solution.values.values()) == {None}
    assert solution.reason == "no profile on 1 of 2 tests"
    assert found[-1].values["runtime_median"] == 3.0
    assert found[-1].reason == (
        "1 solution: no profile on 1 of 2 tests; 1 solution: the canonical solution has no run time, "
        "no accepted solution has a run time; fewer than two solutions with run times"
    )


def test_without_references_there_are_run_times_but_no_speeds() -> None:
    values = problem_measure(made(Runtime), timed(1.0, 3.0)).values
    assert values["runtime_median"] == 2.0
    assert values["speed_canonical"] is None
    assert values["runtime_rank"] is None
    assert values["speed_fastest"] == 0.5
    assert values["runtime_known"] == 0


def test_a_run_time_of_zero_has_no_speed() -> None:
    found = problem_measure(made(Runtime), timed(0.0, references=[1.0]))
    assert found.values["speed_canonical"] is None
    assert found.reason == (
        "1 solution: its run time is 0, no variation of rounds; fewer than two solutions with run times"
    )


@pytest.mark.parametrize(
    ("group", "reason"), [(cohort(), "no correct solution"), (cohort(sample(0), tests=()), "no tests")]
)
def test_nothing_is_undefined_with_a_reason(group: Cohort, reason: str) -> None:
    found = problem_measure(made(Runtime), group)
    assert {value for name, value in found.values.items() if name != "runtime_known"} == {None}
    assert found.reason == reason


def test_estimates_are_means_over_problems_with_terms() -> None:
    metric = made(Runtime)
    groups = [timed(1.0, 3.0, references=[4.0]), timed(2.0, 2.0, references=[2.0]), timed(references=[1.0])]
    cells = {cell.metric: cell for cell in metric.aggregate([measured(metric, group) for group in groups])}
    speed = cells["speed_canonical"]
    assert (speed.value, speed.n, speed.left_out) == (1.5, 2, 1)
    assert speed.terms == ((2.0, 1), (1.0, 1))
    assert speed.reason == "1 problem: no correct solution"
    assert cells["runtime_cv_solutions"].value == about(stdev([1.0, 3.0]) / 2 / 2)


def test_variation_and_rank_of_little() -> None:
    assert variation([]) is None
    assert variation([1.0]) is None
    assert variation([0.0, 0.0]) is None
    assert rank(1.0, []) is None
    assert rank(1.0, [1.0]) == 0.0
