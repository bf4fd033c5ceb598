"""The commands that draw what a run has found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalfw.cli.targets import find_run


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run directories, or names of some in runs/.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report. Default: `report` in the run; with several, `report`.")
    ] = None,
) -> None:
    """Make the report of a run, or of several together: pages to look at in a browser."""
    from evalfw.report.site.build import build

    directories = [find_run(run) for run in runs]
    default = directories[0] / "report" if len(directories) == 1 else Path("report")
    typer.echo(build(directories, out or default))
