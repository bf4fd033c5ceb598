from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Cohort, Estimate, InstructionCount, MemoryOverTime, Outcome, Timing
from evalfw_metrics.effibench import EffiBench
from tests.evalfw_metrics.cohorts import about, cohort, made, measured, problem_measure, rows, sample, timed

CASES = rows("effibench.jsonl")


def memory(peak: float, area: float) -> MemoryOverTime:
    """A profile of this peak in megabytes, and this area in megabyte seconds."""
    top = round(peak * 1e6)
    low = round((area * 1e9 - top) / 1000)  # of a thousand steps before the last, at a millisecond each
    return MemoryOverTime(runs=((low, 1000), (top, 1)), interval=0.001, taken=1001)


def estimates(groups: list[Cohort], **options: object) -> dict[str, Estimate]:
    metric = made(EffiBench, **options)
    return {cell.metric: cell for cell in metric.aggregate([measured(metric, group) for group in groups])}


def groups_of(kind: str, case: dict[str, Any]) -> Cohort:
    def profiled(of: list[float]) -> Timing | MemoryOverTime:
        return Timing((of[0],)) if kind == "time" else memory(of[1], of[2])

    return cohort(sample(0, t1=profiled(case["completion"])), references=[{"t1": profiled(case["canonical"])}])


@pytest.mark.parametrize(
    ("variant", "net", "nmu", "ntmu"),
    [("repository", 5.14, 1.13, 6.03), ("paper", 5.14, 1.124, 5.88)],  # those of the repository are what it prints
)
def test_both_variants_on_growing_problems(variant: str, net: float, nmu: float, ntmu: float) -> None:
    departs = "[repository]" if variant == "repository" else ""
    time = estimates([groups_of("time", case) for case in CASES], variant=variant)
    assert time[f"net{departs}"].value == pytest.approx(net, abs=0.005)
    of_memory = "[repository, peak profile]" if variant == "repository" else "[peak profile]"
    space = estimates([groups_of("memory", case) for case in CASES], variant=variant, of="memory")
    assert space[f"nmu{of_memory}"].value == pytest.approx(nmu, abs=0.005)
    assert space[f"ntmu{of_memory}"].value == pytest.approx(ntmu, abs=0.005)


def test_the_variants_by_hand() -> None:
    groups = [timed(2.0, 4.0, references=[1.0]), timed(10.0, references=[10.0]), timed(wrong=1, references=[None])]
    paper, repository = estimates(groups)["net"], estimates(groups, variant="repository")["net[repository]"]
    assert (paper.value, paper.n, paper.left_out) == (2.0, 2, 1)
    assert (repository.value, repository.n, repository.left_out) == (about(13 / 11), 2, 1)
    assert repository.terms == ((3.0, 1.0), (10.0, 10.0))
    assert repository.reason == "1 problem: no correct solution"


def test_solutions_and_problem() -> None:
    found = list(made(EffiBench).measure(timed(2.0, 4.0, wrong=1, references=[1.0])))
    assert [dict(m.values) for m in found] == [
        {"et": 2.0, "net": 2.0},
        {"et": 4.0, "net": 4.0},
        {"et": 3.0, "net": 3.0, "et_canonical": 1.0},
    ]


def test_tests_are_summed_in_time_and_peaks_are_not() -> None:
    def held(of: int) -> MemoryOverTime:
        return MemoryOverTime(runs=((0, 1), (of, 2)), interval=0.5, taken=3)

    group = cohort(
        sample(0, t1=held(40), t2=held(60)), tests=("t1", "t2"), references=[{"t1": held(10), "t2": held(30)}]
    )
    assert problem_measure(made(EffiBench, of="memory"), group).values == {
        "mu[peak profile]": 60,
        "nmu[peak profile]": 2.0,
        "mu_canonical[peak profile]": 30,
        "tmu[peak profile]": 100.0,
        "ntmu[peak profile]": 2.5,
        "tmu_canonical[peak profile]": 40.0,
    }


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        (timed(1.0), "1 solution: the canonical solution has no profile on some test"),
        (timed(1.0, references=[None]), "1 solution: the canonical solution has no profile on some test"),
        (timed(1.0, references=[0.0]), "1 solution: the canonical solution takes nothing"),
        (timed(None, references=[1.0]), "1 solution: no profile on 1 of 1 tests"),
        (timed(wrong=1, references=[1.0]), "no correct solution"),
        (cohort(sample(0, Outcome.NO_TESTS), tests=()), "no tests"),
    ],
)
def test_undefined_with_a_reason(group: Cohort, reason: str) -> None:
    found = problem_measure(made(EffiBench), group)
    assert found.values["net"] is None
    assert found.reason == reason


def test_instructions_are_named() -> None:
    group = cohort(sample(0, t1=InstructionCount(30)), references=[{"t1": InstructionCount(10)}])
    assert problem_measure(made(EffiBench, cost="instructions"), group).values["net[instructions]"] == 3.0
    with pytest.raises(ValidationError, match="`cost` is about time"):
        made(EffiBench, cost="instructions", of="memory")
