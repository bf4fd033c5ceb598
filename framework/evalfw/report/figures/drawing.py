"""What figures have in common as drawings: sizes, scales, and places for labels.

A figure is at most 360 pixels wide, where its content allows: that is a column of a paper at two thirds, and a phone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt

COLUMN = 360
"""Width of a figure with its axes and labels, in pixels."""

FONT = 12

NUMBERS = "~f"
"""Format of the numbers of an axis: as many places as its ticks need."""
_LETTER = 6.2  # mean width of a letter of that size
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
"""Of points, in the order in which series have them."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels from the upper left corner of a plot."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether both have a point in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def end(values: Iterable[float]) -> float:
    """A round number at or above all these: where an axis from 0 ends."""
    highest = max(values, default=0.0)
    if highest <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(highest))
    return next(unit * step for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 11) if unit * step >= highest)


def cut(label: str, letters: int) -> str:
    """A label of at most so many letters: its beginning and its end."""
    if len(label) <= letters:
        return label
    tail = letters // 2
    return f"{label[: letters - tail - 1]}…{label[-tail:]}"


def cutting(letters: int) -> str:
    """The same as an expression of Vega, for the labels of an axis or a legend, which have to be told apart uncut."""
    tail = letters // 2
    shorter = f"slice(datum.label, 0, {letters - tail - 1}) + '…' + slice(datum.label, -{tail})"
    return f"length(datum.label) > {letters} ? {shorter} : datum.label"


def width(label: str) -> float:
    """About how many pixels a label takes."""
    return len(label) * _LETTER


def spread(wanted: Sequence[float], gap: float, height: float) -> list[float]:
    """Heights as near to those wanted as can be, in their order, with a gap between any two."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [wanted[index] for index in order]
    for index in range(1, len(places)):
        places[index] = max(places[index], places[index - 1] + gap)
    for index in reversed(range(len(places))):
        below = height if index == len(places) - 1 else places[index + 1] - gap
        places[index] = min(places[index], below)
    found = dict(zip(order, places, strict=True))
    return [found[index] for index in range(len(wanted))]


def place(
    labels: Sequence[str], points: Sequence[Sequence[tuple[float, float]]], taken: Sequence[Box], inside: Box
) -> list[Box] | None:
    """A free place for each label, beside one of its points.

    Args:
        labels: One a series.
        points: Of each series; the last ones are tried first.
        taken: Where no label may be.
        inside: Where all labels are.

    Returns:
        Where the labels are; None if there is no room for one of them.
    """
    found: list[Box] = []
    for label, series in zip(labels, points, strict=True):
        free = next(
            (
                box
                for x, y in reversed(series)
                for box in _around(x, y, width(label))
                if inside.left <= box.left
                and box.right <= inside.right
                and inside.top <= box.top
                and box.bottom <= inside.bottom
                and not any(box.meets(other) for other in (*taken, *found))
            ),
            None,
        )
        if free is None:
            return None
        found.append(free)
    return found


def _around(x: float, y: float, wide: float) -> list[Box]:
    """Places for a text beside a point: right, left, above, below, and at the corners."""
    near, high = 8, FONT / 2 + 1
    corners = [(near, 0.0), (-near - wide, 0.0), (-wide / 2, -16.0), (-wide / 2, 16.0)]
    corners += [(dx, dy) for dy in (-12.0, 12.0) for dx in (near, -near - wide)]
    return [Box(x + dx, y + dy - high, x + dx + wide, y + dy + high) for dx, dy in corners]


def colours(series: Sequence[str], legend: alt.Legend | None = None) -> alt.Color:
    """A colour for each series; after the last colour the first comes again."""
    import altair as alt

    return alt.Color("label:N", scale=alt.Scale(domain=list(series)), legend=legend, title=None)


def shapes(series: Sequence[str], legend: alt.Legend | None = None) -> alt.Shape:
    """A shape for each series. There is one shape less than colours, so that both together come again late."""
    import altair as alt

    range_ = [SHAPES[index % len(SHAPES)] for index in range(len(series))]
    return alt.Shape("label:N", scale=alt.Scale(domain=list(series), range=range_), legend=legend, title=None)


def of(name: str, panel: int | None = None) -> alt.Chart:
    """A chart of one of the datasets of its figure; of the rows with that number as `panel`, if one is given."""
    import altair as alt

    chart = alt.Chart(alt.NamedData(name))
    return chart if panel is None else chart.transform_filter(f"datum.panel == {panel}")


def layered(*layers: alt.Chart, width: float, height: float, title: str = "") -> alt.LayerChart:
    """Charts over each other."""
    import altair as alt

    chart = alt.LayerChart(layer=list(layers), width=width, height=height)
    return chart.properties(title=alt.TitleParams(title, frame="group")) if title else chart


def tooltips(*fields: str) -> list[alt.Tooltip]:
    """Columns of texts to show beside the pointer. Numbers are made texts before: a null must not be shown as 0."""
    import altair as alt

    return [alt.Tooltip(f"{field}:N", title=field.replace("_", " ")) for field in fields]
