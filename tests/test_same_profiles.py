"""A profile is the same, bit for bit, at every level and whatever ran before."""

from __future__ import annotations

import pytest

from evalfw import AcceptedSolution, Instrument, Job, Json, Limits, Problem, Sandbox
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.levels import attempt
from evalfw_datasets.starter import Starter, StarterOptions
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

LIMITS = Limits(time_seconds=60.0, memory_bytes=2 << 30)
PROBLEMS = ["run_length", "sort_list", "group_anagrams"]


@pytest.fixture(scope="module")
def instrument() -> Instrument:
    profiler = TracemallocLine(LineOptions())
    return Instrument(profiler.instrument_path(), profiler.settings())


@pytest.fixture(scope="module")
def solutions() -> list[tuple[Problem, AcceptedSolution]]:
    problems = Starter(StarterOptions(problems=PROBLEMS)).problems()
    return [(problem, problem.solutions[0]) for problem in problems]


def records(sandbox: Sandbox, solutions: list[tuple[Problem, AcceptedSolution]], instrument: Instrument) -> list[Json]:
    jobs = [
        Job(solution.code, problem.style, problem.tests[0].input, LIMITS, instrument) for problem, solution in solutions
    ]
    executions = [sandbox.run(job) for job in jobs]
    assert [execution.outcome for execution in executions] == [None] * len(jobs)
    return [execution.record for execution in executions]


@pytest.fixture(scope="module")
def reference(solutions: list[tuple[Problem, AcceptedSolution]], instrument: Instrument) -> list[Json]:
    with Sandbox(level="rlimits") as sandbox:
        return records(sandbox, solutions, instrument)


@pytest.mark.parametrize("level", LEVELS)
def test_profiles_are_the_same(
    level: Level, solutions: list[tuple[Problem, AcceptedSolution]], instrument: Instrument, reference: list[Json]
) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"{level} does not work here: {refusal}")
    with Sandbox(level=level) as sandbox:
        assert records(sandbox, solutions, instrument) == reference
        assert records(sandbox, solutions[::-1], instrument)[::-1] == reference
