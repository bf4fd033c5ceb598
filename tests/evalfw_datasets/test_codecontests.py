from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import ValidationError

from evalfw import AcceptedSolution, Checker, InputError, Problem, Stdin, TestCase
from evalfw.config.experiment import Bounds
from evalfw.pipeline.check import check_solutions
from evalfw.pipeline.workers import Workers
from evalfw_datasets.codecontests import CodeContests, CodeContestsOptions

ROWS = Path(__file__).parent / "data" / "code_contests.jsonl"
Row = dict[str, object]


def _row(**fields: object) -> Row:
    nothing: Row = {"input": [], "output": []}
    pools = {"public_tests": nothing, "private_tests": nothing, "generated_tests": nothing}
    return {"name": "1_A. Name", "description": "Add."} | pools | fields


def _write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _load(path: Path) -> list[Problem]:
    return list(CodeContests(CodeContestsOptions(path=path)).problems())


def _one(folder: Path, **fields: object) -> Problem:
    (problem,) = _load(_write(folder / "rows.jsonl", _row(**fields)))
    return problem


def test_time_limit_of_nanoseconds_and_four_languages() -> None:
    problem = _load(ROWS)[0]
    assert problem.id == "9000_A. Synthetic Sum"
    assert problem.statement.startswith("Read two integers a and b and print a + b.\n\nInput\n")
    assert problem.tests == (
        TestCase("public-1", "public", "1 2\n", "3\n"),
        TestCase("private-1", "private", "-5 5\n", "0\n"),
        TestCase("private-2", "private", "1000000000 1000000000\n", "2000000000\n"),
        TestCase("generated-1", "generated", "7 8\n", "15\n"),
    )
    assert (problem.style, problem.checker) == (Stdin(), Checker("deepmind"))
    assert (problem.time_seconds, problem.memory_bytes) == (0.5, 256_000_000)
    assert problem.solutions == (AcceptedSolution("python3-1", "print(sum(map(int,input().split())))\n"),)
    assert problem.traits == {"source": "CODEFORCES", "difficulty": "A", "rating": "800", "tags": "math"}


def test_file_io_without_private_tests() -> None:
    problem = _load(ROWS)[1]
    assert [test.id for test in problem.tests] == ["public-1", "generated-1"]
    assert problem.time_seconds == 2.0
    assert problem.traits == {
        "source": "CODEFORCES",
        "difficulty": "B",
        "tags": "*special",
        "file_io": "yes",
        "no_private_tests": "yes",
    }


def test_unknown_limits_image_and_translation() -> None:
    problem = _load(ROWS)[2]
    assert (problem.time_seconds, problem.memory_bytes) == (None, None)
    assert problem.traits == {
        "source": "AIZU",
        "image": "yes",
        "translated": "yes",
        "no_private_tests": "yes",
    }


def test_parquet_in_the_nesting_of_the_hub(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    assert _load(tmp_path / "rows.parquet") == _load(ROWS)


def test_lists_of_objects_and_names_give_the_same(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    languages = ["UNKNOWN_LANGUAGE", "PYTHON", "CPP", "PYTHON3", "JAVA"]
    for row, source, difficulty in zip(rows, ("CODEFORCES", "codeforces", "AIZU"), "AB?", strict=True):
        for pool in ("public_tests", "private_tests", "generated_tests"):
            row[pool] = [
                {"input": given, "output": output, "is_valid_test": None}
                for given, output in zip(row[pool]["input"], row[pool]["output"], strict=True)
            ]
        row["solutions"] = [
            {"language": languages[language], "solution": code}
            for language, code in zip(row["solutions"]["language"], row["solutions"]["solution"], strict=True)
        ]
        row["source"] = source
        row["difficulty"] = difficulty.replace("?", "UNKNOWN_DIFFICULTY")
        row["unheard_of"] = {"a": 1}
    assert _load(_write(tmp_path / "rows.jsonl", *rows)) == _load(ROWS)


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        (None, None),
        ({"seconds": 0, "nanos": 0}, None),
        ({"seconds": 2, "nanos": 500_000_000}, 2.5),
        ({"seconds": "3", "nanos": 0}, 3.0),
        ({"seconds": "3"}, 3.0),
        ({"nanos": 250_000_000}, 0.25),
        ({"seconds": None, "nanos": 100_000_000}, 0.1),
        ("2", 2.0),
        ("1.5s", 1.5),
        (4, 4.0),
    ],
)
def test_forms_of_the_time_limit(tmp_path: Path, limit: object, seconds: float | None) -> None:
    assert _one(tmp_path, time_limit=limit).time_seconds == seconds


@pytest.mark.parametrize(("limit", "bytes_"), [(None, None), (0, None), (64_000_000, 64_000_000), ("1024", 1024)])
def test_forms_of_the_memory_limit(tmp_path: Path, limit: object, bytes_: int | None) -> None:
    assert _one(tmp_path, memory_limit_bytes=limit).memory_bytes == bytes_


def test_python_2_is_not_python_3(tmp_path: Path) -> None:
    solutions = {"language": [1, 3, 0, 3], "solution": ["print 1", "print(1)", "?", "print(2)"]}
    assert _one(tmp_path, solutions=solutions).solutions == (
        AcceptedSolution("python3-1", "print(1)"),
        AcceptedSolution("python3-2", "print(2)"),
    )


def test_problem_without_any_test_is_kept(tmp_path: Path) -> None:
    problem = _one(tmp_path)
    assert problem.tests == ()
    assert problem.traits == {"no_private_tests": "yes"}


def test_several_answers(tmp_path: Path) -> None:
    assert _one(tmp_path, description="Print any of them.").traits.get("several_answers") == "yes"
    assert "several_answers" not in _one(tmp_path, description="Print n.").traits


@pytest.mark.parametrize(
    ("statement", "tags", "interactive"),
    [
        ("This is an interactive problem.", [], True),
        ("Guess it.\n\nInteraction\n\nAsk and flush.", [], True),
        ("Guess it.", ["interactive"], True),
        ("The interaction of two players is described.", [""], False),
    ],
)
def test_interactive(tmp_path: Path, statement: str, tags: list[str], interactive: bool) -> None:
    problem = _one(tmp_path, description=statement, cf_tags=tags)
    assert ("interactive" in problem.traits) is interactive


def test_names_and_statements_that_repeat(tmp_path: Path) -> None:
    rows = [
        _row(name="a"),
        _row(name="a#2", description="Other."),
        _row(name="a"),
        _row(name="a", description="?"),
    ]
    problems = _load(_write(tmp_path / "rows.jsonl", *rows))
    assert [problem.id for problem in problems] == ["a", "a#2", "a#3", "a#4"]
    assert ["duplicate_statement" in problem.traits for problem in problems] == [False, False, True, False]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ""}, "name: String should have at least 1 character, found ''"),
        ({"description": None}, "description: a text is needed, found None"),
        (
            {"private_tests": {"input": ["1", "2"], "output": ["1"]}},
            "private_tests: lists of different length: {'input': 2, 'output': 1}",
        ),
        ({"public_tests": [{"input": "1"}]}, "public_tests: {input: [...], output: [...]} or [{input: ..., "),
        ({"public_tests": None}, "public_tests: {input: [...], output: [...]} or [{input: ..., "),
        ({"public_tests": {"input": [1], "output": ["1"]}}, "public_tests.0.0: a text is needed, found 1"),
        (
            {"solutions": {"language": ["PYTHON_3"], "solution": ["x"]}},
            "solutions.0.0: unknown name 'PYTHON_3'; did you mean 'PYTHON3'? (allowed: CPP, ",
        ),
        ({"source": 7}, "source: a number from 0 to 6, as on the hub, or a name is needed, found 7"),
        (
            {"difficulty": 29},
            "difficulty: a number from 0 to 28, as on the hub, or a name is needed, found 29",
        ),
        ({"time_limit": {"second": 1}}, "time_limit: 'seconds' or 'nanos' is needed"),
        ({"time_limit": {"seconds": "two"}}, "time_limit: could not convert string to float: 'two'"),
        ({"time_limit": {"seconds": [2]}}, "time_limit: a number is needed, found [2]"),
        ({"time_limit": -1}, "time_limit: Input should be greater than or equal to 0, found -1"),
        (
            {"memory_limit_bytes": -1},
            "memory_limit_bytes: Input should be greater than or equal to 0, found -1",
        ),
    ],
)
def test_wrong_row_is_named(tmp_path: Path, fields: Row, message: str) -> None:
    path = _write(tmp_path / "rows.jsonl", _row(name="first"), _row(**fields))
    with pytest.raises(InputError) as raised:
        _load(path)
    assert str(raised.value).startswith(f"{path}:2: {message}")


def test_rows_of_another_schema_are_refused(tmp_path: Path) -> None:
    row: Row = {"id": 1, "content": "Add.", "labels": "{}", "test": "[]"}
    with pytest.raises(InputError) as raised:
        _load(_write(tmp_path / "rows.jsonl", row))
    assert str(raised.value).endswith(
        "rows.jsonl:1: missing: name, description, public_tests, private_tests, generated_tests "
        "(fields found: id, content, labels, test)"
    )


def test_rows_with_merged_pools(tmp_path: Path) -> None:
    tests = json.dumps({"input": ["1 2\n", "3 4\n"], "output": ["3\n", "7\n"]})
    row: Row = {"task_id": 7, "description": "Add.", "solutions": ["print(1)"], "input_output": tests}
    (problem,) = _load(_write(tmp_path / "rows.jsonl", row))
    assert problem == Problem(
        id="7",
        statement="Add.",
        tests=(
            TestCase("private-1", "private", "1 2\n", "3\n"),
            TestCase("private-2", "private", "3 4\n", "7\n"),
        ),
        checker=Checker("deepmind"),
        solutions=(AcceptedSolution("python3-1", "print(1)"),),
        traits={"merged_pools": "yes"},
    )


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ({"input": ["1"], "output": []}, "input_output: 1 inputs, and 0 outputs"),
        ({"input": ["1"]}, "input_output: missing: output (fields found: input)"),
        ({"input": [1], "output": ["1"]}, "input_output.input.0: a text is needed, found 1"),
    ],
)
def test_wrong_tests_with_merged_pools(tmp_path: Path, tests: Row, message: str) -> None:
    row: Row = {"task_id": 7, "description": "Add.", "solutions": [], "input_output": json.dumps(tests)}
    with pytest.raises(InputError) as raised:
        _load(_write(tmp_path / "rows.jsonl", row))
    assert str(raised.value).endswith(f"rows.jsonl:1: {message}")


def test_file_without_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problems in it"):
        _load(_write(tmp_path / "rows.jsonl"))


def test_ids_and_limit() -> None:
    dataset = CodeContests(CodeContestsOptions(path=ROWS, limit=1))
    assert [problem.id for problem in dataset.problems()] == ["9000_A. Synthetic Sum"]
    wanted = CodeContestsOptions(path=ROWS, ids=["p00000 Synthetic Float", "9000_B. Synthetic Files"])
    ids = [problem.id for problem in CodeContests(wanted).problems()]
    assert ids == ["9000_B. Synthetic Files", "p00000 Synthetic Float"]
    unknown = CodeContests(CodeContestsOptions(path=ROWS, ids=["9000_C. Synthetic Sum"]))
    with pytest.raises(InputError, match=r"'9000_C\. Synthetic Sum'; did you mean '9000_A\. Synthetic Sum'\?"):
        list(unknown.problems())


@pytest.mark.parametrize("folder", [".", "data"])
def test_folder_with_files_of_splits(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    _write(tmp_path / folder / "test-00000-of-00002.jsonl", _row(name="t0"))
    _write(tmp_path / folder / "test-00001-of-00002.jsonl", _row(name="t1"))
    _write(tmp_path / folder / "valid-00000-of-00001.jsonl", _row(name="v0"))
    base = tmp_path.parent
    for split, ids in ((None, ["t0", "t1"]), ("valid", ["v0"])):
        options = {"path": tmp_path.name} | ({"split": split} if split else {})
        dataset = CodeContests(CodeContestsOptions.model_validate(options), base=base)
        assert [problem.id for problem in dataset.problems()] == ids
        assert dataset.revision().startswith("sha256:")
    with pytest.raises(InputError, match=r"no file named train\.\*"):
        list(CodeContests(CodeContestsOptions(path=tmp_path, split="train")).problems())


def test_wrong_options() -> None:
    with pytest.raises(ValidationError, match="'test'"):
        CodeContestsOptions.model_validate({"split": "validation"})
    with pytest.raises(ValidationError, match="cannot be given together with 'path'"):
        CodeContestsOptions.model_validate({"path": "rows.jsonl", "revision": "main"})


def _hub(monkeypatch: pytest.MonkeyPatch, download: Callable[..., str]) -> None:
    """Puts a hub in the place of the real one, which no test may depend on."""
    module = ModuleType("huggingface_hub")
    module.__dict__["snapshot_download"] = download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)


def test_hub_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(InputError) as raised:
        list(CodeContests(CodeContestsOptions(split="valid")).problems())
    message = str(raised.value)
    assert "pip install 'evalfw[hub]'" in message
    assert "download data/valid-*.parquet from https://huggingface.co/datasets/deepmind/code_contests" in message
    assert "`path:`" in message


def test_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> str:
        raise ConnectionError("name resolution failed")

    _hub(monkeypatch, unreachable)
    with pytest.raises(InputError) as raised:
        list(CodeContests(CodeContestsOptions()).problems())
    message = str(raised.value)
    assert "cannot be had from the Hugging Face hub: ConnectionError: name resolution failed" in message
    assert "download data/test-*.parquet" in message
    assert "`path:`" in message


def test_hub_gives_files_and_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    commit = "802411c3010c"
    asked: list[tuple[object, ...]] = []

    def download(repo: str, *, repo_type: str, revision: str | None, allow_patterns: str) -> str:
        asked.append((repo, repo_type, revision, allow_patterns))
        folder = tmp_path / "snapshots" / commit / "data"
        folder.mkdir(parents=True)
        rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "test-00000-of-00001-9c49eeff.parquet")
        return str(folder.parent)

    _hub(monkeypatch, download)
    dataset = CodeContests(CodeContestsOptions(revision="main"))
    assert list(dataset.problems()) == _load(ROWS)
    assert dataset.revision() == f"deepmind/code_contests@{commit}"
    assert asked == [("deepmind/code_contests", "dataset", "main", "data/test-*.parquet")]


def test_hub_copy_of_another_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "valid-00000-of-00001.parquet").touch()
    _hub(monkeypatch, lambda *_, **__: str(tmp_path))
    with pytest.raises(InputError, match=r"has no such files\nOr download data/test-\*\.parquet from https://"):
        list(CodeContests(CodeContestsOptions()).problems())


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = os.environ.get("EVALFW_SAMPLE_DATA")
    if not folder:
        pytest.skip("EVALFW_SAMPLE_DATA does not name a folder with code_contests/hf_schema_RECONSTRUCTED.jsonl")
    return Path(folder) / "code_contests"


def test_real_rows(folder: Path) -> None:
    problems = _load(folder / "hf_schema_RECONSTRUCTED.jsonl")
    assert len({problem.id for problem in problems}) == 11
    for problem in problems:
        assert 1 <= len(problem.pool("public")) <= 4
        assert 0 <= len(problem.pool("private")) <= 88
        assert 76 <= len(problem.pool("generated")) <= 200
        assert len(problem.solutions) >= 2
        assert ("no_private_tests" in problem.traits) is (not problem.pool("private"))
    assert [problem.id for problem in problems if "no_private_tests" in problem.traits] == [
        "1575_A. Another Sorting Problem"
    ]


def test_real_row_of_alphacodium(folder: Path) -> None:
    (problem,) = _load(folder / "alphacodium_my_problem_example.json")
    assert (len(problem.pool("public")), len(problem.pool("generated")), problem.solutions) == (1, 200, ())
    assert problem.traits.keys() >= {"image", "no_private_tests"}


def test_real_rows_of_another_schema_are_refused(folder: Path) -> None:
    with pytest.raises(
        InputError, match=r":1: missing: name, description, .*\(fields found: content, id, labels, test"
    ):
        _load(folder / "sandboxfusion_code_eval_code_contests.jsonl")


@pytest.mark.slow
def test_real_solutions_are_accepted(folder: Path) -> None:
    problems = _load(folder / "coffe_code_contests_test_subset.jsonl")
    assert len(problems) == 30
    assert sum(len(problem.tests) for problem in problems) == 5728
    assert sum("several_answers" in problem.traits for problem in problems) == 8
    with Workers(2, site_packages=False) as workers:
        checked = check_solutions(problems, workers, Bounds(time=10, memory=1 << 30), at_most=1)
    assert [(one.problem.id, one.reason) for one in checked if not one.passes] == []
    assert len(checked) == 30
