"""Numbers and conditions as a person reads them."""

from __future__ import annotations

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
