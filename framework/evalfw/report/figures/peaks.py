"""DMPD beside what a comparison of peaks alone sees, by the size of inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from evalfw.report.cells import number, text
from evalfw.report.correlations import PRESETS, correlate, observed, points
from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import Part, grouped, parts, shown, written
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE, _SOURCE = "dmpd-against-npd", "DMPD against normalised peak difference", "paper A, figure 9"
_ANALYSIS = replace(PRESETS["npd"], pool=("temperature", "size"))
_PART = ("run", "dataset", "model", "profiler")
_SIDE = 235


def dmpd_against_npd(runs: Sequence[Run]) -> list[Figure | Absent]:
    """DMPD of problems against their normalised peak difference, by size of inputs: figure 9 of paper A.

    One figure a run, dataset, model and profiler.
    """
    values, fits = [], []
    for run in runs:
        if any({"npd", "dmpd"} <= row.keys() for row in run.tables["problems"]):
            values += [{"run": run.name, **row} for row in points(observed(run, _ANALYSIS), _ANALYSIS.columns)]
            fits += [{"run": run.name, **row} for row in correlate(run, _ANALYSIS)]
    if not values:
        needs = "needs the metrics npd and dmpd, and two correct solutions of a problem"
        why = f"no problem has both: {fits[0]['reason']}" if fits else needs
        return [Absent(_NAME, _TITLE, why, _SOURCE)]
    known = grouped(fits, _PART)
    return [_figure(part, known[tuple(part.rows[0][name] for name in _PART)][0]) for part in parts(values, _PART)]


def _figure(part: Part, fit: Row) -> Figure:
    rows = [{name: value for name, value in row.items() if name != "solution"} for row in part.rows]
    fitted = f"R² = {number(fit['r_squared'], '.2f')}" if fit["reason"] is None else f"R² is undefined: {fit['reason']}"
    sizes = sorted({row["size"] for row in rows if row["size"] is not None})
    end = drawing.end(row[column] for row in rows for column in ("npd", "dmpd"))
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            "Each point is a problem, under one temperature and with inputs of one size: means over its pairs of"
            f" solutions. On the dashed line both are equal. {fitted} over all {fit['n']} points."
        ),
        description=f"{' '.join(_told(rows))} {fitted}.",
        rows=rows,
        spec=specification(
            _chart(sizes, end), points=[_point(row) for row in rows], ends=[{"x": 0, "y": 0}, {"x": end, "y": end}]
        ),
        source=_SOURCE,
    )


def _told(rows: Sequence[Row]) -> Iterator[str]:
    for (size,), members in grouped(rows, ["size"]).items():
        ranges = []
        for name, column in (("NPD", "npd"), ("DMPD", "dmpd")):
            values = [member[column] for member in members]
            ranges.append(f"{name} from {shown(min(values))} to {shown(max(values))}, median {shown(median(values))}")
        about = f"{written('size', size)}, " if size is not None else ""
        yield f"{about}{len(members)} problems: {'; '.join(ranges)}."


def _point(row: Row) -> dict[str, Any]:
    return {
        **{"problem": row["problem"], "temperature": text(row["temperature"]), "size": row["size"]},
        **{"x": row["npd"], "y": row["dmpd"], "NPD": shown(row["npd"]), "DMPD": shown(row["dmpd"])},
    }


def _chart(sizes: Sequence[int], end: float) -> alt.LayerChart:
    import altair as alt

    scale, axis = alt.Scale(domain=[0, end], nice=False), alt.Axis(tickCount=5, format=drawing.NUMBERS)
    x = alt.X("x:Q", title="normalised peak difference (NPD)", scale=scale, axis=axis)
    y = alt.Y("y:Q", title="DMPD", scale=scale, axis=axis)
    equal = drawing.of("ends").mark_line(strokeDash=[4, 4], strokeWidth=1, color="#888888", tooltip=False)
    dots = (
        drawing.of("points")
        .mark_point(opacity=0.75)
        .encode(x=x, y=y, tooltip=drawing.tooltips("problem", "temperature", "size", "NPD", "DMPD"))
    )
    if sizes:
        legend = alt.Legend(title="size", symbolOpacity=1)
        dots = dots.encode(
            color=alt.Color("size:N", legend=legend, scale=alt.Scale(domain=sizes)),
            shape=alt.Shape("size:N", legend=legend, scale=alt.Scale(domain=sizes, range=drawing.SHAPES)),
        )
    return drawing.layered(equal.encode(x=x, y=y), dots, width=_SIDE, height=_SIDE)
