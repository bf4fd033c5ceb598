"""Comparing conditions that differ in one thing only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

from evalfw.errors import InputError, near
from evalfw.report.conditions import CONDITION, Series, series
from evalfw.report.pairing import adjusted, paired
from evalfw.report.runs import Run

DIMENSIONS = ("model", "temperature", "profiler", "size", "run")
"""What two conditions may differ in. Two datasets have no problem in common."""


def compare(runs: Sequence[Run], on: str, by: str | None = None, correction: str = "none") -> list[dict[str, Any]]:
    """Every pair of conditions that differ in one dimension, over the problems that both have a number for.

    Args:
        runs: The runs; intervals are made as the first one asks for it.
        on: Column of the table of problems.
        by: The dimension; None for any of a run's own or, of several runs, for `run`. For other dimensions than `run`
            it does not matter from which run a condition is.
        correction: Of the p-values, for all the pairs.

    Returns:
        One row a pair, in the order of the tables: the dimension, what `a` and `b` are in it, the condition they
        share, and how they differ.

    Raises:
        InputError: Something named is not there, or no two conditions differ in just that.
    """
    if by is not None and by not in DIMENSIONS:
        raise InputError(f"there is no dimension '{by}'{near(by, DIMENSIONS)}")
    if by is None and len(runs) > 1:
        by = "run"
    conditions = series(runs, on)
    pairs = [
        (differing[0], a, b)
        for a, b in combinations(conditions, 2)
        if len(differing := _differing(a, b, by)) == 1 and differing[0] in ((by,) if by else DIMENSIONS)
    ]
    if not pairs:
        listed = "".join(f"\n  {_described(condition)}" for condition in conditions)
        raise InputError(f"no two conditions differ in nothing but {by or 'one dimension'}; there are:{listed}")
    how = runs[0].resampling
    family = adjusted([paired(a.values, b.values, how) for _, a, b in pairs], correction)
    made = {"correction": correction, "confidence": how.confidence, "resamples": how.resamples}
    return [
        {
            **{"on": on, "by": name, "a": a.dimensions[name], "b": b.dimensions[name]},
            **{column: _shared(a, b, column) for column in ("run", *CONDITION)},
            **asdict(each),
            **made,
        }
        for (name, a, b), each in zip(pairs, family, strict=True)
    ]


def _differing(a: Series, b: Series, by: str | None) -> list[str]:
    names = (*CONDITION, "run") if by == "run" else CONDITION
    return [name for name in names if a.dimensions[name] != b.dimensions[name]]


def _shared(a: Series, b: Series, name: str) -> str | float | None:
    """What both conditions are in a dimension; for two runs both, for what is compared nothing."""
    first, second = a.dimensions[name], b.dimensions[name]
    shared: str | float | None = first if first == second else f"{first}, {second}" if name == "run" else None
    return shared


def _described(condition: Series) -> str:
    return ", ".join(f"{name} {value}" for name, value in condition.dimensions.items() if value is not None)
