"""Whether stable code is also easier to maintain: a measure of code, where a proxy is low and where it is high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from evalfw.report.association import AGAINST, PROXIES, associate, thirds
from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import Part, grouped, parts, shown
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE, _SOURCE = "association", "Measures of code where stability is high and low", "paper A, figure 11"
_PART = ("run", "dataset", "model", "profiler")
_POOL = ("temperature", "size")
_WIDTH, _HEIGHT = 130, 120
_FEW = 10
"""Below so many solutions an estimated density says more about the estimate than about them."""

_WRITTEN = {
    "dmpd": "DMPD",
    "nmv": "NMV",
    "cognitive_mean": "cognitive complexity",
    "maintainability_index": "maintainability index",
    "cyclomatic_mean": "cyclomatic complexity",
}


def association_violins(runs: Sequence[Run]) -> list[Figure | Absent]:
    """Each measure of maintainability in the first and the third tertile of each proxy: figure 11 of paper A.

    One figure a run, dataset, model and profiler. Temperatures and sizes are thrown together, as in table 4.
    """
    values, effects = [], []
    for run in runs:
        columns = {name for row in run.tables["solutions"] for name in row}
        proxies, against = ([name for name in names if name in columns] for names in (PROXIES, AGAINST))
        if proxies and against:
            values += [{"run": run.name, **row} for row in thirds(run, proxies, against, _POOL)]
            effects += [{"run": run.name, **row} for row in associate(run, proxies, against, _POOL)]
    by_part = grouped(effects, _PART)
    of_parts = [(part, by_part.get(_of(part.rows[0]), [])) for part in parts(values, _PART)]
    figures: list[Figure | Absent] = [
        _figure(part, found) for part, found in of_parts if any(row["cliffs_delta"] is not None for row in found)
    ]
    if figures:
        return figures
    needs = "needs the metric dmpd or nmv, and the metric maintainability"
    why = f"no two tertiles can be compared: {effects[0]['reason']}" if effects else needs
    return [Absent(_NAME, _TITLE, why, _SOURCE)]


def _of(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _PART)


def _figure(part: Part, associations: Sequence[Row]) -> Figure:
    effects = [row for row in associations if row["cliffs_delta"] is not None]
    missing = [
        f"{row['against']} by {row['proxy']} ({row['reason']})" for row in associations if row["cliffs_delta"] is None
    ]
    proxies, against = (list(dict.fromkeys(row[column] for row in effects)) for column in ("proxy", "against"))
    panels = [
        _Panel(number, row, _third(part.rows, row, 1), _third(part.rows, row, 3)) for number, row in enumerate(effects)
    ]
    few = [panel.called for panel in panels if not (_dense(panel.low) and _dense(panel.high))]
    marks = [_marks(panel) for panel in panels]
    outlines, dots, middles = ([mark for of in marks for mark in of[kind]] for kind in range(3))
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            "Solutions in the first and in the third tertile of a proxy: violins are estimated densities between the"
            " least and the greatest value, scaled to one width; the long line is the median, the upright one goes from"
            " quartile to quartile. δ is Cliff's delta of T1 against T3: below 0 where the measure is larger in T3."
            " Temperatures and sizes are thrown together."
            + (f" Points, where a tertile has fewer than {_FEW} or one value: {'; '.join(few)}." if few else "")
            + (f" Undefined: {'; '.join(missing)}." if missing else "")
        ),
        description=" ".join(panel.told() for panel in panels),
        rows=part.rows,
        spec=specification(_grid(panels, proxies, against, part.rows), outlines=outlines, dots=dots, middles=middles),
        source=_SOURCE,
    )


def _third(rows: Sequence[Row], effect: Row, third: int) -> list[float]:
    """What the solutions of a tertile have in the column that its proxy is held against."""
    column = effect["against"]
    return [row[column] for row in rows if row[f"{effect['proxy']}_tertile"] == third and row[column] is not None]


def _dense(values: Sequence[float]) -> bool:
    return len(values) >= _FEW and len(set(values)) > 1


@dataclass(frozen=True, slots=True)
class _Panel:
    """A measure in two tertiles of a proxy.

    Args:
        number: Of the panel.
        effect: The row of the association.
        low: The measure in the first tertile.
        high: The measure in the third.
    """

    number: int
    effect: Row
    low: Sequence[float]
    high: Sequence[float]

    @property
    def called(self) -> str:
        """What it shows."""
        return f"{_WRITTEN[self.effect['against']]} by {_WRITTEN[self.effect['proxy']]}"

    def told(self) -> str:
        """It in words."""
        delta = self.effect["cliffs_delta"]
        return (
            f"{self.called}: median {shown(median(self.low))} in T1 (n = {len(self.low)}),"
            f" {shown(median(self.high))} in T3 (n = {len(self.high)}), Cliff's delta {delta:+.3f}."
        )


def _grid(
    panels: Sequence[_Panel], proxies: Sequence[str], against: Sequence[str], rows: Sequence[Row]
) -> alt.VConcatChart:
    """A row of panels for each measure, with one axis; a column for each proxy."""
    import altair as alt

    whole = len(panels) == len(proxies) * len(against)  # else a panel may stand in the column of another proxy
    lines = []
    for name in against:
        known = [row[name] for row in rows if row[name] is not None]
        margin = 0.06 * (max(known) - min(known)) or 1.0
        scale = alt.Scale(domain=[min(known) - margin, max(known) + margin], nice=False, zero=False)
        line = [panel for panel in panels if panel.effect["against"] == name]
        charts = [
            _chart(
                panel,
                alt.Y(
                    "y:Q",
                    title=_WRITTEN[name] if first else None,
                    scale=scale,
                    axis=alt.Axis(tickCount=4, format=drawing.NUMBERS, labels=first, ticks=first, minExtent=34 * first),
                ),
                f"tertiles of {_WRITTEN[panel.effect['proxy']]}" if name == against[-1] or not whole else None,
            )
            for panel, first in zip(line, [True] + [False] * len(line), strict=False)
        ]
        lines.append(alt.hconcat(*charts, spacing=10))
    return alt.vconcat(*lines, spacing=12)


def _chart(panel: _Panel, y: alt.Y, title: str | None) -> alt.LayerChart:
    import altair as alt

    x = alt.X(
        "x:Q",
        title=title,
        scale=alt.Scale(domain=[-0.6, 1.6], nice=False),
        axis=alt.Axis(values=[0, 1], labelExpr="datum.value == 0 ? 'T1, low' : 'T3, high'", grid=False),
    )
    colour = alt.Color("third:N", scale=alt.Scale(domain=["T1", "T3"]), legend=None)
    middles = drawing.of("middles", panel.number)
    finding = f"δ = {panel.effect['cliffs_delta']:+.3f}; n = {len(panel.low)}, {len(panel.high)}".replace("-", "−")
    return drawing.layered(
        drawing.of("outlines", panel.number)
        .mark_area(orient="horizontal", opacity=0.45, tooltip=False)
        .encode(x=x, x2="x2:Q", y=y, color=colour),
        drawing.of("dots", panel.number).mark_point(opacity=0.8, size=25).encode(x=x, y=y, color=colour),
        middles.mark_rule(strokeWidth=2).encode(
            x=x, x2="x2:Q", y=y, tooltip=drawing.tooltips("third", "solutions", "median", "quartiles")
        ),
        middles.mark_rule().encode(x=alt.X("centre:Q"), y=alt.Y("q1:Q"), y2="q3:Q"),
        width=_WIDTH,
        height=_HEIGHT,
    ).properties(title=alt.TitleParams(finding, anchor="middle", fontSize=11, fontWeight="normal"))


def _marks(panel: _Panel) -> tuple[list[Row], list[Row], list[Row]]:
    """Outlines, or points where there are few; and medians with quartiles."""
    outlines: list[Row] = []
    dots: list[Row] = []
    middles: list[Row] = []
    for centre, (name, values) in enumerate((("T1", panel.low), ("T3", panel.high))):
        lower, middle, upper = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        where = {"panel": panel.number, "third": name}
        told = {
            **{"solutions": str(len(values)), "median": shown(middle)},
            "quartiles": f"{shown(lower)} to {shown(upper)}",
        }
        if _dense(values):
            outlines += [where | each for each in _outline(values, centre)]
        else:
            dots += [where | each for each in _row_of_dots(values, centre)]
        reach = {"x": centre - 0.4, "x2": centre + 0.4, "centre": centre}
        middles.append(where | told | reach | {"y": middle, "q1": lower, "q3": upper})
    return outlines, dots, middles


def _row_of_dots(values: Sequence[float], centre: float) -> list[dict[str, float]]:
    """Points side by side, from the least to the greatest."""
    step = min(0.08, 0.7 / len(values))
    return [
        {"x": centre + step * (index - (len(values) - 1) / 2), "y": value} for index, value in enumerate(sorted(values))
    ]


def _outline(values: Sequence[float], centre: float) -> list[dict[str, float]]:
    """A density between the least and the greatest value, by Gaussian kernels of Scott's width."""
    import numpy as np
    from scipy.stats import gaussian_kde

    heights = np.linspace(min(values), max(values), 48)
    density = gaussian_kde(np.asarray(values, dtype=float))(heights)
    widths = 0.42 * density / density.max()
    return [
        {"x": round(centre - float(width), 4), "x2": round(centre + float(width), 4), "y": float(height)}
        for height, width in zip(heights, widths, strict=True)
    ]
