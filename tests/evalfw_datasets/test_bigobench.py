from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalfw import AcceptedSolution, Checker, InputError, Limits, Problem, Sandbox, Stdin, TestCase, extract, judge
from evalfw_datasets.bigobench import BigOBench, BigOBenchOptions
from evalfw_datasets.bigobench_generations import convert

ROWS = Path(__file__).parent / "data" / "bigobench.jsonl"
Row = dict[str, object]


def _rows() -> list[Row]:
    return [json.loads(line) for line in ROWS.read_text().splitlines()]


def _write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _load(path: Path, split: str = "space") -> list[Problem]:
    return list(BigOBench(BigOBenchOptions.model_validate({"path": path, "split": split})).problems())


def test_rows_of_one_problem_are_one_problem() -> None:
    total, odd = _load(ROWS)
    assert total.id == "9000_A. Synthetic Sum"
    assert total.statement.startswith("Read two integers a and b and print a + b.\n\nInput\n")
    assert total.tests == (
        TestCase("public-1", "public", "1 2\n", "3\n"),
        TestCase("private-1", "private", "-5 5\n", "0\n"),
        TestCase("private-2", "private", "10 20\n", "30\n"),
        TestCase("generated-1", "generated", "7 8\n", "15\n"),
    )
    assert (total.style, total.checker) == (Stdin(), Checker("deepmind"))
    assert (total.time_seconds, total.memory_bytes) == (None, None)
    assert total.solutions == (
        AcceptedSolution("70_1 O(1)", "print(sum(map(int, input().split())))\n"),
        AcceptedSolution("70_2 O(n)", "a, b = map(int, input().split())\ncells = [1] * abs(a)\nprint(a + b)\n"),
    )
    assert total.traits == {"problem_id": "70", "complexity": "O(1), O(n)", "coefficient": "12.5, 8"}
    assert odd.traits == {
        "problem_id": "71",
        "complexity": "O(1)",
        "coefficient": "3",
        "no_private_tests": "yes",
        "several_answers": "yes",
    }


def test_the_time_set_has_fields_of_other_names(tmp_path: Path) -> None:
    rows = []
    for row in _rows():
        rows.append({name.replace("space_", "time_"): value for name, value in row.items()})
    path = _write(tmp_path / "time_complexity_test_set.jsonl", *rows)
    assert _load(path, "time") == _load(ROWS)
    assert _load(tmp_path, "time") == _load(ROWS)
    with pytest.raises(InputError, match=r"no file named space_complexity_test_set\.\*"):
        _load(tmp_path, "space")


def test_names_and_statements_that_repeat(tmp_path: Path) -> None:
    rows = [row | {"problem_id": str(number)} for number, row in enumerate(_rows())]
    problems = _load(_write(tmp_path / "rows.jsonl", *rows))
    assert [problem.id for problem in problems] == [
        "9000_A. Synthetic Sum",
        "9000_B. Synthetic Odd",
        "9000_A. Synthetic Sum#2",
    ]
    assert ["duplicate_statement" in problem.traits for problem in problems] == [False, False, True]


def test_rows_of_one_problem_that_disagree(tmp_path: Path) -> None:
    first, _, third = _rows()
    path = _write(tmp_path / "rows.jsonl", first, third | {"description": "Other."})
    with pytest.raises(InputError, match=r"rows\.jsonl:2: problem_id '70' has another description or other tests"):
        _load(path)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"problem_id": 653}, "problem_id: a text is needed, found 653"),
        (
            {"tests": {"public_tests": []}},
            "tests: missing: private_tests, generated_tests (fields found: public_tests)",
        ),
        (
            {"tests": {"public_tests": {"input": []}, "private_tests": [], "generated_tests": []}},
            "tests.public_tests: a list is needed, found an object",
        ),
    ],
)
def test_wrong_row_is_named(tmp_path: Path, fields: Row, message: str) -> None:
    path = _write(tmp_path / "rows.jsonl", *_rows(), _rows()[0] | fields)
    with pytest.raises(InputError) as raised:
        _load(path)
    assert str(raised.value).startswith(f"{path}:4: {message}")


def test_rows_of_another_schema_are_refused(tmp_path: Path) -> None:
    row = {name: value for name, value in _rows()[0].items() if not name.startswith("space_")}
    with pytest.raises(InputError) as raised:
        _load(_write(tmp_path / "rows.jsonl", row))
    assert "rows.jsonl:1: missing: space_complexity_inferred (fields found: problem_name, " in str(raised.value)
    with pytest.raises(InputError, match="no problems in it"):
        _load(_write(tmp_path / "rows.jsonl"))


def test_prompt_is_that_of_the_benchmark() -> None:
    dataset = BigOBench(BigOBenchOptions(path=ROWS))
    problem = Problem("p", "Add.", ())
    assert dataset.prompt(problem) == (
        "Provide a Python solution for the following competitive programming question: Add..\n"
        "Output the code only.\n"
        "Your code should be enclosed in triple backticks like so: ```python YOUR CODE HERE ```. "
        "Use the backticks for your code only."
    )


def test_selection_and_revision() -> None:
    dataset = BigOBench(BigOBenchOptions(path=ROWS, ids=["9000_B. Synthetic Odd"]))
    assert [problem.id for problem in dataset.problems()] == ["9000_B. Synthetic Odd"]
    assert dataset.revision().startswith("sha256:")


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = os.environ.get("EVALFW_SAMPLE_DATA")
    if not folder:
        pytest.skip("EVALFW_SAMPLE_DATA does not name a folder with bigobench/*_complexity_test_set.tiny.jsonl")
    return Path(folder) / "bigobench"


def _real(folder: Path) -> dict[str, Problem]:
    return {problem.id: problem for split in ("space", "time") for problem in _load(folder, split)}


def test_real_rows(folder: Path) -> None:
    problems = _real(folder)
    assert len(problems) == 10
    assert sum(len(problem.solutions) for problem in problems.values()) == 22
    assert {name[:6] for name, problem in problems.items() if "several_answers" in problem.traits} == {
        "1028_B",
        "1056_A",
        "1073_A",
    }
    for problem in problems.values():
        assert 2 <= len(problem.pool("public")) <= 4
        assert 3 <= len(problem.pool("private")) <= 88
        assert 76 <= len(problem.pool("generated")) <= 100


@pytest.mark.parametrize("name", ["example_input_format_1.jsonl", "example_input_format_2.jsonl"])
def test_real_files_of_other_kinds_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}:1: .*missing: "):
        _load(folder / name)


@pytest.mark.slow
def test_real_solutions_are_accepted_but_for_those_of_problems_with_several_answers(folder: Path) -> None:
    failing: Counter[str] = Counter()
    with Sandbox() as sandbox:
        for problem in _real(folder).values():
            for solution in problem.solutions:
                verdicts = [judge(sandbox, problem, test, solution.code, Limits())[0] for test in problem.tests]
                failing[solution.name] += sum(not verdict.accepted for verdict in verdicts)
    # Right answers, of which the tests hold others; the second prints a set, whose order hangs on the interpreter.
    assert {name for name, count in failing.items() if count} == {"2433_155 O(1)", "1010_221 O(n)"}
    assert failing["2433_155 O(1)"] == 116
    assert 0 < failing["1010_221 O(n)"] < 102
    assert len(failing) == 22


def _marked_correct(folder: Path) -> Iterator[tuple[str, str]]:
    for record in convert(folder / "model_generations_with_notes.json"):
        if record["marked"] == "correct":
            yield str(record["problem_id"]), str(record["completion"])


@pytest.mark.slow
def test_real_answers_that_are_marked_correct_are_accepted(folder: Path) -> None:
    problems = _real(folder)
    rejected, count = [], 0
    with Sandbox() as sandbox:
        for name, text in _marked_correct(folder):
            problem, count = problems[name], count + 1
            solution = extract(text, problem.style.entry_point)
            for test in problem.tests[:15]:
                verdict, _ = judge(sandbox, problem, test, solution.code, Limits())
                if not verdict.accepted:
                    rejected.append((name, test.id, verdict))
    assert (count, rejected) == (123, [])
