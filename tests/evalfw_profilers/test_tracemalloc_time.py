from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Call, Json, MemoryOverTime, MemoryProfile, Sandbox
from evalfw_metrics.dmpd import dmpd
from evalfw_profilers.tracemalloc_time import TimeOptions, TracemallocTime
from tests.evalfw_profilers.executions import execute, profile_of

RECORD: dict[str, Json] = {"times": [0, 1_000_000, 2_100_000], "values": [500, 628, 564], "peak": 756}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def profiler(**options: Any) -> TracemallocTime:  # noqa: ANN401
    return TracemallocTime(TimeOptions.model_validate(options))


def measured(sandbox: Sandbox, code: str, given: str | Call = "", **options: Any) -> MemoryOverTime:  # noqa: ANN401
    found = profile_of(sandbox, profiler(**options), code, given)
    assert isinstance(found, MemoryOverTime)
    return found


def test_options_are_those_of_the_paper() -> None:
    assert profiler().settings() == {"interval": 0.001, "quantum": 64}
    for text, seconds in (("0.1ms", 0.0001), ("1ms", 0.001), ("2ms", 0.002)):
        assert profiler(interval=text).options.interval == seconds
    for wrong in ({"interval": "50us"}, {"interval": 0}, {"quantum": 0}, {"stride": 1}):
        with pytest.raises(ValidationError):
            profiler(**wrong)


def test_a_record_becomes_a_profile() -> None:
    profile = profiler().profile(RECORD)
    assert list(profile.samples()) == [0, 128, 128]
    assert (profile.coverage, profile.end_bytes, profile.exact) == (0.5, 64, True)


@pytest.mark.parametrize("interval", ["0.1ms", "1ms", "2ms"])
def test_steps_are_those_of_the_clock(interval: str, sandbox: Sandbox) -> None:
    code = "import time\nkept = []\nfor i in range(10):\n    kept.append(bytes(100_000))\n    time.sleep(0.01)\n"
    profile = measured(sandbox, code, interval=interval)
    assert profile.length >= 0.1 / profile.interval
    assert profile.taken >= 10  # even where the machine is busy, since the program waits
    assert [value // 100_000 for value, _ in profile.runs][-1] == 10
    assert profile.monotone
    assert profile.interval_median is not None
    assert profile.interval_longest is not None
    assert profile.interval <= profile.interval_longest * 1.01


def test_a_busy_program_is_sampled_while_it_runs(sandbox: Sandbox) -> None:
    profile = measured(sandbox, "kept = []\nfor i in range(300_000):\n    kept.append([i])\n")
    assert profile.taken > 10
    assert len(profile.runs) > 10
    assert profile.coverage is not None
    assert profile.coverage > 0.9


def test_a_peak_within_a_c_function_shows_as_low_coverage(sandbox: Sandbox) -> None:
    profile = measured(sandbox, "text = len(bytes(10_000_000) + bytes(10_000_000))\n", interval=1.0)
    assert profile.coverage is not None
    assert profile.coverage < 0.01
    assert profile.peak_bytes < 10_000


def test_what_libraries_allocate_counts(sandbox: Sandbox) -> None:
    code = "import copy\nkept = copy.deepcopy([[i] for i in range(3000)])\n"
    assert measured(sandbox, code).end_bytes > 200_000  # type: ignore[operator]


def test_of_a_function_the_call_counts_alone(sandbox: Sandbox) -> None:
    code = "kept = bytes(1_000_000)\ndef f(n):\n    return len(bytes(n) + b'x')\n"
    profile = measured(sandbox, code, Call((10,)))
    assert profile.peak_bytes < 100_000


def test_metrics_of_memory_read_it(sandbox: Sandbox) -> None:
    profile = measured(sandbox, "kept = [bytes(1000) for i in range(1000)]\n")
    assert isinstance(profile, MemoryProfile)
    assert dmpd(profile, profile).value == 0.0


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import tracemalloc\ntracemalloc.stop()", "tracemalloc was stopped"),
        ("import tracemalloc\ntracemalloc.clear_traces()", "tracemalloc was stopped"),
        ("import tracemalloc\ntracemalloc.stop()\ntracemalloc.start()", "tracemalloc was stopped"),
        ("import sys\nsys.setswitchinterval(1.0)", "switch interval"),
        (
            "import time, tracemalloc\nx = bytes(1_000_000)\ntime.sleep(0.4)\ndel x\ntracemalloc.reset_peak()",
            "greater than the peak",
        ),
    ],
)
def test_who_disturbs_the_measurement_gets_no_profile(code: str, message: str, sandbox: Sandbox) -> None:
    execution = execute(sandbox, profiler(), code)
    assert execution.outcome is None
    with pytest.raises(ValueError, match=message):
        profiler().profile(execution.record or {})


def test_copies_of_the_process_report_nothing(sandbox: Sandbox) -> None:
    code = "import os\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\n    print('parent')\n"
    execution = execute(sandbox, profiler(), code)
    assert (execution.outcome, execution.stdout) == (None, b"parent\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tampered": "the clock is gone"}, "the clock is gone"),
        ({"more": 1}, "not a record"),
        ({"peak": None}, "peak is not a whole number"),
        ({"peak": 1.0}, "peak is not a whole number"),
        ({"peak": 1}, "greater than the peak"),
        ({"times": [0, 1]}, "2 times for 3 values"),
        ({"values": [0, 1, None]}, r"values\[2\]"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(change: dict[str, Json], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        profiler().profile({**RECORD, **change})
