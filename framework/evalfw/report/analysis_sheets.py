"""What the commands of analysis have found, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from evalfw.report.cells import Row, condition, number, p_value, text
from evalfw.report.cells import confidence as how_sure
from evalfw.report.conditions import CONDITION
from evalfw.report.reliability import STABLE
from evalfw.report.sheets import Sheet

_NAMED = 3

_BUT_MODEL = tuple(name for name in CONDITION if name != "model")


def association_sheets(rows: Sequence[Row]) -> list[Sheet]:
    """One sheet for each dataset, temperature, profiler and size, laid out as table 4 of paper A."""
    ordered = sorted(rows, key=lambda row: _order(rows, row, _BUT_MODEL))
    return [_association_sheet(list(block)) for _, block in groupby(ordered, key=lambda row: _values(row, _BUT_MODEL))]


def _association_sheet(rows: Sequence[Row]) -> Sheet:
    columns = list(dict.fromkeys((row["against"], row["proxy"]) for row in rows))
    columns.sort(key=lambda pair: [row["against"] for row in rows].index(pair[0]))
    cells = []
    for model in dict.fromkeys(row["model"] for row in rows):
        mine = {(row["against"], row["proxy"]): row for row in rows if row["model"] == model}
        cells.append((text(model), _counts(mine.values()), *(_both(mine.get(pair)) for pair in columns)))
    reasons = [(f"{row['model']}, {row['proxy']}, {row['against']}", row["reason"]) for row in rows]
    return Sheet(
        condition(rows[0], _BUT_MODEL),
        ("model", "n", *(f"{against} by {proxy}" for against, proxy in columns)),
        tuple(cells),
        (
            "Cells: Spearman's rho | Cliff's delta of the first third of the proxy against the third one;"
            " delta < 0: larger where the proxy is.",
            *listed(reasons),
        ),
    )


def contest_sheets(totals: Sequence[Row]) -> list[Sheet]:
    """For each condition that is shared, the matrix of figure 6 of paper B, and a row a pair."""
    blocks = groupby(totals, key=lambda row: _values(row, CONDITION))
    return [sheet for _, block in blocks for sheet in _contest_sheets(list(block))]


def _contest_sheets(rows: Sequence[Row]) -> list[Sheet]:
    first = rows[0]
    sides = list(dict.fromkeys(side for row in rows for side in (row["a"], row["b"])))
    won = {(row["a"], row["b"]): (row["a_lower"], row["problems"]) for row in rows}
    won |= {(row["b"], row["a"]): (row["b_lower"], row["problems"]) for row in rows}
    matrix = [(text(one), *(_of(won.get((one, other))) for other in sides)) for one in sides]
    about = condition(first, CONDITION)
    title = f"{first['on']} by {first['by']}" + (f"; {about}" if about else "")
    pairs = [
        (
            f"{text(row['a'])} : {text(row['b'])}",
            *(str(row[name]) for name in ("problems", "too_few", "undefined", "a_lower", "b_lower")),
            number(row["a_lower_share"], ".0%"),
            number(row["b_lower_share"], ".0%"),
            number(row["cohens_d"], "+.3f"),
            number(row["cohens_d_size"], ".3f"),
        )
        for row in rows
    ]
    headers = ("a : b", "problems", "too few", "undefined", "a lower", "b lower", "a", "b", "mean d", "mean |d|")
    corrected = "" if first["correction"] == "none" else f" ({first['correction']})"
    how = (
        f"Lower: {first['test']} test within a problem, p{corrected} < {first['level']:g}, on problems with more than"
        f" {first['more_than']} solutions of both."
    )
    return [
        Sheet(
            title,
            (first["by"], *map(text, sides)),
            tuple(matrix),
            ("Cells: on how many of the problems that count the row is significantly lower than the column.",),
        ),
        Sheet(f"{title}, pair by pair", headers, tuple(pairs), (how, "d: Cohen's, positive where b is larger.")),
    ]


def correlation_sheets(rows: Sequence[Row]) -> list[Sheet]:
    """One sheet a condition; where every two of several columns are correlated, the heatmap of paper A, figure 8."""
    return [_correlation_sheet(list(block)) for _, block in groupby(rows, key=lambda row: _values(row, CONDITION))]


def _correlation_sheet(rows: Sequence[Row]) -> Sheet:
    first = rows[0]
    title = "; ".join(filter(None, (f"{first['method']} correlation over {first['of']}", condition(first, CONDITION))))
    names = list(dict.fromkeys(name for row in rows for name in (row["x"], row["y"])))
    found = {frozenset((row["x"], row["y"])): row for row in rows}
    reasons = [(f"{row['x']}, {row['y']}", row["reason"]) for row in rows]
    if len(names) > 2 and len(found) == len(names) * (len(names) - 1) // 2:
        cells = [(one, *(_coefficient(found.get(frozenset((one, other)))) for other in names)) for one in names]
        return Sheet(title, ("", *names), tuple(cells), (f"n: {_counts(rows)}", *listed(reasons)))
    cells = [
        (
            f"{row['x']} : {row['y']}",
            str(row["n"]),
            number(row["value"], "+.3f"),
            number(row["r_squared"], ".3f"),
            p_value(row["p"]),
        )
        for row in rows
    ]
    return Sheet(title, ("x : y", "n", "value", "R²", "p"), tuple(cells), tuple(listed(reasons)))


def typical_correlation_sheets(rows: Sequence[Row]) -> list[Sheet]:
    """Coefficients by problem, summed up: one sheet a condition and kind of observation."""
    return [_typical_sheet(list(block)) for _, block in groupby(rows, key=lambda row: _values(row, (*CONDITION, "of")))]


def _typical_sheet(rows: Sequence[Row]) -> Sheet:
    first = rows[0]
    cells = [
        (
            f"{row['x']} : {row['y']}",
            str(row["problems"]),
            str(row["undefined"]),
            number(row["median"], "+.3f"),
            "-" if row["low"] is None else f"[{row['low']:+.3f}, {row['high']:+.3f}]",
            number(row["iqr"], ".3f"),
            number(row["mean"], "+.3f"),
        )
        for row in rows
    ]
    title = f"{first['method']} correlation over {first['of']}, problem by problem"
    headers = ("x : y", "problems", "undefined", "median", f"{how_sure(first)} interval", "IQR", "mean")
    reasons = [(f"{row['x']}, {row['y']}", row["reason"]) for row in rows]
    return Sheet(
        "; ".join(filter(None, (title, condition(first, CONDITION)))),
        headers,
        tuple(cells),
        (f"Interval of the median: {first['resamples']} bootstrap resamples of problems.", *listed(reasons)),
    )


def breakdown_sheets(rows: Sequence[Row], by: Sequence[str]) -> list[Sheet]:
    """One sheet for all conditions of a dataset."""
    return [_breakdown_sheet(list(block), by) for _, block in groupby(rows, key=lambda row: row["dataset"])]


def _breakdown_sheet(rows: Sequence[Row], by: Sequence[str]) -> Sheet:
    first = rows[0]
    varying = [name for name in CONDITION if len({row[name] for row in rows}) > 1]
    cells = [
        (
            ", ".join(text(row[name]) for name in by),
            *(text(row[name]) for name in varying),
            str(row["problems"]),
            str(row["left_out"]),
            number(row["value"], ".4f"),
            "-" if row["low"] is None else f"[{row['low']:.4f}, {row['high']:.4f}]",
        )
        for row in rows
    ]
    alike = condition(first, [name for name in CONDITION if name not in varying])
    reasons = [(", ".join(cell[: 1 + len(varying)]), row["reason"]) for cell, row in zip(cells, rows, strict=True)]
    return Sheet(
        "; ".join(filter(None, (f"{first['on']} by {', '.join(by)}", alike))),
        (", ".join(by), *varying, "problems", "left out", first["on"], f"{how_sure(first)} interval"),
        tuple(cells),
        (f"Intervals: percentiles of {first['resamples']} bootstrap resamples of problems.", *listed(reasons)),
    )


def reliability_sheet(rows: Sequence[Row]) -> Sheet:
    """One row for each dataset, profiler and size."""
    cells = [
        (
            condition(row, ("dataset", "profiler", "size")),
            str(row["tests"]),
            str(row["undefined"]),
            *(number(row[name], ".3f") for name in ("mean", "median", "largest")),
            str(row["stable"]),
            number(row["stable_share"], ".1%"),
        )
        for row in rows
    ]
    headers = ("measured", "tests", "undefined", "mean cv", "median cv", "largest", f"below {STABLE:g}", "share")
    return Sheet(
        "variation of the run time of canonical solutions",
        headers,
        tuple(cells),
        (
            "cv: standard deviation over mean of the median run times of one program on one test, measured beside each"
            " model and temperature.",
            *listed((cell[0], row["reason"]) for cell, row in zip(cells, rows, strict=True)),
        ),
    )


def _both(row: Row | None) -> str:
    return "-" if row is None else f"{number(row['spearman'], '+.3f')} | {number(row['cliffs_delta'], '+.3f')}"


def _of(found: tuple[int, int] | None) -> str:
    return "" if found is None else f"{found[0]}/{found[1]}"


def _coefficient(row: Row | None) -> str:
    return "" if row is None else number(row["value"], "+.3f")


def listed(reasons: Iterable[tuple[str, str | None]]) -> list[str]:
    """One line a reason, with what it is about; where that is much, with how much."""
    about: dict[str, list[str]] = {}
    for what, reason in reasons:
        if reason:
            about.setdefault(reason, []).append(what)
    return [
        f"{'; '.join(named) if len(named) <= _NAMED else f'{len(named)} cells'}: {reason}"
        for reason, named in about.items()
    ]


def _counts(rows: Iterable[Row]) -> str:
    """How many observations there are: one number, or from the smallest to the largest."""
    numbers = [row["n"] for row in rows]
    return str(numbers[0]) if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


def _values(row: Row, names: Sequence[str]) -> list[Any]:
    return [row[name] for name in names]


def _order(rows: Sequence[Row], row: Row, names: Sequence[str]) -> int:
    """The place of what a row is about among all the rows: they keep their order, and what is alike stands together."""
    return [_values(each, names) for each in rows].index(_values(row, names))
