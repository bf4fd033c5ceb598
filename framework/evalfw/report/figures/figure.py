"""What a figure is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its data. Colours and fonts are not part of it: see `style`.

    Args:
        name: Of its files: lower-case words joined by `-`.
        title: What it is about, short.
        caption: What is drawn and how to read it: axes, intervals, what was left out.
        description: What there is to see, in words, for those who do not see it.
        rows: What is drawn, as plain rows in a fixed order: the content of its CSV file and of the table beside it.
        spec: The drawing as a Vega-Lite specification with the rows inside.
        source: The figure of a paper that it is, e.g. `paper A, figure 7`; empty where it is ours.
    """

    name: str
    title: str
    caption: str
    description: str
    rows: Sequence[Row]
    spec: Mapping[str, Any]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """A figure that cannot be drawn from the results at hand.

    Args:
        name: Of the figure.
        title: Of the figure.
        reason: What is missing, and what an experiment would need for it.
        source: As of the figure.
    """

    name: str
    title: str
    reason: str
    source: str = ""


def specification(chart: alt.TopLevelMixin, **datasets: Sequence[Row]) -> dict[str, Any]:
    """A chart of Altair as plain data, without the parts that say how it looks: these are added where it is shown.

    Args:
        chart: The chart.
        datasets: The rows of its data by name, where it speaks of them as `alt.NamedData`: many rows inside a chart
            are slow, since each layer and each panel copies them.
    """
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec.pop("config", None)
    if datasets:
        spec["datasets"] = spec.get("datasets", {}) | {name: list(rows) for name, rows in datasets.items()}
    return spec
