"""Runs programs under an instrument in a fresh interpreter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import evalfw
from evalfw import MemoryProfile, monotonic_peak
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

HERE = Path(__file__).parent
REFERENCE = HERE / "reference.py"
STDIN = Path(evalfw.__file__).with_name("sandbox") / "inside" / "stdin.py"
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
VERSIONS = ("3.11", "3.12", "3.13")


@cache
def interpreter(version: str) -> str | None:
    """The path of a Python of this version, if the machine has one."""
    if version == THIS:
        return sys.executable
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return str(installed[-1]) if installed else shutil.which(f"python{version}")


def run(
    programs: Iterable[tuple[str, str]],
    *,
    instrument: Path | None = None,
    version: str = THIS,
    stride: int = 1,
    quantum: int = 64,
    scope: str = "newest",
    frame_objects: str = "count",
    hide_counter: bool = False,
    **after_prepare: int,
) -> list[Any]:
    """What each program's process answered: `record` and `ending`, or None."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    order = {
        "instrument": str(instrument or TracemallocLine.instrument_path()),
        "stdin": str(STDIN),
        "settings": {"stride": stride, "quantum": quantum, "scope": scope, "frame_objects": frame_objects},
        "hide_counter": hide_counter,
        "after_prepare": after_prepare,
        "programs": list(programs),
    }
    done = subprocess.run(
        [python, "-S", "-s", str(HERE / "driver.py")],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def profiles(
    programs: Iterable[tuple[str, str]],
    *,
    stride: int = 1,
    quantum: int = 64,
    **how: Any,  # noqa: ANN401
) -> list[MemoryProfile]:
    """The profile of each program."""
    profiler = TracemallocLine(LineOptions(stride=stride, quantum=quantum))
    return [profiler.profile(answer["record"]) for answer in run(programs, stride=stride, quantum=quantum, **how)]


def profile(source: str, text: str = "", **how: Any) -> MemoryProfile:  # noqa: ANN401
    """The profile of one program."""
    return profiles([(source, text)], **how)[0]


@cache
def _walked(programs: tuple[tuple[str, str], ...], version: str) -> list[dict[str, list[int]]]:
    return [answer["record"] for answer in run(programs, instrument=REFERENCE, version=version)]


def reference(
    programs: tuple[tuple[str, str], ...], version: str, scope: str = "newest", frame_objects: str = "count"
) -> list[list[int]]:
    """The bytes that are meant, at every line of each program, by a walk at every line."""
    without = int(frame_objects == "subtract")
    return [
        [size - without * frames for size, frames in zip(record[scope], record["frames"], strict=True)]
        for record in _walked(programs, version)
    ]


def off(measured: MemoryProfile, series: list[int]) -> int:
    """How far a profile is from what a raw series comes to, where that is farthest."""
    right = monotonic_peak(series, 64).samples()
    return max(abs(a - b) for a, b in zip(measured.samples(), right, strict=True))


def peaks(series: list[int], stride: int = 1, quantum: int = 64) -> tuple[tuple[int, int], ...]:
    """The runs of the profile that a raw series comes to."""
    return monotonic_peak(series[::stride], quantum).runs
