from __future__ import annotations

from collections.abc import Iterator

import pytest

from evalfw import InputError, Problem
from evalfw_datasets.selection import select


def _problems(count: int) -> Iterator[Problem]:
    return (Problem(f"problem-{number}", "?", ()) for number in range(count))


def _ids(problems: Iterator[Problem]) -> list[str]:
    return [problem.id for problem in problems]


def test_all() -> None:
    assert _ids(select(_problems(3), None, None)) == ["problem-0", "problem-1", "problem-2"]


def test_limit_reads_no_further() -> None:
    problems = _problems(5)
    assert _ids(select(problems, None, 2)) == ["problem-0", "problem-1"]
    assert next(problems).id == "problem-2"


def test_ids_come_in_the_order_of_the_dataset() -> None:
    assert _ids(select(_problems(5), ["problem-3", "problem-1", "problem-3"], None)) == [
        "problem-1",
        "problem-3",
    ]
    assert _ids(select(_problems(5), ["problem-3", "problem-1"], 1)) == ["problem-1"]


def test_unknown_id_is_an_error_before_any_problem_comes() -> None:
    with pytest.raises(InputError) as raised:
        next(select(_problems(2), ["problem-1", "problem-9"], 1))
    assert str(raised.value) == (
        "ids: none of the 2 problems is named 'problem-9'; did you mean 'problem-1'? (allowed: problem-0, problem-1)"
    )


def test_many_problems_are_not_all_listed() -> None:
    with pytest.raises(InputError, match="none of the 1000 problems is named 'problem_77'; did you mean") as raised:
        next(select(_problems(1000), ["problem_77"], None))
    assert len(str(raised.value)) < 250
