"""Rows of tables of the papers that no other analysis has: models, scores by condition, pass@k, and run times."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evalfw.errors import InputError
from evalfw.report.conditions import CONDITION
from evalfw.report.runs import Run
from evalfw.store.run import RunStore

Row = Mapping[str, Any]

SCORES: Final = ("pass@1", "mis_macro", "mis_micro")
"""Columns of table 2 of paper A."""

RUNTIMES: Final = ("runtime_median", "runtime_cv_solutions", "speed_canonical", "runtime_rank")
"""What is said of the run times of a condition."""

_PASS = re.compile(r"pass@(\d+)")
_COUNTS = ("asked", "completions", "input_tokens", "output_tokens", "reasoning_tokens", "cost")


def models(run: Run) -> list[dict[str, Any]]:
    """One row a model: its plugin, the options on which its answers depend, and what was sampled from it.

    Raises:
        InputError: The run directory does not say it.
    """
    with RunStore.read(run.directory) as store:
        plan = store.plan()
    if plan is None:
        raise InputError("the run does not say what its models are: it was sampled by an earlier evalfw")
    return [
        _model(model, [row for row in run.tables["sampling"] if row["model"] == model["label"]])
        for model in plan["models"]
    ]


def _model(model: Mapping[str, Any], sampled: Sequence[Row]) -> dict[str, Any]:
    plugin = model["plugin"]
    options = {name: _plain(value) for name, value in model["keyed"].items() if value not in (None, [], {})}
    served = dict.fromkeys(row["served_by"] for row in sampled if row["served_by"] is not None)
    return {
        "model": model["label"],
        "plugin": plugin["name"],
        "version": f"{plugin['distribution']} {plugin['version']}",
        "options": ", ".join(f"{name}: {value}" for name, value in options.items()) or None,
        "temperatures": ", ".join(f"{each:g}" for each in dict.fromkeys(_defined(sampled, "temperature"))) or None,
        **{name: sum(values) if (values := _defined(sampled, name)) else None for name in _COUNTS},
        "served_by": ", ".join(served) or None,
    }


def _plain(value: object) -> object:
    """An option as it is published: of a file on this machine its name only."""
    return Path(value).name if isinstance(value, str) and Path(value).is_absolute() else value


def scores(run: Run) -> list[dict[str, Any]]:
    """One row a condition: pass@1 and MIS with their intervals.

    Raises:
        InputError: The run has none of them.
    """
    return _wide(run, SCORES, "pass_at_k with k: [1], and dmpd and mis")


def runtimes(run: Run) -> list[dict[str, Any]]:
    """One row a condition: what is typical of its run times, with intervals.

    Raises:
        InputError: The run has none.
    """
    return _wide(run, RUNTIMES, "runtime, with a profiler of run time such as pytest_benchmark")


def pass_at_k(run: Run) -> list[dict[str, Any]]:
    """For each dataset, model and k the temperature at which pass@k is highest, the first of several (paper B, 4.1).

    Raises:
        InputError: The run has no pass@k.
    """
    best: dict[tuple[str, str, int], Row] = {}
    for cell in run.tables["conditions"]:
        if (found := _PASS.fullmatch(cell["metric"])) and cell["value"] is not None:
            key = (cell["dataset"], cell["model"], int(found[1]))
            if key not in best or cell["value"] > best[key]["value"]:
                best[key] = cell
    if not best:
        raise InputError("the run has no pass@k: list the metric pass_at_k")
    names = ("temperature", "value", "low", "high", "n")
    return [
        {"dataset": dataset, "model": model, "k": k, **{name: cell[name] for name in names}, **_how(run)}
        for (dataset, model, k), cell in best.items()
    ]


def _wide(run: Run, metrics: Sequence[str], needs: str) -> list[dict[str, Any]]:
    """Cells of the table of conditions side by side; one that needs no profile holds for every profiler and size."""
    cells = {(tuple(cell[name] for name in CONDITION), cell["metric"]): cell for cell in run.tables["conditions"]}
    known = {metric for _, metric in cells} & {*metrics}
    if not known:
        raise InputError(f"the run has none of {', '.join(metrics)}: list the metrics {needs}")
    conditions = dict.fromkeys(tuple(row[name] for name in CONDITION) for row in run.tables["problems"])
    having = [key for key in conditions if any((key, metric) in cells for metric in known)]
    return [
        {
            **dict(zip(CONDITION, key, strict=True)),
            **_cells({metric: cells.get((key, metric)) or cells.get((_free(key), metric)) for metric in metrics}),
            **_how(run),
        }
        for key in having or dict.fromkeys(map(_free, conditions))
    ]


def _free(condition: tuple[Any, ...]) -> tuple[Any, ...]:
    """A condition as it stands with numbers that need no profile."""
    return tuple(
        None if name in {"profiler", "size"} else value for name, value in zip(CONDITION, condition, strict=True)
    )


def _cells(found: Mapping[str, Row | None]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    reasons = []
    for metric, cell in found.items():
        columns[metric] = cell["value"] if cell else None
        for end in ("low", "high"):
            columns[f"{metric}_{end}"] = cell[end] if cell else None
        columns[f"{metric}_n"] = cell["n"] if cell else None
        why = cell["reason"] if cell else "not among the metrics of the run"
        reasons.append(f"{metric}: {why}" if columns[metric] is None else "")
    return {**columns, "reason": "; ".join(filter(None, reasons)) or None}


def _how(run: Run) -> dict[str, Any]:
    return {"confidence": run.resampling.confidence, "resamples": run.resampling.resamples}


def _defined(rows: Sequence[Row], name: str) -> list[Any]:
    return [row[name] for row in rows if row[name] is not None]
