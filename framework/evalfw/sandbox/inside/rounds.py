"""Runs one program again and again, every time as if it were the first."""

from __future__ import annotations

import atexit
import contextlib
import marshal
import os
import random
import sys
import threading
from collections.abc import Callable

from . import plain

_MARSHAL = 0  # the one version in which equal values give equal bytes


class Rounds:
    """What is made anew for each round, and what is compared after it.

    The output of a program goes to a file, whose content is handed on at the end; that of a function goes nowhere. What
    a round leaves in files of its own, or in modules of the standard library, stays.

    Args:
        make: Makes the measured part: a new module, new arguments.
        streams: Makes the standard streams on the descriptors.
        result: Where the result of a function is found; None for a program.
        encode: Makes data of a result, for one that is not plain.
    """

    def __init__(
        self,
        make: Callable[[], Callable[[], None]],
        streams: Callable[[], None],
        result: list[object] | None,
        encode: Callable[[object], object],
    ) -> None:
        self._make, self._streams, self._result, self._encode = make, streams, result, encode
        self._first: tuple[object, ...] | None = None
        flush()
        self._input, self._output = os.dup(0), os.dup(1)
        if result is None:
            path = f"{os.getcwd()}/.output"
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            os.unlink(path)
            atexit._clear()  # of modules of the instrument; from here on it holds those of the program alone
        else:
            self._file = os.open(os.devnull, os.O_RDWR)
        os.dup2(self._file, 1)
        streams()

    def renew(self) -> Callable[[], None]:
        """The measured part, anew; for a program on standard streams that were never used."""
        if self._result is None:
            os.dup2(self._input, 0)
            os.lseek(0, 0, os.SEEK_SET)
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.dup2(self._file, 1)
            self._streams()
        else:
            self._result.clear()
        random.seed(0)
        return self._make()

    def agrees(self, ending: BaseException | None) -> bool:
        """Whether a round ended like the first one, with the same output or the same result."""
        status = (type(ending), str(ending.code)) if isinstance(ending, SystemExit) else (type(ending), "")
        found = (status, self._written() if self._result is None else [self._frozen(each) for each in self._result])
        if self._first is None:
            self._first = found
        return found == self._first

    def close(self) -> None:
        """Hand on the output of the last round."""
        output = memoryview(self._written())
        os.dup2(self._input, 0)
        os.dup2(self._output, 1)
        self._streams()
        while output:
            output = output[os.write(1, output) :]

    def _written(self) -> bytes:
        flush()
        return os.pread(self._file, os.fstat(self._file).st_size, 0)

    def _frozen(self, value: object) -> object:
        """A result in a form that is compared without any code of the solution's."""
        try:
            return marshal.dumps(value, _MARSHAL)  # type: ignore[arg-type]
        except ValueError:
            try:
                return self._encode(value)
            except plain.NotPlain as error:
                return str(error)


def flush() -> None:
    """Write what standard output and standard error hold, as far as that is possible."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed or replaced, or whoever reads is gone
            stream.flush()


def whole(body: Callable[[], None]) -> None:
    """Run a program from its first line to the end of its process: threads joined, exit handlers run, all written."""
    try:
        body()
    finally:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        atexit._run_exitfuncs()
        flush()


def copier(value: object) -> Callable[[], object]:
    """Makes copies of plain data, faster than `copy.deepcopy`."""
    data = marshal.dumps(value)  # type: ignore[arg-type]
    return lambda: marshal.loads(data)
