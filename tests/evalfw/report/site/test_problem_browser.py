from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from dtaidistance import dtw
from playwright.sync_api import Page, expect

from evalfw.report.cohorts import CohortRows, cohorts
from evalfw.report.curves import read_series
from evalfw.report.runs import read_runs
from evalfw.store.run import RunStore
from tests.evalfw.report.site.conftest import BREAKING, Visit

pytestmark = pytest.mark.slow


@pytest.fixture
def problem_page(report: Path) -> Path:
    return next((report / "problems").glob("a-*.html"))


@pytest.fixture
def opened(visit: Visit, problem_page: Path) -> Page:
    page = visit(problem_page)
    expect(page.locator("#curves svg")).to_be_visible()
    return page


@pytest.fixture
def attributed(opened: Page) -> Page:
    """With the profiler that records lines."""
    labels = opened.locator("#condition option").all_inner_texts()
    opened.locator("#condition").select_option(
        str(next(k for k, label in enumerate(labels) if "line <script>" in label))
    )
    return opened


def cohort(run: Path, page: Page) -> CohortRows:
    """The rows behind what a page shows."""
    found = [each for each in cohorts(read_runs([run])[0]) if each.problem["problem"] == "a"]
    return found[int(page.locator("#condition").input_value())]


def cell(page: Page, a: int, b: int) -> str:
    return f'#matrix button[data-a="{a}"][data-b="{b}"]'


def test_a_problem_opens_from_the_first_page(page: Page) -> None:
    page.get_by_role("link", name="a", exact=True).first.click()
    expect(page.locator("h1")).to_have_text("a")
    expect(page.locator("#curves svg")).to_be_visible()


def test_the_unit_of_the_profiles_can_be_switched(opened: Page) -> None:
    expect(opened.locator("#curves svg")).to_contain_text("Memory (bytes)")
    opened.get_by_role("button", name="Unit peak").click()
    expect(opened.get_by_role("button", name="Unit peak")).to_have_attribute("aria-pressed", "true")
    expect(opened.get_by_role("button", name="Bytes")).to_have_attribute("aria-pressed", "false")
    expect(opened.locator("#curves svg")).to_contain_text("Share of the peak")
    assert "unit=peak" in opened.url


def test_a_pair_is_picked_by_click(opened: Page) -> None:
    opened.locator(cell(opened, 0, 2)).click()
    expect(opened.locator("#pair-title")).to_have_text("Why #0 and #2 differ")
    expect(opened.locator(cell(opened, 0, 2))).to_be_focused()
    assert opened.locator("#matrix button[aria-pressed=true]").count() == 2  # both halves
    sources = opened.locator("#sources .panel")
    expect(sources).to_have_count(2)
    expect(sources.nth(0)).to_contain_text("print(int(input()) * 2)")
    expect(sources.nth(1)).to_contain_text("more = [0] * n")
    expect(opened.locator("#alignment svg")).to_be_visible()
    assert {"a=0", "b=2"} <= set(opened.url.partition("#")[2].split("&"))


def test_a_pair_is_picked_by_keyboard(opened: Page) -> None:
    opened.locator("#matrix button[tabindex='0']").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowRight"):
        opened.keyboard.press(key)
    focused = opened.evaluate("[document.activeElement.dataset.a, document.activeElement.dataset.b].map(Number)")
    assert focused[0] != focused[1]
    opened.keyboard.press("Enter")
    a, b = focused
    expect(opened.locator("#pair-title")).to_have_text(f"Why #{a} and #{b} differ")
    assert opened.locator("#matrix button[tabindex='0']").count() == 1


def test_cells_are_the_stored_values(opened: Page, hostile_run: Path) -> None:
    rows = cohort(hostile_run, opened)
    test = opened.locator("#test option:checked").inner_text().split(" ")[0]
    index = {row["solution"]: row["index"] for row in rows.correct}
    for (a, b), row in rows.pairs[test].items():
        label = opened.locator(cell(opened, index[a], index[b])).get_attribute("aria-label") or ""
        assert float(label.rpartition(" ")[2]) == row["dmpd"]
    opened.locator("#column").select_option("npd")
    for (a, b), row in rows.pairs[test].items():
        label = opened.locator(cell(opened, index[a], index[b])).get_attribute("aria-label") or ""
        assert float(label.rpartition(" ")[2]) == row["npd"]


def test_marked_lines_are_those_of_the_store(attributed: Page, hostile_run: Path) -> None:
    attributed.locator(cell(attributed, 1, 2)).click()
    rows = cohort(hostile_run, attributed)
    test = attributed.locator("#test option:checked").inner_text().split(" ")[0]
    with RunStore.read(hostile_run) as store:
        for panel, index in zip(attributed.locator("#sources .panel").all(), (1, 2), strict=True):
            profile = read_series(store, rows.executions[index]["profiles"][test])
            by_line = profile.raised_by()  # type: ignore[union-attr]
            marked = panel.locator("tr.raised").evaluate_all(
                "rows => rows.map(row => [row.dataset.line, row.dataset.bytes])"
            )
            assert by_line
            assert {int(line): int(count) for line, count in marked} == {k: v for k, v in by_line.items() if k}


def test_a_line_highlights_where_it_raised_the_profile(attributed: Page) -> None:
    attributed.locator(cell(attributed, 1, 2)).click()
    button = attributed.locator("#sources .panel").first.locator("tr.raised button").last
    button.focus()
    expect(attributed.locator("#pointed")).to_contain_text(re.compile(r"^Line \d+ of #1 raised the peak by"))
    attributed.locator("#legend button").first.hover()
    expect(attributed.locator("#pointed")).to_contain_text("#0: peak")


def test_a_step_under_the_pointer_names_its_line(attributed: Page) -> None:
    box = attributed.locator("#curves svg").bounding_box()
    assert box is not None
    texts = set()
    for k in range(1, 12):
        attributed.mouse.move(box["x"] + box["width"] * k / 12, box["y"] + box["height"] * 0.5)
        texts.add(attributed.locator("#pointed").inner_text())
    assert all(re.match(r"#\d at .* of its run: |Point at", text) for text in texts)
    assert any("raised by line" in text for text in texts)


def test_a_profile_without_lines_says_so(opened: Page) -> None:
    labels = opened.locator("#condition option").all_inner_texts()
    opened.locator("#condition").select_option(
        str(next(k for k, label in enumerate(labels) if "tracemalloc_line" in label))
    )
    expect(opened.locator("#sources")).to_contain_text("Which lines raise this profile is not known")
    assert opened.locator("#sources tr.raised").count() == 0


def test_a_link_shows_the_same_again(opened: Page, visit: Visit, problem_page: Path) -> None:
    opened.locator("#condition").select_option("1")
    opened.locator("#test").select_option("1")
    opened.locator("#over").select_option("mean")
    opened.get_by_role("button", name="Unit peak").click()
    opened.locator(cell(opened, 0, 1)).click()
    fragment = opened.url.partition("#")[2]
    again = visit(problem_page)
    again.goto(f"{problem_page.as_uri()}#{fragment}")
    expect(again.locator("#pair-title")).to_have_text("Why #0 and #1 differ")
    for select in ("condition", "test", "over", "column"):
        assert again.locator(f"#{select}").input_value() == opened.locator(f"#{select}").input_value()
    expect(again.get_by_role("button", name="Unit peak")).to_have_attribute("aria-pressed", "true")
    assert again.locator("#numbers").inner_text() == opened.locator("#numbers").inner_text()


def test_a_fragment_that_means_nothing_is_the_beginning(visit: Visit, problem_page: Path) -> None:
    page = visit(problem_page)
    page.goto(f"{problem_page.as_uri()}#c=77&t=-1&a=9&b=x&unit=furlong&v=__proto__")
    expect(page.locator("#curves svg")).to_be_visible()
    expect(page.locator("#pair-title")).to_contain_text("Why #")


def test_the_source_of_a_solution_is_shown(opened: Page) -> None:
    opened.locator(".solutions:visible a.show").nth(1).click()
    expect(opened.locator("#single")).to_contain_text("rows.append(i)")


def test_hostile_texts_do_nothing(visit: Visit, report: Path) -> None:
    for path in (report / "problems").iterdir():
        page = visit(path)
        expect(page.locator("#curves svg")).to_be_visible()
        for details in page.locator("details").all():
            details.evaluate("each => { each.open = true; }")
        assert page.evaluate("window.hacked") is None
        assert page.locator("main script, main img").count() == 0
        expect(page.locator(".statement")).to_contain_text(BREAKING)
        expect(page.locator("#condition option").first).to_contain_text(BREAKING)


def test_without_a_script_the_rest_is_there(visit: Visit, problem_page: Path) -> None:
    page = visit(problem_page, java_script_enabled=False)
    expect(page.locator("#workbench")).to_be_hidden()
    assert page.locator(".solutions:visible").count() == 4
    expect(page.locator("#failed")).to_contain_text("runtime_error")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_it_can_be_used_by_all(visit: Visit, problem_page: Path, width: int, scheme: str) -> None:
    page = visit(problem_page, width=width, scheme=scheme)
    expect(page.locator("#alignment svg")).to_be_visible()
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    found = [
        each
        for each in Axe().run(page, options={"preload": False}).response["violations"]
        if each["impact"] in {"serious", "critical"}
    ]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def series(source: random.Random, length: int) -> list[float]:
    rises = sorted(source.random() for _ in range(length))
    return [value / rises[-1] for value in rises]


def cheapest(a: Sequence[float], b: Sequence[float]) -> float:
    return float(dtw.distance(a, b, inner_dist="euclidean"))


def test_warping_costs_what_a_library_says(opened: Page) -> None:
    source = random.Random(5)
    for n, m in ((1, 1), (1, 9), (7, 7), (30, 12), (200, 200)):
        a, b = series(source, n), series(source, m)
        found = opened.evaluate("([a, b]) => profiles.warp(a, b)", [a, b])
        assert found["cost"] == pytest.approx(cheapest(a, b))
        path = found["path"]
        assert (path[0], path[-1]) == ([0, 0], [n - 1, m - 1])
        assert sum(abs(a[i] - b[j]) for i, j in path) == pytest.approx(found["cost"])
        assert all(after[k] - before[k] in {0, 1} for before, after in pairwise(path) for k in (0, 1))
