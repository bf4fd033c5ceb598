"""What line profiling costs, and what its cost would be by walking the table of traces at every line.

Run as `python benchmarks/line_profiler.py`. Prints CPU nanoseconds per executed line of a program and ratios to the
untraced run. Each figure is the median of forked processes, interleaved, so that a busy machine slows all alike.
"""

from __future__ import annotations

import gc
import os
import statistics
import struct
import sys
import time
import tracemalloc
from collections.abc import Callable
from types import CodeType, FrameType

from evalfw import Program
from evalfw_profilers import tracemalloc_line_instrument as instrument

ROUNDS = 3
SETTINGS = {"stride": 1, "quantum": 64}

PROGRAMS = {
    "no allocation": """
for i in range({n}):
    x = 1
    y = x
""",
    "transient ints": """
x = 10**6
for i in range({n}):
    y = x + i
    z = y - 1
""",
    "kept lists": """
out = []
for i in range({n}):
    out.append([i])
""",
    "two sum": """
seen = {{}}
for i in range({n}):
    v = i * 7919 % 1000003
    if v in seen:
        break
    seen[v] = i
""",
    "table": """
row = [0] * 1000
for i in range({n}):
    row[i % 1000] = max(row[i % 999], row[i % 998] + 1)
""",
    "recursion": """
def f(n):
    return 1 + f(n - 1) if n else 0

for i in range({n} // 100):
    f(100)
""",
    "cached calls": """
from functools import lru_cache

@lru_cache(None)
def f(n):
    return n

for i in range({n}):
    f(i)
""",
}
LINES = 50_000
LINES_FOR_SNAPSHOTS = 100


def untraced(code: CodeType) -> None:
    """The program alone."""
    exec(code, {"__name__": "__main__"})


def traced(code: CodeType) -> None:
    """Under tracemalloc, without a line profiler: what any tool built on it costs."""
    tracemalloc.start(1)
    exec(code, {"__name__": "__main__"})


def line_profiler(code: CodeType) -> None:
    """Under the instrument."""
    space = {"__name__": "__main__"}
    record = instrument.measure(Program(code, lambda: exec(code, space)), SETTINGS)
    assert "runs" in record, record


def snapshots(code: CodeType) -> None:
    """The definition taken literally; disturbs what it measures."""
    only = tracemalloc.Filter(True, instrument.SOLUTION)
    series = []

    def on_event(frame: FrameType, event: str, arg: object) -> object:
        if frame.f_code.co_filename != instrument.SOLUTION:
            return None
        if event == "line":
            traces = tracemalloc.take_snapshot().filter_traces([only]).traces
            series.append(sum(trace.size for trace in traces))
        return on_event

    tracemalloc.start(1)
    sys.settrace(on_event)  # type: ignore[arg-type]
    exec(code, {"__name__": "__main__"})
    sys.settrace(None)


def count_lines(code: CodeType) -> int:
    """Number of `line` events."""
    lines = 0

    def on_event(frame: FrameType, event: str, arg: object) -> object:
        nonlocal lines
        if frame.f_code.co_filename != instrument.SOLUTION:
            return None
        lines += event == "line"
        return on_event

    sys.settrace(on_event)  # type: ignore[arg-type]
    exec(code, {"__name__": "__main__"})
    sys.settrace(None)
    return lines


def cpu_seconds(run: Callable[[CodeType], None], code: CodeType) -> float:
    """CPU time of `run` in a process of its own."""
    out, result = os.pipe()
    if os.fork() == 0:
        gc.collect()
        start = time.process_time()
        run(code)
        os.write(result, struct.pack("d", time.process_time() - start))
        os._exit(0)
    os.close(result)
    with open(out, "rb") as stream:
        data = stream.read()
    os.wait()
    return float(struct.unpack("d", data)[0])


def medians(runs: list[Callable[[CodeType], None]], code: CodeType) -> list[float]:
    """Median CPU time of each way to run a program."""
    times = [[cpu_seconds(run, code) for run in runs] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def main() -> None:
    """Print the table."""
    instrument.prepare(SETTINGS)
    print("CPU ns per line, and times the untraced run")
    print(f"{'program':16}{'lines':>8}{'untraced':>10}{'tracemalloc':>20}{'line profiler':>20}{'snapshots':>22}")
    for name, source in PROGRAMS.items():
        code = compile(source.format(n=LINES), instrument.SOLUTION, "exec")
        lines = count_lines(code)
        plain, floor, ours = medians([untraced, traced, line_profiler], code)
        small = compile(source.format(n=LINES_FOR_SNAPSHOTS), instrument.SOLUTION, "exec")
        small_lines = count_lines(small)
        small_plain, literal = medians([untraced, snapshots], small)
        cells = [f"{1e9 * plain / lines:10.0f}"]
        cells += [f"{1e9 * seconds / lines:11.0f} x{seconds / plain:7.1f}" for seconds in (floor, ours)]
        cells.append(f"{1e9 * literal / small_lines:11.0f} x{literal / small_plain:9.0f}")
        print(f"{name:16}{lines:8}" + " ".join(cells))


if __name__ == "__main__":
    main()
