"""The first page: what was run, what came out, and where to look closer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalfw.report.figures.style import DARK, LIGHT
from evalfw.report.runs import Run
from evalfw.report.site.pages import Site
from evalfw.report.site.problems import ProblemLink
from evalfw.report.site.provenance import provenance
from evalfw.report.site.tables import condition_table, exclusion_table, problem_table, remarks
from evalfw.report.texts import as_csv

if TYPE_CHECKING:
    from evalfw.report.figures.catalogue import Group
    from evalfw.report.figures.figure import Figure
    from evalfw.report.papers import Table


def write_overview(
    site: Site,
    runs: Sequence[Run],
    problems: Sequence[ProblemLink],
    groups: Sequence[Group],
    tables: Sequence[Table] = (),
) -> None:
    """Write `index.html`, and the data of its figures as CSV files.

    Args:
        site: Where to.
        runs: What it is about.
        problems: Their pages.
        groups: Figures.
        tables: Of analyses; those without rows are left out.
    """
    figures = [figure for group in groups for figure in group.figures]
    for figure in figures:
        site.put(f"figures/{figure.name}.csv", as_csv(figure.rows))
    site.write(
        "index.html",
        "overview.html.j2",
        {"styles": {"light": LIGHT, "dark": DARK}, "charts": {figure.name: _chart(figure) for figure in figures}},
        provenances=[provenance(run) for run in runs],
        conditions=condition_table(runs),
        confidence=_confidence(runs),
        groups=groups,
        absent=[each for group in groups for each in group.absent],
        tables=[table for table in tables if table.rows],
        problems=problem_table(runs, {link.key: link.path for link in problems}),
        excluded=exclusion_table(runs),
        remarks=remarks(runs),
        sections=[
            (run.name if len(runs) > 1 else "", each["title"], each["text"])
            for run in runs
            for each in run.tables["sections"]
        ],
    )


def _chart(figure: Figure) -> Mapping[str, Any]:
    """A figure for the script that draws it; rows that its specification has too are there only once."""
    rows = [dict(row) for row in figure.rows]
    spec, datasets = dict(figure.spec), dict(figure.spec.get("datasets", {}))
    if spec.get("data") == {"values": rows}:
        spec["data"], datasets["rows"] = {"name": "rows"}, rows
    shared = [name for name, found in datasets.items() if found == rows]
    spec["datasets"] = {name: found for name, found in datasets.items() if name not in shared}
    return {"spec": spec, "rows": rows, "shared": shared}


def _confidence(runs: Sequence[Run]) -> str:
    return " and ".join(dict.fromkeys(f"{100 * run.resampling.confidence:g}%" for run in runs))
