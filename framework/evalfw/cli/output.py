"""How the commands that compare and correlate print what they have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from evalfw.report.sheets import Sheet

_FORMATS = ("table", "csv", "latex", "markdown", "json")

Format = Annotated[str, typer.Option(help="table, csv, latex, markdown or json.")]
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

    if format == "table":
        for sheet in sheets:
            print_sheet(sheet)
    else:
        typer.echo(written(rows, sheets, format), nl=False)


def written(rows: Sequence[Mapping[str, Any]], sheets: Sequence[Sheet], format: str) -> str:
    """What was found as a text in any format but `table`."""
    from evalfw.report.texts import as_csv, as_json, as_latex, as_markdown

    if format in {"csv", "json"}:
        return as_csv(rows) if format == "csv" else as_json(rows)
    write = as_latex if format == "latex" else as_markdown
    return "\n".join(write(each.title, each.headers, each.cells, each.notes) for each in sheets)


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
