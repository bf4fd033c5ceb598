"""The page of a problem: its solutions, their profiles, and how these differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalfw.report.figures.style import DARK, LIGHT
from evalfw.report.runs import Run
from evalfw.report.site.pages import Site, slug


@dataclass(frozen=True, slots=True)
class ProblemLink:
    """A page of a problem.

    Args:
        dataset: Label.
        problem: Id.
        key: Of the content of the problem.
        path: Of the page, from the folder of the site.
    """

    dataset: str
    problem: str
    key: str
    path: str


def write_problems(site: Site, runs: Sequence[Run]) -> list[ProblemLink]:
    """Write a page for each problem of the runs; one problem in several runs has one page.

    Returns:
        The pages, in the order of the runs.
    """
    links: dict[str, ProblemLink] = {}
    for run in runs:
        for row in run.tables["subjects"]:
            path = f"problems/{slug(row['problem'], row['key'])}.html"
            links.setdefault(row["key"], ProblemLink(row["dataset"], row["problem"], row["key"], path))
    for link in links.values():
        data = {"styles": {"light": LIGHT, "dark": DARK}}
        site.write(link.path, "problem.html.j2", data, problem=link.problem)
    return list(links.values())
