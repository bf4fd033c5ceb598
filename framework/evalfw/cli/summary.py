"""Results tables for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evalfw.report.cells import Row, estimate, text, value
from evalfw.report.conditions import CONDITION
from evalfw.report.summary import (
    SETTING,
    Scores,
    about,
    exclusion,
    metrics,
    partial,
    sampling,
    scores,
    stability,
)

if TYPE_CHECKING:
    from evalfw.report.sheets import Sheet

Rows = Sequence[Mapping[str, Any]]

_WIDTH_OF_FILES = 1000
_MANY_PROBLEMS = 40


def console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for any table in a file or pipe."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDTH_OF_FILES)


def print_summary(tables: Mapping[str, Rows], directory: Path) -> None:
    """Print what a run has found: a table per dataset, what was excluded and why, and where to look further."""
    out = console()
    found = scores(tables)
    for dataset in dict.fromkeys(row.condition["dataset"] for row in found):
        mine = [row for row in found if row.condition["dataset"] == dataset]
        problems = [row for row in tables["problems"] if row["dataset"] == dataset]
        out.print()
        out.print(_conditions_table(dataset, mine))
        if len(mine) == 1 and len(problems) <= _MANY_PROBLEMS:
            out.print(_problems_table(problems))
        cells = [row for row in tables["conditions"] if row["dataset"] == dataset]
        _print_exclusions(out, dataset, cells, tables["excluded"])
        for line in stability([row for row in tables["canonical"] if row["dataset"] == dataset]):
            out.print(line, highlight=False, markup=False)
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


def _conditions_table(dataset: str, rows: Sequence[Scores]) -> Table:
    names = metrics(rows)
    shown = [name for name in SETTING if any(row.condition[name] is not None for row in rows)]
    table = Table(title=f"dataset {escape(dataset)}", title_justify="left", header_style="bold")
    for name in shown:
        table.add_column(name)
    for name in ("problems", "samples", "correct", *names):
        table.add_column(escape(name), justify="right")
    for row in rows:
        table.add_row(
            *(_cell(row.condition[name], name) for name in shown),
            str(row.problems),
            str(row.samples),
            str(row.correct),
            *(
                escape(" ".join(filter(None, estimate(row.cells[name])))) if name in row.cells else "-"
                for name in names
            ),
        )
    return table


def _problems_table(problems: Rows) -> Table:
    known = {*CONDITION, "pool"}
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
    lines = [
        f"{about(row)}: {row['count']} {row['what']}{'s' * (row['count'] > 1)}: {exclusion(row)}"
        for row in excluded
        if row["dataset"] == dataset
    ]
    lines += [f"{about(row)}: {row['metric']} {missing}" for row in cells if (missing := partial(row))]
    out.print("Excluded:" if lines else "Nothing was excluded.", highlight=False)
    for line in lines:
        out.print("  " + line, highlight=False, markup=False)


def _print_sampling(out: Console, rows: Rows) -> None:
    lines = sampling(rows)
    if lines:
        out.print("Sampled:", highlight=False)
    for line in lines:
        out.print("  " + line, highlight=False, markup=False)


def _score(cell: Row | None) -> str:
    return "-" if cell is None else escape(" ".join(filter(None, estimate(cell))))


def _cell(found: object, name: str = "") -> str:
    return escape(text(found) if name == "temperature" else value(found))
