from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.pipeline.draw import MAX_TEXT, draw, size_of

LISTS = "def generate_test_case():\n    return [random.randint(0, 9) for _ in range(random.randint(0, 40))], 7\n"
SIZED = "def generate(rng, size):\n    return ' '.join(str(rng.randint(0, 99)) for _ in range(size))\n"


@pytest.fixture(autouse=True)
def no_traces() -> Iterator[None]:
    """What is drawn here is our own; elsewhere it happens in the sandbox."""
    yield
    sys.modules.pop("generator", None)


Told = Any
"""What `draw` returns: a mapping of several types."""


def drawn(
    source: str,
    arity: int | None = 2,
    size: int = 10,
    primary: int | None = 0,
    seed: str = "s",
    start: int = 0,
    count: int = 50,
    wanted: int = 50,
) -> Told:
    return draw(source, arity, primary, size, seed, start, count, wanted)


@given(st.integers(1, 40), st.text(max_size=5))
def test_inputs_have_the_size_exactly(size: int, seed: str) -> None:
    told = drawn(LISTS, size=size, seed=seed)
    assert told["largest"] <= 40
    assert len(told["inputs"]) == len(set(told["inputs"])) <= told["fitting"] <= told["drawn"] == 50
    assert all(len(json.loads(text)[0]) == size and json.loads(text)[1] == 7 for text in told["inputs"])


def test_batches_join_to_the_same_inputs() -> None:
    whole = drawn(LISTS, count=60)["inputs"]
    parts = [drawn(LISTS, start=start, count=20)["inputs"] for start in (0, 20, 40)]
    assert whole == list(dict.fromkeys(text for part in parts for text in part))
    first = drawn(LISTS, wanted=3)
    assert first["inputs"] == whole[:3]
    assert drawn(LISTS, start=first["drawn"], wanted=3)["inputs"] == whole[3:6]


def test_a_generator_that_is_told_the_size_is_believed() -> None:
    told = drawn(SIZED, arity=None, primary=None, size=4, count=3)
    assert told["sized"]
    assert [len(json.loads(text).split()) for text in told["inputs"]] == [4, 4, 4]
    assert told == drawn(SIZED, arity=None, primary=None, size=4, count=3)


def test_the_text_of_a_program_is_never_cut() -> None:
    source = "def test_case_generator():\n    n = random.randint(1, 5)\n    return f'{n}\\n' + ' '.join('7' * n)\n"
    told = drawn(source, arity=None, primary=None, size=4)
    assert {json.loads(text) for text in told["inputs"]} == {"3\n7 7 7"}
    assert told["largest"] == 6


@pytest.mark.parametrize(
    ("value", "arity", "arguments"),
    [
        ("[5, 6]", 1, [[5, 6]]),
        ("([5, 6],)", 1, [[5, 6]]),
        ("(5, 6)", 1, [[5, 6]]),
        ("'ab'", 1, ["ab"]),
        ("[[5, 6], 1]", 2, [[5, 6], 1]),
        ("[5, 6], {3, 1}", 2, [[5, 6], [1, 3]]),
        ("[(5, None), {'a': 1.5}], True", 2, [[[5, None], {"a": 1.5}], True]),
    ],
)
def test_what_a_generator_may_return(value: str, arity: int, arguments: list[object]) -> None:
    told = drawn(f"def generate_test_case():\n    return {value}\n", arity, size=2, count=1)
    assert [json.loads(text) for text in told["inputs"]] == [arguments]


@pytest.mark.parametrize(
    ("value", "arity", "failure"),
    [
        ("object()", 1, "TypeError: a object is not plain data"),
        ("[float('nan')]", 1, "TypeError: a float is not plain data"),
        ("{1: 2}", 1, "TypeError: a dict is not plain data"),
        ("[1], [2], [3]", 2, "TypeError: 2 arguments are needed, not a tuple of 3"),
        ("7, [1]", 2, "ValueError: the argument that tells the size is neither a list nor a text"),
        ("[1]", None, "TypeError: the input of a program is a text, not a list of 1"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero"),
        ("sys.exit(3)", 1, "SystemExit: 3"),
        ("['x' * (5 << 20)]", 1, f"ValueError: an input of more than {MAX_TEXT} characters"),
        ("(a := []) or a.append(a) or a", 1, "RecursionError: "),
    ],
)
def test_a_draw_that_fails_is_counted(value: str, arity: int | None, failure: str) -> None:
    told = drawn(f"import sys\ndef generate_test_case():\n    return {value}\n", arity, size=1, count=3)
    ((found, count),) = told["failures"].items()
    assert (found[: len(failure)], count, told["inputs"]) == (failure, 3, [])


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "ValueError: it defines neither generate(rng, size) nor generate_test_case()"),
        ("def generate(", "SyntaxError: '(' was never closed"),
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    ],
)
def test_a_generator_that_cannot_be_used(source: str, why: str) -> None:
    told = drawn(source)
    assert list(told) == ["unusable"]
    assert told["unusable"].startswith(why)


def test_sizes() -> None:
    assert size_of("a b\n c", None) == 3
    assert size_of([1, "abcd"], 1) == 4
    with pytest.raises(ValueError, match="neither a list nor a text"):
        size_of([1], None)
