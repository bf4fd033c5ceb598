from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalfw.cli.summary import print_summary


def printed(varying: dict[str, float | None], capsys: pytest.CaptureFixture[str]) -> str:
    condition = {"dataset": "d", "model": "m", "temperature": None, "profiler": "clock", "size": None}
    canonical: list[dict[str, Any]] = [
        {**condition, "model": model, "problem": problem, "test": "t", "cv": cv}
        for model in ("m", "n")
        for problem, cv in varying.items()
    ]
    problems = [{**condition, "problem": "p", "samples": 1, "correct": 1, "distinct": 1, "tests": 1, "pool": "private"}]
    print_summary(
        {"problems": problems, "conditions": [], "sampling": [], "excluded": [], "canonical": canonical}, Path("run")
    )
    return " ".join(capsys.readouterr().out.split())


def test_stable_measuring_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed({"p": 0.02, "q": 0.1}, capsys)
    assert "clock: the run time of canonical solutions varies by up to 0.100 of its mean over conditions" in text
    assert "on average by 0.060" in text
    assert "Warning" not in text


def test_unstable_measuring_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed({"p": 0.02, "q": 0.25, "r": None}, capsys)
    assert "Warning: clock: the run time of canonical solutions varies by up to 0.250" in text
    assert "by more than 0.1 on 1 of 2 tests" in text


def test_one_condition_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "canonical" not in printed({"p": None}, capsys)
