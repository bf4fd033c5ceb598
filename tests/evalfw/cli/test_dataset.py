from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evalfw.cli.test_app import evalfw
from tests.evalfw.experiments import DOUBLE, WRONG, problem

PROBLEMS: list[dict[str, Any]] = [
    problem("double-1", solutions=[{"name": "ok", "code": DOUBLE}, {"name": "[bold]sum[/]", "code": WRONG}]),
    problem("double-2", solutions=[WRONG], traits={"difficulty": "easy", "image": "yes"}),
    problem("other", traits={"difficulty": "hard"}, statement="Print\xa0\x1b[31mred\x07.\n\tNow."),
    {
        "id": "add",
        "statement": "Add.",
        "style": {"method": "add", "args": ["int", "int"], "returns": "int"},
        "starter_code": "class Solution:\n    def add(self, a, b):",
        "time_limit": "2s",
        "memory_limit": "64MiB",
        "tests": [{"args": [n, 1], "expected": n + 1} for n in range(5)],
        "solutions": ["class Solution:\n    def add(self, a, b):\n        return a + b\n"],
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in PROBLEMS))
    return tmp_path


def test_problems_are_listed_with_their_flags(folder: Path) -> None:
    done = evalfw("dataset", "show", "jsonl", "--path", "problems.jsonl", folder=folder)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["problem", "public", "private", "generated", "solutions", "difficulty", "flags"],
        ["double-1", "1", "2", "0", "2"],
        ["double-2", "1", "2", "0", "1", "easy", "image"],
        ["other", "1", "2", "0", "0", "hard"],
        ["add", "0", "5", "0", "1"],
        [],
        ["4", "problems;", "flags:", "image", "1"],
    ]


def test_a_problem_is_printed_for_a_person(folder: Path) -> None:
    arguments = ("jsonl", "add", "--path", "problems.jsonl", "--prompt", "--solutions")
    done = evalfw("dataset", "show", *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("\nadd\nAdd.\n\nstarter code\nclass Solution:\n")
    for line in (
        "run as: Solution.add(int, int) -> int",
        "checker: value",
        "time limit: 2 s",
        "memory limit: 64 MiB",
        "0 public tests",
        "5 private tests",
        "  input:    [0, 1]",
        "  expected: 1",
        "... and 2 more",
        "Answer with the complete Python 3 code in one ```python block, and nothing else.",
        "solution solution-1",
        "        return a + b",
    ):
        assert line in done.stdout.splitlines(), line


def test_no_control_character_of_a_problem_gets_through(folder: Path) -> None:
    done = evalfw("dataset", "show", "jsonl", "oth", "--path", "problems.jsonl", folder=folder)
    assert "Print \\x1b[31mred\\x07.\n    Now." in done.stdout
    assert not set(done.stdout) & {"\x1b", "\x07", "\t"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "jsonl"], "option 'path': required, but missing"),
        (
            ["show", "jsonl", "--path", "problems.jsonl", "--option", "limt=3"],
            "option 'limt': unknown field 'limt'; did you mean 'limit'? "
            "(allowed: difficulty, exclude, ids, limit, path, shuffle)",
        ),
        (
            ["show", "jsonl", "--path", "problems.jsonl", "--option", "limit=few", "--option", "ids=[]"],
            "option 'limit': found 'few', but a whole number is needed\n"
            "option 'ids': found an empty list, but a list of 1 or more items is needed",
        ),
        (["show", "jsonl", "--option", "limit"], "--option limit: KEY=VALUE is needed"),
        (["show", "jsonll"], "no dataset 'jsonll' is installed; did you mean 'jsonl'? "),
        (["show", "./mine.py:Mine"], "dataset './mine.py:Mine': there is no file "),
        (
            ["show", "jsonl", "double", "--path", "problems.jsonl"],
            "dataset 'jsonl': several problems begin with 'double'",
        ),
        (
            ["show", "jsonl", "ad_d", "--path", "problems.jsonl"],
            "dataset 'jsonl': there is no problem 'ad_d'; did you mean 'add'? ",
        ),
        (["check", "jsonl", "--path", "problems.jsonl", "--require", "most"], "there is no requirement 'most'"),
        (
            ["check", "jsonl", "--path", "problems.jsonl", "--time", "2 hours"],
            "--time 2 hours: a number with a unit is needed",
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_one_message(folder: Path, arguments: list[str], message: str) -> None:
    done = evalfw("dataset", *arguments, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"evalfw: {message}"), done.stderr


def test_who_fails_and_why_and_what_to_leave_out(folder: Path) -> None:
    arguments = ("jsonl", "--path", "problems.jsonl", "--out", "bad.jsonl", "--workers", "2")
    done = evalfw("dataset", "check", *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    assert "solutions judged: 4 of 4" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["problem", "solution", "fails", "first", "not", "run", "flags"]
    assert lines[1].split()[:5] == ["double-1", "[bold]sum[/]", "2", "of", "3"]
    assert "wrong_answer on private-1: token 1: expected '60', found '32'" in lines[1]
    assert lines[2].split()[0] == "double-2"
    assert lines[4:] == [
        "4 problems, 4 solutions, 14 executions; flags: image 1",
        "failing: 2 solutions of 2 problems; to be left out: 1 problem",
        "not checked: 1 problem without solutions",
        "written to bad.jsonl: 1 problem; name it with `exclude:` in an experiment",
    ]
    again = evalfw(
        *("dataset", "show", "jsonl", "--path", "problems.jsonl", "--option", "exclude=bad.jsonl"), folder=folder
    )
    assert "double-2" not in again.stdout
    assert again.stderr == "dataset 'jsonl': bad.jsonl: left out 1 (double-2)\n"


def test_all_solutions_may_be_required_to_pass(folder: Path) -> None:
    arguments = ("jsonl", "--path", "problems.jsonl", "--out", "bad.jsonl", "--require", "all")
    evalfw("dataset", "check", *arguments, "--option", "ids=[double-1, add]", folder=folder)
    (line,) = (folder / "bad.jsonl").read_text().splitlines()
    assert json.loads(line)["problem"] == "double-1"
    evalfw("dataset", "check", *arguments, "--solutions", "1", "--option", "limit=1", folder=folder)
    assert (folder / "bad.jsonl").read_text() == ""


def test_help_and_unknown_commands() -> None:
    assert "Look at a dataset, and check it." in evalfw("dataset", "--help").stdout
    done = evalfw("datasett")
    assert done.returncode == 2
    assert "there is no command 'datasett'; did you mean 'dataset'?" in done.stderr
    assert "No such command 'shw'" in evalfw("dataset", "shw").stderr
