"""Comparisons as a person reads them: few columns, numbers rounded, what is null explained below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from evalfw.report.ablation import BLOCK
from evalfw.report.cells import Row, condition, confidence, number, p_value, text
from evalfw.report.conditions import CONDITION


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of plain texts.

    Args:
        title: What it is about.
        headers: Of the columns; the first is of texts, the others of numbers.
        cells: Row by row.
        notes: Lines below it.
    """

    title: str
    headers: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def ablation_sheets(rows: Sequence[Row]) -> list[Sheet]:
    """One sheet for each dataset, model, temperature and size, laid out as table 3 of paper A."""
    return [_ablation_sheet(list(block)) for _, block in groupby(rows, key=lambda row: [row[name] for name in BLOCK])]


def _ablation_sheet(rows: Sequence[Row]) -> Sheet:
    first = rows[0]
    cells = [
        (
            row["profiler"],
            str(row["n"]),
            _value(row, "mis_macro"),
            _percent(row["mis_macro_change_percent"]),
            _value(row, "mis_micro"),
            _percent(row["mis_micro_change_percent"]),
            *_difference(row),
        )
        for row in rows
    ]
    headers = ("setting", "n", "mis_macro", "change", "mis_micro", "change", *_difference_headers(first))
    reasons = [(row["profiler"], row["reason"]) for row in rows if row["profiler"] != row["baseline"]]
    return Sheet(
        condition(first, BLOCK),
        headers,
        tuple(cells),
        (
            f"Baseline: {first['baseline']}. Differences are of D_p, setting less baseline, over the common problems.",
            *_notes(first, reasons),
        ),
    )


def comparison_sheet(rows: Sequence[Row]) -> Sheet:
    """One row a pair of conditions."""
    first = rows[0]
    alike = [name for name in ("run", *CONDITION) if len({row[name] for row in rows}) == 1]
    varying = [name for name in ("run", *CONDITION) if name not in alike]
    cells = [
        (
            f"{text(row['a'])} : {text(row['b'])}",
            *(text(row[name]) for name in varying),
            str(row["common"]),
            str(row["only_a"] + row["only_b"]),
            number(row["median_a"], ".4g"),
            number(row["median_b"], ".4g"),
            *_difference(row)[1:],
        )
        for row in rows
    ]
    headers = ("a : b", *varying, "common", "not", "median a", "median b", *_difference_headers(first)[1:])
    reasons = [(cell[0], row["reason"]) for cell, row in zip(cells, rows, strict=True)]
    about = f"{first['on']} by {', '.join(dict.fromkeys(row['by'] for row in rows))}"
    return Sheet(
        "; ".join(filter(None, (about, condition(first, alike)))),
        headers,
        tuple(cells),
        ("Differences are b less a, over the common problems.", *_notes(first, reasons)),
    )


def _difference_headers(row: Row) -> tuple[str, ...]:
    corrected = () if row["correction"] == "none" else (f"p ({row['correction']})",)
    return ("common", "median difference", "IQR", f"{confidence(row)} interval", "p", *corrected, "delta")


def _difference(row: Row) -> tuple[str, ...]:
    low, high = row["difference_low"], row["difference_high"]
    corrected = () if row["correction"] == "none" else (p_value(row["p_adjusted"]),)
    return (
        "-" if row["common"] is None else str(row["common"]),
        number(row["median_difference"], "+.2g"),
        number(row["difference_iqr"], ".2g"),
        "-" if low is None else f"[{low:+.2g}, {high:+.2g}]",
        p_value(row["p"]),
        *corrected,
        number(row["cliffs_delta"], "+.2f"),
    )


def _notes(row: Row, reasons: Sequence[tuple[str, str | None]]) -> list[str]:
    how = f"Intervals: percentiles of {row['resamples']} bootstrap resamples of problems."
    tests = "p: Wilcoxon's signed-rank test, two-sided, differences of 0 left out. delta: Cliff's."
    return [f"{how} {tests}", *(f"{about}: {reason}" for about, reason in reasons if reason)]


def _value(row: Row, score: str) -> str:
    low, high = row[f"{score}_low"], row[f"{score}_high"]
    ends = "" if low is None else f" [{low:.4f}, {high:.4f}]"
    return number(row[score], ".4f") + ends


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:+.1f}%"
