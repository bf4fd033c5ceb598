"""Builds the report of one or several finished runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalfw.report.runs import read_runs
from evalfw.report.site.folder import replacing
from evalfw.report.site.overview import write_overview
from evalfw.report.site.pages import Site
from evalfw.report.site.problems import write_problems


def build(directories: Sequence[Path], out: Path) -> Path:
    """Write the report of runs as a folder of pages, in the place of a former one.

    Args:
        directories: The runs.
        out: The folder.

    Returns:
        The first page.

    Raises:
        InputError: A run cannot be used, or the folder; see `read_runs` and `replacing`.
    """
    from evalfw.report.figures.catalogue import figures
    from evalfw.report.papers import ANALYSES, tables

    runs = read_runs(directories)
    with replacing(out) as folder:
        site = Site(folder, ", ".join(run.name for run in runs))
        site.write_assets()
        write_overview(site, runs, write_problems(site, runs), figures(runs), tables(runs, ANALYSES))
    return out / "index.html"
