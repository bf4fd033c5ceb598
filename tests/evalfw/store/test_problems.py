from __future__ import annotations

import zlib
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalfw import (
    AcceptedSolution,
    Call,
    Checker,
    Generator,
    Json,
    Method,
    Problem,
    Stdin,
    TestCase,
)
from evalfw.store.keys import problem_key
from evalfw.store.problems import pack, unpack

texts = st.text(st.characters() | st.sampled_from("\ud835\0"), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts


def _within(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    lists = st.lists(inner, max_size=3)
    return lists | lists.map(tuple) | st.dictionaries(texts | st.sampled_from(["tuple", "Problem"]), inner, max_size=3)


data: st.SearchStrategy[Json] = st.recursive(scalars, _within, max_leaves=8)
methods = st.builds(
    Method,
    name=texts,
    class_name=st.none() | texts,
    args=st.lists(texts, max_size=2).map(tuple),
    keywords=st.lists(texts, max_size=2).map(tuple),
    prepare=texts,
    prelude=texts,
)
calls = st.builds(Call, st.lists(data, max_size=3).map(tuple), st.none() | methods)
tests = st.builds(
    TestCase,
    id=texts,
    pool=st.sampled_from(["public", "private", "generated"]),
    input=texts | calls,
    expected=data,
    size=st.none() | st.integers(0, 9),
)
problems = st.builds(
    Problem,
    id=texts,
    statement=texts,
    tests=st.lists(tests, max_size=3).map(tuple),
    style=st.just(Stdin()) | methods,
    checker=st.builds(Checker, name=texts, abs=st.floats(0, 1), rel=st.floats(0, 1), code=texts),
    time_seconds=st.none() | st.floats(0, 9),
    memory_bytes=st.none() | st.integers(0, 1 << 40),
    solutions=st.lists(st.builds(AcceptedSolution, texts, texts), max_size=2).map(tuple),
    starter_code=texts,
    traits=st.dictionaries(texts, texts, max_size=2),
    recursion_limit=st.none() | st.integers(0, 9),
    generator=st.none() | st.builds(Generator, texts),
)


def _typed(value: object) -> object:
    """With its types, since 1, True and 1.0 are equal, and -0.0 and 0.0."""
    if isinstance(value, dict):
        return {(type(key), key): _typed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [_typed(item) for item in value]
    return type(value), repr(value)


@settings(deadline=None)
@given(problems)
def test_a_problem_comes_back_as_it_was(problem: Problem) -> None:
    back = unpack(pack(problem))
    assert back == problem
    assert _typed(asdict(back)) == _typed(asdict(problem))
    assert problem_key(back) == problem_key(problem)


def test_equal_problems_give_equal_bytes() -> None:
    assert pack(Problem("p", "?", ())) == pack(Problem("p", "?", ()))


@pytest.mark.parametrize("content", [b"[]", b'{"Nothing": {}}', b'{"Problem": {"x": 1}}', b'{"Stdin": {}}'])
def test_other_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a problem"):
        unpack(zlib.compress(content))
    with pytest.raises(ValueError, match="not a problem"):
        unpack(content)
