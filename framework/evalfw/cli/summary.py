"""Results tables for a terminal."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from evalfw.report.sheets import Sheet

Rows = Sequence[Mapping[str, Any]]

_WIDTH_OF_FILES = 1000
_MANY_PROBLEMS = 40
_STABLE = 0.1  # paper B, section 3.3
_LIMITS = {limit: f"not asked for, since `{limit}` is used up" for limit in ("max_cost", "max_requests")}
_CONDITION = ("model", "temperature", "profiler", "size")


def console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for any table in a file or pipe."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDTH_OF_FILES)


def print_summary(tables: Mapping[str, Rows], directory: Path) -> None:
    """Print what a run has found: a table per dataset, what was excluded and why, and where to look further."""
    out = console()
    for dataset in dict.fromkeys(row["dataset"] for row in tables["problems"]):
        problems = [row for row in tables["problems"] if row["dataset"] == dataset]
        cells = [row for row in tables["conditions"] if row["dataset"] == dataset]
        conditions = list(dict.fromkeys(tuple(row[key] for key in _CONDITION) for row in problems))
        out.print()
        out.print(_conditions_table(dataset, conditions, cells, problems))
        if len(conditions) == 1 and len(problems) <= _MANY_PROBLEMS:
            out.print(_problems_table(problems))
        _print_exclusions(out, dataset, cells, tables["excluded"])
        _print_stability(out, [row for row in tables["canonical"] if row["dataset"] == dataset])
        _print_sampling(out, [row for row in tables["sampling"] if row["dataset"] == dataset])
    out.print(
        f"\nLook further:  evalfw show {directory} --table problems|solutions|pairs|profiles"
        f"\n               evalfw export {directory} --format csv --out DIR",
        highlight=False,
        markup=False,
    )


def print_table(rows: Rows, columns: Iterable[str]) -> None:
    """Print one table whole."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    names = list(columns)
    for name in names:
        numeric = all(isinstance(row.get(name), int | float | None) for row in rows)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row.get(name), name) for name in names))
    console().print(table)


def print_sheet(sheet: Sheet) -> None:
    """Print a table of texts under its title, with its notes below."""
    out = console()
    table = Table(title=escape(sheet.title), title_justify="left", header_style="bold")
    for place, header in enumerate(sheet.headers):
        table.add_column(escape(header), justify="right" if place else "left")
    for row in sheet.cells:
        table.add_row(*map(escape, row))
    out.print()
    out.print(table)
    for note in sheet.notes:
        out.print(note, highlight=False, markup=False)


def _conditions_table(dataset: str, conditions: list[tuple[Any, ...]], cells: Rows, problems: Rows) -> Table:
    metrics = list(dict.fromkeys(row["metric"] for row in cells))
    shown = [key for i, key in enumerate(_CONDITION) if any(c[i] is not None for c in conditions)]
    table = Table(title=f"dataset {escape(dataset)}", title_justify="left", header_style="bold")
    for key in shown:
        table.add_column(key)
    for name in ("problems", "samples", "correct", *metrics):
        table.add_column(escape(name), justify="right")
    for condition in conditions:
        of = dict(zip(_CONDITION, condition, strict=True))
        mine = [row for row in problems if all(row[key] == of[key] for key in _CONDITION)]
        # What needs no profile is the same under every profiler and for every size, and stored without.
        values = {
            row["metric"]: row
            for row in cells
            if all(row[key] == of[key] or (key in {"profiler", "size"} and row[key] is None) for key in _CONDITION)
        }
        table.add_row(
            *(_cell(of[key], key) for key in shown),
            str(len(mine)),
            str(sum(row["samples"] for row in mine)),
            str(sum(row["correct"] for row in mine)),
            *(_with_interval(values.get(name, {})) for name in metrics),
        )
    return table


def _problems_table(problems: Rows) -> Table:
    known = {"dataset", *_CONDITION, "pool"}
    if all(row["distinct"] == row["correct"] for row in problems):
        known.add("distinct")  # all programs are different, as one expects
    names = list(dict.fromkeys(key for row in problems for key in row if key not in known))
    table = Table(title="by problem", title_justify="left", header_style="bold")
    for name in names:
        table.add_column(escape(name), justify="left" if name == "problem" else "right")
    for row in problems:
        table.add_row(*(_cell(row.get(name)) for name in names))
    return table


def _print_exclusions(out: Console, dataset: str, cells: Rows, excluded: Rows) -> None:
    lines = []
    for row in excluded:
        if row["dataset"] == dataset:
            why = _LIMITS.get(row["why"], row["why"]) if row["what"] == "completion" else row["why"]
            lines.append(f"{_about(row)}: {row['count']} {row['what']}{'s' * (row['count'] > 1)}: {why}")
    for row in cells:
        if row["left_out"] or row["value"] is None:
            what = "undefined" if row["value"] is None else f"on {row['n']} problems, {row['left_out']} left out"
            lines.append(f"{_about(row)}: {row['metric']} {what}: {row['reason']}")
    out.print("Excluded:" if lines else "Nothing was excluded.", highlight=False)
    for line in lines:
        out.print("  " + line, highlight=False, markup=False)


def _print_stability(out: Console, canonical: Rows) -> None:
    """Say whether canonical solutions took the same time beside every model and temperature."""
    for profiler in dict.fromkeys(row["profiler"] for row in canonical):
        mine = [row for row in canonical if row["profiler"] == profiler and row["cv"] is not None]
        varying = {(row["problem"], row["size"], row["test"]): row["cv"] for row in mine}
        if not varying:
            continue
        most = max(varying.values())
        unstable = sum(cv > _STABLE for cv in varying.values())
        line = f"{profiler}: the run time of canonical solutions varies by up to {most:.3f} of its mean over conditions"
        line += f", on average by {fmean(varying.values()):.3f}"
        if unstable:
            line = f"Warning: {line}, and by more than {_STABLE} on {unstable} of {len(varying)} tests"
        out.print(line, highlight=False, markup=False)


def _print_sampling(out: Console, rows: Rows) -> None:
    """What completions took, where somebody counted that."""
    lines = []
    for row in rows:
        parts = [
            f"{row[kind]:,} {kind.replace('_', ' ')}"
            for kind in ("input_tokens", "output_tokens", "reasoning_tokens")
            if row[kind] is not None
        ]
        parts += [f"cost {row['cost']:.4g}"] if row["cost"] is not None else []
        if parts:
            about = _about({**row, "profiler": None, "size": None})
            lines.append(f"{about}: {row['completions']} completions, {', '.join(parts)}")
    if lines:
        out.print("Sampled:", highlight=False)
    for line in lines:
        out.print("  " + line, highlight=False, markup=False)


def _about(row: Mapping[str, Any]) -> str:
    temperature = "" if row["temperature"] is None else f" at {row['temperature']:g}"
    size = "" if row["size"] is None else f"size {row['size']}"
    return ", ".join(filter(None, (f"{row['model'] or ''}{temperature}", row["profiler"], size)))


def _with_interval(cell: Mapping[str, Any]) -> str:
    """A value with its interval, `0.0355 [0.016, 0.062]`, which is rounded to two digits of its width."""
    value, low, high = (cell.get(key) for key in ("value", "low", "high"))
    if low is None or high is None:
        return _cell(value)
    places = min(6, max(0, 1 - math.floor(math.log10(high - low)))) if high > low else None
    ends = (f"{end:.4g}" if places is None else f"{end:.{places}f}" for end in (low, high))
    shown = _cell(value) if places is None or places < 5 else f"{value:.{places}f}"
    return escape(f"{shown} [{', '.join(ends)}]")


def _cell(value: object, name: str = "") -> str:
    if value is None:
        return "-"
    if name == "temperature":
        return f"{value:g}"
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 5e-4 else f"{value:.4f}"
    return escape(str(value))
