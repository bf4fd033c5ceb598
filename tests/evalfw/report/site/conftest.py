"""What tests of the report share: a real browser that is watched, and the report of a run full of hostile texts."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize, sync_playwright

from evalfw.report.site.build import build
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, carry_out, problem, write

INJECTED = "<script>window.hacked=1</script>"
BREAKING = f"</script>{INJECTED}<img src=x onerror=window.hacked=1>"
"""Ends a script element, if anything can."""

LABEL = f"model {BREAKING}"
"""Of a model."""

PROBLEMS = ("a", INJECTED, "c")
"""Ids."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# It is to do nothing but what the pages ask of it.
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

Visit: TypeAlias = Callable[..., Page]


def chromium() -> str | None:
    """The browser of this machine."""
    return os.environ.get("EVALFW_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(
    scope="package"
)  # not of the session: its event loop would be in the way of tests with one of their own
def browser() -> Iterator[Browser]:
    """One browser for all tests of pages."""
    path = chromium()
    if path is None:
        pytest.skip(f"there is no browser: install one of {', '.join(BROWSERS)}, or name one in EVALFW_CHROMIUM")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a file: `visit(path, width=1280, scheme="light")`.

    The test fails if a page wrote to the console, let an error pass, or asked for anything that is not on the disk.
    """
    complaints: list[str] = []
    contexts = []

    def watch(request: Request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            complaints.append(f"asked for {request.url}")

    def open_page(path: Path, width: int = 1280, scheme: str = "light", **more: Any) -> Page:  # noqa: ANN401
        viewport = ViewportSize(width=width, height=900)
        context = browser.new_context(viewport=viewport, color_scheme=scheme, **more)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", watch)
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(visit: Visit, report: Path) -> Page:
    """The first page of the report, in a window of 1280 pixels and in light colours."""
    return visit(report / "index.html")


@pytest.fixture(scope="package")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small real run: two models, two settings of a profiler, and hostile texts wherever texts come from others."""
    folder = tmp_path_factory.mktemp("hostile")
    problems = [problem(name, statement=f"Double the number. {BREAKING}") for name in PROBLEMS]
    for each in problems:
        for test in each["tests"]:
            test["input"] += f"{BREAKING}\n"
    failing = f"import sys\nsys.stderr.write({BREAKING!r})\nprint({BREAKING!r})\nraise SystemExit(1)\n"
    raising = f"raise ValueError({BREAKING!r})\n"
    answers = {
        LABEL: {name: [DOUBLE + f"# {BREAKING}\n", LISTED, BLOCK, failing] for name in PROBLEMS},
        "plain": {"a": [DOUBLE, BLOCK], INJECTED: [DOUBLE, LISTED, BLOCK], "c": [DOUBLE, raising]},
    }
    models = [{"use": "replay", "label": model, "path": f"{number}.jsonl"} for number, model in enumerate(answers)]
    profilers = [{"use": "tracemalloc_line", "label": f"line {INJECTED}"}, {"use": "tracemalloc_line", "stride": 8}]
    path = write(folder, problems, answers[LABEL], models=models, profilers=profilers)
    for number, by_problem in enumerate(answers.values()):
        lines = [
            json.dumps({"problem_id": name, "model": None, "temperature": None, "index": index, "code": code}) + "\n"
            for name, codes in by_problem.items()
            for index, code in enumerate(codes)
        ]
        (folder / f"{number}.jsonl").write_text("".join(lines))
    return carry_out(path).directory


@pytest.fixture(scope="package")
def report(hostile_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its report."""
    return build([hostile_run], tmp_path_factory.mktemp("site") / "report").parent


def data_of(html: str) -> Any:  # noqa: ANN401
    """What the script of a page is given."""
    _, _, rest = html.partition('<script type="application/json" id="data">')
    return json.loads(rest.partition("</script>")[0])
