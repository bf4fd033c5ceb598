"""The commands that draw what a run has found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalfw.cli.output import Format, check_format, print_findings, written
from evalfw.cli.targets import find_run
from evalfw.errors import EvalfwError, InputError, near

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from evalfw.report.figures.catalogue import Group
    from evalfw.report.figures.figure import Absent, Figure
    from evalfw.report.papers import Table

_ENDINGS = {"latex": "tex", "markdown": "md", "csv": "csv", "json": "json"}
_TITLES = {"csv": "# {}", "latex": "% {}", "markdown": "## {}\n"}

NoReport = Annotated[bool, typer.Option("--no-report", help="Leave out the report at the end.")]


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run directories, or names of some in runs/.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report. Default: `report` in the run; with several, `report`.")
    ] = None,
) -> None:
    """Make the report of a run, or of several together: pages to look at in a browser."""
    from evalfw.report.site.build import build

    directories = [find_run(run) for run in runs]
    typer.echo(build(directories, out or _folder(directories, "report")))


def report_at_end(directory: Path) -> None:
    """Make the report of a run that has just finished, and say where it is.

    The run is done and stored by then: whatever happens to the report is said, and changes nothing else.
    """
    again = f"Make it with: evalfw report {directory}"
    try:
        from evalfw.report.site.build import build

        typer.echo(f"Report: {build([directory], directory / 'report')}")
    except KeyboardInterrupt:
        typer.echo(f"evalfw: stopped before the report was made. {again}", err=True)
    except Exception as error:
        said = str(error) if isinstance(error, EvalfwError) else f"{type(error).__name__}: {error}"
        typer.echo(f"evalfw: the report was not made: {' '.join(said.split())}. {again}", err=True)


def figures(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run directories, or names of some in runs/.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the files. Default: `figures` in the run; with several, `figures`.")
    ] = None,
    style: Annotated[str, typer.Option(help="paper, light or dark.")] = "paper",
    format: Annotated[str, typer.Option(help="Some of pdf, svg and png, with commas between.")] = "pdf,svg,png",
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="This figure. May be repeated.")] = None,
) -> None:
    """Write every figure of a run, or of several together, as files, with its data as CSV."""
    from evalfw.report.figures.catalogue import figures as catalogue
    from evalfw.report.figures.render import FORMATS, write
    from evalfw.report.figures.style import STYLES
    from evalfw.report.runs import read_runs

    formats = [name.strip() for name in format.split(",")]
    _check("style", [style], STYLES)
    _check("format", formats, FORMATS)
    directories = [find_run(run) for run in runs]
    groups = catalogue(read_runs(directories))
    drawable, absent = _chosen(groups, only or [])
    if not drawable:
        reasons = "".join(f"\n  {each.name}: {each.reason}" for each in absent)
        raise InputError(f"no figure can be drawn from this:{reasons}")
    for each in absent:
        typer.echo(f"not drawn: {each.name}: {each.reason}", err=True)
    folder = out or _folder(directories, "figures")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for figure in drawable:
            for path in write(figure, folder, formats, style):
                typer.echo(path)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from error


def _folder(directories: Sequence[Path], name: str) -> Path:
    """Where what is made of these runs goes by default."""
    return directories[0] / name if len(directories) == 1 else Path(name)


def _check(what: str, names: Sequence[str], known: Collection[str]) -> None:
    """See that these are known, before any work.

    Raises:
        InputError: One is not.
    """
    for name in names:
        if name not in known:
            raise InputError(f"there is no {what} '{name}'{near(name, known)}")


def _chosen(groups: Sequence[Group], names: Sequence[str]) -> tuple[list[Figure], list[Absent]]:
    """The figures of these names, in the order of the groups; all if there are no names.

    Raises:
        InputError: There is no figure of a name.
    """
    drawable = [figure for group in groups for figure in group.figures]
    absent = [each for group in groups for each in group.absent]
    _check("figure", names, [*(each.name for each in drawable), *(each.name for each in absent)])
    if not names:
        return drawable, absent
    return [each for each in drawable if each.name in names], [each for each in absent if each.name in names]


def tables(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run directories, or names of some in runs/.")],
    format: Format = "table",
    out: Annotated[Path | None, typer.Option(help="Folder for a file for each table. Default: print them.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Name of a table. May be repeated. Default: all.")] = None,
) -> None:
    """Make the tables of the papers from a run, or from several together; say why one cannot be made."""
    from evalfw.report.papers import TABLES
    from evalfw.report.papers import tables as tables_of
    from evalfw.report.runs import read_runs

    check_format(format)
    if out is not None and format not in _ENDINGS:
        raise InputError(f"a {format} is for the terminal: with --out, --format is one of {', '.join(_ENDINGS)}")
    _check("table", only or (), TABLES)
    found = tables_of(read_runs([find_run(run) for run in runs]), only or TABLES)
    for table in found:
        for reason in table.reasons:
            typer.echo(f"evalfw: table {table.name}: {reason}", err=True)
    made = [table for table in found if table.rows]
    if not made:
        raise InputError("none of these tables can be made")
    if out is None:
        _print(made, format)
    else:
        _write(made, format, out)


def _print(made: Sequence[Table], format: str) -> None:
    """Print tables one after the other; where they are several, each under its name."""
    if format == "json":
        typer.echo(json.dumps({table.name: table.rows for table in made}, indent=2, allow_nan=False))
        return
    for table in made:
        if len(made) > 1:
            typer.echo(("" if table is made[0] else "\n") + _TITLES.get(format, "{}").format(_title(table)))
        print_findings(table.rows, table.sheets, format)


def _write(made: Sequence[Table], format: str, out: Path) -> None:
    """Write a file for each table."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for table in made:
            path = out / f"{table.name}.{_ENDINGS[format]}"
            text = written(table.rows, table.sheets, format)
            path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
            typer.echo(path)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error


def _title(table: Table) -> str:
    return f"{table.name}: {table.title}" + (f" ({table.source})" if table.source else "")
