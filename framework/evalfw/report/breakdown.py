"""A number of problems by what the problems are: difficulty, or whether a model can have seen them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from evalfw.errors import InputError, near
from evalfw.report.conditions import CONDITION, series
from evalfw.report.runs import Run
from evalfw.statistics.intervals import ratio_interval


def breakdown(run: Run, by: Sequence[str], on: str = "pass@1") -> list[dict[str, Any]]:
    """The mean of a number over the problems of each kind, condition by condition: figure 2 of paper B.

    Args:
        run: The run.
        by: Traits of problems. Those with the same values are of one kind; a problem without a trait has null there.
        on: Column of the table of problems.

    Returns:
        One row a condition and kind, with the bootstrap interval over its problems; kinds in the order of their names.

    Raises:
        InputError: Something named is not there.
    """
    traits: dict[tuple[str, str], dict[str, str]] = {}
    for row in run.tables["traits"]:
        traits.setdefault((row["dataset"], row["problem"]), {})[row["trait"]] = row["value"]
    known = {trait for of in traits.values() for trait in of}
    if not known:
        raise InputError(
            "the run knows no traits of problems: its dataset says none, or it was finished by an earlier evalfw.\n"
            "`evalfw run` with the same experiment file brings it up to date; nothing is measured again."
        )
    for name in by:
        if name not in known:
            raise InputError(f"no problem has the trait '{name}'{near(name, known)}")
    problems: dict[str, list[str]] = {}
    for row in run.tables["problems"]:
        problems.setdefault(row["dataset"], []).append(row["problem"])
    rows = []
    for each in series([run], on):
        dataset = each.dimensions["dataset"]
        kinds: dict[tuple[str | None, ...], list[str]] = {}
        for problem in dict.fromkeys(problems[dataset]):
            of = traits.get((dataset, problem), {})
            kinds.setdefault(tuple(of.get(name) for name in by), []).append(problem)
        for kind in sorted(kinds, key=lambda kind: [(value is None, value or "") for value in kind]):
            values = [each.values[problem] for problem in kinds[kind] if problem in each.values]
            rows.append(
                {
                    **{name: each.dimensions[name] for name in CONDITION},
                    **dict(zip(by, kind, strict=True)),
                    "on": on,
                    **_mean(values, len(kinds[kind]), run),
                }
            )
    return rows


def _mean(values: Sequence[float], problems: int, run: Run) -> dict[str, Any]:
    how = run.resampling
    interval = ratio_interval([(value, 1.0) for value in values], how)
    reason = f"interval: {interval.reason}" if interval.reason else None
    if not values:
        reason = "no problem with the number"
    return {
        "problems": len(values),
        "left_out": problems - len(values),
        "value": math.fsum(values) / len(values) if values else None,
        "low": interval.low,
        "high": interval.high,
        "confidence": how.confidence,
        "resamples": how.resamples,
        "reason": reason,
    }
