from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import InputError, Problem
from evalfw_datasets.selection import SelectionOptions, read_exclusions, select

LEVELS = ("Easy", "medium", "HARD", "")


def _problems(count: int) -> Iterator[Problem]:
    for number in range(count):
        level = LEVELS[number % 4]
        yield Problem(f"problem-{number}", "?", (), traits={"difficulty": level} if level else {})


def _chosen(
    problems: Iterable[Problem] | int, base: Path = Path(), notes: list[str] | None = None, **options: object
) -> list[str]:
    source = _problems(problems) if isinstance(problems, int) else problems
    chosen = select(source, SelectionOptions.model_validate(options), base, [] if notes is None else notes)
    return [problem.id for problem in chosen]


def test_all() -> None:
    assert _chosen(3) == ["problem-0", "problem-1", "problem-2"]


def test_limit_reads_no_further() -> None:
    problems = _problems(5)
    assert _chosen(problems, limit=2) == ["problem-0", "problem-1"]
    assert next(problems).id == "problem-2"


def test_ids_come_in_the_order_of_the_dataset() -> None:
    assert _chosen(5, ids=["problem-3", "problem-1", "problem-3"]) == ["problem-1", "problem-3"]
    assert _chosen(5, ids=["problem-3", "problem-1"], limit=1) == ["problem-1"]


def test_unknown_id_is_an_error_before_any_problem_comes() -> None:
    with pytest.raises(InputError) as raised:
        _chosen(2, ids=["problem-1", "problem-9"], limit=1)
    assert str(raised.value) == (
        "ids: none of the 2 problems is named 'problem-9'; did you mean 'problem-1'? (allowed: problem-0, problem-1)"
    )


def test_many_problems_are_not_all_listed() -> None:
    with pytest.raises(InputError, match="none of the 1000 problems is named 'problem_77'; did you mean") as raised:
        _chosen(1000, ids=["problem_77"])
    assert len(str(raised.value)) < 250


def test_difficulty_in_any_case() -> None:
    assert _chosen(7, difficulty=["easy", "Hard"]) == ["problem-0", "problem-2", "problem-4", "problem-6"]
    assert _chosen(7, difficulty=["EASY", "easy"]) == ["problem-0", "problem-4"]
    assert _chosen(7, difficulty=["medium"], ids=["problem-0", "problem-5"]) == ["problem-5"]


def test_unknown_difficulty_is_an_error_whatever_the_limit() -> None:
    for limit in (None, 1):
        with pytest.raises(InputError) as raised:
            _chosen(7, difficulty=["easy", "hardest"], limit=limit)
        assert str(raised.value) == "difficulty: no problem is 'hardest' (allowed: Easy, HARD, medium)"
    with pytest.raises(InputError, match=r"no problem is 'Esay'; did you mean 'Easy'\?"):
        _chosen(7, difficulty=["Esay"])


def test_limit_reads_on_only_until_every_difficulty_was_seen() -> None:
    problems = _problems(9)
    assert _chosen(problems, difficulty=["easy", "hard"], limit=1) == ["problem-0"]
    assert next(problems).id == "problem-3"


def test_shuffle_is_an_order_by_seed_and_id_alone() -> None:
    order = _chosen(50, shuffle=1)
    assert sorted(order) == sorted(_chosen(50))
    assert order not in (_chosen(50), _chosen(50, shuffle=2))
    assert _chosen(reversed(list(_problems(50))), shuffle=1) == order
    assert _chosen(50, shuffle=1, limit=7) == order[:7]
    assert [name for name in order if name in _chosen(20)] == _chosen(20, shuffle=1)


def test_shuffle_is_the_same_in_another_process() -> None:
    code = (
        "from evalfw import Problem; from evalfw_datasets.selection import SelectionOptions, select;"
        "problems = [Problem(f'problem-{n}', '?', ()) for n in range(9)];"
        "print(*(p.id for p in select(problems, SelectionOptions(shuffle=4), None, [])))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == _chosen(9, shuffle=4)
    assert [name.removeprefix("problem-") for name in done.stdout.split()] == list("327056481")


def test_shuffle_holds_no_more_than_is_given() -> None:
    held: list[int] = []

    class Counted(Problem):
        __slots__ = ()
        alive = 0

        def __del__(self) -> None:
            Counted.alive -= 1

    def problems() -> Iterator[Problem]:
        for number in range(200):
            problem = Counted(f"problem-{number}", "?", ())
            Counted.alive += 1
            held.append(Counted.alive)
            yield problem

    assert len(_chosen(problems(), shuffle=0, limit=5)) == 5
    assert max(held) <= 8


@given(st.sets(st.integers(0, 19)), st.integers(0, 3), st.integers(1, 25))
def test_what_is_excluded_never_comes(excluded: set[int], seed: int, limit: int) -> None:
    remaining = [problem for problem in _problems(20) if int(problem.id.split("-")[1]) not in excluded]
    assert (
        _chosen(remaining, shuffle=seed, limit=limit)
        == [name for name in _chosen(20, shuffle=seed) if int(name.split("-")[1]) not in excluded][:limit]
    )


def test_exclude(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("# known\nproblem-1  # wrong tests\n\nproblem-3\n1_A. Other #2  # gone\n")
    notes: list[str] = []
    assert _chosen(5, tmp_path, notes, exclude="bad.txt") == ["problem-0", "problem-2", "problem-4"]
    assert notes == [
        f"{tmp_path / 'bad.txt'}: left out 2 (problem-1, problem-3)",
        f"{tmp_path / 'bad.txt'}: names that no problem has: 1 (1_A. Other #2)",
    ]
    assert _chosen(5, tmp_path, notes, exclude="bad.txt", limit=2) == ["problem-0", "problem-2"]
    assert _chosen(5, tmp_path, notes, exclude="bad.txt", ids=["problem-3", "problem-4"]) == ["problem-4"]
    assert notes[2:] == [
        f"{tmp_path / 'bad.txt'}: left out 1 (problem-1)",
        f"{tmp_path / 'bad.txt'}: left out 1 (problem-3)",
    ]


def test_exclude_from_a_list_with_reasons(tmp_path: Path) -> None:
    lines = [{"problem": "problem-1", "reason": "no solution passes"}, {"problem": "a # b", "solutions": 2}]
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_exclusions(path) == {"problem-1": "no solution passes", "a # b": ""}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"problem": 1}', ":1: texts are needed: 'problem', and perhaps 'reason'; found: problem"),
        ('a\n{"id": "a"}', ":2: texts are needed: 'problem', and perhaps 'reason'; found: id"),
        ('{"problem": "a"', ":1: not JSON: "),
    ],
)
def test_wrong_exclusions(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "bad").write_text(content)
    with pytest.raises(InputError) as raised:
        _chosen(2, tmp_path, exclude="bad")
    assert str(raised.value).startswith(f"{tmp_path / 'bad'}{message}")


def test_exclusions_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"exclude: .*nowhere cannot be read: "):
        _chosen(2, tmp_path, exclude="nowhere")
