from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evalfw import AcceptedSolution, Outcome, Problem, TestCase, Verdict
from evalfw.config.experiment import Bounds
from evalfw.pipeline.check import Checked, check_solutions, count_flags, exclusions, write_exclusions
from evalfw.pipeline.workers import Workers
from evalfw_datasets.selection import read_exclusions
from tests.evalfw.experiments import DOUBLE, WRONG

TESTS = (
    TestCase("public-1", "public", "2\n", "4\n"),
    TestCase("private-1", "private", "3\n", "6\n"),
    TestCase("generated-1", "generated", "5\n", "10\n"),
)
FOREVER = "while True: pass\n"


def _problem(name: str, **solutions: str) -> Problem:
    return Problem(name, "?", TESTS, solutions=tuple(AcceptedSolution(*pair) for pair in solutions.items()))


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(2, site_packages=False) as pool:
        yield pool


def test_solutions_run_on_the_tests_of_every_pool(workers: Workers) -> None:
    problems = [
        _problem("a", right=DOUBLE, wrong=WRONG),
        _problem("b"),
        replace(_problem("c", right=DOUBLE), tests=()),
        _problem("d", right=DOUBLE),
    ]
    told: list[tuple[int, int]] = []
    found = check_solutions(problems, workers, Bounds(), advanced=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [(one.problem.id, one.solution.name, one.passes, one.not_run) for one in found] == [
        ("a", "right", True, 0),
        ("a", "wrong", False, 0),
        ("d", "right", True, 0),
    ]
    wrong = found[1]
    assert [test for test, _ in wrong.failures] == ["private-1", "generated-1"]  # 2 + 2 is 2 * 2
    assert wrong.reason == "wrong_answer on private-1: token 1: expected '6', found '5'"
    assert found[0].reason == ""


def test_only_the_first_solutions(workers: Workers) -> None:
    found = check_solutions([_problem("a", first=DOUBLE, second=WRONG)], workers, Bounds(), at_most=1)
    assert [one.solution.name for one in found] == ["first"]


def test_a_solution_that_runs_out_of_time_is_not_run_forever(workers: Workers) -> None:
    tests = tuple(replace(TESTS[1], id=f"private-{number}") for number in range(20))
    problem = replace(_problem("a", slow=FOREVER), tests=tests)
    (one,) = check_solutions([problem], workers, Bounds(time=0.1))
    assert [verdict.outcome for _, verdict in one.failures] == [Outcome.TIME_LIMIT] * 3
    assert one.not_run == 17


def _checked(name: str, *failures: str) -> Checked:
    failing = tuple((test, Verdict(Outcome.WRONG_ANSWER, "no")) for test in failures)
    return Checked(_problem(name), AcceptedSolution(f"of {name}", ""), failing, 0)


def test_a_problem_is_left_out_when_too_few_solutions_pass() -> None:
    found = [_checked("a"), _checked("a", "t2", "t3"), _checked("b", "t1"), _checked("b", "t2"), _checked("c")]
    assert exclusions(found, "any") == {"b": "2 of 2 accepted solutions fail; of b: wrong_answer on t1: no"}
    assert exclusions(found, "all") == {
        "a": "1 of 2 accepted solutions fail; of a: wrong_answer on t2: no",
        "b": "2 of 2 accepted solutions fail; of b: wrong_answer on t1: no",
    }


def test_a_dataset_reads_what_is_written(tmp_path: Path) -> None:
    excluded = {"1_A. Näme # 2": "why\nnot", "b": ""}
    write_exclusions(tmp_path / "new" / "out.jsonl", excluded)
    assert read_exclusions(tmp_path / "new" / "out.jsonl") == excluded
    lines = (tmp_path / "new" / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["problem"] for line in lines] == list(excluded)


def test_flags_are_the_traits_that_say_yes() -> None:
    problems = [
        replace(_problem("a"), traits={"image": "yes", "difficulty": "hard"}),
        replace(_problem("b"), traits={"image": "yes", "file_io": "yes"}),
    ]
    assert count_flags(problems) == {"image": 2, "file_io": 1}
