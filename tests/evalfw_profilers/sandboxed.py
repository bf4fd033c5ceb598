"""Runs programs under a profiler in the real sandbox."""

from __future__ import annotations

from typing import Any

from evalfw import Call, Execution, Instrument, Job, Limits, Method, Profiler, Sandbox, Stdin

LIMITS = Limits(time_seconds=60.0, memory_bytes=2 << 30)


def execute(sandbox: Sandbox, profiler: Profiler[Any], code: str, given: str | Call = "") -> Execution:
    """One program; a call is of the method `f` of `Solution`."""
    instrument = Instrument(profiler.instrument_path(), profiler.settings(), profiler.packages)
    style = Method("f") if isinstance(given, Call) else Stdin()
    return sandbox.run(Job(code, style, given, LIMITS, instrument))


def profiled(sandbox: Sandbox, profiler: Profiler[Any], code: str, given: str | Call = "") -> Any:  # noqa: ANN401
    """The profile of a program that ends in good order."""
    execution = execute(sandbox, profiler, code, given)
    assert execution.outcome is None, execution.reason
    assert execution.record is not None
    return profiler.profile(execution.record)
