"""How stable models are: MIS of every condition with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import (
    NAMES,
    Part,
    figure_columns,
    grouped,
    intervals,
    labels,
    parts,
    pointed,
    scores,
    undefined,
    varying,
)
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE, _SOURCE = "mis-by-model", "MIS by model", "paper A, figures 5 and 6"
_NEEDS = "needs the metrics dmpd and mis, and two correct solutions of a problem"

_WIDTH, _ROW = 200, 26
_SERIES = ("model", "temperature", "profiler", "size")


def mis_by_model(runs: Sequence[Run]) -> list[Figure | Absent]:
    """MIS macro and micro of every condition, dataset by dataset: figures 5 and 6 of paper A."""
    rows = scores(runs, NAMES)
    cut_by = [column for column in figure_columns(rows) if column != "dataset"]
    drawable = [part for part in parts(rows, cut_by) if any(row["value"] is not None for row in part.rows)]
    if drawable:
        return [_figure(part, runs) for part in drawable]
    why = f"MIS is undefined everywhere: {rows[0]['reason']}" if rows else _NEEDS
    return [Absent(_NAME, _TITLE, why, _SOURCE)]


def _figure(part: Part, runs: Sequence[Run]) -> Figure:
    import altair as alt

    called = labels(part.rows, _SERIES)
    whole = labels(part.rows, (*_SERIES, "dataset", "run"))
    points = [pointed(row, label) for row, label in zip(part.rows, called, strict=True)]
    top = drawing.end(value for row in part.rows for value in (row["value"], row["high"]) if value is not None)
    panels, drawn, count = [], [], len(_panels(points))
    for panel, (title, members) in enumerate(_panels(points)):
        drawn += [{**point, "panel": panel} for point in members]
        conditions = list(dict.fromkeys(str(point["label"]) for point in members))
        panels.append(_panel(panel, conditions, top, title, last=panel == count - 1))
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            "MIS macro (circles: the mean over problems) and micro (squares: over all comparisons); further right is"
            f" less stable. Bars: {intervals(runs)}{undefined(part.rows, whole)}"
        ),
        description=" ".join(
            f"{score}{f', {title}' if title else ''}:"
            f" {'; '.join(each['label'] + ' ' + each['shown'] for each in scored)}."
            for title, members in _panels(points)
            for (score,), scored in grouped(members, ["score"]).items()
        ),
        rows=part.rows,
        spec=specification(alt.vconcat(*panels, spacing=16), points=drawn),
        source=_SOURCE,
    )


def _panels(points: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """The points of each run and dataset, with a title where there are several."""
    told = varying(points, ("run", "dataset"))
    return [(", ".join(map(str, key)), members) for key, members in grouped(points, told).items()]


def _panel(panel: int, conditions: Sequence[str], top: float, title: str, last: bool) -> alt.LayerChart:
    import altair as alt

    names = list(NAMES.values())
    x = alt.X(
        "value:Q",
        title="MIS (0 is stable)" if last else None,
        axis=alt.Axis(tickCount=4, format=drawing.NUMBERS),
        scale=alt.Scale(domain=[0, top], nice=False),
    )
    y = alt.Y(
        "label:N",
        title=None,
        sort=list(conditions),
        axis=alt.Axis(labelExpr=drawing.cutting(22), labelLimit=150, labelPadding=8, ticks=False, domain=False),
    )
    legend = alt.Legend(orient="top", title=None, offset=4, symbolOpacity=1)
    base = drawing.of("points", panel).encode(
        x=x,
        y=y,
        yOffset=alt.YOffset("score:N", sort=names, scale=alt.Scale(domain=names, paddingOuter=0.4)),
        color=alt.Color("score:N", scale=alt.Scale(domain=names), legend=legend),
        tooltip=drawing.tooltips("condition", "score", "shown", "problems"),
    )
    shape = alt.Shape("score:N", scale=alt.Scale(domain=names, range=["circle", "square"]), legend=legend)
    return drawing.layered(
        base.transform_filter("isValid(datum.low)")
        .mark_rule(opacity=0.6, strokeWidth=1.5)
        .encode(x=alt.X("low:Q"), x2="high:Q"),
        base.transform_filter("isValid(datum.value)").mark_point(opacity=1).encode(shape=shape),
        base.transform_filter("!isValid(datum.value)")
        .mark_text(align="left", baseline="middle", fontStyle="italic", text="undefined")
        .encode(x=alt.value(4)),
        width=_WIDTH,
        height=_ROW * len(conditions),
        title=title,
    )
