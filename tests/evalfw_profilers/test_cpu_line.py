from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Call, CpuProfile, Json, Outcome, Sandbox
from evalfw_profilers.cpu_line import CpuLine, CpuOptions
from evalfw_profilers.cpu_line_instrument import _runs
from tests.evalfw_profilers.sandboxed import execute, profiled

PROFILER = CpuLine(CpuOptions())
RECORD: dict[str, Json] = {"runs": [0, 2, 3, 1, 1, 4], "overhead_ns": 100}
MS = 1_000_000


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.mark.parametrize("options", [{"quantum_ns": 0}, {"quantum_ns": "1us"}, {"quantum": 1}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CpuOptions.model_validate(options)


def test_a_record_becomes_a_profile() -> None:
    profile = CpuLine(CpuOptions(quantum_ns=10)).profile(RECORD)
    assert profile == CpuProfile(((0, 2), (30, 1), (40, 4)), 100)
    assert profile.facts() == {"steps": 7, "cpu_ns": 40, "overhead_ns": 100}


@given(st.lists(st.integers(-5, 10**6), min_size=1), st.integers(1, 5000))
def test_runs_are_the_cumulative_maximum_in_quanta(ticks: list[int], quantum: int) -> None:
    profile = CpuLine(CpuOptions(quantum_ns=quantum)).profile({**RECORD, "runs": list[Json](_runs(ticks, quantum))})
    highest = [max(0, *ticks[: end + 1]) for end in range(len(ticks))]
    assert list(profile.samples()) == [(value + quantum // 2) // quantum * quantum for value in highest]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": []}, "at least one sample"),
        ({"runs": None}, "pairs of integers"),
        ({"runs": [0]}, "pairs of integers"),
        ({"runs": [0, 1.0]}, "pairs of integers"),
        ({"runs": [-1, 1]}, "rise"),
        ({"runs": [0, 1, 0, 1]}, "rise"),
        ({"runs": [0, 0]}, "rise"),
        ({"overhead_ns": -1}, "overhead_ns"),
        ({"overhead_ns": 1.5}, "overhead_ns"),
        ({"more": 1}, "not a record"),
        ({"tampered": "gone"}, "gone"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PROFILER.profile({**RECORD, **change})


def test_a_step_is_an_executed_line(sandbox: Sandbox) -> None:
    profile = profiled(sandbox, PROFILER, "a = 1\nfor i in range(3):\n    a += i\nprint(a)\n")
    assert profile.length == 1 + 4 + 3 + 1
    assert profile.monotone


def test_time_belongs_to_the_line_that_takes_it(sandbox: Sandbox) -> None:
    code = "a = 1\nb = sum(range(3_000_000))\nc = 2\nprint(a + c)\n"
    profile = profiled(sandbox, PROFILER, code)
    first, second, *rest = profile.samples()
    assert len(rest) == 2
    assert first < MS
    assert second - first > 10 * MS
    assert second - first > 0.9 * profile.peak


def test_the_last_line_counts(sandbox: Sandbox) -> None:
    profile = profiled(sandbox, PROFILER, "a = 1\nprint(sum(range(3_000_000)))\n")
    assert profile.length == 2
    assert profile.peak > 10 * MS


def test_waiting_is_no_cpu_time(sandbox: Sandbox) -> None:
    profile = profiled(sandbox, PROFILER, "import time\ntime.sleep(.3)\nprint(1)\n")
    assert profile.peak < 100 * MS


def test_threads_count_and_waiting_for_them_does_not(sandbox: Sandbox) -> None:
    code = (
        "import threading\n"
        "def work():\n    sum(range(3_000_000))\n"
        "threads = [threading.Thread(target=work) for _ in range(3)]\n"
        "for thread in threads:\n    thread.start()\n"
        "for thread in threads:\n    thread.join()\n"
    )
    one = profiled(sandbox, PROFILER, "sum(range(3_000_000))\n").peak
    assert 1.2 * one < profiled(sandbox, PROFILER, code).peak < 9 * one


def test_a_function_is_profiled_from_its_first_line(sandbox: Sandbox) -> None:
    code = "table = sum(range(3_000_000))\nclass Solution:\n    def f(self, n):\n        m = n + 1\n        return m\n"
    profile = profiled(sandbox, PROFILER, code, Call((1,)))
    assert profile.length == 2
    assert profile.peak < 10 * MS


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys\nsys.settrace(None)\nprint(1)", "trace function"),
        ("import sys, threading\nthreading.settrace(print)\nprint(1)", "trace function"),
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(.2,)).start()\nprint(1)", "threads"),
    ],
)
def test_a_disturbed_measurement_is_none(sandbox: Sandbox, code: str, reason: str) -> None:
    execution = execute(sandbox, PROFILER, code)
    assert execution.record is not None
    with pytest.raises(ValueError, match=reason):
        PROFILER.profile(execution.record)


def test_a_function_without_lines_has_no_profile(sandbox: Sandbox) -> None:
    execution = execute(sandbox, PROFILER, "class Solution:\n    f = staticmethod(abs)\n", Call((-1,)))
    assert execution.record == {"tampered": "no line of the solution was executed"}


def test_a_program_that_fails_is_judged_by_that(sandbox: Sandbox) -> None:
    assert execute(sandbox, PROFILER, "1/0").outcome is Outcome.RUNTIME_ERROR
