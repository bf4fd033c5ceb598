"""Numbers and conditions as a person reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]


def condition(row: Row, names: Sequence[str]) -> str:
    """Those columns of a row that are not null, with their names."""
    return ", ".join(f"{name} {text(row[name])}" for name in names if row[name] is not None)


def number(value: float | None, form: str) -> str:
    """A number in a format of its own."""
    return "-" if value is None else format(value, form)


def p_value(value: float | None) -> str:
    """A p-value to three places."""
    return "-" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def confidence(row: Row) -> str:
    """How sure the intervals of a row are."""
    return f"{100 * row['confidence']:g}%"


def text(value: object) -> str:
    """A name, a setting or nothing."""
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def value(found: object) -> str:
    """A number as results tables show it, or a text."""
    if found is None:
        return "-"
    if isinstance(found, float):
        return f"{found:.1e}" if 0 < abs(found) < 5e-4 else f"{found:.4f}"
    return str(found)


def estimate(cell: Row) -> tuple[str, str]:
    """A value and its interval, `0.0355` and `[0.016, 0.062]`; the second is empty where there is none.

    The interval is rounded to two digits of its width, and a small value with it.
    """
    found, low, high = (cell[key] for key in ("value", "low", "high"))
    if low is None or high is None:
        return value(found), ""
    places = min(6, max(0, 1 - math.floor(math.log10(high - low)))) if high > low else None
    ends = (f"{end:.4g}" if places is None else f"{end:.{places}f}" for end in (low, high))
    return value(found) if places is None or places < 5 else f"{found:.{places}f}", f"[{', '.join(ends)}]"
