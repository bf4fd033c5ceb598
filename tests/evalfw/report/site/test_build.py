from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from evalfw import InputError
from evalfw.report.papers import ANALYSES, tables
from evalfw.report.runs import read_runs
from evalfw.report.site.build import build
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, WRONG, carry_out, problem, write
from tests.evalfw.report.site.conftest import INJECTED, LABEL

Attributes = dict[str, str | None]


class Html(HTMLParser):
    """The elements of a page, and the text outside of scripts, as a browser would see them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.text = ""
        self.inline: list[str] = []
        self._script: Attributes | None = None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._script = dict(attrs) if tag == "script" else None

    def handle_endtag(self, tag: str) -> None:
        self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self.text += data
        elif self._script.get("type") != "application/json":
            self.inline.append(data)

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.elements if name == tag]


def pages(report: Path) -> list[Path]:
    return sorted(report.rglob("*.html"))


def test_every_page_allows_its_own_scripts_alone(report: Path) -> None:
    assert len(pages(report)) == 4
    for path in pages(report):
        html = Html(path)
        (policy,) = (str(meta["content"]) for meta in html.all("meta") if meta.get("http-equiv"))
        directives = dict(each.strip().split(" ", 1) for each in policy.split(";"))
        assert directives["default-src"] == "'none'"
        nonce = re.fullmatch(r"'nonce-([\w-]{20,})'", directives["script-src"])
        assert nonce
        scripts = html.all("script")
        for script in scripts:
            assert script.get("nonce") == nonce[1] or script == {"type": "application/json", "id": "data"}
        assert html.inline == []
        assert [name for _, attributes in html.elements for name in attributes if name.startswith("on")] == []
        assert html.all("style") == []


def test_nothing_is_asked_of_a_network(report: Path) -> None:
    for path in pages(report):
        for _, attributes in Html(path).elements:
            for name in ("href", "src"):
                target = attributes.get(name)
                if target and not target.startswith(("#", "data:")):
                    assert (path.parent / target.partition("#")[0]).is_file(), (path.name, target)


def test_texts_of_others_are_texts(report: Path) -> None:
    for path in pages(report):
        html = Html(path)
        assert html.all("img") == []
        assert INJECTED not in path.read_text(encoding="utf-8")
    overview = Html(report / "index.html").text
    for text in (LABEL, INJECTED, f"line {INJECTED}"):
        assert text in overview


def test_a_report_is_the_same_when_it_is_made_again(hostile_run: Path, report: Path, tmp_path: Path) -> None:
    def content(folder: Path) -> dict[str, str]:
        return {
            path.relative_to(folder).as_posix(): re.sub(r"nonce(-|=\")[\w-]+", "", path.read_text(encoding="utf-8"))
            for path in folder.rglob("*")
            if path.is_file()
        }

    build([hostile_run], tmp_path / "again")
    assert content(tmp_path / "again") == content(report)


def test_several_runs_have_one_report(hostile_run: Path, tmp_path: Path) -> None:
    shutil.copytree(hostile_run, tmp_path / "other")
    html = Html(build([hostile_run, tmp_path / "other"], tmp_path / "report"))
    assert len(re.findall(r"%, [\d,]+ bootstrap resamples of problems", html.text)) == 2  # where it came from, twice
    assert "run, other" in html.text
    assert len(pages(tmp_path / "report")) == 4  # a problem of both has one page


@pytest.mark.parametrize(
    ("answers", "changes", "said"),
    [
        ({"a": [DOUBLE, LISTED], "b": [BLOCK]}, {"profilers": [], "metrics": ["pass_at_k"]}, "pass@1"),
        ({"a": [DOUBLE], "b": [BLOCK]}, {}, "fewer than two correct solutions"),
        ({"a": [WRONG, WRONG], "b": [WRONG]}, {}, "wrong_answer"),
        ({"a": ["no program at all (", ""]}, {"metrics": ["pass_at_k"]}, "completion"),
    ],
    ids=["no profilers", "no pairs", "all wrong", "completions missing"],
)
def test_a_run_with_little_in_it_has_a_report(
    answers: dict[str, list[str]], changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    run = carry_out(write(tmp_path, [problem("a"), problem("b")], answers, **changes)).directory
    text = Html(build([run], run / "report")).text
    assert said in text
    assert "None" not in text
    assert "nan" not in text.split()


def test_a_run_that_has_not_finished_has_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a run directory"):
        build([tmp_path], tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_tables_of_analyses_are_on_the_first_page(hostile_run: Path, report: Path) -> None:
    made = {table.name: table for table in tables(read_runs([hostile_run]), ANALYSES) if table.rows}
    assert "ablation" in made
    text = Html(report / "index.html").text
    for table in made.values():
        for sheet in table.sheets:
            for said in (sheet.title, *sheet.headers, *(cell for row in sheet.cells for cell in row), *sheet.notes):
                assert said in text
