"""What line profiling costs, against no tracing, against tracemalloc alone, and against a snapshot at every line.

Run as `python benchmarks/line_profiler.py`, on a machine that does nothing else. Prints CPU nanoseconds per executed
line. Each figure is the median of forked processes, interleaved, so that a busy machine slows all alike. Snapshots are
taken of a smaller run of the same program, since they take milliseconds each, and more the more memory there is.
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
SETTINGS = {"stride": 1, "quantum": 64, "scope": "newest", "frame_objects": "count"}

PROGRAMS = {
    "no allocation": """
for i in [0] * {n}:
    x = i
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
    "sieve": """
n = {n}
sieve = bytearray([1]) * (n + 1)
primes = []
for p in range(2, n):
    if sieve[p]:
        primes.append(p)
        sieve[p * p :: p] = bytes(len(range(p * p, n + 1, p)))
""",
    "breadth first": """
from collections import deque
graph = [[(i * 7 + 1) % {n}, (i * 3 + 2) % {n}] for i in range({n})]
dist = [-1] * {n}
dist[0] = 0
queue = deque([0])
while queue:
    u = queue.popleft()
    for v in graph[u]:
        if dist[v] < 0:
            dist[v] = dist[u] + 1
            queue.append(v)
""",
    "heap of tuples": """
import heapq
heap = []
for i in range({n}):
    heapq.heappush(heap, (i * 7919 % 1000003, i))
while heap:
    cost, i = heapq.heappop(heap)
""",
    "anagrams": """
groups = {{}}
for i in range({n}):
    word = str(i * 7919 % 10007)
    groups.setdefault("".join(sorted(word)), []).append(word)
""",
    "linked list": """
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next

head = None
for i in range({n} // 4):
    head = Node(i, head)
while head:
    head = head.next
""",
    "merge sort": """
def sort(a):
    if len(a) < 2:
        return a
    m = len(a) // 2
    left, right = sort(a[:m]), sort(a[m:])
    i = j = 0
    out = []
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]

sort([i * 7919 % 10007 for i in range({n} // 50)])
""",
    "recursion": """
def f(n):
    return 1 + f(n - 1) if n else 0

for i in range({n} // 100):
    f(100)
""",
    "deep recursion": """
import sys
sys.setrecursionlimit(10**6)
def f(n):
    return 1 + f(n - 1) if n else 0

f({n} // 10)
""",
    "cached calls": """
from functools import lru_cache

@lru_cache(None)
def f(n):
    return n

for i in range({n}):
    f(i)
""",
    "library calls": """
from posixpath import join

for i in range({n} // 10):
    join("a", "b")
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
        start = time.thread_time()
        run(code)
        os.write(result, struct.pack("d", time.thread_time() - start))
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
    ways = ("untraced", "tracemalloc", "profiler", "snapshots")
    ratios = ("/ untraced", "/ tracemalloc", "snapshots /")
    print("CPU ns per line, and ratios of the line profiler")
    print(f"{'program':16}{'lines':>8}" + "".join(f"{name:>14}" for name in (*ways, *ratios)))
    for name, source in PROGRAMS.items():
        code = compile(source.format(n=LINES), instrument.SOLUTION, "exec")
        lines = count_lines(code)
        plain, floor, ours = medians([untraced, traced, line_profiler], code)
        small = compile(source.format(n=LINES_FOR_SNAPSHOTS), instrument.SOLUTION, "exec")
        small_lines = count_lines(small)
        (literal,) = medians([snapshots], small)
        nanoseconds = [1e9 * seconds / lines for seconds in (plain, floor, ours)] + [1e9 * literal / small_lines]
        cells = [f"{value:14.0f}" for value in nanoseconds]
        cells += [f"{ours / plain:14.1f}", f"{ours / floor:14.2f}", f"{nanoseconds[3] / nanoseconds[2]:14.0f}"]
        print(f"{name:16}{lines:8}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
