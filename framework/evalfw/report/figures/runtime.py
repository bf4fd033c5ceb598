"""Figures of run time: those of paper B, and how its numbers are distributed by model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean, median
from typing import Any, Final

from evalfw.errors import InputError
from evalfw.report.conditions import CONDITION
from evalfw.report.correlations import PRESETS, correlate
from evalfw.report.figures.comparisons import costs, faster
from evalfw.report.figures.distributions import histograms, spreads, strips
from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.panels import PANEL, Heading, about, counted, listed, seconds, who
from evalfw.report.figures.scores import varying
from evalfw.report.gathering import TIMED, gathered, need
from evalfw.report.reliability import STABLE, variations
from evalfw.report.runs import Run

Row = Mapping[str, Any]

_TEMPERATURES: Final = {
    "temperature-runtime": "run time",
    "temperature-variation": "variation of run time",
}


def runtime_figures(runs: Sequence[Run]) -> list[Figure | Absent]:
    """All figures of run time, in the order of paper B; each from all the runs that have what it takes."""
    return [
        _stability(runs),
        costs(runs),
        _by_model(
            runs,
            Heading("runtime-by-model", "Run times by model"),
            "runtime_median",
            "run time (s)",
            "the mean over its tests of the median of the rounds",
            "~s",
        ),
        _by_model(
            runs,
            Heading("speed-by-model", "Speed relative to the canonical solution, by model"),
            "speed_canonical",
            "speed relative to the canonical solution",
            "how many times as fast as the canonical solution of its problem it is",
            threshold=(1.0, "as fast"),
        ),
        faster(runs, "model"),
        faster(runs, "temperature"),
        _temperature(runs),
        _rank(runs),
        _beyond(runs),
    ]


def _stability(runs: Sequence[Run]) -> Figure | Absent:
    heading = Heading("runtime-stability", "Variation of the run time of canonical solutions", "paper B, figure 3")
    rows, reasons = gathered(runs, variations)
    shown = [row for row in rows if row["cv"] is not None]
    if not shown:
        return heading.absent("; ".join([*reasons, *_undefined("variation", rows)]))
    names = varying(shown, ("dataset", "size"))
    panels = varying(shown, ("run",))
    drawn = [
        {
            "panel": about(row, panels),
            "group": ", ".join(filter(None, (row["profiler"], about(row, names)))),
            "value": row["cv"],
            **{name: row[name] for name in ("problem", "test")},
        }
        for row in shown
    ]
    parts = []
    for (panel, group), found in spreads(drawn).items():
        values = [row["value"] for row in drawn if (row["panel"], row["group"]) == (panel, group)]
        stable = sum(value < STABLE for value in values)
        parts.append(
            f"{_of(panel, group)}: median {found.middle:.3f}, quartiles {found.low:.3f} and {found.high:.3f},"
            f" largest {max(values):.3f}; {stable} of {found.n} below {STABLE:g}."
        )
    return heading.drawn(
        strips(drawn, "coefficient of variation", ("problem", "test"), threshold=(STABLE, f"{STABLE:g}")),
        rows,
        "One tick for each canonical solution and test: standard deviation over mean of its run times beside each model"
        f" and temperature. Bars: from quartile to quartile; thick ticks: medians. Dashed: {STABLE:g}, what the paper"
        f" accepts.{_left_out(rows, shown)}",
        listed(parts),
        {"rows": drawn},
        reasons,
    )


def _by_model(
    runs: Sequence[Run],
    heading: Heading,
    column: str,
    title: str,
    what: str,
    form: str = "~g",
    threshold: tuple[float, str] | None = None,
) -> Figure | Absent:
    rows, _ = gathered(runs, partial(_solutions, columns=lambda name: name == column))
    shown = [row for row in rows if row["value"] is not None]
    if not shown:
        return heading.absent(f"no solution has {column}: list {TIMED}")
    names = varying(shown, PANEL)
    drawn = [
        {
            "panel": about(row, names),
            "group": who(row),
            **{name: row[name] for name in ("value", "problem", "solution")},
        }
        for row in shown
    ]
    log = all(row["value"] > 0 for row in shown)
    said = seconds if column == "runtime_median" else "{:.3g}".format
    parts = [
        f"{_of(panel, group)}: median {said(found.middle)}, quartiles {said(found.low)} and {said(found.high)},"
        f" {counted(found.n, 'solution')}."
        for (panel, group), found in spreads(drawn).items()
    ]
    return heading.drawn(
        strips(drawn, title, ("problem", "solution"), log, form, threshold),
        rows,
        f"One tick for each correct solution: {what}. Bars: from quartile to quartile; thick ticks: medians."
        f"{' Logarithmic axis.' if log else ''}{_left_out(rows, shown)}",
        listed(parts),
        {"rows": drawn},
    )


def _temperature(runs: Sequence[Run]) -> Figure | Absent:
    heading = Heading("temperature-correlation", "Temperature and run time, problem by problem", "paper B, figure 7")
    rows, reasons = gathered(runs, _over_temperatures)
    shown = [row for row in rows if row["value"] is not None]
    if not shown:
        return heading.absent("; ".join([*reasons, *_undefined("coefficient", rows)]))
    names = varying(shown, ("run", "dataset", "profiler", "size"))
    drawn, parts = _with_middle(
        [
            {
                "panel": "; ".join(filter(None, (row["what"], about(row, names)))),
                **{name: row[name] for name in ("problem", "value", "n")},
            }
            for row in shown
        ],
        "median",
    )
    return heading.drawn(
        histograms(drawn, "Pearson's correlation with temperature", "problems", (-1, 1, 0.2), "median"),
        rows,
        "How many problems have which coefficient. Run time: over the solutions of a problem; variation: over its"
        " conditions, of the coefficient of variation among their solutions. All models together. Dashed: median."
        + _left_out(rows, shown),
        listed(parts),
        {"rows": drawn},
        reasons,
    )


def _over_temperatures(run: Run) -> Iterable[dict[str, Any]]:
    need(run, "problems", ("runtime_median", "runtime_cv_solutions"), TIMED)
    if len({row["temperature"] for row in run.tables["problems"]} - {None}) < 2:
        raise InputError("the run has fewer than two temperatures: list more in sampling.temperatures")
    for preset, what in _TEMPERATURES.items():
        for row in correlate(run, PRESETS[preset]):
            yield {"what": what, **row}


def _rank(runs: Sequence[Run]) -> Figure | Absent:
    heading = Heading("runtime-rank", "Rank of solutions among known ones", "paper B, figure 8")
    need = f"no solution has a runtime_rank: list {TIMED}; with references: all the profiler measures known solutions"
    title = "known solutions that are slower (%)"
    return _standing(runs, heading, r"runtime_rank", 1, title, need)


def _beyond(runs: Sequence[Run]) -> Figure | Absent:
    heading = Heading("beyond", "Place of solutions in the range of known ones")
    need = (
        "no correct solution has a value of beyond: list a profiler of run time or instructions with references: all,"
        " and the metric beyond"
    )
    title = "place among known ones (%, 100: the fastest)"
    return _standing(runs, heading, r"(.+:)?beyond(\[.+\])?", 100, title, need)


def _standing(
    runs: Sequence[Run], heading: Heading, column: str, factor: float, title: str, need: str
) -> Figure | Absent:
    rows, _ = gathered(runs, partial(_solutions, columns=lambda name: re.fullmatch(column, name) is not None))
    shown = [row for row in rows if row["value"] is not None]
    if not shown:
        return heading.absent(need)
    names = varying(shown, ("column", "model"))
    places = varying(shown, PANEL)
    drawn, parts = _with_middle(
        [
            {
                "panel": ", ".join(filter(None, (*(str(row[name]) for name in names), about(row, places)))),
                "value": factor * row["value"],
                **{name: row[name] for name in ("problem", "solution")},
            }
            for row in shown
        ],
        "mean",
    )
    return heading.drawn(
        histograms(drawn, title, "solutions", (0, 100, 10), "mean"),
        rows,
        "How many correct solutions stand where, all temperatures together. Dashed: mean over these solutions."
        + _left_out(rows, shown),
        listed(parts),
        {"rows": drawn},
    )


def _solutions(run: Run, columns: Callable[[str], bool]) -> Iterable[dict[str, Any]]:
    """The numbers of correct solutions in all columns of a kind, one row a number."""
    for row in run.tables["solutions"]:
        for name, value in row.items():
            if columns(name) and row["verdict"] == "accepted":
                about = {each: row[each] for each in (*CONDITION, "problem", "solution")}
                yield {**about, "column": name, "value": value}


def _with_middle(drawn: Sequence[Row], middle: str) -> tuple[list[Row], list[str]]:
    """Rows with the median or mean of their panel in its title, and what there is to see in each panel."""
    panels: dict[str, list[float]] = {}
    for row in drawn:
        panels.setdefault(row["panel"], []).append(row["value"])
    titles, parts = {}, []
    for panel, values in panels.items():
        value = median(values) if middle == "median" else fmean(values)
        said = f"{panel}: " if panel else ""
        titles[panel] = f"{said}{middle} {value:.3g}, n = {len(values)}"
        parts.append(f"{titles[panel]}, from {min(values):.3g} to {max(values):.3g}.")
    return [{**row, "panel": titles[row["panel"]]} for row in drawn], parts


def _of(panel: str, group: str) -> str:
    return f"{panel}, {group}" if panel else group


def _undefined(what: str, rows: Sequence[Row]) -> list[str]:
    """Why there is nothing to draw though there are rows."""
    return [f"no {what} is defined: {reason}" for reason in dict.fromkeys(row["reason"] for row in rows)]


def _left_out(rows: Sequence[Row], shown: Sequence[Row]) -> str:
    """How many rows are undefined, and why."""
    if len(rows) == len(shown):
        return ""
    drawn = set(map(id, shown))
    reasons = dict.fromkeys(row.get("reason") for row in rows if id(row) not in drawn)
    why = "; ".join(filter(None, reasons))
    return f" Undefined, and not drawn: {len(rows) - len(shown)}{f' ({why})' if why else ''}."
