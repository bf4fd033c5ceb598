"""The conditions of runs, each with one number by problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from evalfw.domain.cohort import Condition
from evalfw.errors import InputError, near
from evalfw.report.runs import Run

CONDITION = tuple(field.name for field in fields(Condition))
"""Columns of a condition."""

_ABOUT_PROBLEMS = (*CONDITION, "problem", "pool")
_WITHOUT_PROFILES = ("samples", "correct")


@dataclass(frozen=True, slots=True)
class Series:
    """One condition with one number by problem.

    Args:
        dimensions: `run`, and the columns of a condition.
        values: The number by problem, without those for which it is null.
    """

    dimensions: Mapping[str, Any]
    values: Mapping[str, float]


def series(runs: Sequence[Run], column: str) -> list[Series]:
    """Every condition of the runs for which the table of problems has the column, in the order of the tables.

    A number that needs no profile is the same under every profiler and for every size, and comes once.

    Raises:
        InputError: No run has such a column; or it comes from profiles that were made in different sandboxes.
    """
    known = {name for run in runs for row in run.tables["problems"] for name, value in row.items() if _number(value)}
    if column not in known - {*_ABOUT_PROBLEMS}:
        allowed = known - {*_ABOUT_PROBLEMS}
        raise InputError(f"no problem has a number '{column}'{near(column, allowed)}")
    free = _needs_no_profile(runs, column)
    if not free and len({run.sandbox for run in runs}) > 1:
        made = "; ".join(f"{run.name}: {run.sandbox}" for run in runs)
        raise InputError(
            f"'{column}' comes from profiles, and these runs were made in different sandboxes ({made}).\n"
            "Sizes of objects depend on the interpreter: run both experiments with the same one."
        )
    values: dict[tuple[Any, ...], dict[str, float]] = {}
    for run in runs:
        for row in run.tables["problems"]:
            if column in row:
                condition = [None if free and name in {"profiler", "size"} else row[name] for name in CONDITION]
                one = values.setdefault((run.name, *condition), {})
                if row[column] is not None:
                    one[row["problem"]] = row[column]
    names = ("run", *CONDITION)
    return [Series(dict(zip(names, key, strict=True)), numbers) for key, numbers in values.items()]


def _needs_no_profile(runs: Sequence[Run], column: str) -> bool:
    cells = [cell for run in runs for cell in run.tables["conditions"] if cell["metric"] == column]
    return column in _WITHOUT_PROFILES or any(cell["profiler"] is None for cell in cells)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
