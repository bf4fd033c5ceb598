"""Functions of program texts, applied in a process of its own: parsers may die of what models write.

Deep nesting overflows the C stack of tree-sitter, exhausts the memory of Python's own parser and takes minutes where
the work grows with the square of the text. So texts are parsed in a child, with bounds on length, memory and processor
time, and whatever happens there is an answer here. The child never executes a text. It has a fixed hash seed, since
CodeBLEU's data flows depend on the order of sets.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

MOST_CHARACTERS: Final = 100_000
"""Longer programs are not analysed."""

CPU_SECONDS: Final = 20
"""For one call."""

# What Python and its libraries need of the environment; keys of providers may be in it, and are no concern of a parser.
_INHERITED = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")

_CALLS_OF_ONE_CHILD = 500  # so that what libraries leak never adds up to the limit on memory


class Unmeasurable(ValueError):
    """A text has no value of this kind; says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function returned, as plain data, or why it did not."""

    value: Any
    reason: str | None = None


def apart(function: Callable[..., Any], *arguments: object) -> Answer:
    """Apply a function of a module to plain data, in a child; it never raises for what the data do there."""
    if any(isinstance(text, str) and len(text) > MOST_CHARACTERS for text in arguments):
        return Answer(None, f"more than {MOST_CHARACTERS} characters")
    order = json.dumps([function.__module__, function.__qualname__, arguments])
    global _child  # noqa: PLW0603
    if _child is None or _child.calls >= _CALLS_OF_ONE_CHILD:
        _child = _renewed(_child)
    answer = _child.ask(order)
    if answer is None and _child.calls > 1:  # what it died of may have been left by calls before
        _child = _renewed(_child)
        answer = _child.ask(order)
    if not _child.alive:
        _child = _renewed(_child)
    return answer or Answer(None, "the parser died of it")


def _renewed(child: _Child | None) -> _Child:
    if child is not None:
        child.close()
    return _Child()


class _Child:
    """A process that applies functions, one at a time."""

    def __init__(self) -> None:
        self.calls = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "evalfw_metrics.apart_child", str(CPU_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _INHERITED if name in os.environ} | {"PYTHONHASHSEED": "0"},
        )
        atexit.register(self.close)

    @property
    def alive(self) -> bool:
        """Whether it can be asked again."""
        return self._process.poll() is None

    def ask(self, order: str) -> Answer | None:
        """The answer; None where the process died of something that may have been there before."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self.calls += 1
        try:
            with suppress(BrokenPipeError):
                self._process.stdin.write(order.encode() + b"\n")
                self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BaseException:
            # Its answer, which nobody waits for any more, would be taken for the next one: renew it before.
            self._process.kill()
            self.calls = _CALLS_OF_ONE_CHILD
            raise
        if line.endswith(b"\n"):
            return Answer(*json.loads(line))
        if self._process.wait() == -signal.SIGPROF:
            return Answer(None, f"more than {CPU_SECONDS} s of processor time")
        return None

    def close(self) -> None:
        """End the process, which does so when there are no more orders."""
        atexit.unregister(self.close)
        with suppress(BrokenPipeError):
            self._process.communicate()


_child: _Child | None = None
