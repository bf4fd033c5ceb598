"""Small tables that figures are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalfw.report.runs import Run
from tests.evalfw.report.runs import CONDITION, cell, rows, run, solved

SCORES: dict[tuple[str, float], tuple[float, float | None, float | None]] = {
    # pass@1, MIS macro, MIS micro
    ("a", 0.0): (0.9, 0.0, 0.001),
    ("a", 0.7): (0.8, 0.03, 0.02),
    ("b", 0.7): (0.5, None, None),
    ("b", 0.0): (0.6, 0.02, 0.01),
    ("b", 1.0): (0.4, 0.1, 0.08),
}


def scored(**condition: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Cells as the metrics give them: pass@1 needs no profiler."""
    found = []
    for (model, temperature), (passed, macro, micro) in SCORES.items():
        of = {"model": model, "temperature": temperature, **condition}
        found += [
            cell("pass@1", passed, **of | {"profiler": None, "size": None}),
            cell("mis_macro", macro, **of),
            cell("mis_micro", micro, **of),
        ]
    return found


COLUMNS: dict[str, list[float | None]] = {
    "dmpd": [0.1, 0.4, 0.2, 0.9, 0.3],
    "dmpd_entries": [3, 3, 3, 3, 3],
    "npd": [0.2, 0.3, None, 0.8, 0.5],
    "tsed": [1.0, 0.5, 0.7, 0.1, 0.4],
    "flat": [1.0] * 5,
}


X = [float(n) for n in range(30)]
Y = [float(n % 7) for n in range(30)]


SETTINGS: dict[str, dict[str, float | None]] = {
    "base": {"p": 0.1, "q": 0.2, "r": 0.3},
    "fine": {"p": 0.15, "q": 0.2, "r": 0.4},
    "slow": {"p": None, "q": None, "r": None},
}


def settings(**condition: Any) -> Run:  # noqa: ANN401
    problems = [
        row for name, values in SETTINGS.items() for row in rows("dmpd", values, **condition | {"profiler": name})
    ]
    cells = [
        cell(metric, {"base": 0.2, "fine": 0.25, "slow": None}[name], **condition | {"profiler": name})
        for name in SETTINGS
        for metric in ("mis_macro", "mis_micro")
    ]
    return run(problems, cells)


def measured(columns: dict[str, list[float | None]], **condition: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Rows of the table of problems, by column."""
    numbered = enumerate(zip(*columns.values(), strict=True))
    base = {**CONDITION, **condition, "samples": 5, "correct": 3, "distinct": 2, "tests": 4, "pool": "private"}
    return [{**base, "problem": f"p{n}", **dict(zip(columns, values, strict=True))} for n, values in numbered]


def everything(models: Sequence[str]) -> Run:
    """A run of these models with all that figures can be drawn from, but for several settings."""
    conditions = [
        {"model": model, "temperature": temperature, "size": size}
        for model in models
        for temperature in (0.0, 0.7)
        for size in (10, 100)
    ]
    return run(
        [row for condition in conditions for row in measured(COLUMNS, **condition)],
        [
            cell(metric, 0.1, **condition | ({"profiler": None, "size": None} if metric == "pass@1" else {}))
            for condition in conditions
            for metric in ("pass@1", "mis_macro", "mis_micro")
        ],
        [
            row
            for condition in conditions
            for row in solved({"dmpd": X, "nmv": Y, "cognitive_mean": Y}, problem="p0", **condition)
        ],
    )
