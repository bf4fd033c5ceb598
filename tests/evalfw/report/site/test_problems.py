from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any

import pytest

from evalfw.report.cohorts import cohorts
from evalfw.report.curves import TOLERANCE, at, read_series, staircase
from evalfw.report.runs import Run, read_runs
from evalfw.report.site import problem_data
from evalfw.report.site.build import build
from evalfw.report.site.pages import Site
from evalfw.report.site.problem_data import PageData
from evalfw.report.site.problem_tables import MOST_ANSWER
from evalfw.report.site.problems import write_problems
from evalfw.report.site.programs import Programs
from evalfw.store.run import RunStore
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, WRONG, carry_out, problem, write
from tests.evalfw.report.site.conftest import BREAKING, INJECTED, PROBLEMS, data_of

LONG = "rows = []\nfor i in range(int(input())):\n    rows += [i] * 9\n    rows.append(str(i))\nprint(len(rows) // 5)\n"
LOUD = "import sys\nsys.stderr.write('x' * 3000)\nraise KeyError(3)\n"
TALK = "I cannot. " * 300
TESTS = 3
PROFILERS = ("tracemalloc_line", "opcodes", "cpu_line", "tracemalloc_time")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with every kind of profile, a problem that nobody solves, and programs that fail in several ways."""
    folder = tmp_path_factory.mktemp("kinds")
    problems = [problem("solved", private=(10, 40, 90)), problem("failed", private=(30,), time_limit=2)]
    answers = {"solved": [DOUBLE, LISTED, BLOCK, LONG, LOUD], "failed": [WRONG, WRONG, LOUD, WRONG]}
    path = write(folder, problems, answers, profilers=list(PROFILERS), sampling={"n": 5})
    talk = {"problem_id": "failed", "model": "m", "temperature": None, "index": 4, "completion": TALK}
    with (folder / "answers.jsonl").open("a") as file:
        file.write(json.dumps(talk) + "\n")
    return carry_out(path).directory


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    return read_runs([folder])[0]


@pytest.fixture(scope="module")
def pages(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The pages by problem."""
    return written([run], tmp_path_factory.mktemp("pages"))


def written(runs: list[Run], out: Path) -> dict[str, str]:
    links = write_problems(Site(out, "report"), runs)
    assert [link.problem for link in links] == list(dict.fromkeys(link.problem for link in links))
    return {link.problem: (out / link.path).read_text() for link in links}


def shown(stored: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The steps of a curve of a page."""
    starts = accumulate(stored["d"][::2])
    values = (value * stored["g"] for value in accumulate(stored["d"][1::2]))
    return list(zip(starts, values, strict=True))


def drawn(page: str, run: Run, name: str) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """Every curve of a page with the profile in the store."""
    data = data_of(page)
    rows = [each for each in cohorts(run) if each.problem["problem"] == name]
    with RunStore.read(run.directory) as store:
        for cohort, rows_of in zip(data["cohorts"], rows, strict=True):
            for test in cohort["tests"]:
                for solution, number in zip(cohort["solutions"], test.get("profiles", ()), strict=False):
                    key = rows_of.executions[solution["index"]]["profiles"][test["id"]]
                    yield data["profiles"][number], read_series(store, key)


def test_curves_are_those_of_the_store(pages: Mapping[str, str], run: Run) -> None:
    found = list(drawn(pages["solved"], run, "solved"))
    assert len(found) == 3 * TESTS * 4  # three kinds that are curves, four correct solutions
    for stored, profile in found:
        steps = shown(stored)
        assert (stored["n"], stored["p"]) == (profile.length, profile.peak)
        assert steps[-1][1] == profile.runs[-1][0]
        assert max(value for _, value in steps) == profile.peak
        assert steps == [(step.start, step.value) for step in staircase(profile)]
        assert len(steps) <= 3 / TOLERANCE


def test_lines_are_those_of_the_store(pages: Mapping[str, str], run: Run) -> None:
    known = 0
    for stored, profile in drawn(pages["solved"], run, "solved"):
        by_line = getattr(profile, "raised_by", lambda: None)()
        assert ("m" in stored) == (by_line is not None)
        if by_line is not None:
            known += 1
            values = [value * stored["g"] for value in stored["m"][1::3]]
            assert dict(zip(stored["m"][::3], values, strict=True)) == by_line
            assert sum(values) == profile.peak
            lines = [stored["l"][ord(letter) - ord("A")] for letter in stored["s"]]
            assert [step.lines for step in staircase(profile)] == [
                (n,) if isinstance(n, int) else tuple(n) for n in lines
            ]
    assert known == TESTS * 4


def test_numbers_of_pairs_are_those_of_the_table(pages: Mapping[str, str], run: Run) -> None:
    data = data_of(pages["solved"])
    rows = [each for each in cohorts(run) if each.problem["problem"] == "solved"]
    seen = 0
    for cohort, of in zip(data["cohorts"], rows, strict=True):
        names = [row["solution"] for row in of.correct]
        for test in cohort["tests"]:
            for column, values in test["pairs"].items():
                table = {(row["solution_a"], row["solution_b"]): row for row in of.pairs[test["id"]].values()}
                for pair, value in zip(combinations(names, 2), values, strict=True):
                    stored = table[pair][column]
                    assert value == (str(stored) if isinstance(stored, int) and stored >= 2**53 else stored)
                    seen += 1
        assert {"dmpd", "dmpd_cost", "dmpd_scale", "dmpd_length"} <= {*data["cohorts"][0]["tests"][0]["pairs"]}
    assert seen > 3 * TESTS * 6 * 4


def test_it_begins_where_most_differs(pages: Mapping[str, str]) -> None:
    data = data_of(pages["solved"])
    largest = [each["divergence"] if each["divergence"] is not None else -1 for each in data["cohorts"]]
    assert largest[data["start"]] == max(largest)
    cohort = data["cohorts"][data["start"]]
    means = [sum(test["pairs"]["dmpd"]) for test in cohort["tests"]]
    assert means[cohort["start"]] == max(means)


@pytest.mark.parametrize("limit", ["MOST_TESTS", "MOST_ON_PAGE", "MOST_IN_ALL"])
def test_tests_beyond_the_most_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    found = [each for each in cohorts(run) if each.problem["problem"] == "solved"]
    solutions = sum(len(each.correct) for each in found)
    monkeypatch.setattr(problem_data, limit, 2 if limit == "MOST_TESTS" else 2 * solutions)
    data = page_data(run, "solved")
    rows = found[0]
    kept = {test["id"] for test in data["cohorts"][0]["tests"]}
    means = {test: rows.mean("dmpd", test) or 0.0 for test in rows.profiles}
    assert data["cohorts"][0]["left"] == 1
    assert min(means[test] for test in kept) >= max(means[test] for test in means.keys() - kept)


def test_kinds_that_are_no_curve_show_their_numbers(pages: Mapping[str, str], run: Run) -> None:
    cohort = next(each for each in data_of(pages["solved"])["cohorts"] if "opcodes" in each["label"])
    facts = cohort["tests"][0]["facts"]
    assert "profiles" not in cohort["tests"][0]
    assert facts["columns"] == ["opcodes", "distinct_opcodes"]
    assert len(facts["rows"]) == len(cohort["solutions"]) == 4
    assert all(count > 0 for row in facts["rows"] for count in row)


def test_a_problem_that_nobody_solves_has_a_page(pages: Mapping[str, str]) -> None:
    page = pages["failed"]
    data = data_of(page)
    assert all(cohort["solutions"] == [] and cohort["tests"] == [] for cohort in data["cohorts"])
    assert "Failed solutions (5)" in page  # once, not once a profiler
    assert page.count('class="failure"') == 5
    assert page.count("wrong_answer</span> on private-1") == 3
    assert "no program" in page
    assert "2 seconds" in page


def test_failed_programs_show_the_end_of_what_they_printed(pages: Mapping[str, str]) -> None:
    (printed,) = re.findall(r'<pre class="printed"[^>]*>\n(.*?)</pre>', pages["solved"], re.DOTALL)
    assert "KeyError: 3" in printed
    assert printed.startswith("x")


def test_long_answers_without_a_program_are_cut(pages: Mapping[str, str]) -> None:
    answers = re.findall(r'aria-label="Answer">\n(.*?)</pre>', pages["failed"], re.DOTALL)
    assert [len(unescape(answer)) for answer in answers] == [MOST_ANSWER]
    assert "without the last" in pages["failed"]


def test_each_program_is_there_once(pages: Mapping[str, str]) -> None:
    page = pages["failed"]
    assert page.count(WRONG) == 1
    assert pages["solved"].count("rows.append(str(i))") == 1


def test_statement_tests_and_solutions_need_no_script(pages: Mapping[str, str]) -> None:
    page, _, _ = pages["solved"].partition('<script type="application/json"')
    assert "Double the number." in page
    assert "Tests used (4)" in page
    assert page.count('data-cohort="') == len(PROFILERS)
    assert "<noscript>" in page
    assert "mean DMPD" in page


def altered(run: Run, change: Any) -> Run:  # noqa: ANN401
    return replace(run, tables={**run.tables, "pairs": [row for each in run.tables["pairs"] if (row := change(each))]})


def page_data(run: Run, name: str) -> dict[str, Any]:
    found = [each for each in cohorts(run) if each.problem["problem"] == name]
    with RunStore.read(run.directory) as store:
        data = PageData(Programs(), several=False, in_all=1).cohorts(found, {run.name: store})
    made: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    return made


def test_undefined_pairs_are_null(run: Run) -> None:
    first = run.tables["pairs"][0]
    pair = first["solution_a"], first["solution_b"]

    def undefined(row: Mapping[str, Any]) -> Mapping[str, Any]:
        same = row["profiler"] == "tracemalloc_line" and (row["solution_a"], row["solution_b"]) == pair
        return {**row, "dmpd": None, "dmpd_cost": None} if same else row

    cohort = page_data(altered(run, undefined), "solved")["cohorts"][0]
    for test in cohort["tests"]:
        assert test["pairs"]["dmpd"][0] is None
        assert None not in test["pairs"]["dmpd"][1:]
        assert test["pairs"]["npd"][0] is not None
    assert cohort["over"]["dmpd"][0] is None

    cohort = page_data(altered(run, lambda row: None), "solved")["cohorts"][0]
    assert cohort["columns"] == []
    assert cohort["main"] is None
    assert all(test["pairs"] == {} for test in cohort["tests"])


def test_whole_numbers_that_a_script_cannot_hold_are_text(run: Run) -> None:
    data = page_data(altered(run, lambda row: {**row, "dmpd_scale": 2**60 + 1}), "solved")
    assert data["cohorts"][0]["tests"][0]["pairs"]["dmpd_scale"][0] == str(2**60 + 1)


def test_missing_profiles_say_why(run: Run) -> None:
    first = run.tables["profiles"][0]
    failed = {**first, "outcome": "profile_timeout", "reason": "10 s"}
    executions = [
        {**row, "profiles": {} if row["completion"].startswith(first["solution"]) else row["profiles"]}
        for row in run.tables["executions"]
    ]
    profiles = [failed, *run.tables["profiles"][1:]]
    data = page_data(replace(run, tables={**run.tables, "profiles": profiles, "executions": executions}), "solved")
    test = next(test for test in data["cohorts"][0]["tests"] if test["id"] == first["test"])
    assert test["why"] == {"0": "profile_timeout: 10 s"}
    assert test["profiles"][0] is None


def test_one_problem_of_two_runs_has_one_page(run: Run, tmp_path: Path) -> None:
    other = replace(run, name="other")
    pages = written([run, other], tmp_path)
    data = data_of(pages["solved"])
    assert [each["label"].partition(",")[0] for each in data["cohorts"]] == [run.name] * 4 + ["other"] * 4
    assert len(data["profiles"]) == 3 * TESTS * 4  # the same store: each profile once
    assert pages["solved"].count("rows.append(str(i))") == 1


def test_many_cohorts_have_fewer_tests_each(run: Run) -> None:
    found = [each for each in cohorts(run) if each.problem["problem"] == "solved"] * 100
    with RunStore.read(run.directory) as store:
        data = PageData(Programs(), several=False, in_all=1).cohorts(found, {run.name: store})
    assert {len(each["tests"]) for each in data["cohorts"]} == {1}
    assert {each["left"] for each in data["cohorts"]} == {TESTS - 1}


def test_hostile_texts_are_only_text(report: Path) -> None:
    pages = [page.read_text() for page in (report / "problems").iterdir()]
    assert len(pages) == len(PROBLEMS)
    for page in pages:
        assert INJECTED not in page
        assert "<img" not in page
        assert BREAKING in unescape(page)
        assert page.count("</script>") == len(re.findall(r"<script nonce=\"[^\"]+\" src=|<script type=", page))


def test_a_report_has_what_its_pages_load(report: Path) -> None:
    for page in (report / "problems").iterdir():
        text = page.read_text()
        for path in re.findall(r'(?:src|href)="(\.\./[^"#]+)"', text):
            assert (page.parent / path).resolve().is_file(), path


def test_a_staircase_of_a_page_can_be_read_at_any_step(pages: Mapping[str, str], run: Run) -> None:
    for stored, profile in drawn(pages["solved"], run, "solved"):
        steps = staircase(profile)
        assert at(steps, stored["n"] - 1).value == profile.runs[-1][0]


def test_build_writes_the_pages(folder: Path, tmp_path: Path) -> None:
    index = build([folder], tmp_path / "report")
    assert len(list((index.parent / "problems").glob("*.html"))) == 2
    assert (index.parent / "assets" / "drawings.js").read_text().startswith("const drawings = {")
