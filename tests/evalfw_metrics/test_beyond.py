from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import InstructionCount, Outcome, Until
from evalfw_metrics.beyond import Beyond, beyond, beyond_of_repository
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, rows, sample, timed


@pytest.mark.parametrize("case", rows("beyond.jsonl"))
def test_as_the_harness_of_bigcode(case: dict[str, Any]) -> None:
    correct = [seconds for seconds in case["samples"] if seconds is not None]
    group = timed(*correct, wrong=case["samples"].count(None), references=case["references"])
    values = problem_measure(made(Beyond, k=[1, 3, 5]), group).values
    for k in (1, 3, 5):
        assert values[f"beyond@{k}"] == pytest.approx(case[f"beyond@{k}"], abs=1e-9)
    assert values["beyond"] == values["beyond@5"]


@pytest.mark.parametrize(
    ("seconds", "paper", "repository"),
    [
        (1.0, 1.0, 1.0 / 4.0),  # a distance of 4 s, which the script clips to 1
        (3.0, 0.5, 1.0 / 4.0),
        (4.5, 0.125, 0.125),
        (5.0, 0.0, 0.0),
        (9.0, 0.0, 0.0),
        (0.1, 1.0, 0.25),
    ],
)
def test_both_variants_by_hand(seconds: float, paper: float, repository: float) -> None:
    references = [1.0, 2.0, 5.0]
    assert beyond(seconds, references) == about(paper)
    assert beyond_of_repository(seconds, references) == about(repository)


def test_the_repository_exceeds_one() -> None:
    assert beyond_of_repository(0.1, [0.2, 0.7]) == about(1.2)
    assert beyond(0.1, [0.2, 0.7]) == 1.0


@given(st.floats(0, 1e6), st.lists(st.floats(1e-6, 1e6), min_size=2))
def test_bounded(cost: float, references: list[float]) -> None:
    assume(min(references) < max(references))
    assert 0.0 <= beyond(cost, references) <= 1.0


def test_names_say_what_departs() -> None:
    group = timed(0.1, references=[0.2, 0.7])
    found = problem_measure(made(Beyond, variant="repository", k=[1]), group)
    assert found.values == {"beyond[repository]": about(1.2), "beyond@1[repository]": about(1.2)}
    counted = cohort(
        sample(0, t1=InstructionCount(150)),
        references=[{"t1": InstructionCount(100)}, {"t1": InstructionCount(200)}],
    )
    metric = made(Beyond, cost="instructions")
    assert problem_measure(metric, counted).values == {"beyond[instructions]": 0.5}
    assert metric.needs is InstructionCount


def test_a_variant_of_seconds_takes_seconds() -> None:
    with pytest.raises(ValidationError, match="clips to 1 second"):
        made(Beyond, variant="repository", cost="instructions")


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        ([], "it takes 2 accepted solutions, and `references` of the profiler gives 0"),
        ([1.0], "it takes 2 accepted solutions, and `references` of the profiler gives 1"),
        ([1.0, None], "it takes 2 accepted solutions, and 1 were measured on all tests"),
        ([1.0, 1.0], "all accepted solutions cost the same"),
    ],
)
def test_undefined_with_a_reason(references: list[float | None], reason: str) -> None:
    found = list(made(Beyond).measure(timed(0.5, wrong=1, references=references)))
    assert [(each.values, each.reason) for each in found] == [({"beyond": None}, reason)]


def test_too_slow_to_be_timed_is_zero() -> None:
    values = [m.values["beyond"] for m in made(Beyond).measure(timed(1.0, None, references=[1.0, 2.0]))]
    assert values == [1.0, 0.0, 0.5]


def test_no_correct_sample_is_zero_without_measuring() -> None:
    assert problem_measure(made(Beyond), timed(wrong=3, references=[None, None])).values == {"beyond": 0.0}


def test_what_is_unknown_is_left_out_and_said() -> None:
    group = timed(1.0, wrong=1, references=[1.0, 2.0])
    samples = (*group.samples, sample(2), sample(3, Outcome.SANDBOX_ERROR))
    found = problem_measure(made(Beyond, k=[1, 3]), cohort(*samples, references=group.references))
    assert found.values == {"beyond": 0.5, "beyond@1": 1.0, "beyond@3": None}
    assert found.reason == (
        "fewer than k samples with a score; 1 sample: no profile on 1 of 1 tests; 1 sample: sandbox error, not judged"
    )


def test_problems_that_are_undefined_are_left_out_of_the_mean() -> None:
    metric = made(Beyond)
    groups = [timed(1.0, references=[1.0, 2.0]), timed(1.5, references=[1.0, 2.0]), timed(1.0, references=[3.0, 3.0])]
    [cell] = metric.aggregate([measured(metric, group) for group in groups])
    assert (cell.value, cell.n, cell.left_out) == (0.75, 2, 1)
    assert cell.reason == "1 problem: all accepted solutions cost the same"


def test_no_problem_at_all_is_undefined() -> None:
    [cell] = made(Beyond).aggregate([])
    assert (cell.value, cell.n, cell.reason) == (None, 0, "no problems")


def test_samples_until_enough_are_correct_are_no_draw() -> None:
    group = replace(timed(1.0, references=[1.0, 2.0]), until=Until(correct=1, max=5, distinct=False))
    found = problem_measure(made(Beyond), group)
    assert (set(found.values.values()), found.reason) == (
        {None},
        "sampled until enough are correct: the samples are no plain draw",
    )
