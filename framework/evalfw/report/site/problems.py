"""The page of a problem: its solutions, their profiles, and how these differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from evalfw.report.cohorts import CohortRows, Row, cohorts
from evalfw.report.figures.curves import curve_specifications
from evalfw.report.figures.style import DARK, LIGHT
from evalfw.report.runs import Run
from evalfw.report.site.pages import Site, inert, slug
from evalfw.report.site.problem_data import PageData
from evalfw.report.site.problem_tables import failures, limits, solution_table
from evalfw.report.site.programs import Programs
from evalfw.store.run import RunStore

MOST_OPEN: Final = 8
"""Lines of a statement; a longer one is folded up, so that the profiles are near the top."""

_WIDTH: Final = 100


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


@dataclass(slots=True)
class _Gathered:
    """What all runs have on one problem."""

    link: ProblemLink
    tests: dict[tuple[int | None, str], Row] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    cohorts: list[CohortRows] = field(default_factory=list)


def write_problems(site: Site, runs: Sequence[Run]) -> list[ProblemLink]:
    """Write a page for each problem of the runs; one problem in several runs has one page.

    Returns:
        The pages, in the order of the runs.
    """
    gathered = _gather(runs)
    drawings = inert({"specifications": curve_specifications(), "styles": {"light": LIGHT, "dark": DARK}})
    site.put("assets/drawings.js", f"const drawings = {drawings};\n")
    with ExitStack() as stack:
        stores = {run.name: stack.enter_context(RunStore.read(run.directory)) for run in runs}
        in_all = sum(len(cohort.correct) for each in gathered for cohort in each.cohorts)
        for each in gathered:
            _write_page(site, each, stores, in_all)
    return [each.link for each in gathered]


def _gather(runs: Sequence[Run]) -> list[_Gathered]:
    by_key: dict[str, _Gathered] = {}
    for run in runs:
        here: dict[tuple[str, str], _Gathered] = {}
        for row in run.tables["subjects"]:
            path = f"problems/{slug(row['problem'], row['key'])}.html"
            link = ProblemLink(row["dataset"], row["problem"], row["key"], path)
            here[row["dataset"], row["problem"]] = by_key.setdefault(row["key"], _Gathered(link))
        for row in run.tables["tests"]:
            known = here[row["dataset"], row["problem"]].tests
            place = row["size"], row["test"]
            if place not in known or row["profiled"]:
                known[place] = row
        for row in run.tables["traits"]:
            here[row["dataset"], row["problem"]].traits[row["trait"]] = row["value"]
        for cohort in cohorts(run):
            here[cohort.problem["dataset"], cohort.problem["problem"]].cohorts.append(cohort)
    return list(by_key.values())


def _write_page(site: Site, about: _Gathered, stores: Mapping[str, RunStore], in_all: int) -> None:
    several = len(stores) > 1
    problem = next(found for store in stores.values() if (found := store.problem(about.link.key)))
    programs = Programs()
    data = PageData(programs, several, in_all).cohorts(about.cohorts, stores)
    tables = [solution_table(each, several, stores[each.run.name], programs) for each in about.cohorts]
    failed = failures(about.cohorts, several, stores, programs)
    site.write(
        about.link.path,
        "problem.html.j2",
        data,
        problem=about.link.problem,
        dataset=about.link.dataset,
        traits=about.traits,
        statement=problem.statement,
        starter=problem.starter_code,
        limits=limits(problem),
        tests=list(about.tests.values()),
        folded=sum(1 + len(line) // _WIDTH for line in problem.statement.splitlines()) > MOST_OPEN,
        tables=tables,
        failed=failed,
        programs=programs.codes,
    )
