from __future__ import annotations

from typing import Any

from evalfw.report.summary import about, exclusion, metrics, partial, sampling, scores
from tests.evalfw.report.runs import CONDITION, cell, rows


def test_what_needs_no_profile_belongs_to_every_condition() -> None:
    problems = [
        {**row, "correct": correct}
        for profiler in ("base", "other")
        for row, correct in zip(rows("dmpd", {"a": 0.1, "b": None}, profiler=profiler), (2, 3), strict=True)
    ]
    cells = [cell("pass@1", 0.5, profiler=None), cell("mis_macro", 0.1), cell("nmv", 0.2, profiler="other")]
    base, other = scores({"problems": problems, "conditions": cells})
    assert base.condition == CONDITION
    assert (base.problems, base.samples, base.correct) == (2, 10, 5)
    assert set(base.cells) == {"pass@1", "mis_macro"}
    assert set(other.cells) == {"pass@1", "nmv"}
    assert metrics([base, other]) == ["pass@1", "mis_macro", "nmv"]


def test_what_is_missing_in_a_score_is_said() -> None:
    assert partial({**cell("x", 0.5), "left_out": 0}) is None
    assert partial({**cell("x", None), "left_out": 3}) == "undefined: no problems"
    left = {**cell("x", 0.5), "left_out": 1, "reason": "1 problem: one solution"}
    assert partial(left) == "on 2 problems, 1 left out: 1 problem: one solution"


def test_limits_are_put_in_words_where_they_are_meant() -> None:
    said = "not asked for, since `max_cost` is used up"
    assert exclusion({"what": "completion", "why": "max_cost"}) == said
    assert exclusion({"what": "completion", "why": "missing"}) == "missing"
    assert exclusion({"what": "solution", "why": "max_cost"}) == "max_cost"


def test_a_condition_in_words() -> None:
    assert about({**CONDITION, "temperature": 0.7, "size": 10}) == "m at 0.7, base, size 10"
    assert about({**CONDITION, "model": None, "profiler": None}) == ""


def test_what_nobody_counted_is_not_said() -> None:
    nothing: dict[str, Any] = dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens", "cost"))
    row = {"model": "m", "temperature": 0.2, "completions": 8, **nothing}
    assert sampling([row]) == []
    assert sampling([{**row, "output_tokens": 12345, "cost": 0.5}]) == [
        "m at 0.2: 8 completions, 12,345 output tokens, cost 0.5"
    ]
