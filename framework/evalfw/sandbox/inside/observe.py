"""Looks at a child from outside while its measured part runs, as the `observe` of an instrument wants it.

The child says when that part begins and ends: it sets a mark, and waits for an answer before it goes on.
"""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import TypeAlias

SET, BEGIN, END = b".", b"(", b")"
"""The stage is set; the measured part begins; it has ended. A child that is not observed sets the first mark only."""

_ANSWER = b"!"

Observer: TypeAlias = Generator[float, bool, object]
"""Runs up to its first `yield` before the measured part begins. Yields after how many seconds it wants to go on at the
latest, and gets whether the measured part has ended; then it returns plain data."""


class Observation:
    """What is seen of one child.

    Args:
        marks: Where the child sets its marks.
        start: Makes the observer; None where nobody observes.
    """

    def __init__(self, marks: socket.socket, start: Callable[[], Observer] | None) -> None:
        self.marks = marks
        self.due = math.inf
        self.record: object = None
        self.fault: str | None = None
        self._start = start
        self._observer: Observer | None = None
        self._said = b""

    @property
    def set(self) -> bool:
        """Whether the child came as far as the solution."""
        return self._said.startswith(SET)

    def read(self) -> bool:
        """Take the marks that are there; False when there will be no more."""
        try:
            marks = self.marks.recv(64, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except ConnectionResetError:  # it ended before it read an answer
            return False
        for position in range(len(marks)):
            self._said = (self._said + marks[position : position + 1])[:8]
            if self._start is not None and self._said != SET:
                self._follow(self._start)
        return bool(marks)

    def look(self, ended: bool | None = False) -> None:
        """Let the observer go on; None is for its beginning."""
        if self._observer is None:
            return
        try:
            seconds = self._observer.send(ended)  # type: ignore[arg-type]
        except StopIteration as end:
            self.record = end.value
        except Exception as error:
            self.fault = f"the instrument failed: {type(error).__name__}: {error}"
        else:
            self.due = time.monotonic() + seconds
            return
        self.due, self._observer = math.inf, None

    def _follow(self, start: Callable[[], Observer]) -> None:
        if self._said == SET + BEGIN:
            self._observer = start()
            self.look(None)
        elif self._said == SET + BEGIN + END:
            self.look(True)
        else:
            self.fault = "the marks of the measured part were disturbed"
        with suppress(OSError):  # it has ended
            self.marks.send(_ANSWER)
