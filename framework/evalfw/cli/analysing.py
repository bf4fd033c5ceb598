"""The commands that analyse one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from evalfw.cli.output import Correction, Format, check_format, print_data, print_findings
from evalfw.cli.targets import RunDirectory, find_run
from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from pathlib import Path

    from evalfw.report.correlations import Analysis
    from evalfw.report.runs import Run

Pool = Annotated[
    list[str] | None,
    typer.Option(help="model, temperature or size: a dimension that is thrown together. May be repeated."),
]
Rows = Annotated[bool, typer.Option("--rows", help="Print the rows behind it instead.")]


def contest(
    run: RunDirectory,
    on: Annotated[str, typer.Option(help="Column of the table of solutions.")] = "runtime_median",
    by: Annotated[str, typer.Option(help="model, temperature, profiler or size.")] = "model",
    pool: Pool = None,
    more_than: Annotated[int, typer.Option(min=1, help="A problem takes part if both have more solutions.")] = 5,
    test: Annotated[str, typer.Option(help="student, welch or mann-whitney.")] = "student",
    level: Annotated[float, typer.Option(min=0, max=1, help="A difference counts if p is below.")] = 0.05,
    correction: Correction = "none",
    rows: Rows = False,
    format: Format = "table",
) -> None:
    """Compare two conditions within each problem, by their solutions: figure 6 of paper B."""
    from evalfw.report.analysis_sheets import contest_sheets
    from evalfw.report.contest import Rules, by_problem, contests, totals

    check_format(format)
    rules = Rules(on, by, tuple(pool or ()), more_than, test, level, correction)
    found = contests(_read(run), rules)
    if rows:
        print_data(by_problem(found, rules), format)
    else:
        summed = totals(found, rules)
        print_findings(summed, contest_sheets(summed), format)


def associate(
    run: RunDirectory,
    proxy: Annotated[
        list[str] | None, typer.Option(help="Column that is cut in three. May be repeated. Default: dmpd, nmv.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="Column it is held against. May be repeated."
            " Default: cognitive_mean, maintainability_index, cyclomatic_mean."
        ),
    ] = None,
    pool: Pool = None,
    rows: Rows = False,
    format: Format = "table",
) -> None:
    """Say how stability and maintainability of solutions go together: table 4 of paper A."""
    from evalfw.report import association
    from evalfw.report.analysis_sheets import association_sheets

    check_format(format)
    proxies, others = tuple(proxy or association.PROXIES), tuple(against or association.AGAINST)
    read, pooled = _read(run), tuple(pool or ())
    if rows:
        print_data(association.thirds(read, proxies, others, pooled), format)
    else:
        found = association.associate(read, proxies, others, pooled)
        print_findings(found, association_sheets(found), format)


def correlate(
    run: RunDirectory,
    preset: Annotated[str | None, typer.Option(help="Name of an analysis of the papers.")] = None,
    x: Annotated[list[str] | None, typer.Option(help="Column. May be repeated.")] = None,
    y: Annotated[
        list[str] | None, typer.Option(help="Column it is held against. May be repeated. Default: every two of x.")
    ] = None,
    of: Annotated[str | None, typer.Option(help="solutions or problems (the default): what is observed.")] = None,
    per: Annotated[str | None, typer.Option(help="problem: one coefficient each, and their median.")] = None,
    pool: Pool = None,
    method: Annotated[str | None, typer.Option(help="pearson (the default) or spearman.")] = None,
    models: Annotated[int, typer.Option(min=0, help="Models that have solved a problem, at least.")] = 0,
    correct: Annotated[int, typer.Option(min=0, help="Correct solutions of a problem, at least.")] = 0,
    rows: Rows = False,
    format: Format = "table",
) -> None:
    """Correlate columns of the tables, over all problems or within each: the correlations of both papers."""
    from evalfw.report.analysis_sheets import correlation_sheets, typical_correlation_sheets
    from evalfw.report.correlations import Analysis, observed, over_problems, points
    from evalfw.report.correlations import correlate as coefficients

    check_format(format)
    if per not in {None, "problem"}:
        raise InputError(f"there is a coefficient for each problem, not for each '{per}'{near(str(per), ['problem'])}")
    base = _preset(preset)
    analysis = Analysis(
        x=tuple(x or base.x),
        y=tuple(y or base.y),
        of=of or base.of,
        per_problem=per is not None or base.per_problem,
        pool=tuple(pool or base.pool),
        method=method or base.method,
        models=models,
        correct=correct,
    )
    read = _read(run)
    found = coefficients(read, analysis)
    if rows and not analysis.per_problem:
        print_data(points(observed(read, analysis), analysis.columns), format)
    elif rows:
        print_data(found, format)
    elif analysis.per_problem:
        typical = over_problems(found, read)
        print_findings(typical, typical_correlation_sheets(typical), format)
    else:
        print_findings(found, correlation_sheets(found), format)


def breakdown(
    run: RunDirectory,
    by: Annotated[list[str], typer.Option(help="Trait of problems. May be repeated.")],
    on: Annotated[str, typer.Option(help="Column of the table of problems.")] = "pass@1",
    format: Format = "table",
) -> None:
    """Print the mean of a number by what the problems are, with intervals: figure 2 of paper B."""
    from evalfw.report.analysis_sheets import breakdown_sheets
    from evalfw.report.breakdown import breakdown as break_down

    check_format(format)
    found = break_down(_read(run), by, on)
    print_findings(found, breakdown_sheets(found, by), format)


def reliability(run: RunDirectory, rows: Rows = False, format: Format = "table") -> None:
    """Say how much the run times of canonical solutions vary over a run: figure 3 of paper B."""
    from evalfw.report.analysis_sheets import reliability_sheet
    from evalfw.report.reliability import reliability as sum_up
    from evalfw.report.reliability import variations

    check_format(format)
    read = _read(run)
    if rows:
        print_data(variations(read), format)
    else:
        found = sum_up(read)
        print_findings(found, [reliability_sheet(found)], format)


def _preset(name: str | None) -> Analysis:
    from evalfw.report.correlations import PRESETS, Analysis

    if name is None:
        return Analysis(())
    if name not in PRESETS:
        raise InputError(f"there is no preset '{name}'{near(name, PRESETS)}")
    return PRESETS[name]


def _read(run: Path) -> Run:
    from evalfw.report.runs import read_runs

    (read,) = read_runs([find_run(run)])
    return read
