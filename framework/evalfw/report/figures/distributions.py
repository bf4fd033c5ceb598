"""Drawings of how numbers are distributed: strips with quartiles, and histograms with a mark in the middle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from statistics import median, quantiles
from typing import Any, Final

from evalfw.report.figures.panels import LABEL, WIDTH, in_panels

Row = Mapping[str, Any]

_STEP: Final = 30
_BOX: Final = 16
_TICK: Final = 10
_WIDE: Final = 300
_HEIGHT: Final = 90
_TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of some numbers.

    Args:
        n: How many they are.
        low: First quartile, as Vega and numpy take it.
        middle: Median.
        high: Third quartile.
    """

    n: int
    low: float
    middle: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles; of one number all three are that."""
    if len(values) == 1:
        return Spread(1, values[0], values[0], values[0])
    low, _, high = quantiles(values, method="inclusive")
    return Spread(len(values), low, median(values), high)


def spreads(rows: Sequence[Row], group: str = "group") -> dict[tuple[str, str], Spread]:
    """The middle of `value`, by panel and group."""
    values: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        values.setdefault((row["panel"], row[group]), []).append(row["value"])
    return {key: spread(of) for key, of in values.items()}


def strips(
    drawn: Sequence[Row],
    title: str,
    about: Sequence[str],
    log: bool = False,
    form: str = "~g",
    threshold: tuple[float, str] | None = None,
) -> Any:  # noqa: ANN401
    """A tick for each number, a bar from quartile to quartile, and the median: one line a group, one drawing a panel.

    Args:
        drawn: Rows with `panel`, `group`, `value` and the columns of `about`.
        title: Of the axis, with the unit.
        about: Columns of the tooltip of a number.
        log: Whether the axis is logarithmic.
        form: Of the labels of the axis.
        threshold: A number that is marked, and what it is.
    """
    import altair as alt

    scale = alt.Scale(type="log", nice=False, padding=8) if log else alt.Scale(zero=True, nice=True)
    axis = alt.Axis(format=form, tickCount=5)
    y = alt.Y("group:N", sort=None, title=None, axis=alt.Axis(labelLimit=LABEL))
    x = alt.X("value:Q", title=title, scale=scale, axis=axis)
    base = alt.Chart(width=WIDTH, height=alt.Step(_STEP)).encode(y=y)
    summary = [
        alt.Tooltip("group:N", title="of"),
        alt.Tooltip("median(value):Q", title="median", format=f".3{form}"),
        alt.Tooltip("q1(value):Q", title="first quartile", format=f".3{form}"),
        alt.Tooltip("q3(value):Q", title="third quartile", format=f".3{form}"),
        alt.Tooltip("count():Q", title="n"),
    ]
    box = base.mark_bar(height=_BOX, opacity=0.3).encode(
        x=alt.X("q1(value):Q", title=title, scale=scale, axis=axis), x2="q3(value):Q", tooltip=summary
    )
    ticks = base.mark_tick(size=_TICK, opacity=0.55, thickness=1.5).encode(
        x=x,
        tooltip=[
            alt.Tooltip("group:N", title="of"),
            alt.Tooltip("value:Q", title=title, format=f".4{form}"),
            *(alt.Tooltip(f"{name}:N", title=name) for name in about),
        ],
    )
    middle = base.mark_tick(size=_BOX + 6, thickness=4).encode(x=alt.X("median(value):Q", title=title), tooltip=summary)
    layers: list[Any] = [box, ticks, middle]
    if threshold is not None:
        layers += _marked(threshold)
    return in_panels(layers, drawn)


def histograms(drawn: Sequence[Row], title: str, of: str, bins: tuple[float, float, float], middle: str) -> Any:  # noqa: ANN401
    """How many numbers fall where, with their median or mean: one drawing a panel.

    Args:
        drawn: Rows with `panel` and `value`.
        title: Of the axis of numbers, with the unit.
        of: Title of the other axis: what is counted.
        bins: Begin, end and width of the bins.
        middle: `median` or `mean`.
    """
    import altair as alt

    low, high, step = bins
    binned = alt.Bin(extent=[low, high], step=step)
    x = alt.X("value:Q", title=title, bin=binned, scale=alt.Scale(domain=[low, high]))
    base = alt.Chart(width=_WIDE, height=_HEIGHT)
    bars = base.mark_bar(opacity=0.7).encode(
        x=x,
        y=alt.Y("count():Q", title=of, axis=alt.Axis(values=_whole(_most(drawn, bins)), format="d")),
        tooltip=[
            alt.Tooltip("panel:N", title="of"),
            alt.Tooltip("value:Q", bin=binned, title=title),
            alt.Tooltip("count():Q", title=of),
        ],
    )
    tooltip = [
        alt.Tooltip("panel:N", title="of"),
        alt.Tooltip(f"{middle}(value):Q", title=middle, format=".3f"),
        alt.Tooltip("count():Q", title="n"),
    ]
    rule = base.mark_rule(strokeWidth=2, strokeDash=[5, 3]).encode(x=alt.X(f"{middle}(value):Q"), tooltip=tooltip)
    return in_panels([bars, rule], drawn, own=False)


def _most(drawn: Sequence[Row], bins: tuple[float, float, float]) -> int:
    """How high the highest bar is."""
    low, high, step = bins
    last = round((high - low) / step) - 1
    counts = Counter((row["panel"], min(last, int((row["value"] - low) / step))) for row in drawn)
    return max(counts.values())


def _whole(most: int) -> list[int]:
    """Whole numbers for an axis from 0, since Vega also marks halves: a few, in steps of 1, 2, 5, 10, ..."""
    steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in steps if most <= _TICKS * step)
    return list(range(0, most + step, step))


def _marked(threshold: tuple[float, str]) -> list[Any]:
    import altair as alt

    value, said = threshold
    once = alt.Chart().transform_aggregate(n="count()").encode(x=alt.datum(value))
    label = once.mark_text(baseline="bottom", dy=-3).encode(y=alt.value(0), text=alt.value(said))
    return [once.mark_rule(strokeDash=[5, 3]), label]
