"""Workers: threads that each have a sandbox of their own.

A thread is enough, since the work is done by the processes of its sandbox; the thread only attends to them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Self, TypeVar

from evalfw.domain.isolation import Level
from evalfw.sandbox.process import Sandbox

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

_AHEAD = 4
"""Tasks kept waiting per worker: enough to keep it busy, few enough to hold little in memory."""


class Workers:
    """A pool of sandboxes.

    Args:
        count: How many jobs run at the same time.
        site_packages: See `Sandbox`.
        level: Level of isolation; None for the best that works here.
    """

    def __init__(self, count: int, site_packages: bool, level: Level | None = None) -> None:
        self._count = count
        self._level = level
        self._site_packages = site_packages
        self._local = threading.local()
        self._sandboxes: list[Sandbox] = []
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="evalfw-worker")

    def __enter__(self) -> Self:
        """Nothing is started before the first task."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop at once: what is running is killed, and its result is not delivered."""
        for sandbox in self._sandboxes:
            sandbox.stop()
        self._pool.shutdown(cancel_futures=True)
        for sandbox in self._sandboxes:
            sandbox.close()

    def map(self, work: Callable[[Sandbox, TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        """Do tasks side by side; results come as they are ready.

        Args:
            work: Called in a worker with its sandbox and a task.
            tasks: Taken as they are needed.
        """
        waiting = iter(tasks)
        running: set[Future[ResultT]] = {self.submit(work, task) for task in islice(waiting, self._count * _AHEAD)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {self.submit(work, task) for task in islice(waiting, len(done))}
            for future in done:
                yield future.result()

    def alone(self, work: Callable[[Sandbox, TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        """Do tasks one after the other, in order, with nothing else of this run at work.

        A task begins when whoever took the result of the one before asks for the next. Programs run on one processor,
        the last that this process may use; this process and the fork server keep to the others, if there are any.

        Args:
            work: Called in this thread with a sandbox and a task.
            tasks: Taken as they are needed; not while those of `map` are under way.
        """
        cpu = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        sandbox = Sandbox(self._site_packages, level=self._level, cpu=cpu)
        self._sandboxes.append(sandbox)
        with _off(cpu):
            for task in tasks:
                yield work(sandbox, task)

    def submit(self, work: Callable[[Sandbox, TaskT], ResultT], task: TaskT) -> Future[ResultT]:
        """Do a task when its turn comes: `work` is called in a worker with its sandbox."""
        return self._pool.submit(lambda: work(self._sandbox(), task))

    def _sandbox(self) -> Sandbox:
        if not hasattr(self._local, "sandbox"):
            self._local.sandbox = Sandbox(self._site_packages, level=self._level)
            self._sandboxes.append(self._local.sandbox)
        sandbox: Sandbox = self._local.sandbox
        return sandbox


@contextmanager
def _off(cpu: int | None) -> Iterator[None]:
    """Keep all threads of this process off a processor, if it has another."""
    if cpu is None or not (others := os.sched_getaffinity(0) - {cpu}):
        yield
        return
    _move(others)
    try:
        yield
    finally:
        _move(others | {cpu})


def _move(cpus: set[int]) -> None:
    for thread in os.listdir("/proc/self/task"):
        with suppress(ProcessLookupError):  # it has just ended
            os.sched_setaffinity(int(thread), cpus)
