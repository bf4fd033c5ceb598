"""The program as an instrument sees it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

FILENAME = "<contestant>"
"""The file name every solution is compiled with (paper A, algorithm A)."""


class Program:
    """One solution with one input, ready to run once.

    An instrument is a file with `measure(program, settings)`, called in a process of its own that nothing has
    been run in before; it returns plain data (None, numbers, text, lists, dicts with text keys). Or with
    `observe(processes, settings)`, an `observe.Observer` in the process that watches; or with both. It may also
    have `prepare(settings)`, called once before any solution is near, for what is slow or must not be seen to
    happen, and `launch(settings)`, the command that Python is started under. What it raises is no measurement,
    and becomes an `instrumentation_error` with its text.

    Args:
        code: The compiled module; `code.co_filename` of all its code is `FILENAME`.
        body: The measured part.
    """

    def __init__(self, code: CodeType, body: Callable[[], None]) -> None:
        self.code = code
        self._body = body
        self.ending: BaseException | None = None

    def run(self) -> None:
        """Run the measured part: the whole module of a program, the call alone of a function.

        Returns however the solution ends; what it raised is in `ending`.
        """
        try:
            self._body()
        except BaseException as ending:  # the solution may raise anything, SystemExit and KeyboardInterrupt included
            self.ending = ending
