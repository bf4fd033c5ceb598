"""The first page: what was run, what came out, and where to look closer."""

from __future__ import annotations

from collections.abc import Sequence

from evalfw.report.figures.style import DARK, LIGHT
from evalfw.report.runs import Run
from evalfw.report.site.pages import Site
from evalfw.report.site.problems import ProblemLink


def write_overview(site: Site, runs: Sequence[Run], problems: Sequence[ProblemLink]) -> None:
    """Write `index.html`."""
    data = {"styles": {"light": LIGHT, "dark": DARK}, "charts": {}}
    site.write("index.html", "overview.html.j2", data, runs=runs, problems=problems)
