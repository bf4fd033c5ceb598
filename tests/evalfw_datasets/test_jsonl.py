from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from evalfw import AcceptedSolution, Call, Checker, Generator, InputError, Method, Problem, Stdin, TestCase
from evalfw_datasets import jsonl
from evalfw_datasets.jsonl import Jsonl, JsonlOptions

PROGRAM: dict[str, object] = {
    "id": "double",
    "statement": "Read n, print 2n.",
    "tests": [{"input": "21", "expected": "42"}],
}
FUNCTION: dict[str, object] = {
    "id": "add",
    "statement": "Add a and b.",
    "style": {"method": "add", "args": ["int", "int"], "returns": "int"},
    "tests": [{"args": [1, 2], "expected": 3}],
}


def _write(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "problems.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _load(folder: Path, *rows: dict[str, object]) -> list[Problem]:
    return list(Jsonl(JsonlOptions(path=_write(folder, *rows))).problems())


def _message(folder: Path, *rows: dict[str, object]) -> str:
    path = _write(folder, *rows)
    with pytest.raises(InputError) as raised:
        list(Jsonl(JsonlOptions(path=path)).problems())
    return str(raised.value).replace(str(path), "FILE")


def test_smallest_program(tmp_path: Path) -> None:
    assert _load(tmp_path, PROGRAM) == [
        Problem("double", "Read n, print 2n.", (TestCase("private-1", "private", "21", "42"),))
    ]


def test_the_documented_example_is_a_problem(tmp_path: Path) -> None:
    (example,) = [line for line in str(jsonl.__doc__).splitlines() if line.startswith("    {")]
    path = tmp_path / "problems.jsonl"
    path.write_text(example)
    (problem,) = Jsonl(JsonlOptions(path=path)).problems()
    assert problem.id == "double"


def test_program_with_everything(tmp_path: Path) -> None:
    row = PROGRAM | {
        "checker": {"name": "float", "abs": 1e-6, "rel": 1},
        "tests": [
            {"pool": "public", "input": "1\n", "expected": "2\n"},
            {"input": "", "expected": "", "size": 0},
            {"id": "big", "input": "3\n", "expected": "6\n", "size": 100},
            {"pool": "public", "input": "2\n", "expected": "4\n"},
            {"input": "4\n", "expected": "8\n"},
            {"pool": "generated", "input": "5\n", "expected": "10\n"},
        ],
        "solutions": [
            "print(int(input()) * 2)\n",
            {"name": "add", "code": "n = int(input())\nprint(n + n)\n"},
        ],
        "starter_code": "n = int(input())\n",
        "time_limit": "500ms",
        "memory_limit": "256MiB",
        "traits": {"difficulty": "easy"},
        "generator": "def generate(rng, size): ...",
    }
    assert _load(tmp_path, row) == [
        Problem(
            id="double",
            statement="Read n, print 2n.",
            tests=(
                TestCase("public-1", "public", "1\n", "2\n"),
                TestCase("private-1", "private", "", "", size=0),
                TestCase("big", "private", "3\n", "6\n", size=100),
                TestCase("public-2", "public", "2\n", "4\n"),
                TestCase("private-3", "private", "4\n", "8\n"),
                TestCase("generated-1", "generated", "5\n", "10\n"),
            ),
            style=Stdin(),
            checker=Checker("float", 1e-6, 1.0),
            time_seconds=0.5,
            memory_bytes=256 << 20,
            solutions=(
                AcceptedSolution("solution-1", "print(int(input()) * 2)\n"),
                AcceptedSolution("add", "n = int(input())\nprint(n + n)\n"),
            ),
            starter_code="n = int(input())\n",
            traits={"difficulty": "easy"},
            generator=Generator("def generate(rng, size): ..."),
        )
    ]


def test_function(tmp_path: Path) -> None:
    (problem,) = _load(tmp_path, FUNCTION)
    assert problem.style == Method("add", "Solution", ("int", "int"), "int", "return")
    assert problem.checker == Checker("value")
    assert problem.tests == (TestCase("private-1", "private", Call((1, 2)), 3),)


def test_function_at_module_level_that_works_in_place(tmp_path: Path) -> None:
    style = {"method": "rotate", "class_name": None, "args": ["List[int]", "int"], "result_from": "arg0"}
    tests = [
        {"args": [[1, None, {"a": [True]}], 0], "expected": None},
        {"args": [], "style": {"method": "other"}, "expected": [[1.5]]},
    ]
    (problem,) = _load(tmp_path, FUNCTION | {"style": style, "tests": tests, "checker": "unordered"})
    assert problem.style == Method("rotate", None, ("List[int]", "int"), "", "arg0")
    assert problem.checker == Checker("unordered")
    assert [test.input for test in problem.tests] == [
        Call(([1, None, {"a": [True]}], 0)),
        Call((), Method("other")),
    ]
    assert [test.expected for test in problem.tests] == [None, [[1.5]]]


def test_limits_as_numbers(tmp_path: Path) -> None:
    rows = [PROGRAM | {"time_limit": 2, "memory_limit": 1000}, PROGRAM | {"id": "b", "time_limit": 0.25}]
    first, second = _load(tmp_path, *rows)
    assert (first.time_seconds, first.memory_bytes) == (2.0, 1000)
    assert (second.time_seconds, second.memory_bytes) == (0.25, None)


def test_any_of_has_a_list_of_texts(tmp_path: Path) -> None:
    row = PROGRAM | {"checker": "any_of", "tests": [{"input": "4", "expected": ["2 2", "1 3"]}]}
    (problem,) = _load(tmp_path, row)
    assert problem.tests[0].expected == ["2 2", "1 3"]


def test_text_comes_as_it_stands_in_the_file(tmp_path: Path) -> None:
    text = "a\r\n\t\0 \U0001f600 \u2028 ü"
    (problem,) = _load(tmp_path, PROGRAM | {"statement": text, "tests": [{"input": text, "expected": text}]})
    assert (problem.statement, problem.tests[0].input, problem.tests[0].expected) == (text, text, text)


def test_checker_that_is_code(tmp_path: Path) -> None:
    code = "def check(args, expected, actual):\n    return True"
    checker = {"checker": {"name": "code", "code": code}}
    style = {"style": {"method": "add", "result_from": "all"}}
    anything: dict[str, object] = {"tests": [{"input": "1", "expected": {"a": [1]}}]}
    path = _write(tmp_path, PROGRAM | checker | anything, FUNCTION | checker | style)
    program, function = Jsonl(JsonlOptions(path=path)).problems()
    assert program.checker == function.checker == Checker("code", code=code)
    assert program.tests[0].expected == {"a": [1]}
    assert isinstance(function.style, Method)
    assert function.style.result_from == "all"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "x"}, "missing: statement, tests (fields found: id)"),
        (PROGRAM | {"id": 17}, "id: a text is needed, found 17"),
        (PROGRAM | {"test": []}, "unknown field 'test'; did you mean 'tests'? (allowed: checker, generator, id, "),
        (PROGRAM | {"tests": []}, "tests: List should have at least 1 item after validation, not 0"),
        (PROGRAM | {"tests": ["1"]}, "tests.0: an object with named fields is needed, found '1'"),
        (
            PROGRAM | {"tests": [{"input": "1", "expcted": "2"}]},
            "tests.0: unknown field 'expcted'; did you mean 'expected'? (allowed: args, expected, id, ",
        ),
        (PROGRAM | {"tests": [{"input": "1"}]}, "tests.0: missing: expected (fields found: input)"),
        (PROGRAM | {"tests": [{"expected": "1"}]}, "tests.0: the field 'input' is missing"),
        (PROGRAM | {"tests": [{"input": 1, "expected": "1"}]}, "tests.0.input: a text is needed, found 1"),
        (
            PROGRAM | {"tests": [{"input": "1", "expected": 1}]},
            "tests.0: expected: the output of a program is a",
        ),
        (
            PROGRAM | {"tests": [{"args": [1], "expected": "1"}]},
            "tests.0: 'args' and 'style' are for functions",
        ),
        (
            PROGRAM | {"tests": [{"pool": "privat", "input": "1", "expected": "1"}]},
            "tests.0.pool: Input should be 'public', 'private' or 'generated', found 'privat'",
        ),
        (
            PROGRAM | {"tests": [{"id": "private-2", "input": "1", "expected": "1"}, {"input": "2", "expected": "2"}]},
            "tests: 2 tests have the id 'private-2'",
        ),
        (
            PROGRAM | {"checker": "token"},
            "checker.name: unknown checker 'token'; did you mean 'tokens'? (allowed: ",
        ),
        (
            PROGRAM | {"checker": {"name": "float", "abs": "1e-6"}},
            "checker.abs: a number is needed, found '1e-6'",
        ),
        (
            PROGRAM | {"checker": {"name": "float", "rel": -1}},
            "checker.rel: Input should be greater than or equal",
        ),
        (PROGRAM | {"checker": "code"}, "checker: 'code' is needed with the checker 'code', and only there"),
        (PROGRAM | {"checker": {"name": "lines", "code": "1"}}, "checker: 'code' is needed with the checker 'code'"),
        (
            FUNCTION | {"style": {"method": "add", "result_from": "all"}},
            "tests.0: 'result_from' can be 'all' only with the checker 'code'",
        ),
        (PROGRAM | {"checker": "any_of"}, "tests.0: expected: 'any_of' needs a list of texts"),
        (PROGRAM | {"solutions": [{"name": "x"}]}, "solutions.0: missing: code (fields found: name)"),
        (PROGRAM | {"time_limit": "2"}, "time_limit: a number with a unit is needed, such as 10s"),
        (PROGRAM | {"time_limit": True}, "time_limit: a number with a unit is needed"),
        (PROGRAM | {"memory_limit": "1 gb"}, "memory_limit: a number with a unit is needed, such as 512MiB"),
        (PROGRAM | {"generator": ""}, "generator: String should have at least 1 character, found ''"),
        (PROGRAM | {"traits": {"easy": True}}, "traits.easy: a text is needed, found True"),
        (FUNCTION | {"style": {"name": "add"}}, "style: unknown field 'name'"),
        (
            FUNCTION | {"style": {"method": "add", "result_from": "arg10"}},
            "style.result_from: String should match",
        ),
        (FUNCTION | {"tests": [{"input": "1", "expected": 3}]}, "tests.0: 'input' is for programs"),
        (FUNCTION | {"tests": [{"expected": 3}]}, "tests.0: the field 'args' is missing"),
        (
            FUNCTION | {"tests": [{"args": [1], "expected": 3}]},
            "tests.0: args: 1 given, but the style names 2",
        ),
    ],
)
def test_wrong_line_is_named(tmp_path: Path, row: dict[str, object], message: str) -> None:
    found = _message(tmp_path, PROGRAM | {"id": "first"}, row)
    assert found.startswith(f"FILE:2: {message}")
    assert "\n" not in found


def test_id_that_is_taken_names_both_lines(tmp_path: Path) -> None:
    assert _message(tmp_path, PROGRAM, FUNCTION, PROGRAM) == "FILE:3: the id 'double' is taken, see FILE:1"


def test_file_without_problems(tmp_path: Path) -> None:
    assert _message(tmp_path) == "FILE: no problems in it"


def test_ids_and_limit(tmp_path: Path) -> None:
    path = _write(tmp_path, *(PROGRAM | {"id": name} for name in "abc"))
    dataset = Jsonl(JsonlOptions(path=path, ids=["c", "a"]))
    assert [problem.id for problem in dataset.problems()] == ["a", "c"]
    assert [problem.id for problem in Jsonl(JsonlOptions(path=path, limit=2)).problems()] == ["a", "b"]
    with pytest.raises(InputError, match=r"none of the 3 problems is named 'd' \(allowed: a, b, c\)"):
        list(Jsonl(JsonlOptions(path=path, ids=["d"])).problems())


def test_relative_path_and_revision(tmp_path: Path) -> None:
    _write(tmp_path, PROGRAM)
    dataset = Jsonl(JsonlOptions(path=Path("problems.jsonl")), base=tmp_path)
    assert [problem.id for problem in dataset.problems()] == ["double"]
    before = dataset.revision()
    _write(tmp_path, FUNCTION)
    assert dataset.revision() != before


def test_folder_of_files(tmp_path: Path) -> None:
    _write(tmp_path, PROGRAM)
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(json.dumps(FUNCTION).encode()))
    assert [problem.id for problem in Jsonl(JsonlOptions(path=tmp_path)).problems()] == ["add", "double"]


def test_problems_can_be_asked_for_twice(tmp_path: Path) -> None:
    dataset = Jsonl(JsonlOptions(path=_write(tmp_path, PROGRAM, FUNCTION)))
    assert list(dataset.problems()) == list(dataset.problems())


@pytest.mark.parametrize(
    "options", [{}, {"path": "a", "limit": 0}, {"path": "a", "ids": []}, {"path": "a", "id": ["a"]}]
)
def test_wrong_options(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        JsonlOptions.model_validate(options)
