"""The first page in a real browser. The fixture `visit` fails a test on any complaint of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from evalfw.report.figures.catalogue import figures
from evalfw.report.runs import read_runs
from evalfw.report.site.overview import write_overview
from evalfw.report.site.pages import Site
from evalfw.report.site.problems import write_problems
from tests.evalfw.report.figures.tables import everything, settings
from tests.evalfw.report.figures.test_runtime import full
from tests.evalfw.report.site.conftest import INJECTED, LABEL, Visit
from tests.evalfw.report.site.figures import GROUPS, figure

pytestmark = pytest.mark.slow

DRAWN = "[data-chart] svg"
AXE = {"resultTypes": ["violations"], "preload": False}  # it would load style sheets anew, which no page may


@pytest.fixture(scope="module")
def first_page(hostile_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With figures of our own."""
    runs, site = read_runs([hostile_run]), Site(tmp_path_factory.mktemp("figures"), "report")
    site.write_assets()
    write_overview(site, runs, write_problems(site, runs), GROUPS)
    return site.out / "index.html"


def cells(page: Page, table: str, column: int) -> list[str]:
    """What is shown in a column, without notes."""
    shown = page.locator(f"#{table} tbody tr:visible > :nth-child({column})")
    return [text.split("\n")[0] for text in shown.all_inner_texts()]


def header(page: Page, table: str, name: str) -> Locator:
    return page.locator(f"#{table} thead th").filter(has=page.get_by_role("button", name=name, exact=True))


def faults(page: Page) -> list[str]:
    """What axe finds wrong that is serious."""
    found: list[dict[str, Any]] = Axe().run(page, options=AXE).response["violations"]
    return [
        f"{each['id']}: {node['html']}"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


def drawn_everywhere(page: Page) -> None:
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator("svg")).to_be_visible()


def test_the_report_opens_and_leads_to_a_problem(page: Page) -> None:
    assert page.locator("#problem-list tbody tr").count() == 3
    page.locator("#problem-list").get_by_role("link", name=INJECTED).click()
    expect(page.locator("h1")).to_have_text(INJECTED)
    page.locator(".brand").click()
    expect(page.locator("#scores")).to_be_visible()


def test_every_figure_of_several_runs_is_drawn_without_a_complaint(
    visit: Visit, hostile_run: Path, tmp_path: Path
) -> None:
    runs, site = read_runs([hostile_run]), Site(tmp_path, "report")
    timed = [full(), full(name="again")]
    groups = [*figures([everything("ab"), settings()]), *figures(timed)]
    site.write_assets()
    write_overview(site, runs, write_problems(site, runs), groups)
    page = visit(site.out / "index.html")
    drawn_everywhere(page)
    assert page.locator("[data-chart] svg.marks").count() == sum(len(group.figures) for group in groups) > 20


def test_nothing_that_was_injected_has_run(visit: Visit, first_page: Path) -> None:
    page = visit(first_page)
    drawn_everywhere(page)
    for details in page.locator("details").all():
        details.locator("summary").first.click()
    page.locator(f"{DRAWN} .mark-symbol path").first.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text(LABEL)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert LABEL in page.locator("#conditions").inner_text()


def test_rows_are_sorted_by_click_and_by_key(page: Page) -> None:
    pass_rates = header(page, "conditions", "pass@1")
    expect(pass_rates).to_have_attribute("aria-sort", "none")
    pass_rates.get_by_role("button").click()
    expect(pass_rates).to_have_attribute("aria-sort", "ascending")
    column = [each.strip() for each in page.locator("#conditions thead th").all_inner_texts()].index("pass@1") + 1
    shown = cells(page, "conditions", column)
    assert shown == sorted(shown)
    assert len(set(shown)) == 2
    pass_rates.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(pass_rates).to_have_attribute("aria-sort", "descending")
    assert cells(page, "conditions", column) == shown[::-1]
    models = header(page, "conditions", "model")
    models.get_by_role("button").press("Space")
    expect(models).to_have_attribute("aria-sort", "ascending")
    expect(pass_rates).to_have_attribute("aria-sort", "none")


def test_what_is_undefined_comes_last_in_any_order(page: Page) -> None:
    numbers = "document.querySelectorAll('#problem-list tbody td:nth-child(4)')"
    page.evaluate(f"delete {numbers}[0].dataset.sort")
    undefined = cells(page, "problem-list", 1)[0]
    for _ in range(2):
        header(page, "problem-list", "lowest dmpd").get_by_role("button").click()
        assert cells(page, "problem-list", 1)[-1] == undefined


def test_problems_are_filtered(page: Page) -> None:
    page.get_by_label("Filter").fill("SCRIPT hacked")
    assert cells(page, "problem-list", 1) == [INJECTED]
    expect(page.locator("output")).to_have_text("1 of 3 problems")
    page.get_by_label("Filter").fill("")
    expect(page.locator("output")).to_have_text("3 problems")


def test_charts_are_drawn_when_they_come_into_view(visit: Visit, first_page: Path) -> None:
    page = visit(first_page, width=390)
    expect(page.locator(DRAWN)).to_have_count(0)
    page.locator("[data-chart=first]").scroll_into_view_if_needed()
    expect(page.locator("[data-chart=first] svg")).to_be_visible()


def test_a_switch_of_the_theme_draws_charts_anew(visit: Visit, first_page: Path) -> None:
    page = visit(first_page)
    drawn_everywhere(page)

    def colours() -> set[str]:
        return set(page.locator(f"{DRAWN} text").evaluate_all("all => all.map((each) => each.getAttribute('fill'))"))

    before = colours()
    page.locator("#theme").click()
    expect(page.locator("#theme")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(f"{DRAWN} text[fill='#ececf1']").first).to_be_attached()
    assert colours().isdisjoint(before)
    assert page.locator(DRAWN).count() == 2
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_rows_of_a_figure_are_shown_when_asked_for(visit: Visit, first_page: Path) -> None:
    page = visit(first_page)
    rows = page.locator("details[data-rows=second]")
    rows.locator("summary").click()
    expect(rows.locator("tbody tr")).to_have_count(200)
    assert rows.locator("tbody tr").nth(1).inner_text().split("\t")[0] == LABEL
    assert "50 more rows are in the CSV file" in rows.inner_text()


@pytest.mark.parametrize("width", [1280, 390])
def test_nobody_is_left_out(visit: Visit, first_page: Path, width: int) -> None:
    page = visit(first_page, width=width)
    drawn_everywhere(page)
    for details in page.locator("details:not([data-rows=second])").all():
        details.locator("summary").first.click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_words_of_a_figure_are_its_description(visit: Visit, first_page: Path) -> None:
    """Also while they are folded away."""
    chart = visit(first_page).locator("[data-chart=first]")
    expect(chart).to_have_accessible_name(figure("first").title)
    expect(chart).to_have_accessible_description(figure("first").description)


def test_paper_has_all_charts_in_light_colours(visit: Visit, first_page: Path) -> None:
    page = visit(first_page, width=390, scheme="dark")
    expect(page.locator(DRAWN)).to_have_count(0)
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(DRAWN)).to_have_count(2)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.locator(f"{DRAWN} text[fill='#ececf1']").count() == 0
    page.emulate_media(media="screen", color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
