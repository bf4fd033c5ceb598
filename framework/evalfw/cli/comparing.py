"""The commands that compare conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalfw.cli.output import Correction, Format, check_format, print_findings
from evalfw.cli.targets import RunDirectory, find_run


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

    check_format(format)
    (read,) = read_runs([find_run(run)])
    rows = compare_settings(read, baseline, correction)
    print_findings(rows, ablation_sheets(rows), format)


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

    check_format(format)
    rows = compare_conditions(read_runs([find_run(run) for run in runs]), on, by, correction)
    print_findings(rows, [comparison_sheet(rows)], format)
