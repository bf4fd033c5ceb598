from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Call, Json, MemoryProfile, Outcome, Sandbox
from evalfw.sandbox.levels import attempt, best
from evalfw_profilers.memray import Memray, MemrayOptions
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine
from tests.evalfw_profilers.sandboxed import execute, profiled

PROFILER = Memray(MemrayOptions())
NATIVE = Memray(MemrayOptions(python_allocators=False))
RECORD: dict[str, Json] = {"runs": [0, 2, 3, 1, 1, 4], "end": 2}
MIB = 1 << 20
MAPPED = "import mmap\nm = mmap.mmap(-1, 5 << 20)\nm.close()\nprint(1)\n"
LISTS = "rows = []\nfor i in range(3000):\n    rows.append([i] * 10)\nprint(len(rows))\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.mark.parametrize("options", [{"quantum": 0}, {"python_allocators": 1}, {"native": True}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        MemrayOptions.model_validate(options)


def test_a_record_becomes_a_profile() -> None:
    profile = Memray(MemrayOptions(quantum=100)).profile(RECORD)
    assert profile == MemoryProfile(((0, 2), (300, 1), (400, 4)), end_bytes=200)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": []}, "at least one sample"),
        ({"runs": None}, "pairs of integers"),
        ({"runs": [0, True]}, "pairs of integers"),
        ({"runs": [0, 1, 0, 1]}, "rise"),
        ({"runs": [-1, 1]}, "rise"),
        ({"end": -1}, "end"),
        ({"more": 1}, "not a record"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PROFILER.profile({**RECORD, **change})


@pytest.mark.parametrize("profiler", [PROFILER, NATIVE], ids=["python", "native"])
def test_what_python_does_not_allocate_is_seen(sandbox: Sandbox, profiler: Memray) -> None:
    profile = profiled(sandbox, profiler, MAPPED)
    assert 5 * MIB <= profile.peak_bytes < 5.2 * MIB
    assert profile.end_bytes < 0.2 * MIB
    assert profile.monotone
    assert profiled(sandbox, TracemallocLine(LineOptions()), MAPPED).peak_bytes < 0.2 * MIB


def test_objects_are_seen_one_by_one_or_as_arenas(sandbox: Sandbox) -> None:
    fine, coarse = (profiled(sandbox, profiler, LISTS) for profiler in (PROFILER, NATIVE))
    assert len(fine.runs) > 1000
    assert len(coarse.runs) < 100
    held = profiled(sandbox, TracemallocLine(LineOptions()), LISTS).peak_bytes
    assert held < fine.peak_bytes < held + 20_000


BY_HAND = """
import memray, sys
with memray.Tracker(destination=memray.FileDestination(sys.argv[1]), trace_python_allocators=True):
    rows = [bytearray(100_000 + i) for i in range(100)]
    del rows[10:]
    more = bytearray(500_000)
print(memray.FileReader(sys.argv[1]).metadata.peak_memory)
"""


def test_the_peak_is_that_of_memray(sandbox: Sandbox, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BY_HAND, str(tmp_path / "out.bin")], capture_output=True, text=True, check=True
    )
    code = "rows = [bytearray(100_000 + i) for i in range(100)]\ndel rows[10:]\nmore = bytearray(500_000)\n"
    profile = profiled(sandbox, PROFILER, code)
    assert abs(profile.peak_bytes - int(done.stdout)) < 2000
    assert abs(profile.end_bytes - (10 * 100_000 + 500_000)) < 5000


def test_a_function_is_profiled_alone(sandbox: Sandbox) -> None:
    code = "table = bytearray(3 << 20)\nclass Solution:\n    def f(self, n):\n        return len(bytearray(n))\n"
    assert MIB <= profiled(sandbox, PROFILER, code, Call((MIB,))).peak_bytes < 1.1 * MIB


def test_it_is_the_same_every_time(sandbox: Sandbox) -> None:
    assert len({profiled(sandbox, PROFILER, LISTS) for _ in range(5)}) == 1


FILL = """
for name in "abc":
    try:
        with open(name, "wb") as file:
            for _ in range(15):
                file.write(bytes(1 << 20))
    except OSError:
        pass
"""


def test_a_level_that_hides_what_memray_reads_is_named() -> None:
    if refusal := attempt("landlock+seccomp").refusal:
        pytest.skip(refusal)
    with Sandbox(level="landlock+seccomp") as sandbox:
        execution = execute(sandbox, PROFILER, LISTS)
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert "which this level of isolation does not show" in execution.reason


def test_an_incomplete_record_is_no_profile(sandbox: Sandbox) -> None:
    if best() != "namespaces":
        pytest.skip("only a private working directory has a bound that is soon reached")
    execution = execute(sandbox, PROFILER, FILL + 4 * LISTS)
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert "more allocations than could be written down" in execution.reason
