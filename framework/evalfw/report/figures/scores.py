"""The cells of results tables that figures are drawn from: which share a figure, and what they are called in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from unicodedata import normalize

from evalfw.report.cells import text
from evalfw.report.conditions import CONDITION
from evalfw.report.figures.figure import Row
from evalfw.report.runs import Run

SERIES = ("model", "profiler", "size", "run")
"""What one line of a figure can differ in from another, where the figure has temperatures itself."""

NAMES = {"mis_macro": "MIS macro", "mis_micro": "MIS micro"}
"""Metrics as they are written in a figure; others have the name they have in the tables."""

_WRITTEN = {"temperature": "T {}", "size": "size {}"}


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that share a figure.

    Args:
        rows: In the order of the tables.
        suffix: What the name of the figure ends in; empty where the rows are all there are.
        about: The same for its title.
    """

    rows: Sequence[Row]
    suffix: str
    about: str


def scores(runs: Sequence[Run], metrics: Iterable[str]) -> list[dict[str, Any]]:
    """The cells of these metrics, in the order of the tables, with the name of their run."""
    wanted = frozenset(metrics)
    return [
        {
            "run": run.name,
            **{name: cell[name] for name in (*CONDITION, "metric", "value", "low", "high", "n", "reason")},
        }
        for run in runs
        for cell in run.tables["conditions"]
        if cell["metric"] in wanted
    ]


def parts(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Part]:
    """The rows, cut by these columns. A column that is the same in all of them is not spoken of."""
    told = varying(rows, names)
    groups = grouped(rows, told)
    titles = {key: ", ".join(written(name, value) for name, value in zip(told, key, strict=True)) for key in groups}
    endings = slugs(list(titles.values()))
    for (key, members), ending in zip(groups.items(), endings, strict=True):
        yield Part(members, f"-{ending}" if told else "", f" ({titles[key]})" if told else "")


def grouped(rows: Iterable[Row], names: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    """The rows by what they have in these columns, in the order in which that comes first."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def figure_columns(rows: Sequence[Row]) -> tuple[str, ...]:
    """What scores are cut by: each dataset has a figure, and each profiler unless it is all that differs."""
    others = ("run", "dataset", "model", "temperature", "size")
    return ("dataset", "profiler") if varying(rows, others) else ("dataset",)


def varying(rows: Sequence[Row], names: Sequence[str]) -> tuple[str, ...]:
    """The columns that are not the same in all rows."""
    return tuple(name for name in names if len({row[name] for row in rows}) > 1)


def labels(rows: Sequence[Row], names: Sequence[str] = SERIES) -> list[str]:
    """What each row is called beside the others: by what differs, or by its model where nothing does."""
    told = varying(rows, names) or ("model",)
    return [
        ", ".join(written(name, row[name]) for name in told if row[name] is not None) or str(row["model"])
        for row in rows
    ]


def written(name: str, value: object) -> str:
    """A value of a condition, so that a reader sees of what."""
    return f"no {name}" if value is None else _WRITTEN.get(name, "{}").format(text(value))


def pointed(row: Row, label: str) -> dict[str, Any]:
    """A score as it is drawn: with its label, and the texts that are shown beside the pointer."""
    return {
        **row,
        "label": label,
        "condition": described(row),
        "score": NAMES.get(row["metric"], row["metric"]),
        "shown": with_interval(row["value"], row["low"], row["high"]),
        "problems": text(row["n"]),
    }


def shown(value: float | None) -> str:
    """A number in a sentence."""
    return "undefined" if value is None else f"{value:.3g}"


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """A number in a sentence, with its interval where it has one."""
    return shown(value) if low is None else f"{shown(value)} [{shown(low)}, {shown(high)}]"


def described(row: Row) -> str:
    """The whole condition of a row."""
    return ", ".join(written(name, row[name]) for name in ("run", *CONDITION) if row[name] is not None)


def intervals(runs: Sequence[Run]) -> str:
    """What the intervals of these runs are; and what else has to be known of runs side by side."""
    levels = " and ".join(dict.fromkeys(f"{100 * run.resampling.confidence:g}%" for run in runs))
    sandboxes = dict.fromkeys(run.sandbox for run in runs)
    caution = f" Profiles were made in different sandboxes: {'; '.join(sandboxes)}." if len(sandboxes) > 1 else ""
    return f"{levels} confidence intervals over problems.{caution}"


def undefined(rows: Sequence[Row], called: Sequence[str]) -> str:
    """A sentence about those rows that have no value; empty if all have one."""
    missing = [
        f"{NAMES.get(row['metric'], row['metric'])} of {label} ({row['reason'] or 'no reason stored'})"
        for row, label in zip(rows, called, strict=True)
        if row["value"] is None
    ]
    return f" Undefined: {'; '.join(missing)}." if missing else ""


def slugs(texts: Sequence[str]) -> list[str]:
    """The texts as parts of names of files: lower case, with a digest where letters alone do not tell them apart."""
    plain = [_slug(each) for each in texts]
    return [
        slug
        if slug and plain.count(slug) == 1
        else "-".join(filter(None, (slug, sha256(each.encode()).hexdigest()[:8])))
        for slug, each in zip(plain, texts, strict=True)
    ]


def _slug(text: str) -> str:
    letters = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9.]+", "-", letters).strip("-.")[:60].strip("-.")
