"""How stable the measuring is, by what canonical solutions took: figure 3 of paper B."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import median
from typing import Any

from evalfw.errors import InputError
from evalfw.report.runs import Run

STABLE = 0.1
"""Coefficient of variation that paper B accepts (section 3.3)."""


def variations(run: Run) -> list[dict[str, Any]]:
    """The coefficient of variation of each canonical solution on each test, over models and temperatures.

    Raises:
        InputError: No canonical solution was measured.
    """
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for row in run.tables["canonical"]:
        found.setdefault(tuple(row[name] for name in ("dataset", "profiler", "size", "problem", "test")), row)
    if not found:
        raise InputError(
            "the run has no canonical solutions: list a profiler that measures them, such as pytest_benchmark, and a"
            " dataset that has solutions"
        )
    names = ("dataset", "profiler", "size", "problem", "test", "groups", "cv")
    return [
        {**{name: row[name] for name in names}, "reason": _why(row) if row["cv"] is None else None}
        for row in found.values()
    ]


def reliability(run: Run) -> list[dict[str, Any]]:
    """How much canonical solutions vary: one row for each dataset, profiler and size.

    Raises:
        InputError: No canonical solution was measured.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in variations(run):
        groups.setdefault(tuple(row[name] for name in ("dataset", "profiler", "size")), []).append(row)
    return [dict(zip(("dataset", "profiler", "size"), of, strict=True)) | _summary(rows) for of, rows in groups.items()]


def _summary(rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    values = [row["cv"] for row in rows if row["cv"] is not None]
    reasons = dict.fromkeys(row["reason"] for row in rows if row["reason"])
    stable = sum(value < STABLE for value in values)
    return {
        "tests": len(values),
        "undefined": len(rows) - len(values),
        "mean": math.fsum(values) / len(values) if values else None,
        "median": median(values) if values else None,
        "largest": max(values, default=None),
        "stable": stable,
        "stable_share": stable / len(values) if values else None,
        "reason": "; ".join(reasons) or None,
    }


def _why(row: Mapping[str, Any]) -> str:
    return "measured for fewer than two models and temperatures" if row["groups"] < 2 else "it takes no time at all"
