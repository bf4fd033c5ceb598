from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

from evalfw.report.runs import read_runs
from evalfw.report.site.overview import write_overview
from evalfw.report.site.pages import Site
from evalfw.report.site.problems import write_problems
from tests.evalfw.report.site.conftest import BREAKING, data_of
from tests.evalfw.report.site.figures import GROUPS, figure
from tests.evalfw.report.site.test_build import Html


def overview(run: Path, out: Path, **tables: list[dict[str, str]]) -> Html:
    runs = [replace(read, tables={**read.tables, **tables}) for read in read_runs([run])]
    site = Site(out, "title")
    write_overview(site, runs, write_problems(site, runs), GROUPS)
    return Html(out / "index.html")


def test_a_figure_has_a_chart_a_caption_words_and_data(hostile_run: Path, tmp_path: Path) -> None:
    html = overview(hostile_run, tmp_path)
    charts = [each for each in html.all("div") if "data-chart" in each]
    assert [(each["data-chart"], each["role"]) for each in charts] == [("first", "img"), ("second", "img")]
    described = {each.get("id") for each in html.all("p")}
    assert {each["aria-describedby"] for each in charts} <= described
    assert {each["aria-label"] for each in charts} == {figure(name).title for name in ("first", "second")}
    assert "paper A, figure 7" in html.text
    with (tmp_path / "figures/first.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows] == [row["model"] for row in figure("first").rows]
    assert rows[0]["value"] == ""


def test_rows_are_in_a_page_once(hostile_run: Path, tmp_path: Path) -> None:
    overview(hostile_run, tmp_path)
    chart = data_of((tmp_path / "index.html").read_text())["charts"]["second"]
    assert chart["spec"]["data"] == {"name": "points"}
    assert (chart["spec"]["datasets"], chart["shared"]) == ({}, ["points"])
    assert chart["rows"] == figure("second", 250).rows


def test_figures_that_are_not_drawn_are_listed_with_reasons(hostile_run: Path, tmp_path: Path) -> None:
    html = overview(hostile_run, tmp_path)
    assert "2 figures not drawn, and what they would need" in html.text
    assert "needs a profiler of run times" in html.text


def test_sections_of_plugins_are_shown_as_they_are_written(hostile_run: Path, tmp_path: Path) -> None:
    text = f"two\n  lines {BREAKING}"
    html = overview(hostile_run, tmp_path, sections=[{"title": f"Mine {BREAKING}", "text": text}])
    assert f"Mine {BREAKING}" in html.text
    assert text in html.text
    assert {"class": "said"} in html.all("pre")
