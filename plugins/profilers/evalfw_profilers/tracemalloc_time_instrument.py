"""Samples, by the clock, the bytes that tracemalloc traces while a solution runs.

A thread does it. For every sample it has to get the lock of the interpreter, which the thread of the solution gives up
at the end of its switch interval; so that is made short. No thread can sample while a C function or the garbage
collector keeps the lock: what was really achieved is in the times.

Notes go into mapped memory, which tracemalloc does not see. The numbers that the sampler itself holds are the same at
every sample, the first one included, and so are not in the differences.
"""

from __future__ import annotations

import gc
import sys
from _thread import allocate_lock, start_new_thread
from _tracemalloc import _get_object_traceback, get_traced_memory, is_tracing, reset_peak
from _tracemalloc import start as start_tracing
from _tracemalloc import stop as stop_tracing
from mmap import mmap
from os import _exit, getpid
from sys import getswitchinterval
from time import monotonic_ns
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Mapping

    from evalfw import Program

CAPACITY = 1 << 21
"""Samples of one run."""

_LONGEST_SWITCH = 1e-4


def measure(program: Program, settings: Mapping[str, float]) -> dict[str, str | int | list[int]]:
    """Times in nanoseconds, bytes at these times, and the greatest number of bytes at any time.

    Or `{"tampered": reason}` where the solution disturbed the measurement.
    """
    sampler = _Sampler(round(settings["interval"] * 1e9))
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(min(settings["interval"] / 10, _LONGEST_SWITCH))
    switch, owner = getswitchinterval(), getpid()
    start_tracing(1)
    witness = bytearray(1000)  # traced as long as nobody touches tracemalloc
    start_new_thread(sampler.run, ())
    sampler.begun.acquire()
    program.run()
    if getpid() != owner:  # a copy of the process that the solution made has nothing to report
        _exit(0)
    sampler.end.release()
    sampler.ended.acquire()
    if not is_tracing() or _get_object_traceback(witness) is None:
        return {"tampered": "tracemalloc was stopped, restarted or cleared"}
    stop_tracing()
    if getswitchinterval() != switch:
        return {"tampered": "the switch interval of threads was changed"}
    if sampler.count == CAPACITY:
        return {"tampered": f"{CAPACITY} samples were not enough; a larger interval is needed"}
    taken = slice(sampler.count)
    return {"times": sampler.times[taken].tolist(), "values": sampler.values[taken].tolist(), "peak": sampler.peak}


class _Sampler:
    """The thread and its notes."""

    def __init__(self, interval: int) -> None:
        self.interval = interval
        self.times = memoryview(mmap(-1, 8 * CAPACITY)).cast("q")
        self.values = memoryview(mmap(-1, 8 * CAPACITY)).cast("q")
        self.count = 0
        self.peak = 0
        self.begun, self.end, self.ended = _taken_lock(), _taken_lock(), _taken_lock()

    def run(self) -> None:
        """Sample until `end` is released, once more then, and release `ended`."""
        reset_peak()
        start = monotonic_ns()
        passed, over = 0, False
        try:
            while self.count < CAPACITY:
                self.values[self.count] = get_traced_memory()[0]
                self.times[self.count] = passed
                self.count += 1
                if over:
                    self.peak = get_traced_memory()[1]
                    return
                if passed == 0:
                    self.begun.release()
                left = start + (passed // self.interval + 1) * self.interval - monotonic_ns()
                over = self.end.acquire(True, left / 1e9) if left > 0 else self.end.acquire(False)
                passed = max(1, monotonic_ns() - start)
            self.end.acquire()
        finally:
            self.ended.release()


def _taken_lock() -> LockType:
    lock = allocate_lock()
    lock.acquire()
    return lock
