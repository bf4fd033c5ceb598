"""One execution: what is asked for, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evalfw.domain.answer import Outcome
from evalfw.domain.problem import Call, Json, Limits, RunStyle


@dataclass(frozen=True, slots=True)
class Instrument:
    """A measuring instrument to be loaded into the sandbox.

    Args:
        path: File with `measure(program, settings)` or `observe(processes, settings)`, see `evalfw.Program`.
        settings: Plain data that they are given.
        packages: Distributions that it imports while it is prepared. Solutions do not see their files.
    """

    path: Path
    settings: Mapping[str, Json] = field(default_factory=dict)
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One program with one input, to be run once under limits. No solution's job holds an expected output."""

    code: str
    style: RunStyle
    input: str | Call
    limits: Limits
    instrument: Instrument | None = None
    recursion_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """How one job ended.

    Args:
        outcome: None if it ended by itself in good order, so that its output is to be compared; otherwise
            what stopped it.
        reason: A short text about the outcome.
        stdout: What it printed, up to the limit.
        stderr: The head of what it printed there, for people.
        value: The result of a function, as plain data; None for a program. Where the method's `result_from` is `all`,
            in the form of `evalfw.sandbox.inside.nodes.encode`, for a checker that runs in the sandbox.
        record: What the instrument returned, with what it observed under `observed`; None without one.
        cpu_seconds: User and system time of the process.
        wall_seconds: From the start of the process to its end.
        peak_bytes: Peak resident memory.
    """

    outcome: Outcome | None
    reason: str = ""
    stdout: bytes = b""
    stderr: bytes = b""
    value: Json = None
    record: Mapping[str, Json] | None = None
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0
