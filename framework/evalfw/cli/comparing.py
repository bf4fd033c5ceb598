"""The commands that compare conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalfw.cli.targets import RunDirectory, find_run
from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from evalfw.report.sheets import Sheet

_FORMATS = ("table", "csv", "latex", "json")

Correction = Annotated[str, typer.Option(help="none, holm or benjamini-hochberg: for the number of comparisons.")]
Format = Annotated[str, typer.Option(help="table, csv, latex or json.")]


def ablation(
    run: RunDirectory,
    baseline: Annotated[str | None, typer.Option(help="Label of a profiler setting. Default: the first.")] = None,
    correction: Correction = "none",
    format: Format = "table",
) -> None:
    """Compare the settings of a profiler with one of them, problem by problem: table 3 of paper A."""
    from evalfw.report.ablation import ablation as compare_settings
    from evalfw.report.runs import read_runs
    from evalfw.report.sheets import ablation_sheets

    _check(format)
    (read,) = read_runs([find_run(run)])
    rows = compare_settings(read, baseline, correction)
    _print(rows, ablation_sheets(rows), format)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run directories, or names of some in runs/.")],
    by: Annotated[
        str | None,
        typer.Option(help="model, temperature, profiler, size or run. Default: any; of several runs, run."),
    ] = None,
    on: Annotated[str, typer.Option(help="Column of the table of problems.")] = "dmpd",
    correction: Correction = "none",
    format: Format = "table",
) -> None:
    """Compare conditions that differ in one thing only, over the problems they have in common."""
    from evalfw.report.comparison import compare as compare_conditions
    from evalfw.report.runs import read_runs
    from evalfw.report.sheets import comparison_sheet

    _check(format)
    rows = compare_conditions(read_runs([find_run(run) for run in runs]), on, by, correction)
    _print(rows, [comparison_sheet(rows)], format)


def _check(format: str) -> None:
    if format not in _FORMATS:
        raise InputError(f"there is no format '{format}'{near(format, _FORMATS)}")


def _print(rows: Sequence[Mapping[str, Any]], sheets: Sequence[Sheet], format: str) -> None:
    from evalfw.cli.summary import print_sheet
    from evalfw.report.texts import as_csv, as_json, as_latex

    if format == "table":
        for sheet in sheets:
            print_sheet(sheet)
    elif format == "latex":
        typer.echo("\n".join(as_latex(s.title, s.headers, s.cells, s.notes) for s in sheets), nl=False)
    else:
        typer.echo(as_csv(rows) if format == "csv" else as_json(rows), nl=False)
