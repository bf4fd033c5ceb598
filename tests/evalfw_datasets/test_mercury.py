from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Call, Generator, InputError, Limits, Method, Outcome, Problem, Sandbox, TestCase, Verdict
from evalfw import judge as judge_test
from evalfw_datasets.mercury import Mercury, MercuryOptions

ROWS = Path(__file__).parent / "data" / "mercury.jsonl"
LIMITS = Limits(time_seconds=5.0, memory_bytes=512 << 20, output_bytes=1 << 20)
Row = dict[str, Any]

SAMPLES = Path(os.environ.get("EVALFW_SAMPLE_DATA", ""), "mercury")
needs_samples = pytest.mark.skipif(
    "EVALFW_SAMPLE_DATA" not in os.environ, reason="EVALFW_SAMPLE_DATA names no folder with rows of Mercury"
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def rows() -> list[Row]:
    return [json.loads(line) for line in ROWS.read_text().splitlines()]


def load(path: Path, **options: object) -> list[Problem]:
    return list(Mercury(MercuryOptions.model_validate({"path": path, **options})).problems())


def one(folder: Path, **fields: object) -> Problem:
    """The problem of the first row with other fields."""
    (problem,) = load(write(folder / "rows.jsonl", rows()[0] | fields))
    return problem


def write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def judge(sandbox: Sandbox, problem: Problem, test: TestCase, code: str) -> Verdict:
    return judge_test(sandbox, problem, test, code, LIMITS)[0]


def test_a_row() -> None:
    problem = load(ROWS)[1]
    assert (problem.id, problem.style.entry_point, problem.recursion_limit) == (
        "synthetic-running-maximum",
        "Solution",
        5000,
    )
    assert problem.statement.startswith("Return the running maximum of nums.\n\nExample 1:\n")
    assert problem.starter_code.startswith("class Solution(object):\n    def runningMax(self, nums):\n")
    assert problem.tests == (
        TestCase("public-1", "public", Call(([1, 3, 2],)), [1, 3, 3]),
        TestCase("private-1", "private", Call(([5],)), [5]),
    )
    assert isinstance(problem.style, Method)
    assert (problem.style.name, problem.style.result_from) == ("runningMax", "all")
    assert problem.checker.name == "code"
    assert [solution.name for solution in problem.solutions] == ["solution-1 52ms", "solution-2 310ms"]
    assert problem.traits == {"number": "90002", "difficulty": "Easy", "tags": "Array"}
    assert isinstance(problem.generator, Generator)
    assert "def generate_test_case():" in problem.generator.code


def test_the_prompt_is_that_of_mercury() -> None:
    dataset = Mercury(MercuryOptions(path=ROWS))
    problem, row = next(dataset.problems()), rows()[0]
    assert dataset.prompt(problem) == (
        f"Complete python3 code to solve the following coding problem:\n{row['pretty_content'][0]}\n{row['prompt']}"
    )


@pytest.mark.parametrize("position", range(7))
def test_accepted_solutions_are_accepted_and_others_are_not(sandbox: Sandbox, position: int) -> None:
    problem = load(ROWS)[position]
    assert len(problem.solutions) == 2
    assert len(problem.tests) == 2
    assert isinstance(problem.style, Method)
    for solution in problem.solutions:
        for test in problem.tests:
            assert judge(sandbox, problem, test, solution.code) == Verdict(Outcome.ACCEPTED)
    for body in ("return None", "return [[8]]", "return args", "return 3.5", "args[0].append(1) or 1 / 0"):
        wrong = f"class Solution:\n    def {problem.style.name}(self, *args):\n        {body}\n"
        outcomes = [judge(sandbox, problem, test, wrong).outcome for test in problem.tests]
        assert not all(outcome is Outcome.ACCEPTED for outcome in outcomes), body
        assert set(outcomes) <= {Outcome.ACCEPTED, Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR}, body


def test_the_first_tests_are_the_examples_of_the_statement(tmp_path: Path) -> None:
    def pools(*statement: str) -> list[str]:
        cases = json.dumps([{"input": [[n], n], "expected": n} for n in range(4)])
        problem = one(tmp_path, pretty_content=list(statement), test_cases=cases)
        assert [test.input for test in problem.tests] == [Call(([n], n)) for n in range(4)]
        return [test.id for test in problem.tests]

    assert pools("Example 1:\nExample 2:\nExample 3:") == ["public-1", "public-2", "public-3", "private-1"]
    assert pools("No examples.") == ["public-1", "private-1", "private-2", "private-3"]
    html = "Its HTML has none either."
    assert pools() == pools(html)


def test_the_fastest_solution_comes_first_and_one_without_a_runtime_last(tmp_path: Path) -> None:
    times = ["1200ms", "None", "76ms", "96 ms"]
    problem = one(tmp_path, solutions=[{"hash": 1, "runtime": time, "solution": time} for time in times])
    assert [solution.code for solution in problem.solutions] == ["76ms", "96 ms", "1200ms", "None"]
    assert problem.solutions[0].name == "solution-1 76ms"


def test_missing_parts_are_flags(tmp_path: Path) -> None:
    bare = dict.fromkeys(("test_cases", "convert_offline", "evaluate_offline", "generator_code", "entry_point"), "None")
    prompt = "\n[\x1b[33m7\x1b[0m] \x1b[1;4mPair Sum\x1b[0m \x1b[2mis on the run...\x1b[0m\n\n\n" + rows()[0]["prompt"]
    path = write(tmp_path / "train.jsonl", rows()[0] | bare | {"prompt": prompt, "solutions": []}, rows()[1])
    dataset = Mercury(MercuryOptions(path=path))
    problem, _ = dataset.problems()
    assert (problem.tests, problem.generator, problem.style.entry_point) == ((), None, "Solution")
    assert isinstance(problem.style, Method)
    assert problem.style.name == "pairSum"
    assert problem.starter_code == rows()[0]["prompt"]
    flags = {name for name, value in problem.traits.items() if value == "yes"}
    assert flags == {"no_tests", "no_solutions", "no_generator"}
    (note,) = dataset.notes
    assert note.startswith("1 of 2 problems have nothing to judge solutions by")
    assert "synthetic-pair-sum" in note
    list(dataset.problems())
    assert dataset.notes == [note]


def test_statement_from_html(tmp_path: Path) -> None:
    content = (
        "<p>Given <code>n &lt;= 10<sup>5</sup></code>,&nbsp;return <b>any</b> of them. <img src='x.png'></p>\n\n"
        "<p>&nbsp;</p>\n<p><strong>Example 1:</strong></p>\n"
    )
    problem = one(tmp_path, pretty_content=[], meta_info={"data": {"question": {"content": content}}})
    assert problem.statement == "Given n <= 10^5, return any of them.\n\nExample 1:"
    flags = {name for name, value in problem.traits.items() if value == "yes"}
    assert flags == {"image", "several_answers"}


def test_the_same_slug_and_statement_twice(tmp_path: Path) -> None:
    first, second = load(write(tmp_path / "rows.jsonl", rows()[0], rows()[0]))
    assert (first.id, second.id) == ("synthetic-pair-sum", "synthetic-pair-sum#2")
    assert "duplicate_statement" not in first.traits
    assert second.traits["duplicate_statement"] == "yes"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"test_cases": "[{]"}, "test_cases: the text is not JSON: "),
        ({"test_cases": '[{"input": 3, "expected": 1}]'}, "test_cases.0.input: a list is needed, found 3"),
        ({"test_cases": '[{"input": [3]}]'}, r"test_cases.0: missing: expected \(fields found: input\)"),
        ({"solutions": "None"}, "solutions: a list is needed, found 'None'"),
        ({"slug_name": None}, "slug_name: a text is needed"),
        ({"entry_point": "None", "prompt": "class Solution:\n"}, "neither 'entry_point' nor 'prompt' names a method"),
    ],
)
def test_a_row_of_another_form_is_refused(tmp_path: Path, fields: Row, message: str) -> None:
    with pytest.raises(InputError, match=rf"rows\.jsonl:1: {message}"):
        one(tmp_path, **fields)


def test_conversion_that_needs_the_expected_output(sandbox: Sandbox, tmp_path: Path) -> None:
    """It is converted where it is, and does not stand in the way where it is not."""
    convert = (
        "def convert_offline(case):\n"
        "    inputs, expected = case\n"
        "    expected['pairs'].sort(key=lambda pair: -pair[0])\n"
        "    total = float(expected['total']) + len(expected['pairs']) + expected['total'] * 2\n"
        "    return (tuple(inputs), [sorted(pair) for pair in expected['pairs']] + [total])\n"
    )
    evaluate = "def evaluate_offline(inputs, outputs, expected):\n    return outputs == expected\n"
    case = {"input": [[1]], "expected": {"pairs": [[2, 1], [4, 3]], "total": 1}}
    problem = one(
        tmp_path, convert_offline=convert, evaluate_offline=evaluate, entry_point="f", test_cases=json.dumps([case])
    )
    (test,) = problem.tests
    for answer, outcome in (("[[3, 4], [1, 2], 5.0]", Outcome.ACCEPTED), ("[[1, 2]]", Outcome.WRONG_ANSWER)):
        code = f"class Solution:\n    def f(self, a):\n        return {answer} if type(a) is list else 1\n"
        assert judge(sandbox, problem, test, code).outcome is outcome


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("return None", Outcome.WRONG_ANSWER),
        ("return inputs == 'never'", Outcome.WRONG_ANSWER),
        ("return outputs.missing", Outcome.WRONG_ANSWER),
        ("return 1", Outcome.SANDBOX_ERROR),
        ("return type('bool', (int,), {})(1)", Outcome.SANDBOX_ERROR),
        ("print(True); import os; os._exit(0)", Outcome.SANDBOX_ERROR),
        ("return undefined", Outcome.SANDBOX_ERROR),
        ("import unheard_of", Outcome.SANDBOX_ERROR),
        ("raise SystemExit", Outcome.SANDBOX_ERROR),
    ],
)
def test_an_evaluation_that_does_not_say_true_never_accepts(
    sandbox: Sandbox, tmp_path: Path, body: str, outcome: Outcome
) -> None:
    problem = one(tmp_path, evaluate_offline=f"def evaluate_offline(inputs, outputs, expected):\n    {body}\n")
    for test in problem.tests:
        assert judge(sandbox, problem, test, problem.solutions[0].code).outcome is outcome


def test_other_kinds_of_files(tmp_path: Path) -> None:
    expected = load(ROWS)
    (tmp_path / "eval-00000-of-00001.jsonl.gz").write_bytes(gzip.compress(ROWS.read_bytes()))
    write(tmp_path / "train.jsonl", rows()[0])
    assert load(tmp_path) == expected
    assert len(load(tmp_path, split="train")) == 1
    (tmp_path / "rows.json").write_text(json.dumps(rows()))
    assert load(tmp_path / "rows.json") == expected


def test_parquet_as_on_the_hub(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    (tmp_path / "data").mkdir()
    parquet.write_table(pyarrow.Table.from_pylist(rows()), tmp_path / "data" / "eval-00000-of-00001.parquet")
    assert load(tmp_path) == load(ROWS)


def test_selection() -> None:
    assert [problem.id for problem in load(ROWS, difficulty=["medium"])] == [
        "synthetic-reverse-list",
        "synthetic-tree-height",
    ]
    assert [problem.id for problem in load(ROWS, ids=["synthetic-mean-cell"])] == ["synthetic-mean-cell"]
    assert len(load(ROWS, shuffle=1, limit=3)) == 3


def test_no_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problems in it"):
        load(write(tmp_path / "rows.jsonl"))


@pytest.mark.parametrize("options", [{"split": "test"}, {"path": "a", "revision": "b"}, {"slugs": ["a"]}])
def test_wrong_options(options: Row) -> None:
    with pytest.raises(ValidationError):
        MercuryOptions.model_validate(options)


@needs_samples
def test_a_real_row_of_the_split_without_tests() -> None:
    dataset = Mercury(MercuryOptions(path=SAMPLES / "mercury_train_row_528.jsonl", split="train"))
    (problem,) = dataset.problems()
    assert (problem.id, problem.tests, len(problem.solutions)) == ("largest-palindromic-number", (), 13)
    assert problem.traits == {
        "number": "2384",
        "difficulty": "Medium",
        "tags": "Hash Table, String, Greedy",
        "no_tests": "yes",
        "no_generator": "yes",
    }
    assert problem.starter_code.startswith("class Solution(object):\n    def largestPalindromic(self, num):\n")
    assert "Return the largest palindromic integer (in the form of a string)" in problem.statement
    assert "1 <= num.length <= 10^5" in problem.statement
    (note,) = dataset.notes
    assert "nothing to judge solutions by" in note


@needs_samples
def test_stored_answers_of_models_to_a_real_problem(sandbox: Sandbox, tmp_path: Path) -> None:
    """`add-two-numbers` with its own conversion and evaluation, on its first three cases."""
    fragment = json.loads((SAMPLES / "add-two-numbers.fragment.json").read_text())
    cases = json.dumps(fragment.pop("test_cases_first3"))
    problem = one(tmp_path, **fragment, test_cases=cases, pretty_content=["Example 1:\nExample 2:\n"])
    written = (
        "class Solution:\n    def addTwoNumbers(self, l1, l2):\n        head = last = ListNode()\n        carry = 0\n"
        "        while l1 or l2 or carry:\n            carry += (l1.val if l1 else 0) + (l2.val if l2 else 0)\n"
        "            last.next = ListNode(carry % 10)\n            last = last.next\n            carry //= 10\n"
        "            l1, l2 = l1 and l1.next, l2 and l2.next\n        return head.next\n"
    )
    answers = json.loads((SAMPLES / "deepseek-coder-33b-instruct_samples.json").read_text())["add-two-numbers"]
    codes = [written, *(answer["completion"] for answer in answers)]
    outcomes = [judge(sandbox, problem, test, code).outcome for code in codes for test in problem.tests]
    assert outcomes == [Outcome.ACCEPTED] * 3 * 6
    broken = written.replace("or carry", "")
    assert judge(sandbox, problem, problem.tests[2], broken).outcome is Outcome.WRONG_ANSWER
