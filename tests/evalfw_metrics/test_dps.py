from __future__ import annotations

from typing import Any

import pytest

from evalfw import Cohort, InstructionCount, Outcome
from evalfw_metrics.dps import Dps, clusters, dps, levels
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, rows, sample, timed

MILLION = 10**6


def counted(*instructions: int, wrong: int = 0, references: tuple[int, ...] = ()) -> Cohort:
    samples = [sample(index, t1=InstructionCount(each)) for index, each in enumerate(instructions)]
    samples += [sample(len(samples) + index, Outcome.WRONG_ANSWER) for index in range(wrong)]
    return cohort(*samples, references=[{"t1": InstructionCount(each)} for each in references])


@pytest.mark.parametrize("case", rows("dps.jsonl"))
def test_as_evalperf(case: dict[str, Any]) -> None:
    known = [(cost, share) for cost, share in case["levels"]]
    found = [dps(float("inf") if cost is None else cost, known) for cost in case["samples"]]
    assert found == list(zip(case["dps"], case["dps_norm"], strict=True))


def test_clusters_by_hand() -> None:
    # From 9e6 on, a gap of 0.1 + sqrt(1e4 / 9e6) = 0.133 of the larger one is needed: 8e6 (0.11) is near, 6e6 is not.
    assert clusters([6e6, 1e6, 8e6, 9e6], "instructions") == [[9e6, 8e6], [6e6], [1e6]]
    # Of small counts more is needed: from 20,000 on 0.1 + 0.707.
    assert clusters([20_000, 5_000], "instructions") == [[20_000, 5_000]]
    assert clusters([20_000, 3_000], "instructions") == [[20_000], [3_000]]
    # And of short times: 0.1 + sqrt(0.002 / 0.02) = 0.416.
    assert clusters([0.02, 0.012], "seconds") == [[0.02, 0.012]]
    assert clusters([0.02, 0.011], "seconds") == [[0.02], [0.011]]


def test_levels_are_the_slowest_of_each_cluster() -> None:
    assert levels([[9.0, 8.0], [6.0], [1.0]]) == [(9.0, 50.0), (6.0, 75.0), (1.0, 100.0)]


def test_a_cohort_by_hand() -> None:
    references = tuple(each * MILLION for each in (9, 8, 6, 1))
    group = counted(10 * MILLION, 9 * MILLION, 7 * MILLION, 6 * MILLION, MILLION // 2, wrong=4, references=references)
    found = list(made(Dps, min_correct=3, min_clusters=3).measure(group))
    assert [m.values["dps"] for m in found[:-1]] == [0.0, 50.0, 50.0, 75.0, 100.0]
    assert [m.values["dps_norm"] for m in found[:-1]] == [about(100 * j / 3) for j in (0, 1, 1, 2, 3)]
    assert found[-1].values == {"dps": 55.0, "dps_norm": about(700 / 15)}


def test_no_more_than_twice_the_least_number_is_scored() -> None:
    group = counted(MILLION, MILLION, 9 * MILLION, references=(9 * MILLION, MILLION))
    assert problem_measure(made(Dps, min_correct=1, min_clusters=2), group).values["dps"] == 100.0


def test_too_slow_to_be_measured_is_zero() -> None:
    group = timed(1.0, None, references=[9.0, 1.0])
    metric = made(Dps, min_correct=1, min_clusters=2, cost="seconds")
    assert problem_measure(metric, group).values == {"dps[seconds]": 50.0, "dps_norm[seconds]": 50.0}


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        (counted(*[5] * 10), "it takes 1 accepted solutions, and `references` of the profiler gives 0"),
        (counted(*[5] * 9, wrong=1, references=(5,)), "fewer than 10 correct samples"),
        (counted(wrong=1, references=(5,)), "fewer than 10 correct samples"),
        (counted(*[5] * 10, references=(5, 5, 5)), "the costs of accepted solutions make fewer than 4 clusters"),
        (counted(*[5] * 10, references=(5, 0)), "an accepted solution costs nothing"),
        (cohort(tests=()), "no tests"),
        (cohort(sample(0, Outcome.SANDBOX_ERROR)), "no sample was judged"),
    ],
)
def test_undefined_with_a_reason(group: Cohort, reason: str) -> None:
    found = list(made(Dps).measure(group))
    assert [(each.values, each.reason) for each in found] == [({"dps": None, "dps_norm": None}, reason)]


def test_the_means_over_problems() -> None:
    metric = made(Dps, min_correct=1, min_clusters=2)
    references = (9 * MILLION, MILLION)
    groups = [counted(MILLION, references=references), counted(9 * MILLION, references=references), counted(wrong=1)]
    cells = {cell.metric: cell for cell in metric.aggregate([measured(metric, group) for group in groups])}
    assert {name: (cell.value, cell.n, cell.left_out) for name, cell in cells.items()} == {
        "dps": (75.0, 2, 1),
        "dps_norm": (75.0, 2, 1),
    }
