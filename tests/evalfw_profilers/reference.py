"""An instrument that takes the definition literally: a walk of the table at every line, in a forked child.

The child may be disturbed, the program is not. Slow (1-2 ms a line), and for tests only. `measure` returns three
series, with one entry a line: `newest`, the bytes of live blocks whose newest frame is the solution's; `inclusive`,
those of all live blocks; `frames`, those of the objects of the solution's running frames.
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
COUNT, FRAMES, FOUND, TOTAL, SAMPLES = 0, 1, 2, 3, 4
GC_HEADER = 16
SERIES = ("newest", "inclusive", "frames")
# Runs what the rehearsal of the instrument runs of the library, whose code takes more memory after it.
REHEARSAL = """
from io import BytesIO, TextIOWrapper
from posixpath import join
from threading import Thread
join("a", "b")
thread = Thread(target=len, args=("",))
thread.start()
thread.join()
kept = [[i] for i in range(300)]
for item in kept[:9]:
    item.append(1)
print(1, file=TextIOWrapper(BytesIO(), "utf-8"), flush=True)
"""


class Runs(Protocol):
    def run(self) -> None: ...


def prepare(settings: Mapping[str, object]) -> None:
    code = compile(REHEARSAL, "<contestant>", "exec")
    _follow(lambda: exec(code, {}))


def measure(program: Runs, settings: Mapping[str, object]) -> dict[str, list[int]]:
    gc.collect()
    gc.freeze()
    return _follow(program.run)


def _follow(run: Callable[[], None]) -> dict[str, list[int]]:
    words = memoryview(mmap.mmap(-1, 1 << 20)).cast("q")
    spare: list[None] | None = []

    def walk() -> None:
        nonlocal spare
        words[FOUND] = -1
        if not FORK():
            spare = None  # the walk takes a list from the free list before it copies the table: this one
            traces = _tracemalloc._get_traces()
            words[TOTAL] = sum(trace[1] for trace in traces)
            words[FOUND] = sum(trace[1] for trace in traces if trace[2][0][0] == "<contestant>")
            os._exit(0)
        while words[FOUND] < 0:
            time.sleep(0.0001)

    def on_event(frame: FrameType, event: str, arg: object) -> object:
        if event == "line":
            if words[COUNT] == 0:
                gc.collect()
            walk()
            words[SAMPLES + 3 * words[COUNT]] = words[FOUND]
            words[SAMPLES + 3 * words[COUNT] + 1] = words[TOTAL]
            words[SAMPLES + 3 * words[COUNT] + 2] = words[FRAMES]
            words[COUNT] += 1
        elif event == "return":
            words[FRAMES] -= frame.__sizeof__() + GC_HEADER
        return on_event

    def on_call(frame: FrameType, event: str, arg: object) -> object:
        if frame.f_code.co_filename != "<contestant>":
            return None
        words[FRAMES] += frame.__sizeof__() + GC_HEADER
        return on_event

    sys.setswitchinterval(100)
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
    found = words[SAMPLES : SAMPLES + 3 * words[COUNT]].tolist()
    return {name: found[i::3] for i, name in enumerate(SERIES)}
