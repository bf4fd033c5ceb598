from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import extract
from evalfw_models.fence import fenced

NESTED = 'TEXT = """\n```python\nprint(0)\n```\n````\n"""\nprint(TEXT)\n'


def test_plain_code_gets_three_backticks() -> None:
    assert fenced("print(1)\n") == "```python\nprint(1)\n```\n"


def test_missing_line_feed_is_added() -> None:
    assert fenced("print(1)") == "```python\nprint(1)\n```\n"


def test_fence_is_longer_than_any_in_the_code() -> None:
    assert fenced(NESTED) == f"`````python\n{NESTED}`````\n"


@given(st.text("`~\na ", max_size=40))
def test_no_line_of_the_code_can_close_the_block(code: str) -> None:
    opening, *content, closing, end = fenced(code).split("\n")
    fence = opening.removesuffix("python")
    assert closing == fence
    assert end == ""
    assert not any(fence in line for line in content)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print(int(input()) * 2)\n", id="plain"),
        pytest.param(NESTED, id="fences-in-a-string"),
        pytest.param("s = '\ud835'\nprint(s, int(input()) * 2)\n", id="lone-surrogate"),
        pytest.param("def f():\n\treturn '\\0'\n\n\nif __name__ == '__main__':\n\tprint(f())\n", id="tabs"),
    ],
)
def test_extraction_gives_the_code_back(code: str) -> None:
    solution = extract(fenced(code))
    assert (solution.status, solution.code) == ("ok", code)
