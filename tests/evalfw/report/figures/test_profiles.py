"""Figures of profiles, from a real run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.profiles import LINKS, SAMPLES, profile_figures
from evalfw.report.figures.render import write as render
from evalfw.report.runs import Run, read_runs
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, carry_out, problem, write
from tests.evalfw.report.runs import run as made

JUMP = "n = int(input())\nblock = [0] * 900\nprint(2 * n)\n"
RAMP = "n = int(input())\nrows = []\nfor i in range(300):\n    rows.append([i])\nprint(2 * n)\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("profiles")
    problems = [problem("far", private=(30, 60)), problem("near", private=(40,)), problem("flat", private=(50,))]
    answers = {"far": [JUMP, RAMP, LISTED], "near": [BLOCK, BLOCK + "pass\n", LISTED], "flat": [DOUBLE, DOUBLE]}
    return read_runs([carry_out(write(folder, problems, answers)).directory])[0]


def figures(run: Run) -> tuple[Figure, Figure]:
    first, second = profile_figures([run])
    assert isinstance(first, Figure)
    assert isinstance(second, Figure)
    return first, second


def test_two_regimes(run: Run) -> None:
    figure, _ = figures(run)
    assert figure.source == "paper A, figure 1"
    by_panel = {panel: [row for row in figure.rows if row["panel"] == panel] for panel in ("divergent", "consistent")}
    assert {row["problem"] for row in by_panel["divergent"]} == {"far"}
    assert {row["problem"] for row in by_panel["consistent"]} == {"near"}  # in `flat` no profile rises
    for rows in by_panel.values():
        assert {row["role"] for row in rows} == {"a", "b", "other"}
    peaks = {(row["solution"], row["test"]): row["peak_bytes"] for row in run.tables["profiles"]}
    names = {(row["problem"], row["index"]): row["solution"] for row in run.tables["solutions"]}
    last = {(row["problem"], row["index"]): row for row in figure.rows}
    for place, row in last.items():
        assert row["bytes"] == peaks[names[place], row["test"]]


def test_the_pair_is_that_which_differs_most(run: Run) -> None:
    figure, _ = figures(run)
    (test,) = {row["test"] for row in figure.rows if row["panel"] == "divergent"}
    pairs = [row for row in run.tables["pairs"] if (row["problem"], row["test"]) == ("far", test)]
    index = {row["solution"]: row["index"] for row in run.tables["solutions"]}
    most = max(pairs, key=lambda row: row["dmpd"])
    picked = {row["index"] for row in figure.rows if row["panel"] == "divergent" and row["role"] != "other"}
    assert picked == {index[most["solution_a"]], index[most["solution_b"]]}
    assert f"{most['dmpd']:.3g}" in figure.caption


def test_an_alignment(run: Run) -> None:
    _, figure = figures(run)
    curves = [row for row in figure.rows if row["part"] == "curve"]
    links = [row for row in figure.rows if row["part"] == "link"]
    assert 2 <= len(links) <= LINKS
    for role in "ab":
        curve = [row for row in curves if row["role"] == role]
        assert 2 <= len(curve) <= SAMPLES + 1
        assert (curve[-1]["share_of_run"], curve[-1]["share_of_peak"]) == (1.0, 1.0)
        assert [row["share_of_peak"] for row in curve] == sorted(row["share_of_peak"] for row in curve)
    ends = [(row["share_of_run"], row["to_run"]) for row in links]
    assert ends == sorted(ends)  # a warping path never goes back
    assert ends[0] == (0.0, 0.0)


def test_one_cohort_has_nothing_to_be_set_against(run: Run) -> None:
    tables = {**run.tables, "problems": [row for row in run.tables["problems"] if row["problem"] == "far"]}
    first, second = profile_figures([replace(run, tables=tables)])
    assert isinstance(first, Absent)
    assert "none to set against it" in first.reason
    assert isinstance(second, Figure)


def test_without_profiles_there_is_no_figure(run: Run) -> None:
    for each in (made([]), replace(run, tables={**run.tables, "pairs": []})):
        found = profile_figures([each])
        assert [type(figure) for figure in found] == [Absent, Absent]
        assert all("dmpd" in figure.reason for figure in found if isinstance(figure, Absent))


def test_they_can_be_rendered(run: Run, tmp_path: Path) -> None:
    for figure in figures(run):
        for path in render(figure, tmp_path, ["png", "pdf"], "paper"):
            assert path.stat().st_size > 1000


def test_they_fit_a_column(run: Run, tmp_path: Path) -> None:
    sizes = []
    for figure in figures(run):
        svg = render(figure, tmp_path, ["svg"], "light")[0].read_text()
        found = re.search(r'<svg[^>]* width="(\d+)" height="(\d+)"', svg)
        assert found
        sizes.append(tuple(map(int, found.groups())))
    assert sizes == [pytest.approx((338, 217), abs=8), pytest.approx((350, 233), abs=8)]
