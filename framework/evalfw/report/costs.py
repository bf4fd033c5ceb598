"""What the same solutions cost under several profilers, side by side: figure 4 of paper B."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from evalfw.errors import InputError
from evalfw.report.conditions import CONDITION
from evalfw.report.runs import Run
from evalfw.statistics.correlation import Correlation, pearson

COSTS: Final[Mapping[str, str]] = {
    "median_seconds": "run time (s)",
    "cpu_ns": "CPU time (ns)",
    "instructions": "instructions",
    "opcodes": "opcodes",
}
"""Columns of the table of profiles that are costs, with their names and units."""

_ABOUT = tuple(name for name in (*CONDITION, "problem", "solution") if name != "profiler")
_TESTED = ("dataset", "size", "problem")


def costs_against(run: Run) -> list[dict[str, Any]]:
    """The costs of solutions under the first profiler that measures any, against those under each of the others.

    Costs are means over the tests of a problem; a solution that was not measured on all of them has none.

    Returns:
        One row a pair of profilers and solution that has both costs: `x` of the first, `y` of the other.

    Raises:
        InputError: Fewer than two profilers measure costs.
    """
    columns, costs = _costs(run)
    if len(columns) < 2:
        measured = ", ".join(columns) or "none"
        raise InputError(
            f"profilers of the run that measure costs: {measured}; list two of them, such as pytest_benchmark and"
            " instructions"
        )
    first, *others = columns
    return [
        {
            **dict(zip(_ABOUT, about, strict=True)),
            **{"x_profiler": first, "x_cost": columns[first], "x": cost},
            **{"y_profiler": other, "y_cost": columns[other], "y": costs[other][about]},
        }
        for other in others
        for about, cost in costs[first].items()
        if about in costs[other]
    ]


def within_problems(rows: Sequence[Mapping[str, Any]]) -> dict[str, Correlation]:
    """Pearson's correlation of two costs over the solutions of each problem (paper B, section 5.1.2)."""
    problems: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        problems.setdefault(row["problem"], []).append(row)
    return {name: pearson([row["x"] for row in of], [row["y"] for row in of]) for name, of in problems.items()}


def _costs(run: Run) -> tuple[dict[str, str], dict[str, dict[tuple[Any, ...], float]]]:
    """By profiler: the column that has its costs, and the mean cost of each solution."""
    columns: dict[str, str] = {}
    found: dict[str, dict[tuple[Any, ...], list[float]]] = {}
    for row in run.tables["profiles"]:
        column = next((name for name in COSTS if row.get(name) is not None), None)
        if column is not None:
            columns.setdefault(row["profiler"], column)
            of = tuple(row[name] for name in _ABOUT)
            found.setdefault(row["profiler"], {}).setdefault(of, []).append(row[column])
    tests = {
        tuple(row[name] for name in ("dataset", "size", "problem")): row["tests"] for row in run.tables["problems"]
    }
    place = [_ABOUT.index(name) for name in ("dataset", "size", "problem")]
    whole = {
        profiler: {
            about: fmean(values)
            for about, values in solutions.items()
            if len(values) == tests[tuple(about[each] for each in place)]
        }
        for profiler, solutions in found.items()
    }
    return columns, whole
