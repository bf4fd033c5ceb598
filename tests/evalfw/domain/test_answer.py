from __future__ import annotations

import pytest

from evalfw import Solution, extract
from evalfw.domain.answer import sample_status

CODE = "```python\nprint(1)\n```\n"


@pytest.mark.parametrize(
    ("text", "finish_reason", "status"),
    [
        (CODE, "stop", "ok"),
        (CODE, "length", "ok"),
        ("```python\nprint(int(inp", "length", "truncated"),
        ("", "content_filter", "filtered"),
        (CODE, "refusal", "filtered"),
        ("", "stop", "empty_answer"),
        (" \n", "stop", "empty_answer"),
        ("<think>so</think>\n", "stop", "empty_answer"),
        ("words", "stop", "no_code"),
        ("<think>so", "length", "no_code"),
    ],
)
def test_what_a_completion_is_worth(text: str, finish_reason: str, status: str) -> None:
    assert sample_status(finish_reason, extract(text, None, finish_reason)) == status


def test_it_does_not_need_the_text() -> None:
    assert sample_status("stop", Solution("no_code", "", "empty_answer")) == "empty_answer"
