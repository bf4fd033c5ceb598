"""Runs programs under a profiler in the sandbox."""

from __future__ import annotations

from typing import Any

from evalfw import Call, Execution, Instrument, Job, Limits, Method, Profile, Profiler, Sandbox, Stdin

AMPLE = Limits(time_seconds=60.0, memory_bytes=1 << 30)


def execute(sandbox: Sandbox, profiler: Profiler[Any], code: str, given: str | Call = "") -> Execution:
    """One execution of a program, or of the function `f` where it is called."""
    instrument = Instrument(profiler.instrument_path(), profiler.settings())
    style = Method("f", None) if isinstance(given, Call) else Stdin()
    return sandbox.run(Job(code, style, given, AMPLE, instrument))


def profile_of(sandbox: Sandbox, profiler: Profiler[Any], code: str, given: str | Call = "") -> Profile:
    """The profile of one execution, which has to end in good order."""
    execution = execute(sandbox, profiler, code, given)
    assert execution.outcome is None, execution.reason
    return profiler.profile(execution.record or {})
