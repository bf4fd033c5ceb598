"""Whether models that solve more are also more stable: pass@1 against MIS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evalfw.report.conditions import CONDITION
from evalfw.report.figures import drawing
from evalfw.report.figures.drawing import Box
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import (
    Part,
    described,
    figure_columns,
    grouped,
    intervals,
    labels,
    parts,
    scores,
    with_interval,
    written,
)
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE = "pass-against-mis", "pass@1 against MIS macro"
_WIDTH, _HEIGHT = 280, 250


def pass_against_mis(runs: Sequence[Run]) -> list[Figure | Absent]:
    """pass@1 against MIS macro, a point for each model and temperature."""
    passed = {_who(row): row for row in scores(runs, ["pass@1"])}
    rows = [
        {
            **{column: row[column] for column in ("run", *CONDITION)},
            **_columns("pass@1", passed[_who(row)]),
            **_columns("mis_macro", row),
            "reason": "; ".join(filter(None, (passed[_who(row)]["reason"], row["reason"]))) or None,
        }
        for row in scores(runs, ["mis_macro"])
        if _who(row) in passed
    ]
    drawable = [part for part in parts(rows, figure_columns(rows)) if any(map(_complete, part.rows))]
    if drawable:
        return [_figure(part, runs) for part in drawable]
    needs = "needs the metrics pass_at_k with k: [1], dmpd and mis, and two correct solutions of a problem"
    return [Absent(_NAME, _TITLE, f"no condition has both numbers: {rows[0]['reason']}" if rows else needs)]


def _who(row: Row) -> tuple[Any, ...]:
    """What pass@1 belongs to: no profiler, and no size."""
    return row["run"], row["dataset"], row["model"], row["temperature"]


def _columns(name: str, row: Row) -> dict[str, Any]:
    return {name: row["value"], f"{name}_low": row["low"], f"{name}_high": row["high"], f"{name}_n": row["n"]}


def _complete(row: Row) -> bool:
    return row["pass@1"] is not None and row["mis_macro"] is not None


def _figure(part: Part, runs: Sequence[Run]) -> Figure:
    called = labels(part.rows)
    drawn = [_point(row, label) for row, label in zip(part.rows, called, strict=True) if _complete(row)]
    drawn.sort(key=lambda point: point["temperature"] or 0.0)
    lowest = [members[0] for members in grouped(drawn, ["label"]).values() if len(members) > 1]
    drawn = [point | {"hollow": point in lowest} for point in drawn]
    series = list(dict.fromkeys(called))
    frame = _frame(drawn)
    names = _names(drawn, series, frame)
    missing = [f"{described(row)} ({row['reason']})" for row in part.rows if not _complete(row)]
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            "Correct and stable is up and to the left. A line goes through the temperatures of a model, from the"
            f" lowest, which is hollow. Bars: {intervals(runs)}"
            + (f" Left out, since a number is undefined: {'; '.join(missing)}." if missing else "")
        ),
        description=" ".join(
            f"{point['label']}, {point['at']}: pass@1 {point['pass']}; MIS {point['MIS']}." for point in drawn
        ),
        rows=part.rows,
        spec=specification(_chart(series, frame, bool(names)), points=drawn, names=names),
    )


def _point(row: Row, label: str) -> dict[str, Any]:
    ends = {"x": row["mis_macro"], "x_low": row["mis_macro_low"], "x_high": row["mis_macro_high"]}
    return {
        **{"label": label, "temperature": row["temperature"], "condition": described(row)},
        "at": written("temperature", row["temperature"]),
        **{"y": row["pass@1"], "y_low": row["pass@1_low"], "y_high": row["pass@1_high"], **ends},
        "pass": f"{with_interval(row['pass@1'], row['pass@1_low'], row['pass@1_high'])}, n = {row['pass@1_n']}",
        "MIS": f"{with_interval(*ends.values())}, n = {row['mis_macro_n']}",
    }


def _chart(series: Sequence[str], frame: Box, named: bool) -> alt.LayerChart:
    import altair as alt

    legend = None if named else _legend(series)
    colour, shape = drawing.colours(series, legend), drawing.shapes(series, legend)
    axis = alt.Axis(tickCount=5, format=drawing.NUMBERS)
    x = alt.X("x:Q", title="MIS macro (0 is stable)", axis=axis, scale=alt.Scale(domain=[0, frame.right], nice=False))
    y = alt.Y("y:Q", title="pass@1", axis=axis, scale=alt.Scale(domain=[frame.bottom, frame.top], nice=False))
    base = drawing.of("points").encode(x=x, y=y, color=colour, tooltip=drawing.tooltips("condition", "pass", "MIS"))
    bars = base.mark_rule(opacity=0.45, strokeWidth=1.5)
    return drawing.layered(
        bars.transform_filter("isValid(datum.x_low)").encode(x=alt.X("x_low:Q"), x2="x_high:Q"),
        bars.transform_filter("isValid(datum.y_low)").encode(y=alt.Y("y_low:Q"), y2="y_high:Q"),
        base.mark_line(strokeWidth=1.5).encode(order="temperature:Q"),
        base.transform_filter("!datum.hollow").mark_point(opacity=1, filled=True).encode(shape=shape),
        base.transform_filter("datum.hollow").mark_point(opacity=1, filled=False).encode(shape=shape),
        drawing.of("names")
        .mark_text(align="left", baseline="middle", tooltip=False)
        .encode(x=alt.X("left:Q", scale=None), y=alt.Y("middle:Q", scale=None), text="text:N", color=colour),
        width=_WIDTH,
        height=_HEIGHT,
    )


def _legend(series: Sequence[str]) -> alt.Legend:
    import altair as alt

    columns, letters = (2, 22) if max(map(len, series)) <= 22 else (1, 46)
    return alt.Legend(
        orient="bottom", columns=columns, labelExpr=drawing.cutting(letters), labelLimit=320, symbolOpacity=1
    )


def _frame(points: Sequence[Row]) -> Box:
    """What part of the plane is shown, in its own units: MIS from 0, and pass@1 in steps of 0.2."""
    right = drawing.end(value for point in points for value in (point["x"], point["x_high"]) if value is not None)
    passed = [point[end] for point in points for end in ("y", "y_low", "y_high") if point[end] is not None]
    bottom = min(math.floor(5 * min(passed)) / 5, 0.8)
    return Box(0, max(math.ceil(5 * max(passed)) / 5, bottom + 0.2), right, bottom)


def _names(points: Sequence[Row], series: Sequence[str], frame: Box) -> list[dict[str, Any]]:
    """The name of each series beside one of its points; nothing where there is no room for all, and a legend it is."""

    def pixels(x: float, y: float) -> tuple[float, float]:
        return x / frame.right * _WIDTH, (frame.top - y) / (frame.top - frame.bottom) * _HEIGHT

    groups = {str(label): members for (label,), members in grouped(points, ["label"]).items()}
    named = [label for label in series if label in groups]
    texts = [drawing.cut(label, 22) for label in named]
    places = [[pixels(point["x"], point["y"]) for point in groups[label]] for label in named]
    marks = [Box(x - 6, y - 6, x + 6, y + 6) for around in places for x, y in around]
    bars = []
    for point in points:
        if point["x_low"] is not None:
            (left, y), (right, _) = (pixels(point[end], point["y"]) for end in ("x_low", "x_high"))
            bars.append(Box(left - 4, y - 2, right + 4, y + 2))
        if point["y_low"] is not None:
            (x, below), (_, above) = (pixels(point["x"], point[end]) for end in ("y_low", "y_high"))
            bars.append(Box(x - 2, above - 4, x + 2, below + 4))
    inside = Box(2, -4, _WIDTH + 20, _HEIGHT - 2)
    found = drawing.place(texts, places, [*marks, *bars], inside) or drawing.place(texts, places, marks, inside)
    return [
        {"label": label, "text": text, "left": box.left, "middle": (box.top + box.bottom) / 2}
        for label, text, box in zip(named, texts, found or (), strict=found is not None)
    ]
