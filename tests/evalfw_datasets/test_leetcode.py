from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import ValidationError

from evalfw import (
    AcceptedSolution,
    Call,
    Checker,
    InputError,
    Limits,
    Method,
    Outcome,
    Problem,
    Sandbox,
    TestCase,
    Verdict,
    judge,
)
from evalfw_datasets.leetcode import LeetCode, LeetCodeOptions

Row = dict[str, object]

STATEMENT = """Given a string word and an integer k, return word repeated k times.
You can return the parts of the answer in any order.
\xa0
Example 1:

Input: word = "ab", k = 2
Output: "abab"

Example 2:

Input: word = "", k = 1
Output: ""

\xa0
Constraints:

0 <= word.length <= 10
"""
STARTER = "class Solution:\n    def repeatWord(self, word: str, k: int) -> str:\n        "
SOLUTION = "class Solution:\n    def repeatWord(self, word: str, k: int) -> str:\n        return word * k\n"
PRELUDE = "from typing import *\nfrom operator import *\nfrom math import *\ninf = float('inf')\n"
CHECK = (
    "def check(candidate):\n"
    '    assert candidate(word = "x",k = 3) == "xxx"\n'
    '    assert candidate(word = "ab",k = 2) == "abab"\n'
    '    assert candidate(word = "abc",k = 0) == ""\n'
)
FLAT: Row = {
    "task_id": "repeat-word",
    "question_id": 9001,
    "difficulty": "Easy",
    "tags": ["String", "Math"],
    "problem_description": STATEMENT,
    "starter_code": STARTER,
    "estimated_date": "2024-08-04",
    "prompt": PRELUDE,
    "completion": SOLUTION,
    "entry_point": "Solution().repeatWord",
    "test": CHECK,
    "input_output": [{"input": 'word = "x", k = 3', "output": "xxx"}],
    "query": "You are an expert.",
    "response": "",
}
META: Row = {
    "task_id": "repeat-word",
    "prompt": PRELUDE,
    "completion": SOLUTION,
    "entry_point": "Solution().repeatWord",
    "test": CHECK,
    "query": "Repeat.",
    "response": "",
    "input_output": [],
    "meta": {"question_id": 2700, "difficulty": "Easy", "question_title": STATEMENT, "lang_code": STARTER},
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def _write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _dataset(folder: Path, *rows: Row, **options: object) -> LeetCode:
    path = _write(folder / "rows.jsonl", *rows)
    return LeetCode(LeetCodeOptions.model_validate({"path": path} | options))


def _one(folder: Path, row: Row, **options: object) -> Problem:
    (problem,) = _dataset(folder, row, **options).problems()
    return problem


def _flat(**fields: object) -> Row:
    return FLAT | fields


def _check(*lines: str) -> str:
    return "\n    ".join(["def check(candidate):", *lines]) + "\n"


def _verdicts(sandbox: Sandbox, problem: Problem, code: str) -> list[Verdict]:
    limits = Limits(time_seconds=problem.time_seconds or 10.0)
    return [judge(sandbox, problem, test, code, limits)[0] for test in problem.tests]


def test_a_flat_row(tmp_path: Path) -> None:
    assert _one(tmp_path, FLAT) == Problem(
        id="repeat-word",
        statement=STATEMENT,
        tests=(
            TestCase("public-1", "public", Call(("ab", 2)), "abab"),
            TestCase("private-1", "private", Call(("x", 3)), "xxx"),
            TestCase("private-2", "private", Call(("abc", 0)), ""),
        ),
        style=Method("repeatWord", args=("", ""), keywords=("word", "k")),
        checker=Checker("value"),
        time_seconds=10.0,
        solutions=(AcceptedSolution("canonical", SOLUTION),),
        starter_code=STARTER,
        traits={
            "difficulty": "Easy",
            "tags": "String, Math",
            "date": "2024-08-04",
            "question_id": "9001",
            "subset": "later",
            "several_answers": "yes",
            "any_order": "yes",
        },
        recursion_limit=10_000,
    )


def test_both_schemas_give_the_same_but_what_is_known(tmp_path: Path) -> None:
    flat, meta = _one(tmp_path, FLAT), _one(tmp_path, META)
    for field in ("id", "statement", "tests", "style", "solutions", "starter_code"):
        assert getattr(flat, field) == getattr(meta, field)
    assert meta.traits == {
        "difficulty": "Easy",
        "question_id": "2700",
        "subset": "new",
        "several_answers": "yes",
        "any_order": "yes",
    }
    later = META | {"meta": META["meta"] | {"tags": ["String"], "estimated_date": "2023-05-06"}}  # type: ignore[operator]
    traits = _one(tmp_path, later).traits
    assert (traits["tags"], traits["date"]) == ("String", "2023-05-06")


def test_the_same_from_gzip_and_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt") as file:
        file.write(json.dumps(FLAT) + "\n")
    dated = FLAT | {"estimated_date": datetime(2024, 8, 4)}
    parquet.write_table(pyarrow.Table.from_pylist([dated]), tmp_path / "rows.parquet")
    for name in ("rows.jsonl.gz", "rows.parquet"):
        assert list(LeetCode(LeetCodeOptions(path=tmp_path / name)).problems()) == [_one(tmp_path, FLAT)]


def test_arguments_go_by_keyword(tmp_path: Path, sandbox: Sandbox) -> None:
    problem = _one(tmp_path, FLAT)
    assert all(verdict.accepted for verdict in _verdicts(sandbox, problem, SOLUTION))
    swapped = "class Solution:\n    def repeatWord(self, k, word):\n        return k * word\n"
    assert all(verdict.accepted for verdict in _verdicts(sandbox, problem, swapped))
    (verdict, *_) = _verdicts(sandbox, problem, SOLUTION.replace("word", "text"))
    assert (verdict.outcome, "TypeError" in verdict.reason) == (Outcome.RUNTIME_ERROR, True)


def test_arguments_by_position_and_others_by_keyword(tmp_path: Path, sandbox: Sandbox) -> None:
    lines = ['assert candidate(k = 2, word = "a") == "aa"', 'assert candidate("b", 2) == "bb"']
    problem = _one(tmp_path, _flat(test=_check(*lines, 'assert candidate("c", k = 1) == "c"')))
    assert isinstance(problem.style, Method)
    assert problem.style.keywords == ("k", "word")
    own = [test.input.style for test in problem.tests if isinstance(test.input, Call)]
    assert [style and style.keywords for style in own] == [None, (), ("k",)]
    assert [verdict.outcome for verdict in _verdicts(sandbox, problem, SOLUTION)] == [Outcome.ACCEPTED] * 3
    renamed = SOLUTION.replace("word", "text")
    accepted = [verdict.accepted for verdict in _verdicts(sandbox, problem, renamed)]
    assert accepted == [False, True, True]


def test_nodes(tmp_path: Path, sandbox: Sandbox) -> None:
    starter = "# class ListNode: ...\nclass Solution:\n    def merge(self, lists, root):"
    body = (
        "        found = []\n"
        "        for node in [*lists, None]:\n"
        "            while node:\n"
        "                found.append(node.val + root.val)\n"
        "                node = node.next\n"
        "        head = None\n"
        "        for value in sorted(found, reverse=True):\n"
        "            head = ListNode(value, head)\n"
        "        return head\n"
    )
    check = _check(
        "assert is_same_list(candidate(lists = [list_node([3, 5]), list_node([4])], root = tree_node([1])), "
        "list_node([4, 5, 6]))",
        "assert is_same_list(candidate(lists = [], root = tree_node([1])), list_node([]))",
    )
    statement = "Merge.\nExample 1:\nInput: lists = [[3,5],[4]], root = [1]\nOutput: [4,5,6]\n"
    fields = {"starter_code": starter, "test": check, "completion": f"{starter}\n{body}", "entry_point": None}
    problem = _one(tmp_path, _flat(problem_description=statement, **fields))
    assert problem.style == Method(
        "merge", args=("List[ListNode]", "TreeNode"), returns="ListNode", keywords=("lists", "root")
    )
    assert [test.pool for test in problem.tests] == ["public", "private"]
    assert [verdict.outcome for verdict in _verdicts(sandbox, problem, problem.solutions[0].code)] == [
        Outcome.ACCEPTED
    ] * 2
    nodes = "class ListNode:\n    def __init__(self, val=0, next=None):\n        self.val, self.next = val, next\n"
    wrong = f"{nodes}{starter}\n        return lists[0] if lists and isinstance(lists[0], ListNode) else None\n"
    reasons = [verdict.reason for verdict in _verdicts(sandbox, problem, wrong)]
    assert reasons == ["expected a list of 3, found a list of 2", ""]


MODULAR = (
    "class Solution:\n"
    "    def repeatWord(self, word: str, k: int) -> str:\n"
    "        assert pow(2, 3, 5) == 3\n"
    "        return word * k\n"
)


def test_preludes(tmp_path: Path, sandbox: Sandbox) -> None:
    clean, original = _one(tmp_path, FLAT), _one(tmp_path, FLAT, prelude="original")
    assert all(verdict.accepted for verdict in _verdicts(sandbox, clean, MODULAR))
    (verdict, *_) = _verdicts(sandbox, original, MODULAR)
    assert (verdict.outcome, "TypeError" in verdict.reason) == (Outcome.RUNTIME_ERROR, True)
    assert all(verdict.accepted for verdict in _verdicts(sandbox, original, SOLUTION))
    uses = SOLUTION.replace("word * k", "add(word * k, '') if k < inf else Optional")
    assert all(verdict.accepted for verdict in _verdicts(sandbox, clean, uses))
    assert all(verdict.accepted for verdict in _verdicts(sandbox, original, uses))


def test_lines_are_those_of_the_solution_under_either_prelude(tmp_path: Path, sandbox: Sandbox) -> None:
    code = "import sys\n\n" + SOLUTION.replace("return word * k", "return sys._getframe().f_lineno")
    for prelude in ("clean", "original"):
        verdict = _verdicts(sandbox, _one(tmp_path, FLAT, prelude=prelude), code)[0]
        assert "found 5" in verdict.reason


def test_packages_that_the_solution_needs(tmp_path: Path) -> None:
    prelude = f"import heapq\nfrom sortedcontainers import SortedList, SortedDict\nimport numpy\n{PRELUDE}"
    uses = SOLUTION.replace("word * k", "SortedList(word * k)")
    problem = _one(tmp_path, _flat(prompt=prelude, completion=uses))
    assert problem.solutions[0].code == f"from sortedcontainers import SortedList, SortedDict\n\n{uses}"
    assert problem.traits["packages"] == "numpy, sortedcontainers"
    assert _one(tmp_path, _flat(prompt=prelude)).solutions[0].code == SOLUTION
    original = _one(tmp_path, _flat(prompt=prelude, completion=uses), prelude="original")
    assert original.solutions[0].code == uses
    assert original.style == Method("repeatWord", args=("", ""), keywords=("word", "k"), prelude=prelude)


def test_deep_recursion(tmp_path: Path, sandbox: Sandbox) -> None:
    problem = _one(tmp_path, _flat(test=_check('assert candidate(word = "a", k = 9000) == "a"')))
    code = SOLUTION.replace("return word * k", "return word if k == 0 else self.repeatWord(word, k - 1)")
    assert [verdict.outcome for verdict in _verdicts(sandbox, problem, code)] == [Outcome.ACCEPTED]


def test_a_check_that_is_run(tmp_path: Path, sandbox: Sandbox) -> None:
    lines = ["for k in range(3):", '    assert candidate(word = "ab", k = k) == "ab" * k']
    problem = _one(tmp_path, _flat(test=_check(*lines)))
    assert [(test.id, test.expected) for test in problem.tests] == [
        ("public-1", "abab"),
        ("private-1", ""),
        ("private-2", "ab"),
    ]
    assert all(verdict.accepted for verdict in _verdicts(sandbox, problem, SOLUTION))


@pytest.mark.parametrize("test", [_check("assert candidate(1) > 2"), "def check(:"])
def test_a_check_that_cannot_be_told_is_a_flag(tmp_path: Path, test: str) -> None:
    problem = _one(tmp_path, _flat(test=test))
    assert problem.tests == ()
    assert {name for name, value in problem.traits.items() if value == "yes"} == {
        "several_answers",
        "any_order",
        "no_public_tests",
        "no_private_tests",
        "unreadable_check",
    }
    assert problem.style == Method("repeatWord")


@pytest.mark.parametrize(
    ("words", "flags", "checker"),
    [
        ("Return the sum.", set(), Checker("value")),
        ("Return the answer in any order.", {"any_order", "several_answers"}, Checker("unordered")),
        ("Return an array of all of them in any order.", {"any_order", "several_answers"}, Checker("unordered")),
        (
            "Notice that the order of the output and the order of the triplets does not matter.",
            {"any_order", "several_answers"},
            Checker("unordered"),
        ),
        ("If there are multiple answers, return any of them.", {"several_answers"}, Checker("value")),
        ("Rearrange nums to any order. Return the most.", set(), Checker("value")),
        ("Answers within 10-5 of the actual answer will be accepted.", {"float_tolerance"}, Checker("value", abs=1e-5)),
        ("Answers within 10^-5 of the actual value will be accepted.", {"float_tolerance"}, Checker("value", abs=1e-5)),
        (
            "Return the answer in any order. Answers within\xa010-5 of the actual answer are accepted.",
            {"any_order", "several_answers", "float_tolerance"},
            Checker("unordered", abs=1e-5),
        ),
    ],
)
def test_what_a_statement_allows(tmp_path: Path, words: str, flags: set[str], checker: Checker) -> None:
    row = _flat(problem_description=f'{words}\n\nExample 1:\n\nInput: word = "x", k = 3\nOutput: "xxx"\n')
    exact, stated = _one(tmp_path, row), _one(tmp_path, row, answers="stated")
    assert {name for name, value in exact.traits.items() if value == "yes"} == flags
    assert exact.checker == Checker("value")
    assert stated.checker == checker
    assert stated.tests == exact.tests


def test_the_prompt_of_paper_b(tmp_path: Path) -> None:
    dataset = _dataset(tmp_path, FLAT)
    (problem,) = dataset.problems()
    assert dataset.prompt(problem) == (
        '"""\n'
        "Given a string word and an integer k, return word repeated k times.\n"
        "You can return the parts of the answer in any order.\n"
        '"""\n'
        "class Solution:\n"
        "    def repeatWord(self, word: str, k: int) -> str:\n"
    )


def test_the_prompt_of_the_dataset(tmp_path: Path) -> None:
    dataset = _dataset(tmp_path, FLAT, META, prompt="query")
    assert [(problem.id, dataset.prompt(problem)) for problem in dataset.problems()] == [
        ("repeat-word", "You are an expert."),
        ("repeat-word#2", "Repeat."),
    ]
    with pytest.raises(InputError, match=r"rows\.jsonl:1: there is no 'query' in it; use `prompt: paper_b`"):
        _one(tmp_path, _flat(query=None), prompt="query")


def _dated(*days: str | None) -> list[Row]:
    return [_flat(task_id=str(day), estimated_date=day) for day in days]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, ["2022-12-31", "2023-01-01", "2023-09-30", "2023-10-01"]),
        ({"subset": "old"}, ["2022-12-31"]),
        ({"subset": "new"}, ["2023-01-01", "2023-09-30"]),
        ({"published_after": "2023-09-30"}, ["2023-09-30", "2023-10-01"]),
        ({"published_before": "2023-09-30"}, ["2022-12-31", "2023-01-01"]),
        ({"subset": "new", "published_after": "2023-01-02"}, ["2023-09-30"]),
    ],
)
def test_windows_of_dates(tmp_path: Path, options: Mapping[str, object], ids: list[str]) -> None:
    rows = _dated("2022-12-31", "2023-01-01", "2023-09-30", "2023-10-01")
    dataset = _dataset(tmp_path, *rows, **options)
    problems = list(dataset.problems())
    assert [problem.id for problem in problems] == ids
    windows = {"2022-12-31": "old", "2023-01-01": "new", "2023-09-30": "new", "2023-10-01": "later"}
    assert [problem.traits["subset"] for problem in problems] == [windows[name] for name in ids]
    assert dataset.notes == []


def test_windows_of_numbers(tmp_path: Path) -> None:
    rows = [
        META | {"task_id": str(number), "meta": META["meta"] | {"question_id": number}}  # type: ignore[operator]
        for number in (1, 2607, 2608, 2867, 2868)
    ]
    for subset, ids in (("old", ["1", "2607"]), ("new", ["2608", "2867"])):
        dataset = _dataset(tmp_path, *rows, subset=subset)
        problems = list(dataset.problems())
        assert [(problem.id, problem.traits["subset"]) for problem in problems] == [(name, subset) for name in ids]
        assert len(dataset.notes) == 1
        assert "by LeetCode's internal numbers" in dataset.notes[0]


def test_windows_need_dates(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows\.jsonl:1: 'published_after' and 'published_before' need a date"):
        list(_dataset(tmp_path, META, published_before="2024-01-01").problems())
    with pytest.raises(InputError, match=r"rows\.jsonl:1: 'subset' needs a date or a 'question_id'"):
        list(_dataset(tmp_path, _flat(estimated_date=None, question_id=None), subset="old").problems())


def test_what_is_not_known_to_be_old_or_new_has_no_subset(tmp_path: Path) -> None:
    assert "subset" not in _one(tmp_path, _flat(estimated_date=None, question_id=None)).traits


def test_fields_of_another_file(tmp_path: Path) -> None:
    row: Row = {
        "slug": "repeat-word",
        "question": {"text": STATEMENT, "code": STARTER},
        "a.b": SOLUTION,
        "level": "Easy",
    }
    fields = {"id": "slug", "statement": "question.text", "starter_code": "question.code", "solution": "a.b"}
    problem = _one(tmp_path, row, fields=fields)
    assert (problem.id, problem.statement, problem.starter_code) == ("repeat-word", STATEMENT, STARTER)
    assert problem.solutions == (AcceptedSolution("canonical", SOLUTION),)
    assert problem.style == Method("repeatWord")
    assert problem.tests == ()
    assert "unreadable_check" not in problem.traits


@pytest.mark.parametrize(
    ("row", "fields", "message"),
    [
        (
            {"slug": "a", "test": ""},
            {},
            "rows.jsonl:1: missing: id (task_id), statement (problem_description or meta.question_title), "
            "starter_code (starter_code or meta.lang_code); fields found: slug, test\n"
            "Where a field has another name, say so, e.g. `fields: {id: its_name}`.",
        ),
        (FLAT, {"statement": "text"}, "rows.jsonl:1: missing: statement (text); fields found: task_id, question_id,"),
        (_flat(completion=5), {}, "rows.jsonl:1: solution: a text is needed, found 5"),
        (_flat(estimated_date="soon"), {}, "rows.jsonl:1: published: "),
        (_flat(question_id="x"), {}, "rows.jsonl:1: question_id: "),
        (_flat(entry_point="?", starter_code="pass"), {}, "neither 'entry_point' nor 'starter_code' names a method"),
    ],
)
def test_wrong_rows(tmp_path: Path, row: Row, fields: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        _one(tmp_path, row, fields=fields)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fields": {"statment": "x"}}, "unknown field 'statment'; did you mean 'statement'?"),
        ({"published_after": "2023-13-01"}, "a day such as 2023-01-31 is needed, found '2023-13-01'"),
        ({"published_after": 2023}, "valid date"),
        ({"subset": "newest"}, "'all', 'old' or 'new'"),
        ({"path": "rows.jsonl", "revision": "main"}, "cannot be given together"),
    ],
)
def test_wrong_options(options: Mapping[str, object], message: str) -> None:
    with pytest.raises(ValidationError) as raised:
        LeetCodeOptions.model_validate(options)
    assert message in str(raised.value)


def test_selection(tmp_path: Path) -> None:
    rows = [_flat(task_id=name, difficulty=level) for name, level in (("a", "Easy"), ("b", "Hard"), ("c", "Easy"))]
    for options, ids in (({"limit": 1}, ["a"]), ({"ids": ["c"]}, ["c"]), ({"difficulty": ["hard"]}, ["b"])):
        assert [problem.id for problem in _dataset(tmp_path, *rows, **options).problems()] == ids


def test_a_file_without_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problems in it"):
        list(_dataset(tmp_path).problems())


def test_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def download(repo: str, *, repo_type: str, revision: str | None, allow_patterns: str) -> str:
        asked.append((repo, repo_type, revision, allow_patterns))
        folder = tmp_path / "215604a"
        folder.mkdir(exist_ok=True)
        _write(folder / "LeetCodeDataset-train.jsonl", FLAT)
        _write(folder / "LeetCodeDataset-test.jsonl", META)
        return str(folder)

    module = ModuleType("huggingface_hub")
    module.__dict__["snapshot_download"] = download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    dataset = LeetCode(LeetCodeOptions(split="train"))
    assert list(dataset.problems()) == [_one(tmp_path, FLAT)]
    assert dataset.revision() == "newfacade/LeetCodeDataset@215604a"
    assert asked == [("newfacade/LeetCodeDataset", "dataset", None, "LeetCodeDataset-train.jsonl")]
    folder = LeetCode(LeetCodeOptions(path=tmp_path / "215604a"))
    assert list(folder.problems()) == [_one(tmp_path, META)]


def _sample(name: str) -> Path:
    folder = os.environ.get("EVALFW_SAMPLE_DATA")
    if not folder:
        pytest.skip(f"EVALFW_SAMPLE_DATA does not name a folder with leetcode/{name}")
    return Path(folder) / "leetcode" / name


def _rejected(sandbox: Sandbox, problems: list[Problem], most: int) -> dict[str, str]:
    """By id, why a canonical solution is not accepted on the first so many tests of each pool."""
    found = {}
    for problem in problems:
        tests = [*problem.pool("public"), *problem.pool("private")[:most]]
        verdicts = (judge(sandbox, problem, test, problem.solutions[0].code, Limits(10.0))[0] for test in tests)
        wrong = next((verdict for verdict in verdicts if not verdict.accepted), None)
        if wrong is not None or not tests:
            found[problem.id] = wrong.outcome.value if wrong else "no tests"
    return found


@pytest.mark.slow
def test_canonical_solutions_of_real_flat_rows(sandbox: Sandbox) -> None:
    path = _sample("LeetCodeDataset-v0.3.1-test.subset.jsonl")
    problems = list(LeetCode(LeetCodeOptions(path=path)).problems())
    assert len(problems) == 32
    assert sum(len(problem.tests) for problem in problems) == 2134
    assert not any("unreadable_check" in problem.traits for problem in problems)
    assert [p.id for p in problems if "no_public_tests" in p.traits] == [
        "count-the-number-of-arrays-with-k-matching-adjacent-elements"
    ]
    assert _rejected(sandbox, problems, most=8) == {}


@pytest.mark.slow
def test_canonical_solutions_of_real_rows_with_meta(sandbox: Sandbox) -> None:
    path = _sample("LeetCodeDataset-v0.2.0-train.subset.jsonl")
    for prelude in ("clean", "original"):
        problems = list(LeetCode(LeetCodeOptions(path=path, prelude=prelude)).problems())
        assert len(problems) == 39
        # Its own order is not the one that its test demands.
        assert _rejected(sandbox, problems, most=5) == {"word-ladder-ii": "wrong_answer"}
    new = list(LeetCode(LeetCodeOptions(path=path, subset="new")).problems())
    assert len(new) == 21
    assert "bitwise-xor-of-all-pairings" not in {problem.id for problem in new}  # October 2022
    assert "distinct-prime-factors-of-product-of-array" in {problem.id for problem in new}  # January 2023
