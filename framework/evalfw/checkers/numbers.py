"""Numbers as they are written, compared exactly: no rounding to doubles, no limit on digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

# Nothing is trapped, so that no number raises: what leaves even this range becomes infinite and equals nothing.
_CONTEXT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far apart two numbers may be: `max(abs, rel * |expected|)`."""

    abs: Decimal = Decimal(0)
    rel: Decimal = Decimal(0)

    def covers(self, expected: Decimal, actual: Decimal) -> bool:
        """Whether both are finite and near enough; the bound itself is near enough."""
        if not (expected.is_finite() and actual.is_finite()):
            return False
        return distance(expected, actual) <= max(self.abs, _CONTEXT.multiply(self.rel, _CONTEXT.abs(expected)))


def integer(token: bytes) -> bytes | None:
    """An integer literal without what does not matter to its value (`+`, leading zeros); None for other text."""
    if not _INTEGER.fullmatch(token):
        return None
    digits = token.lstrip(b"+-").lstrip(b"0")
    return (b"-" if token.startswith(b"-") and digits else b"") + (digits or b"0")


def number(token: bytes) -> Decimal | None:
    """The value of a decimal literal; None for other text, `nan`, `inf` and `1_000` included."""
    return decimal(token.decode("ascii")) if _NUMBER.fullmatch(token) else None


def distance(one: Decimal, other: Decimal) -> Decimal:
    """Absolute difference of two finite numbers, to 60 digits."""
    return _CONTEXT.abs(_CONTEXT.subtract(one, other))


def decimal(text: str) -> Decimal:
    """A decimal literal to 60 digits."""
    return _CONTEXT.create_decimal(text)
