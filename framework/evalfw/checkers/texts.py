"""The checkers that compare what a program printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from itertools import zip_longest

from evalfw.checkers.numbers import Tolerance, distance, integer, number
from evalfw.domain.problem import Json

_DEEPMIND_BLANKS = re.compile(r"[ \n\t\r\v]+")
_DEEPMIND_BOUND = Decimal("1e-5")
_ANSWERS = {b"yes", b"no"}
_SHOWN = 32


def show(value: Json) -> str:
    """A value in a message: short, in one line, with nothing in it that a terminal or a page could act upon."""
    if isinstance(value, str):
        head = repr(value[:_SHOWN])
        return head if len(head) <= 40 and len(value) <= _SHOWN else f"{head[:40]}..."
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 100:
        return f"an integer of {value.bit_length()} bits"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    return f"an object of type {type(value).__name__[:_SHOWN]!r}"


def lines(expected: str, actual: str, _: Tolerance) -> str | None:
    """CRLF is LF, blanks at line ends and empty lines at the end are ignored; all else is exact."""
    if expected == actual:
        return None
    pairs = zip_longest(_lines(expected), _lines(actual))
    for place, (wanted, found) in enumerate(pairs, 1):
        if wanted is None:
            return f"line {place}: expected the end, found {show(found)}"
        if found is None:
            return f"line {place}: expected {show(wanted)}, found the end"
        if wanted != found:
            return _differ("line", place, wanted, found)
    return None


def tokens(expected: str, actual: str, _: Tolerance) -> str | None:
    """The words between white space (that of ASCII), in order and in number."""
    return _pairwise(_words(expected), _words(actual), lambda _wanted, _found: False)


def yesno(expected: str, actual: str, _: Tolerance) -> str | None:
    """As `tokens`, but yes and no are the same in any case."""

    def same(wanted: bytes, found: bytes) -> bool:
        return wanted.lower() == found.lower() and wanted.lower() in _ANSWERS

    return _pairwise(_words(expected), _words(actual), same)


def floats(expected: str, actual: str, tolerance: Tolerance) -> str | None:
    """As `tokens`, but integers are compared as integers and other numbers within a tolerance."""
    return _pairwise(_words(expected), _words(actual), lambda wanted, found: _near(wanted, found, tolerance.covers))


def deepmind(expected: str, actual: str, _: Tolerance) -> str | None:
    """The checker of CodeContests and BigOBench: words in any case, numbers that differ by less than 1e-5.

    It departs from theirs in one point: two integer literals are compared exactly, not as doubles.
    """

    def near(wanted: Decimal, found: Decimal) -> bool:
        return wanted.is_finite() and found.is_finite() and distance(wanted, found) < _DEEPMIND_BOUND

    return _pairwise(_lower_words(expected), _lower_words(actual), lambda wanted, found: _near(wanted, found, near))


def _lines(text: str) -> list[str]:
    cut = [line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")]
    while cut and not cut[-1]:
        cut.pop()
    return cut


def _words(text: str) -> list[bytes]:
    # Bytes are split at the white space of ASCII only; text would be split at no-break spaces and more.
    return text.encode("utf-8", "surrogatepass").split()


def _lower_words(text: str) -> list[bytes]:
    words = _DEEPMIND_BLANKS.split(text.strip().lower())
    return [word.encode("utf-8", "surrogatepass") for word in words if word]


def _near(wanted: bytes, found: bytes, near: Callable[[Decimal, Decimal], bool]) -> bool:
    """Whether two words that differ are the same integer, or numbers that are near."""
    whole, other = integer(wanted), integer(found)
    if whole is not None and other is not None:
        return whole == other
    value, result = number(wanted), number(found)
    return value is not None and result is not None and near(value, result)


def _pairwise(expected: list[bytes], actual: list[bytes], same: Callable[[bytes, bytes], bool]) -> str | None:
    if expected == actual:
        return None
    for place, (wanted, found) in enumerate(zip(expected, actual, strict=False), 1):
        if wanted != found and not same(wanted, found):
            return _differ("token", place, _text(wanted), _text(found))
    if len(expected) != len(actual):
        return f"expected {len(expected)} tokens, found {len(actual)}"
    return None


def _text(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass")


def _differ(what: str, place: int, wanted: str, found: str) -> str:
    """Where two texts differ: both from shortly before the first character that is not the same."""
    start = next((at for at, (a, b) in enumerate(zip(wanted, found, strict=False)) if a != b), 0)
    start = start - 8 if start > _SHOWN - 8 else 0
    dots = "..." if start else ""
    return f"{what} {place}: expected {dots}{show(wanted[start:])}, found {dots}{show(found[start:])}"
