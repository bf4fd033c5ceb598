"""How the commands that compare and correlate print what they have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from evalfw.report.sheets import Sheet

_FORMATS = ("table", "csv", "latex", "json")

Format = Annotated[str, typer.Option(help="table, csv, latex or json.")]
Correction = Annotated[str, typer.Option(help="none, holm or benjamini-hochberg: for the number of comparisons.")]


def check_format(format: str) -> None:
    """See that there is such a format, before any work.

    Raises:
        InputError: There is none.
    """
    if format not in _FORMATS:
        raise InputError(f"there is no format '{format}'{near(format, _FORMATS)}")


def print_findings(rows: Sequence[Mapping[str, Any]], sheets: Sequence[Sheet], format: str) -> None:
    """Print what was found: as sheets for a person, or as rows for a program."""
    from evalfw.cli.summary import print_sheet
    from evalfw.report.texts import as_csv, as_json, as_latex

    if format == "table":
        for sheet in sheets:
            print_sheet(sheet)
    elif format == "latex":
        typer.echo("\n".join(as_latex(s.title, s.headers, s.cells, s.notes) for s in sheets), nl=False)
    else:
        typer.echo(as_csv(rows) if format == "csv" else as_json(rows), nl=False)


def print_data(rows: Sequence[Mapping[str, Any]], format: str) -> None:
    """Print rows that no sheet is laid out for: whole, in any format.

    Raises:
        InputError: There are none.
    """
    from evalfw.cli.summary import print_table
    from evalfw.report.cells import text
    from evalfw.report.sheets import Sheet

    if not rows:
        raise InputError("there is nothing to print: no row has what was asked for")
    if format == "table":
        print_table(rows, rows[0])
    else:
        cells = tuple(tuple(text(value) for value in row.values()) for row in rows)
        print_findings(rows, [Sheet("", tuple(rows[0]), cells, ())], format)
