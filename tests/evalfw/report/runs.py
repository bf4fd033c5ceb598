"""Finished runs as their tables, without the work behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalfw.report.frames import BEHIND, TABLES
from evalfw.report.runs import Run
from evalfw.statistics.intervals import Resampling

HOW = Resampling(resamples=200, confidence=0.9, seed=3)
CONDITION = {"dataset": "d", "model": "m", "temperature": None, "profiler": "base", "size": None}


def rows(column: str, values: Mapping[str, float | None], **condition: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Rows of the table of problems for one condition."""
    base = {**CONDITION, **condition, "samples": 5, "tests": 4}
    return [{**base, "problem": name, column: value} for name, value in values.items()]


def solved(
    columns: Mapping[str, Sequence[float | None]],
    problem: str = "p",
    **condition: Any,  # noqa: ANN401
) -> list[dict[str, Any]]:
    """Rows of the table of solutions for one condition and problem, by column."""
    numbered = enumerate(zip(*columns.values(), strict=True))
    return [
        {
            **CONDITION,
            **condition,
            **{"problem": problem, "solution": f"{problem}{index}", "index": index, "verdict": "accepted"},
            **dict(zip(columns, values, strict=True)),
        }
        for index, values in numbered
    ]


def cell(metric: str, value: float | None, **condition: Any) -> dict[str, Any]:  # noqa: ANN401
    """A row of the table of conditions."""
    reason = "no problems" if value is None else None
    ends = {"low": None, "high": None} if value is None else {"low": value - 0.01, "high": value + 0.01}
    return {**CONDITION, **condition, "metric": metric, "value": value, **ends, "n": 2, "left_out": 0, "reason": reason}


def run(
    problems: Sequence[Mapping[str, Any]],
    conditions: Sequence[Mapping[str, Any]] = (),
    solutions: Sequence[Mapping[str, Any]] = (),
    traits: Sequence[Mapping[str, Any]] = (),
    name: str = "r",
    sandbox: str = "cpython-3.11",
) -> Run:
    """A finished run; the other tables are empty."""
    empty: dict[str, Sequence[Mapping[str, Any]]] = {table: () for table in (*TABLES, *BEHIND)}
    known = {"problems": problems, "conditions": conditions, "solutions": solutions, "traits": traits}
    return Run(name, empty | known, HOW, sandbox)
