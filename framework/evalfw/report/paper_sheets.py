"""The same tables as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from evalfw.report.analysis_sheets import listed
from evalfw.report.cells import Row, condition, confidence, number, text
from evalfw.report.conditions import CONDITION
from evalfw.report.sheets import Sheet

_PLACE = tuple(name for name in CONDITION if name not in {"model", "temperature"})
_SAMPLED = ("temperatures", "completions", "input_tokens", "output_tokens", "reasoning_tokens", "cost")


def models_sheet(rows: Sequence[Row]) -> list[Sheet]:
    """One row a model, its options below."""
    names = [name for name in _SAMPLED if any(row[name] is not None for row in rows)]
    cells = [(text(row["model"]), row["plugin"], *(text(row[name]) for name in names)) for row in rows]
    headers = ("model", "plugin", *(name.replace("_", " ") for name in names))
    notes = [
        f"{row['model']}: {row['version']}; {row['options'] or 'no options'}"
        + (f"; served by {row['served_by']}" if row["served_by"] else "")
        for row in rows
    ]
    return [Sheet("models", headers, tuple(cells), tuple(notes))]


def wide_sheets(rows: Sequence[Row], metrics: Sequence[str], form: str) -> list[Sheet]:
    """For each dataset, profiler and size one row a model and temperature, with a column for each metric."""
    return [_wide_sheet(list(block), metrics, form) for _, block in groupby(rows, key=_place)]


def _wide_sheet(rows: Sequence[Row], metrics: Sequence[str], form: str) -> Sheet:
    shown = [metric for metric in metrics if any(row[metric] is not None for row in rows)]
    numbered = [
        (
            text(row["model"]),
            text(row["temperature"]),
            *(cell for metric in shown for cell in (number(row[metric], form), _ends(row, metric, form))),
        )
        for row in rows
    ]
    reasons = [(f"{text(row['model'])} at {text(row['temperature'])}", row["reason"]) for row in rows]
    return Sheet(
        condition(rows[0], _PLACE),
        ("model", "temperature", *(header for metric in shown for header in (metric, _interval(rows[0])))),
        tuple(numbered),
        (_how(rows[0]), *listed(reasons)),
    )


def pass_at_k_sheets(rows: Sequence[Row]) -> list[Sheet]:
    """One sheet a dataset, laid out as table 2 of paper B: models by decreasing pass@k of the least k."""
    return [_pass_at_k_sheet(list(block)) for _, block in groupby(rows, key=lambda row: row["dataset"])]


def _pass_at_k_sheet(rows: Sequence[Row]) -> Sheet:
    ks = sorted({row["k"] for row in rows})
    models: dict[Any, dict[int, Row]] = {}
    for row in rows:
        models.setdefault(row["model"], {})[row["k"]] = row
    ordered = sorted(models.items(), key=lambda item: -item[1][ks[0]]["value"] if ks[0] in item[1] else 1)
    cells = [(text(model), *(cell for k in ks for cell in _best(found.get(k)))) for model, found in ordered]
    headers = ("model", *(header for k in ks for header in (f"pass@{k}", _interval(rows[0]), "at")))
    note = "The highest over temperatures, and the temperature at which it is."
    return Sheet(f"dataset {rows[0]['dataset']}", headers, tuple(cells), (note, _how(rows[0])))


def _best(row: Row | None) -> tuple[str, str, str]:
    if row is None:
        return "-", "-", "-"
    ends = "-" if row["low"] is None else f"[{row['low']:.3f}, {row['high']:.3f}]"
    return f"{row['value']:.3f}", ends, text(row["temperature"])


def _place(row: Row) -> list[Any]:
    return [row[name] for name in _PLACE]


def _interval(row: Row) -> str:
    return f"{confidence(row)} interval"


def _how(row: Row) -> str:
    return f"Intervals: percentiles of {row['resamples']} bootstrap resamples of problems."


def _ends(row: Row, metric: str, form: str) -> str:
    low, high = row[f"{metric}_low"], row[f"{metric}_high"]
    return "-" if low is None else f"[{low:{form}}, {high:{form}}]"
