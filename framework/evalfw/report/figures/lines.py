"""Scores along a number: MIS by temperature, and by the size of inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import (
    NAMES,
    SERIES,
    Part,
    figure_columns,
    grouped,
    intervals,
    labels,
    parts,
    pointed,
    scores,
    shown,
    undefined,
)
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_GAP = 14  # between two labels
_LONGEST = 24  # of a label, in letters


@dataclass(frozen=True, slots=True)
class _Along:
    """What the scores are drawn along."""

    column: str
    name: str
    title: str
    axis: str
    source: str
    needs: str
    series: Sequence[str]
    log: bool = False


_TEMPERATURE = _Along(
    column="temperature",
    name="mis-by-temperature",
    title="MIS by temperature",
    axis="sampling temperature",
    source="paper A, figure 7",
    needs="the metrics dmpd and mis, and two or more sampling.temperatures",
    series=SERIES,
)
_SIZE = _Along(
    column="size",
    name="mis-by-size",
    title="MIS by size of inputs",
    axis="size of inputs (logarithmic)",
    source="paper A, figure 10",
    needs="the metrics dmpd and mis, and two or more sizes in tests.generated",
    series=("model", "temperature", "profiler", "run"),
    log=True,
)


def mis_by_temperature(runs: Sequence[Run]) -> list[Figure | Absent]:
    """MIS macro and micro along temperature, a line for each model: figure 7 of paper A."""
    return _figures(runs, _TEMPERATURE)


def mis_by_size(runs: Sequence[Run]) -> list[Figure | Absent]:
    """MIS macro and micro along the size of inputs, a line for each model and temperature: figure 10 of paper A."""
    return _figures(runs, _SIZE)


def _figures(runs: Sequence[Run], along: _Along) -> list[Figure | Absent]:
    rows = [row for row in scores(runs, NAMES) if row[along.column] is not None]
    found = [part for part in parts(rows, figure_columns(rows)) if len({row[along.column] for row in part.rows}) > 1]
    drawable = [part for part in found if any(row["value"] is not None for row in part.rows)]
    if drawable:
        return [_figure(part, runs, along) for part in drawable]
    why = f"MIS is undefined everywhere: {rows[0]['reason']}" if found else f"needs {along.needs}"
    return [Absent(along.name, along.title, why, along.source)]


def _figure(part: Part, runs: Sequence[Run], along: _Along) -> Figure:
    import altair as alt

    rows = sorted(part.rows, key=lambda row: list(NAMES).index(row["metric"]))
    called = labels(rows, along.series)
    points = [pointed(row, label) for row, label in zip(rows, called, strict=True)]
    # Lines begin with the lowest, whatever the order in the experiment; rows stay as the tables have them.
    points.sort(key=lambda point: point[along.column])
    series = list(dict.fromkeys(called))
    values = sorted({row[along.column] for row in rows})
    top = drawing.end(value for row in rows for value in (row["value"], row["high"]) if value is not None)
    names = [each for panel, metric in enumerate(NAMES) for each in _names(points, series, panel, metric, top)]
    drawn = [
        point | {"panel": list(NAMES).index(point["metric"]), "position": _position(point, series, along, values)}
        for point in points
    ]
    panels = [_panel(panel, series, along, values, top) for panel in range(len(NAMES))]
    return Figure(
        name=f"{along.name}{part.suffix}",
        title=f"{along.title}{part.about}",
        caption=(
            f"MIS macro and micro against the {along.axis.partition(' (')[0]}; higher is less stable."
            f" Bars: {intervals(runs)} Series stand a little side by side, so that bars do not hide each other."
            f"{undefined(rows, [f'{label} at {row[along.column]:g}' for row, label in zip(rows, called, strict=True)])}"
        ),
        description=" ".join(_told(points, along)),
        rows=rows,
        spec=specification(alt.vconcat(*panels, spacing=14), points=drawn, names=names),
        source=along.source,
    )


def _panel(panel: int, series: Sequence[str], along: _Along, values: Sequence[float], top: float) -> alt.LayerChart:
    import altair as alt

    # As an expression: the format of an axis itself rounds to the distance between its ticks.
    form = "~s" if along.log else "~g"
    x = alt.X(
        "position:Q",
        title=along.axis if panel == len(NAMES) - 1 else None,
        scale=_scale(values, along.log),
        axis=alt.Axis(values=values, labelOverlap=True, labelExpr=f"format(datum.value, '{form}')", grid=False),
    )
    y = alt.Y(
        "value:Q",
        title=list(NAMES.values())[panel],
        axis=alt.Axis(tickCount=4, format=drawing.NUMBERS, minExtent=34),
        scale=alt.Scale(domain=[0, top], nice=False),
    )
    colour = drawing.colours(series)
    base = drawing.of("points", panel).encode(
        x=x, y=y, color=colour, tooltip=drawing.tooltips("condition", "score", "shown", "problems")
    )
    wide = _width(series)
    return drawing.layered(
        base.transform_filter("isValid(datum.low)")
        .mark_rule(opacity=0.55, strokeWidth=1.5)
        .encode(y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line(),
        base.transform_filter("isValid(datum.value)").mark_point(opacity=1).encode(shape=drawing.shapes(series)),
        drawing.of("names", panel)
        .mark_text(align="left", baseline="middle", tooltip=False)
        .encode(x=alt.value(wide + 8), y=alt.Y("place:Q", scale=None), text="text:N", color=colour),
        width=wide,
        height=_height(series),
    )


def _width(series: Sequence[str]) -> int:
    """What axis and labels leave of a column."""
    return drawing.COLUMN - 70 - round(drawing.width("m" * min(max(map(len, series)), _LONGEST)))


def _height(series: Sequence[str]) -> int:
    return max(150, (len(series) + 1) * _GAP)


def _names(points: Sequence[Row], series: Sequence[str], panel: int, metric: str, top: float) -> list[dict[str, Any]]:
    """The names of the series at the right, each as near to the end of its line as the others allow."""
    height = _height(series)
    known = (point for point in points if point["metric"] == metric and point["value"] is not None)
    ends = {str(point["label"]): point["value"] for point in known}
    named = [label for label in series if label in ends]
    places = drawing.spread([height * (1 - ends[label] / top) for label in named], _GAP, height)
    return [
        {"panel": panel, "label": label, "text": drawing.cut(label, _LONGEST), "place": place}
        for label, place in zip(named, places, strict=True)
    ]


def _scale(values: Sequence[float], log: bool) -> alt.Scale:
    import altair as alt

    first, last = values[0], values[-1]
    if log:
        margin = (last / first) ** 0.06
        return alt.Scale(type="log", domain=[first / margin, last * margin], nice=False)
    margin = 0.06 * (last - first)
    return alt.Scale(domain=[first - margin, last + margin], nice=False, zero=False)


def _position(point: Row, series: Sequence[str], along: _Along, values: Sequence[float]) -> float:
    """Where a point stands: a little to the left or right of its value, by the place of its series among the others."""
    value: float = point[along.column]
    aside = 0.0 if len(series) == 1 else 0.06 * (series.index(point["label"]) / (len(series) - 1) - 0.5)
    return value * (values[-1] / values[0]) ** aside if along.log else value + aside * (values[-1] - values[0])


def _told(points: Sequence[Row], along: _Along) -> Iterator[str]:
    """What becomes of each score from the lowest value to the highest, series by series."""
    for (metric,), scored in grouped(points, ["metric"]).items():
        said = []
        for (label,), members in grouped(scored, ["label"]).items():
            known = [member for member in members if member["value"] is not None]
            if not known:
                said.append(f"undefined for {label}")
                continue
            first, last = known[0], known[-1]
            words = f"{label} from {first['shown']} at {along.column} {first[along.column]:g}"
            if last is not first:
                words += f" to {last['shown']} at {last[along.column]:g}"
            highest = max(known, key=lambda member: float(member["value"]))
            if highest["value"] > max(first["value"], last["value"]):
                words += f", highest {shown(highest['value'])} at {highest[along.column]:g}"
            said.append(words)
        yield f"{NAMES[metric]}: {'; '.join(said)}."
