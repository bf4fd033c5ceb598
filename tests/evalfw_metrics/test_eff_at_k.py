from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import InstructionCount, Timing, Until
from evalfw_metrics.eff_at_k import EffAtK, best_of, efficiency
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, rows, sample, timed


@pytest.mark.parametrize("case", rows("eff_at_k.jsonl"))
def test_as_enamel(case: dict[str, Any]) -> None:
    values = case["efficiencies"]
    found = [best_of(k, values) for k in range(1, len(values) + 1)]
    assert found == pytest.approx(case["eff_at_k"], abs=1e-9)


@given(st.lists(st.floats(0, 2), min_size=1, max_size=7), st.integers(1, 8))
def test_as_all_subsets(values: list[float], k: int) -> None:
    best = [max(drawn) for drawn in combinations(values, k)]
    assert best_of(k, values) == (about(fmean(best)) if best else None)


@pytest.mark.parametrize(("cost", "expected"), [(0.5, 1.5), (1.0, 1.0), (1.5, 0.5), (2.0, 0.0), (7.0, 0.0), (0.0, 2.0)])
def test_efficiency_by_hand(cost: float, expected: float) -> None:
    assert efficiency(cost, 1.0) == expected


def test_a_limit_of_another_height() -> None:
    assert efficiency(2.0, 1.0, tolerance=5.0) == 0.75
    with pytest.raises(ValidationError):
        made(EffAtK, tolerance=1.0)


def test_a_cohort_by_hand() -> None:
    # The reference takes 1 s at most, so 2 s is the limit: 1.5, 0.5, beyond it, too slow to be timed, wrong.
    group = timed(0.5, 1.5, 3.0, None, wrong=1, references=[4.0, 1.0])
    found = list(made(EffAtK, k=[1, 2, 6]).measure(group))
    assert [m.values["eff"] for m in found[:-1]] == [1.5, 0.5, 0.0, 0.0, 0.0]
    assert found[-1].values == {"eff@1": about(2 / 5), "eff@2": about((4 * 1.5 + 3 * 0.5) / 10), "eff@6": None}
    assert found[-1].reason == "fewer than k samples with a score"


def test_the_slowest_test_counts() -> None:
    group = cohort(
        sample(0, t1=Timing((0.1,)), t2=Timing((1.5,))),
        tests=("t1", "t2"),
        references=[{"t1": Timing((0.1,)), "t2": Timing((1.0,))}, {"t1": Timing((1.2,)), "t2": Timing((0.2,))}],
    )
    assert problem_measure(made(EffAtK), group).values == {"eff@1": 0.5}


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        ([], "it takes 1 accepted solutions, and `references` of the profiler gives 0"),
        ([None], "it takes 1 accepted solutions, and 0 were measured on all tests"),
        ([0.0], "the reference costs nothing"),
    ],
)
def test_undefined_with_a_reason(references: list[float | None], reason: str) -> None:
    found = list(made(EffAtK).measure(timed(0.5, references=references)))
    assert [(each.values, each.reason) for each in found] == [({"eff@1": None}, reason)]


def test_no_correct_sample_is_zero() -> None:
    assert problem_measure(made(EffAtK), timed(wrong=2, references=[None])).values == {"eff@1": 0.0}


def test_instructions_are_named() -> None:
    group = cohort(sample(0, t1=InstructionCount(100)), references=[{"t1": InstructionCount(100)}])
    assert problem_measure(made(EffAtK, cost="instructions"), group).values == {"eff@1[instructions]": 1.0}


def test_the_mean_over_problems() -> None:
    metric = made(EffAtK)
    groups = [timed(1.0, references=[1.0]), timed(wrong=1, references=[None]), timed(1.0)]
    [cell] = metric.aggregate([measured(metric, group) for group in groups])
    assert (cell.metric, cell.value, cell.n, cell.left_out) == ("eff@1", 0.5, 2, 1)


def test_samples_until_enough_are_correct_are_no_draw() -> None:
    group = replace(timed(1.0, references=[1.0, 2.0]), until=Until(correct=1, max=5, distinct=False))
    found = problem_measure(made(EffAtK), group)
    assert (set(found.values.values()), found.reason) == (
        {None},
        "sampled until enough are correct: the samples are no plain draw",
    )
