from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Call, Json, Outcome, Sandbox, Timing
from evalfw_profilers.pytest_benchmark import BenchmarkOptions, PytestBenchmark
from tests.evalfw_profilers.sandboxed import execute, profiled

QUICK = PytestBenchmark(BenchmarkOptions(min_time=0.05, max_time=0.5))
SLEEP = "import time\nclass Solution:\n    def f(self, seconds):\n        time.sleep(seconds)\n"
SORT = "class Solution:\n    def f(self, nums): return sorted(nums, key=lambda n: -n)[0]\n"
RECORD: dict[str, Json] = {"seconds": [0.5] * 10, "clock": "perf_counter", "report": {"version": "5"}}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(cpu=max(os.sched_getaffinity(0))) as shared:
        yield shared


def test_the_defaults_are_those_of_the_paper() -> None:
    options = BenchmarkOptions()
    assert (options.min_rounds, options.min_time, options.warmup_rounds) == (10, 1.0, 0)
    assert PytestBenchmark.exclusive
    assert PytestBenchmark(options).references == "canonical"


def test_timings_do_not_depend_on_what_they_are_compared_with() -> None:
    every = PytestBenchmark(BenchmarkOptions(references="all"))
    assert every.references == "all"
    assert every.settings() == PytestBenchmark(BenchmarkOptions()).settings()
    assert "references" not in every.settings()


@pytest.mark.parametrize("options", [{"min_rounds": 0}, {"min_time": 0}, {"warmup_rounds": -1}, {"rounds": 3}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        BenchmarkOptions.model_validate(options)


def test_a_record_becomes_a_timing() -> None:
    timing = PytestBenchmark(BenchmarkOptions()).profile({**RECORD, "seconds": [*[0.5] * 9, 0.0123456789876]})
    assert timing == Timing((*[0.5] * 9, 0.012345679), "perf_counter", {"version": "5"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seconds": [0.5] * 9}, "9 rounds"),
        ({"seconds": "0.5"}, "list of numbers"),
        ({"seconds": [0.5] * 9 + [1]}, "no number of seconds: 1"),
        ({"seconds": [0.5] * 9 + [-0.5]}, "0 seconds or more"),
        ({"seconds": [0.5] * 9 + [float("nan")]}, "0 seconds or more"),
        ({"seconds": [0.5] * 9 + [float("inf")]}, "0 seconds or more"),
        ({"clock": None}, "clock"),
        ({"report": []}, "report"),
        ({"more": 1}, "not a record"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PytestBenchmark(BenchmarkOptions()).profile({**RECORD, **change})


def test_rounds_fill_the_time(sandbox: Sandbox) -> None:
    profiler = PytestBenchmark(BenchmarkOptions(min_time=0.2))
    timing = profiled(sandbox, profiler, SLEEP, Call((0.005,)))
    assert len(timing.seconds) >= 10
    assert sum(timing.seconds) >= 0.2
    assert min(timing.seconds) >= 0.005


def test_there_are_rounds_enough_however_long_they_take(sandbox: Sandbox) -> None:
    profiler = PytestBenchmark(BenchmarkOptions(min_rounds=12, min_time=0.001, max_time=0.001))
    timing = profiled(sandbox, profiler, SLEEP, Call((0.01,)))
    assert len(timing.seconds) == 12


def test_the_longest_time_is_that_of_everything(sandbox: Sandbox) -> None:
    profiler = PytestBenchmark(BenchmarkOptions(min_time=1.0, max_time=0.2))
    timing = profiled(sandbox, profiler, "class Solution:\n    def f(self, x): return None", Call(([0] * 10_000,)))
    assert len(timing.seconds) >= 10
    assert sum(timing.seconds) < 0.2


def test_the_report_is_that_of_the_tool(sandbox: Sandbox) -> None:
    timing = profiled(sandbox, QUICK, "print(sum(range(10_000)))")
    (benchmark,) = timing.report["benchmarks"]
    assert benchmark["stats"]["rounds"] == len(timing.seconds)
    assert benchmark["stats"]["median"] == pytest.approx(timing.cost, abs=1e-9)
    assert "data" not in benchmark["stats"]
    assert benchmark["options"]["timer"] == timing.clock
    assert timing.report["machine_info"]["python_implementation"] == sys.implementation.name.replace("cp", "CP")
    assert timing.report["commit_info"] == {}
    assert Timing.unpack(timing.pack()) == timing


def test_arguments_that_are_changed_are_fresh_in_every_round(sandbox: Sandbox) -> None:
    code = (
        "class Solution:\n"
        "    def f(self, nums):\n"
        "        if all(a <= b for a, b in zip(nums, nums[1:])):\n"
        "            raise RuntimeError('argument was used before')\n"
        "        nums.sort()\n"
        "        return nums[0]\n"
    )
    execution = execute(sandbox, QUICK, code, Call(([9, 3, 7],)))
    assert (execution.outcome, execution.value) == (None, 3)


def test_what_a_solution_remembers_is_forgotten_between_rounds(sandbox: Sandbox) -> None:
    code = (
        "import time\nfrom functools import cache\n"
        "@cache\ndef slow(n):\n    time.sleep(.002)\n    return n\n"
        "class Solution:\n    def f(self, n): return slow(n)\n"
    )
    timing = profiled(sandbox, QUICK, code, Call((3,)))
    assert min(timing.seconds) >= 0.002


def test_a_program_that_varies_gives_no_timing(sandbox: Sandbox) -> None:
    execution = execute(sandbox, QUICK, "import time\nprint(time.perf_counter())")
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert "a round gave another result" in execution.reason


def test_a_program_that_fails_is_judged_by_that(sandbox: Sandbox) -> None:
    assert execute(sandbox, QUICK, "1/0").outcome is Outcome.RUNTIME_ERROR
    assert execute(sandbox, QUICK, "import os\nos._exit(0)").outcome is Outcome.INSTRUMENTATION_ERROR


def test_a_program_is_as_if_pytest_were_not_there(sandbox: Sandbox) -> None:
    code = "import os, sys, warnings\nprint(os.listdir(), sys.gettrace(), sys.getprofile(), len(warnings.filters))"
    execution = execute(sandbox, QUICK, code)
    assert execution.outcome is None, execution.reason
    assert execution.stdout.startswith(b"[] None None")


BY_HAND = """
from solution import Solution

def test_f(benchmark):
    benchmark.pedantic(Solution().f, setup=lambda: (([n * 7919 % 10007 for n in range(20000)],), {}), rounds=60)
"""


def test_it_agrees_with_pytest_benchmark_by_hand(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "solution.py").write_text(SORT)
    (tmp_path / "test_by_hand.py").write_text(BY_HAND)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--benchmark-only", "--benchmark-json=out.json", "test_by_hand.py"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
    )
    stats = json.loads((tmp_path / "out.json").read_text())["benchmarks"][0]["stats"]
    profiler = PytestBenchmark(BenchmarkOptions(min_rounds=60, min_time=0.3))
    timing = profiled(sandbox, profiler, SORT, Call(([n * 7919 % 10007 for n in range(20000)],)))
    # The same quantity in the same unit; how near the two come depends on what else the machine is doing.
    assert 1 / 4 < timing.cost / stats["median"] < 4
