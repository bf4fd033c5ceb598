from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalfw.cli.summary import print_summary

CONDITION = {"dataset": "d", "model": "m", "temperature": None, "profiler": None, "size": None}


def summary(capsys: pytest.CaptureFixture[str], **cell: float | None) -> str:
    row: dict[str, Any] = {**CONDITION, "metric": "x", "n": 2, "left_out": 0, "reason": None, **cell}
    problem: dict[str, Any] = {**CONDITION, "problem": "p", "samples": 1, "correct": 1, "distinct": 1}
    print_summary(
        {"problems": [problem], "conditions": [row], "canonical": [], "sampling": [], "excluded": []}, Path("run")
    )
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (0.0355, 0.0101, 0.0712, "0.0355 [0.010, 0.071]"),
        (0.9, 0.7512, 1.0, "0.9000 [0.75, 1.00]"),
        (0.0045, 0.00391, 0.00513, "0.0045 [0.0039, 0.0051]"),
        (0.0000583, 0.000037, 0.0000801, "0.000058 [0.000037, 0.000080]"),
        (123.4, 99.5, 150.2, "123.4000 [100, 150]"),
        (1.0, 1.0, 1.0, "1.0000 [1, 1]"),
        (0.5, None, None, "│ 0.5000 │"),
        (None, None, None, "│ - │"),
    ],
)
def test_a_value_is_shown_with_its_interval(
    capsys: pytest.CaptureFixture[str], value: float | None, low: float | None, high: float | None, shown: str
) -> None:
    text = summary(capsys, value=value, low=low, high=high)
    assert shown in text.replace("      - │", "- │")
