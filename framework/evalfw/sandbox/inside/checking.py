"""Code that comes with a dataset and decides whether an output is right: the job of a process of its own.

The process of the solution has ended by then. Here are the expected output and, as plain data, what the solution made.
"""

from __future__ import annotations

from collections.abc import Callable

from . import nodes
from .prelude import prelude

# What an output cannot be the cause of. A checker that meets an output it does not expect, None for a number, raises
# anything else, and that is what is wrong with the output.
_BROKEN = (NameError, ImportError, SyntaxError, MemoryError)


def check(source: str, args: list[object], expected: object, actual: object) -> tuple[bool | None, str]:
    """What the checker says: True, False, or None where it fails; and why.

    Args:
        source: Defines `check(args, expected, actual) -> bool`, in a module with the names of the prelude.
        args: The input, as it was before.
        expected: The expected output.
        actual: What the solution made, in the form of `nodes.encode`.
    """
    try:
        decide = _loaded(source)
    except Exception as error:
        return None, _told(error)
    value = nodes.decode(actual)
    try:
        answer = decide(args, expected, value)
    except _BROKEN as error:
        return None, _told(error)
    except Exception as error:
        return False, f"the dataset's checker can make nothing of the output: {_told(error)}"
    if type(answer) is not bool:
        return None, f"it returned a value of type {type(answer).__name__!r}, not a bool"
    return answer, "" if answer else "the dataset's checker rejects the output"


def _loaded(source: str) -> Callable[..., object]:
    names = prelude()
    exec(compile(source, "<checker>", "exec", dont_inherit=True), names)
    decide = names.get("check")
    if not callable(decide):
        raise TypeError("the code defines no function 'check'")
    return decide


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
