"""An instrument that takes the definition literally: a walk of the table at every line, in a forked child.

The child may be disturbed, the program is not. Slow (1-2 ms a line), and for tests only. `measure` returns R, the
bytes of live blocks whose newest frame is the solution's, at every line.
"""

from __future__ import annotations

import _tracemalloc
import ctypes
import gc
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Protocol

FORK = ctypes.PyDLL(None).fork
COUNT, FOUND, SAMPLES = 0, 1, 2
REHEARSAL = """
from io import BytesIO, TextIOWrapper
kept = [[i] for i in range(300)]
for item in kept[:9]:
    item.append(1)
print(1, file=TextIOWrapper(BytesIO(), "utf-8"), flush=True)
"""


class Runs(Protocol):
    def run(self) -> None: ...


def prepare(settings: Mapping[str, int]) -> None:
    code = compile(REHEARSAL, "<contestant>", "exec")
    _follow(lambda: exec(code, {}))


def measure(program: Runs, settings: Mapping[str, int]) -> dict[str, list[int]]:
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(100)
    return {"samples": _follow(program.run)}


def _follow(run: Callable[[], None]) -> list[int]:
    words = memoryview(mmap.mmap(-1, 1 << 20)).cast("q")
    spare: list[None] | None = []

    def walk() -> None:
        nonlocal spare
        words[FOUND] = -1
        if not FORK():
            spare = None  # the walk takes a list from the free list before it copies the table: this one
            words[FOUND] = sum(trace[1] for trace in _tracemalloc._get_traces() if trace[2][0][0] == "<contestant>")
            os._exit(0)
        while words[FOUND] < 0:
            time.sleep(0.0001)

    def on_event(frame: FrameType, event: str, arg: object) -> object:
        if event == "line":
            if words[COUNT] == 0:
                gc.collect()
            walk()
            words[SAMPLES + words[COUNT]] = words[FOUND]
            words[COUNT] += 1
        return on_event

    def on_call(frame: FrameType, event: str, arg: object) -> object:
        return on_event if frame.f_code.co_filename == "<contestant>" else None

    gc.collect()
    _tracemalloc.start(1)
    threading.settrace(on_call)  # type: ignore[arg-type]
    sys.settrace(on_call)  # type: ignore[arg-type]
    run()
    sys.settrace(None)
    _tracemalloc.stop()
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass
    return words[SAMPLES : SAMPLES + words[COUNT]].tolist()
