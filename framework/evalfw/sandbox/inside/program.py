"""The program as an instrument sees it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

from .rounds import Rounds

FILENAME = "<contestant>"
"""The file name every solution is compiled with (paper A, algorithm A)."""


class Program:
    """One solution with one input, ready to run once, or in rounds.

    An instrument is a file with `measure(program, settings)`, called in a process of its own that nothing has
    been run in before; it returns plain data (None, numbers, text, lists, dicts with text keys). Or with
    `observe(processes, settings)`, an `observe.Observer` in the process that watches; or with both. It may also
    have `prepare(settings)`, called once before any solution is near, for what is slow or must not be seen to
    happen, and `launch(settings)`, the command that Python is started under. What it raises is no measurement,
    and becomes an `instrumentation_error` with its text.

    Args:
        code: The compiled module; `code.co_filename` of all its code is `FILENAME`.
        body: The measured part.
        repeat: Makes what running in rounds takes; None where there are to be none.
    """

    def __init__(self, code: CodeType, body: Callable[[], None], repeat: Callable[[], Rounds] | None = None) -> None:
        self.code = code
        self._body = body
        self._repeat = repeat
        self._rounds: Rounds | None = None
        self.ending: BaseException | None = None

    def run(self) -> None:
        """Run the measured part: the whole module of a program, the call alone of a function.

        Returns however the solution ends; what it raised is in `ending`.
        """
        try:
            self._body()
        except BaseException as ending:  # the solution may raise anything, SystemExit and KeyboardInterrupt included
            self.ending = ending

    def renew(self) -> None:
        """Make the next `run` a round like the first: with a new module, new arguments and new standard streams.

        For instruments that run a program many times; they call it before every round, the first included. A round of
        a program goes up to the end of its process: threads are joined, exit handlers run, output is written.
        """
        if self._rounds is None:
            assert self._repeat is not None  # the framework says how
            self._rounds = self._repeat()
        self._body = self._rounds.renew()
        self.ending = None

    def agrees(self) -> bool:
        """Whether the last round ended like the first one, with the same output and the same result.

        To be called after every round. What the rounds agree on is compared with what is expected, outside.
        """
        assert self._rounds is not None  # there was a round
        return self._rounds.agrees(self.ending)

    def close(self) -> None:
        """End the rounds, if there were any; for the framework."""
        if self._rounds is not None:
            self._rounds.close()
