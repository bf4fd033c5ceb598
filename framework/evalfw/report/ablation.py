"""Settings of a profiler against a baseline: table 3 of paper A."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from evalfw.errors import InputError, near
from evalfw.report.conditions import Series, series
from evalfw.report.pairing import Paired, adjusted, paired
from evalfw.report.runs import Run

BLOCK = ("dataset", "model", "temperature", "size")
"""What the settings of one block share."""

_SCORES = ("mis_macro", "mis_micro")


def ablation(run: Run, baseline: str | None = None, correction: str = "none") -> list[dict[str, Any]]:
    """Every setting of a profiler against the baseline, for each dataset, model, temperature and size.

    Args:
        run: A run with several settings, and the metrics `dmpd` and `mis`.
        baseline: Label of a setting; None for the first.
        correction: Of the p-values, for the settings of one block.

    Returns:
        One row a setting, block by block: MIS with intervals, its change to the baseline in percent, and how D_p, the
        mean DMPD of a problem, differs from that under the baseline.

    Raises:
        InputError: Something named is not there, or there is nothing to compare.
    """
    cells = {(*_block(cell), cell["profiler"], cell["metric"]): cell for cell in run.tables["conditions"]}
    if not any(key[-1] in _SCORES for key in cells):
        raise InputError("the run has no mis_macro: an ablation needs the metrics dmpd and mis, without labels")
    blocks: dict[tuple[Any, ...], dict[str, Series]] = {}
    for each in series([run], "dmpd"):
        blocks.setdefault(_block(each.dimensions), {})[each.dimensions["profiler"]] = each
    labels = list(dict.fromkeys(label for block in blocks.values() for label in block))
    baseline = labels[0] if baseline is None else baseline
    if baseline not in labels:
        raise InputError(f"there is no profiler setting '{baseline}'{near(baseline, labels)}")
    if len(labels) == 1:
        raise InputError(f"the run has one profiler setting, '{baseline}': there is nothing to compare it with")
    made = {"correction": correction, "confidence": run.resampling.confidence, "resamples": run.resampling.resamples}
    rows = []
    for block, settings in blocks.items():
        compared = _compared(run, settings, baseline, correction)
        for label in settings:
            of = dict(zip(BLOCK, block, strict=True)) | {"profiler": label, "baseline": baseline}
            scores = [_score(cells[*block, label, name], cells[*block, baseline, name]) for name in _SCORES]
            rows.append(_row(of, scores, compared.get(label)) | made)
    return rows


def _block(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in BLOCK)


def _compared(run: Run, settings: Mapping[str, Series], baseline: str, correction: str) -> dict[str, Paired]:
    others = [label for label in settings if label != baseline]
    family = [paired(settings[baseline].values, settings[label].values, run.resampling) for label in others]
    return dict(zip(others, adjusted(family, correction), strict=True))


def _score(cell: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of one score, with the reason of what is null."""
    name, value, of = cell["metric"], cell["value"], base["value"]
    change, why = None, None
    if value is None:
        why = f"{name}: {cell['reason']}"
    elif not of:
        why = f"change of {name}: it is {'0' if of == 0 else 'undefined'} under the baseline"
    else:
        change = 100 * (value - of) / of
    ends = {f"{name}_low": cell["low"], f"{name}_high": cell["high"]}
    return {"n": cell["n"], name: value, **ends, f"{name}_change_percent": change, "reason": why}


def _row(of: Mapping[str, Any], scores: Sequence[Mapping[str, Any]], compared: Paired | None) -> dict[str, Any]:
    difference = asdict(compared) if compared else dict.fromkeys(field.name for field in fields(Paired))
    reasons = [score["reason"] for score in scores] + [difference["reason"] if compared else "this is the baseline"]
    columns = {key: value for score in scores for key, value in score.items() if key != "reason"}
    return {**of, **columns, **difference, "reason": "; ".join(filter(None, reasons)) or None}
