"""Tells, after every executed line of a solution, the CPU time that its threads have used up.

The clock of CPU time is slow to read: a system call, which takes longer than most lines. So the clock of real time is
read, when the trace function begins and when it ends, and what happens between is not counted. Only where a line or
the trace function took long, the CPU time of the thread is asked for, and what the thread waited is taken off.

What is left of tracing is the way into the trace function and out of it. That is measured beforehand: the time of a
loop under the trace function, so counted, less its time without one, for each event; and taken off at each event.
"""

from __future__ import annotations

import gc
import sys
import threading
from _thread import get_ident
from sys import gettrace, settrace
from time import perf_counter_ns, thread_time_ns
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

    from _typeshed import TraceFunction

    from evalfw import Program

    Record: TypeAlias = dict[str, int | str | list[int]]

# Functions are kept under names of our own, so that a solution cannot replace them under our feet.
_trace_threads, _threads_traced = threading.settrace, threading.gettrace

SOLUTION = "<contestant>"
_LONG_NS = 20_000
_TRIALS = 7
_LOOP = """
for i in range(2000):
    pass
"""
_EVENTS = 4_000

_LEFT, _REAL, _CPU = range(3)
"""Of a thread: real time when its last event was left; real and CPU time when these two were last compared."""


def measure(program: Program, settings: Mapping[str, int]) -> Record:
    """The profile of one run, or `{"tampered": reason}` where the solution disturbed the measurement.

    In a profile, `runs` is flat: rise in quanta, then number of lines, for each run of equal values.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(100)  # threads take turns where they wait, not where the clock says
    overhead = _overhead()
    ticks, reason = _follow(program.run, overhead)
    if reason:
        return {"tampered": reason}
    return {"runs": _runs(ticks, settings["quantum_ns"]), "overhead_ns": overhead}


def _overhead() -> int:
    """What tracing adds to the time that is counted, in nanoseconds an event."""
    code = compile(_LOOP, SOLUTION, "exec")
    traced, plain = [], []
    for _ in range(_TRIALS):
        traced.append(_follow(lambda: exec(code, {}), 0)[0][-1])
        start = perf_counter_ns()
        exec(code, {})
        plain.append(perf_counter_ns() - start)
    return max(0, min(traced) - min(plain)) // _EVENTS


def _follow(run: Callable[[], None], overhead: int) -> tuple[list[int], str]:
    """Run something under the trace function.

    Returns:
        CPU time in nanoseconds since the first line, at the end of each line; and how the solution disturbed the
        measurement, empty if it did not.
    """
    ticks: list[int] = []
    threads: dict[int, list[int]] = {}
    begun = False
    spent = 0  # falls where an event cost less than `overhead`: on average that evens out

    def trace(frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        nonlocal begun, spent
        now = perf_counter_ns()
        thread = threads.get(get_ident())
        if thread is None:
            threads[get_ident()] = thread = [now, now, thread_time_ns()]
        elif begun:
            passed = now - thread[_LEFT]
            spent += (passed if passed < _LONG_NS else _used(thread, now)) - overhead
        ours = frame.f_code.co_filename == SOLUTION
        if ours and event == "line":
            if begun:
                ticks.append(spent)
            begun = True
        end = perf_counter_ns()
        if end - now > _LONG_NS:
            thread[_REAL], thread[_CPU] = end, thread_time_ns()
        thread[_LEFT] = end
        return trace if ours else None

    _trace_threads(trace)
    settrace(trace)
    run()
    end = perf_counter_ns()
    kept = gettrace() is trace and _threads_traced() is trace
    settrace(None)
    _trace_threads(None)
    if not kept:
        return [0], "the trace function was removed or replaced"
    if not begun:
        return [0], "no line of the solution was executed"
    if threading.active_count() > 1:
        return [0], "the solution left threads running"
    ticks.append(spent + _used(threads[get_ident()], end) - overhead)
    return ticks, ""


def _used(thread: list[int], now: int) -> int:
    """CPU time of a thread since its last event: the real time, less what the thread has waited meanwhile."""
    cpu = thread_time_ns()
    waited = (now - thread[_REAL]) - (cpu - thread[_CPU])
    thread[_REAL], thread[_CPU] = now, cpu
    passed = now - thread[_LEFT]
    return passed - min(max(waited, 0), passed)


def _runs(ticks: list[int], quantum: int) -> list[int]:
    """The cumulative maximum in quanta, as runs."""
    runs: list[int] = []
    level = -1
    for value in ticks:
        quanta = max((value + quantum // 2) // quantum, level, 0)
        if quanta == level:
            runs[-1] += 1
        else:
            runs += (quanta - max(level, 0), 1)
            level = quanta
    return runs
