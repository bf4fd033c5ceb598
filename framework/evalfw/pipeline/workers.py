"""Workers: threads that each have a sandbox of their own.

A thread is enough, since the work is done by the processes of its sandbox; the thread only attends to them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
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

    def map(
        self, work: Callable[[Sandbox, TaskT], ResultT], tasks: Iterable[TaskT], at_once: int | None = None
    ) -> Iterator[ResultT]:
        """Do tasks side by side; results come as they are ready.

        Args:
            work: Called in a worker with its sandbox and a task.
            tasks: Taken as they are needed.
            at_once: Fewer tasks at the same time than there are workers.
        """
        ahead = at_once or self._count * _AHEAD
        waiting = iter(tasks)
        running: set[Future[ResultT]] = {self._submit(work, task) for task in islice(waiting, ahead)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {self._submit(work, task) for task in islice(waiting, len(done))}
            for future in done:
                yield future.result()

    def _submit(self, work: Callable[[Sandbox, TaskT], ResultT], task: TaskT) -> Future[ResultT]:
        return self._pool.submit(lambda: work(self._sandbox(), task))

    def _sandbox(self) -> Sandbox:
        if not hasattr(self._local, "sandbox"):
            self._local.sandbox = Sandbox(self._site_packages, level=self._level)
            self._sandboxes.append(self._local.sandbox)
        sandbox: Sandbox = self._local.sandbox
        return sandbox
