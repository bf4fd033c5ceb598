"""Cases about timings: programs in the real sandbox, timed by `pytest_benchmark`."""

from __future__ import annotations

from evalfw import Instrument, Job, Sandbox
from evalfw.judging import verdict_of
from evalfw_profilers.pytest_benchmark import BenchmarkOptions, PytestBenchmark
from tests.cases.case import Case, differs
from tests.cases.programs import VERDICTS, limits_of, problem_of


def timing(case: Case) -> list[str]:
    problem, limits = problem_of(case), limits_of(case.input["limits"])
    found = []
    with Sandbox() as sandbox:
        for name in case.input["solutions"]:
            expected = case.expected["verdicts"][name]
            rounds = expected["timing"]["min_rounds"]
            profiler = PytestBenchmark(BenchmarkOptions(min_rounds=rounds, min_time=0.1, max_time=1.0))
            instrument = Instrument(profiler.instrument_path(), profiler.settings(), profiler.packages)
            for test in problem.tests:
                execution = sandbox.run(Job(case.text_of(name), problem.style, test.input, limits, instrument))
                verdict = verdict_of(sandbox, problem, test, execution)
                found += differs(f"{name}: verdict", VERDICTS.get(verdict.outcome.value), expected["verdict"])
                if execution.record is not None:  # which there is only if no round failed
                    timed = len(profiler.profile(execution.record).seconds)
                    found += [] if timed >= rounds else [f"{name}: {timed} rounds"]
    return found
