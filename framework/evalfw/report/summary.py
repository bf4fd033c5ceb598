"""What a summary of a run says, wherever it is shown: the scores of each condition, and remarks on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evalfw.report.cells import Row
from evalfw.report.conditions import CONDITION
from evalfw.report.reliability import STABLE

Rows = Sequence[Row]

SETTING = tuple(name for name in CONDITION if name != "dataset")
"""Columns of a condition within its dataset."""

_LIMITS = {limit: f"not asked for, since `{limit}` is used up" for limit in ("max_cost", "max_requests")}


@dataclass(frozen=True, slots=True)
class Scores:
    """One row of a results table.

    Args:
        condition: Its columns, by name.
        problems: How many there are.
        samples: How many over all problems.
        correct: How many of these.
        cells: Rows of the table of conditions, by metric.
    """

    condition: Mapping[str, Any]
    problems: int
    samples: int
    correct: int
    cells: Mapping[str, Row]


def scores(tables: Mapping[str, Rows]) -> list[Scores]:
    """The scores of every condition, in the order of the tables.

    What needs no profile is the same under every profiler and for every size, and stored without; here every
    condition has it.
    """
    problems: dict[tuple[Any, ...], list[Row]] = {}
    for row in tables["problems"]:
        problems.setdefault(tuple(row[name] for name in CONDITION), []).append(row)
    cells: dict[tuple[Any, ...], list[Row]] = {}
    for row in tables["conditions"]:
        cells.setdefault(tuple(row[name] for name in CONDITION[:3]), []).append(row)
    found = []
    for key, mine in problems.items():
        of = dict(zip(CONDITION, key, strict=True))
        values = {
            row["metric"]: row
            for row in cells.get(key[:3], ())
            if all(row[name] in {of[name], None} for name in ("profiler", "size"))
        }
        samples, correct = (sum(row[name] for row in mine) for name in ("samples", "correct"))
        found.append(Scores(of, len(mine), samples, correct, values))
    return found


def exclusion(row: Row) -> str:
    """Why something takes no part, of a row of the table of exclusions."""
    why: str = row["why"]
    return _LIMITS.get(why, why) if row["what"] == "completion" else why


def partial(cell: Row) -> str | None:
    """What is missing in a score, and why; None for one that rests on all problems."""
    if cell["value"] is None:
        return f"undefined: {cell['reason']}"
    return f"on {cell['n']} problems, {cell['left_out']} left out: {cell['reason']}" if cell["left_out"] else None


def stability(canonical: Rows) -> list[str]:
    """Whether canonical solutions took the same time beside every model and temperature: a line for each profiler."""
    lines = []
    for profiler in dict.fromkeys(row["profiler"] for row in canonical):
        mine = [row for row in canonical if row["profiler"] == profiler and row["cv"] is not None]
        varying = {(row["dataset"], row["problem"], row["size"], row["test"]): row["cv"] for row in mine}
        if not varying:
            continue
        unstable = sum(cv > STABLE for cv in varying.values())
        line = (
            f"{profiler}: the run time of canonical solutions varies by up to {max(varying.values()):.3f} of its mean"
        )
        line += f" over conditions, on average by {fmean(varying.values()):.3f}"
        if unstable:
            line = f"Warning: {line}, and by more than {STABLE} on {unstable} of {len(varying)} tests"
        lines.append(line)
    return lines


def sampling(rows: Rows) -> list[str]:
    """What completions took, where somebody counted that: a line for each model and temperature."""
    lines = []
    for row in rows:
        parts = [
            f"{row[kind]:,} {kind.replace('_', ' ')}"
            for kind in ("input_tokens", "output_tokens", "reasoning_tokens")
            if row[kind] is not None
        ]
        parts += [f"cost {row['cost']:.4g}"] if row["cost"] is not None else []
        if parts:
            of = about({**row, "profiler": None, "size": None})
            lines.append(f"{of}: {row['completions']} completions, {', '.join(parts)}")
    return lines


def about(row: Row) -> str:
    """A condition in words, without its dataset: `model at 0.7, profiler, size 100`."""
    temperature = "" if row["temperature"] is None else f" at {row['temperature']:g}"
    size = "" if row["size"] is None else f"size {row['size']}"
    return ", ".join(filter(None, (f"{row['model'] or ''}{temperature}", row["profiler"], size)))


def metrics(rows: Iterable[Scores]) -> list[str]:
    """Those that have a cell, in the order of the tables."""
    return list(dict.fromkeys(metric for row in rows for metric in row.cells))
