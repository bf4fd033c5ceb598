"""What figures over many conditions share: panels, and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalfw.report.cells import condition, text
from evalfw.report.figures.figure import Absent, Figure, specification

Row = Mapping[str, Any]

PANEL: Final = ("run", "dataset", "profiler", "size")
"""Columns in which what is drawn in one panel does not differ."""

WIDTH: Final = 200
"""Of a plot, in pixels: with its axis it takes at most 360, a column of a paper or a phone."""

LABEL: Final = 150
"""Longest label of an axis, in pixels: what is longer is cut, and whole in the tooltip."""

_NAMED: Final = 12
_UNITS: Final = (("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9))


@dataclass(frozen=True, slots=True)
class Heading:
    """What a figure is called, whether it can be drawn or not; the fields are those of `Figure`."""

    name: str
    title: str
    source: str = ""

    def drawn(
        self,
        chart: Any,  # noqa: ANN401
        rows: Sequence[Row],
        caption: str,
        description: str,
        data: Mapping[str, Sequence[Row]],
        without: Sequence[str] = (),
    ) -> Figure:
        """The figure: `data` are the datasets of the chart by name, `without` says why runs have no part in it."""
        said = caption + (f" Without runs: {'; '.join(without)}." if without else "")
        return Figure(self.name, self.title, said, description, tuple(rows), specification(chart, **data), self.source)

    def absent(self, reason: str) -> Absent:
        """The figure that cannot be drawn."""
        return Absent(self.name, self.title, reason, self.source)


def about(row: Row, names: Sequence[str]) -> str:
    """What a row is about in these columns; the empty text without any."""
    return condition(row, names)


def counted(number: int, what: str) -> str:
    """So many of a thing."""
    return f"{number} {what}{'s' * (number != 1)}"


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    unit, factor = next((unit for unit in _UNITS if value * unit[1] >= 1), _UNITS[-1])
    return f"{value * factor:.3g} {unit}"


def who(row: Row) -> str:
    """The model of a row, with its temperature where it has one."""
    at = "" if row["temperature"] is None else f" at {text(row['temperature'])}"
    return f"{text(row['model'])}{at}"


def in_panels(layers: Sequence[Any], drawn: Sequence[Row], own: bool = True) -> Any:  # noqa: ANN401
    """Layers over the dataset `rows`: a drawing for each value of its column `panel`, which is written above it.

    Args:
        layers: What is drawn in each panel.
        drawn: The dataset.
        own: Whether each panel has a vertical axis of its own.
    """
    import altair as alt

    chart = alt.layer(*layers)
    panels = list(dict.fromkeys(row["panel"] for row in drawn))
    if panels == [""]:
        return chart.properties(data=alt.NamedData("rows"))
    if own:  # a facet would do, but Vega-Lite warns of layers in one whose axes differ
        each = [_panel(chart, panel) for panel in panels]
        return alt.vconcat(*each, data=alt.NamedData("rows")).resolve_scale(x="shared")
    header = alt.Header(title=None, labelAnchor="start", labelLimit=WIDTH + LABEL, labelOrient="top")
    return chart.facet(alt.Facet("panel:N", sort=panels, header=header), columns=1, data=alt.NamedData("rows"))


def _panel(chart: Any, panel: str) -> Any:  # noqa: ANN401
    import altair as alt

    title = alt.Title(panel, anchor="start", fontWeight="normal", limit=WIDTH + LABEL)
    return chart.transform_filter(alt.FieldEqualPredicate(field="panel", equal=panel)).properties(title=title)


def listed(parts: Sequence[str]) -> str:
    """Sentences one after the other; of very many the first, and how many are left."""
    more = f" And {len(parts) - _NAMED} more, in the table." if len(parts) > _NAMED else ""
    return " ".join(parts[:_NAMED]) + more
