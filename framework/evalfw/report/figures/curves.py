"""Curves as drawings: how the memory of solutions rises, and how two of them are aligned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from evalfw.domain.profile import CpuProfile, MemoryOverTime, MemoryProfile
from evalfw.report.figures.drawing import COLUMN
from evalfw.report.figures.figure import Row, specification

if TYPE_CHECKING:
    import altair as alt

AXES: Final = {
    MemoryProfile.kind: ("Memory (bytes)", "Executed lines"),
    MemoryOverTime.kind: ("Memory (bytes)", "Time (seconds)"),
    CpuProfile.kind: ("CPU time (ns)", "Executed lines"),
}
"""Titles of the two axes of a curve by kind of profile: values, and what they run along."""

_SHARES: Final = ("Share of the peak", "Share of the run")
# With enough contrast on light and on dark ground.
_MUTED: Final = "#8a8a92"
_POINTED: Final = "#d9480f"

_DASHES: Final = {"a": [1, 0], "b": [7, 3]}
"""Of the two that are picked out, so that not only colours tell them apart."""


def curve_specifications() -> dict[str, Any]:
    """The drawings of a page of a problem, without their rows: `value KIND` and `share KIND`, and `alignment`.

    The sources of their rows have names: `others`, `pair`, `focus` and `labels`, or `curves` and `links`.
    """
    specs: dict[str, Any] = {}
    for kind, titles in AXES.items():
        specs[f"value {kind}"] = specification(overlay(*titles, values_format=".3~s"))
        share = _SHARES[0] if titles[0].startswith("Memory") else "Share of the total"
        specs[f"share {kind}"] = specification(overlay(share, _SHARES[1], values_format="%", along_format="%"))
    specs["alignment"] = specification(alignment())
    return specs


def overlay(values: str, along: str, values_format: str, along_format: str = ".3~s") -> alt.TopLevelMixin:
    """Curves over each other, with two of them picked out and a place for what is pointed at.

    Args:
        values: Title of the axis of values.
        along: Title of the axis that they run along.
        values_format: Of its numbers, as of d3.
        along_format: Of its numbers.
    """
    import altair as alt

    x, y = _x("x", along, along_format), _y("y", values, values_format)
    focus = _line(alt.NamedData("focus"), strokeWidth=5, opacity=0.85, color=_POINTED).encode(
        x=x, y=y, detail="piece:N"
    )
    chart = alt.layer(
        _others(alt.NamedData("others")).encode(x=x, y=y, detail="solution:N"),
        _pair(alt.NamedData("pair")).encode(x=x, y=y),
        focus,
        _labels(alt.NamedData("labels"), x, y, size=14),
    )
    return chart.properties(width="container", height=330)


def alignment() -> alt.TopLevelMixin:
    """Two unit-peak curves, one above the other, with links between steps that are matched (paper A, figure 2)."""
    import altair as alt

    x, y = _x("x", _SHARES[1], "%"), _unnumbered("y")
    chart = alt.layer(
        _links(alt.NamedData("links")).encode(x=x, y=y, x2="x2:Q", y2="y2:Q"),
        _pair(alt.NamedData("curves")).encode(x=x, y=y),
        _labels(alt.NamedData("labels"), x, y, size=14),
    )
    return chart.properties(width="container", height=260)


def regimes(rows: Sequence[Row], names: Sequence[Row]) -> alt.TopLevelMixin:
    """Two cohorts side by side (paper A, figure 1).

    Args:
        rows: Curves: `panel`, `solution`, `role`, `executed_lines`, `bytes`.
        names: Where the names of those picked out stand: `panel`, `text`, `role`, `place`, `executed_lines`, `bytes`.
    """
    import altair as alt

    x, y = _x("executed_lines", "Executed lines", ".3~s", ticks=3), _y("bytes", "Memory (bytes)", ".3~s")
    panels = []
    for panel in dict.fromkeys(row["panel"] for row in rows):
        here = [row for row in rows if row["panel"] == panel]
        drawn = [{name: row[name] for name in ("solution", "role", "executed_lines", "bytes")} for row in here]
        others = alt.InlineData(values=[row for row in drawn if row["role"] == "other"])
        layers = [_others(others).encode(x=x, y=y, detail="solution:N")] if others.values else []
        layers.append(_pair(alt.InlineData(values=[row for row in drawn if row["role"] != "other"])).encode(x=x, y=y))
        layers.append(_labels(alt.InlineData(values=[dict(row) for row in names if row["panel"] == panel]), x, y))
        title = f"{panel.capitalize()}: {here[0]['problem']}"
        panels.append(alt.layer(*layers).properties(width=105, height=150, title=title))
    return alt.hconcat(*panels)


def aligned(rows: Sequence[Row], shift: float, names: tuple[str, str]) -> alt.TopLevelMixin:
    """Paper A, figure 2.

    Args:
        rows: `part` is `curve` or `link`; the curve `a` is drawn higher by `shift`.
        shift: In shares of the peak.
        names: Of the two curves.
    """
    import altair as alt

    curves = [
        {
            "x": row["share_of_run"],
            "y": row["share_of_peak"] + (shift if row["role"] == "a" else 0),
            "role": row["role"],
        }
        for row in rows
        if row["part"] == "curve"
    ]
    links = [
        {"x": row["share_of_run"], "y": row["share_of_peak"] + shift, "x2": row["to_run"], "y2": row["to_peak"]}
        for row in rows
        if row["part"] == "link"
    ]
    labels = [
        {"x": 0.03, "y": shift + 0.92, "text": names[0], "role": "a", "place": "below"},
        {"x": 0.97, "y": 0.1, "text": names[1], "role": "b", "place": "above"},
    ]
    x, y = _x("x", _SHARES[1], "%"), _unnumbered("y")
    chart = alt.layer(
        _links(alt.InlineData(values=links)).encode(x=x, y=y, x2="x2:Q", y2="y2:Q"),
        _pair(alt.InlineData(values=curves)).encode(x=x, y=y),
        _labels(alt.InlineData(values=labels), x, y),
    )
    return chart.properties(width=COLUMN - 40, height=190)


def _x(field: str, title: str, form: str, ticks: int = 6) -> alt.X:
    import altair as alt

    axis = alt.Axis(format=form, grid=False, tickCount=ticks)
    return alt.X(f"{field}:Q", title=title, axis=axis, scale=alt.Scale(nice=False))


def _y(field: str, title: str, form: str) -> alt.Y:
    import altair as alt

    return alt.Y(f"{field}:Q", title=title, axis=alt.Axis(format=form, tickCount=6))


def _unnumbered(field: str) -> alt.Y:
    import altair as alt

    axis = alt.Axis(labels=False, ticks=False, grid=False)
    return alt.Y(f"{field}:Q", title="Share of the peak, one shifted up", axis=axis)


def _line(data: Any, **options: Any) -> alt.Chart:  # noqa: ANN401
    import altair as alt

    chart: alt.Chart = alt.Chart(data).mark_line(interpolate="step-after", tooltip=None, **options)
    return chart


def _others(data: Any) -> alt.Chart:  # noqa: ANN401
    return _line(data, strokeWidth=1.4, opacity=0.65, color=_MUTED)


def _pair(data: Any) -> alt.Chart:  # noqa: ANN401
    import altair as alt

    dashes = alt.Scale(domain=list(_DASHES), range=list(_DASHES.values()))
    return _line(data, strokeWidth=2.8).encode(
        color=_colour(), strokeDash=alt.StrokeDash("role:N", scale=dashes, legend=None)
    )


def _links(data: Any) -> alt.Chart:  # noqa: ANN401
    import altair as alt

    chart: alt.Chart = alt.Chart(data).mark_rule(strokeWidth=1, opacity=0.7, color=_MUTED, tooltip=None)
    return chart


def _colour() -> alt.Color:
    import altair as alt

    return alt.Color("role:N", scale=alt.Scale(domain=list(_DASHES)), legend=None)


def _labels(data: Any, x: alt.X, y: alt.Y, size: float | None = None) -> alt.Chart:  # noqa: ANN401
    """Names beside curves: `place` says whether one stands above or below its point."""
    import altair as alt

    options: dict[str, Any] = {"fontWeight": "bold", "tooltip": None, **({} if size is None else {"fontSize": size})}
    text = alt.Chart(data).mark_text(dy=alt.expr("datum.place === 'above' ? -11 : 14"), **options)
    chart: alt.Chart = text.encode(x=x, y=y, text="text:N", color=_colour())
    return chart
