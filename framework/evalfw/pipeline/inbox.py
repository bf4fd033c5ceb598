"""What other threads have for the main one, which alone writes to the store and tells what happens."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn, TypeAlias

Task: TypeAlias = Callable[[], None]


class Inbox:
    """Tasks for the main thread, done in the order in which they come."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task] = SimpleQueue()  # a signal handler may put into it, whatever goes on

    def post(self, task: Task) -> None:
        """Have something done by the main thread."""
        self._tasks.put(task)

    def serve(self, busy: Callable[[], bool]) -> None:
        """Do what is posted, as long as there is anything to wait for.

        Raises:
            KeyboardInterrupt: On Ctrl-C, when all that had come before it is done.
        """
        with self._interrupts_in_turn():
            while busy():
                self._tasks.get()()
            self.clear()

    def clear(self) -> None:
        """Do what is left."""
        while True:
            try:
                task = self._tasks.get_nowait()
            except Empty:
                return
            task()

    @contextmanager
    def _interrupts_in_turn(self) -> Iterator[None]:
        """Make Ctrl-C wait for its turn, so that it never comes between an arrival and its storage.

        A second one does not wait.
        """
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
            yield
            return

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            signal.signal(signal.SIGINT, before)
            self.post(_interrupt)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def _interrupt() -> NoReturn:
    raise KeyboardInterrupt
