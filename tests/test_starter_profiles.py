"""The line profiler on every starter solution: the same profile bit for bit, in any process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from evalfw import Instrument, Job, Limits, Sandbox
from evalfw_datasets.starter import Starter, StarterOptions
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

PROBLEMS = (*Starter(StarterOptions()).problems(), *Starter(StarterOptions(level="easy")).problems())
PROFILER = TracemallocLine(LineOptions())
INSTRUMENT = Instrument(PROFILER.instrument_path(), PROFILER.settings())


def profiles(order: int) -> dict[tuple[str, str], bytes]:
    """Every solution on one of its private tests, in a fresh fork server, in an order of its own."""
    found = {}
    jobs = [(problem, solution) for problem in PROBLEMS for solution in problem.solutions]
    with Sandbox() as sandbox:
        for problem, solution in jobs[order:] + jobs[:order]:
            test = problem.pool("private")[2]
            execution = sandbox.run(Job(solution.code, problem.style, test.input, Limits(60.0), INSTRUMENT))
            assert execution.outcome is None, (problem.id, solution.name, execution.reason)
            assert execution.record is not None
            profile = PROFILER.profile(execution.record)
            found[problem.id, solution.name] = profile.pack()
    return found


@pytest.mark.slow
def test_twenty_repeats_in_fresh_processes_are_identical() -> None:
    with ThreadPoolExecutor(2) as pool:
        first, *others = pool.map(profiles, range(20))
    differing = {key for other in others for key in first if other[key] != first[key]}
    assert not differing
    assert len(first) == sum(len(problem.solutions) for problem in PROBLEMS) >= 20 * 5
