"""What goes together with what: correlations of all measures of problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evalfw.report.cells import p_value
from evalfw.report.correlations import Analysis, correlate
from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import Part, parts
from evalfw.report.frames import added
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE, _SOURCE = "similarity", "Correlations between the measures of problems", "paper A, figure 8"
_CELL, _LABELS = 32, 150
_POOL = ("temperature", "size")
_FEWEST = 3  # of two there is but one coefficient


def similarity_heatmaps(runs: Sequence[Run]) -> list[Figure | Absent]:
    """Pearson's correlation between every two measures of problems: figure 8 of paper A.

    One figure a run, dataset, model and profiler. Temperatures and sizes are thrown together.
    """
    rows = [{"run": run.name, **row} for run in runs for row in _correlations(run)]
    drawable = [
        part
        for part in parts(rows, ("run", "dataset", "model", "profiler"))
        if len(_columns(part)) >= _FEWEST and any(row["value"] is not None for row in part.rows)
    ]
    if drawable:
        return [_figure(part) for part in drawable]
    needs = "needs three or more metrics that say something of each problem, such as dmpd, npd and ngram_overlap"
    return [Absent(_NAME, _TITLE, f"no correlation is defined: {rows[0]['reason']}" if rows else needs, _SOURCE)]


def _correlations(run: Run) -> list[dict[str, Any]]:
    problems = run.tables["problems"]
    columns = set(added("problems", problems))
    # Of how many entries a number is the mean, is no measure of the problem.
    measures = [name for name in added("problems", problems) if name.removesuffix("_entries") not in columns - {name}]
    if not any(len(row.keys() & set(measures)) >= _FEWEST for row in problems):
        return []
    return correlate(run, Analysis(tuple(measures), pool=_POOL))


def _columns(part: Part) -> list[str]:
    return list(dict.fromkeys(row[end] for end in ("x", "y") for row in part.rows))


def _figure(part: Part) -> Figure:
    missing = Counter(row["reason"] for row in part.rows if row["value"] is None)
    why = "; ".join(f"{reason} ({count})" for reason, count in missing.items())
    grey = f" Grey, without a number, is undefined: {why}." if missing else ""
    known = sorted((row for row in part.rows if row["value"] is not None), key=lambda row: -abs(row["value"]))
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            "Pearson's r over the problems that have both measures, from −1 (orange) over 0 (white) to 1 (blue). A"
            " problem counts once for each temperature and size." + grey
        ),
        description="From the strongest to the weakest: "
        + "; ".join(f"{row['x']} and {row['y']} {row['value']:+.2f} (n = {row['n']})" for row in known)
        + ".",
        rows=part.rows,
        spec=specification(_chart(_columns(part)), cells=[_cell(row) for row in part.rows]),
        source=_SOURCE,
    )


def _cell(row: Row) -> dict[str, Any]:
    value = row["value"]
    return {
        **{"x": row["x"], "y": row["y"], "value": value, "measures": f"{row['x']}, {row['y']}"},
        "text": "–" if value is None else f"{value:.2f}".replace("-", "−"),
        "r": "undefined" if value is None else f"{value:.4f}",
        "p": p_value(row["p"]),
        "problems": str(row["n"]),
        "note": row["reason"] or "",
    }


def _chart(columns: Sequence[str]) -> alt.LayerChart:
    import altair as alt

    shorter = drawing.cutting(22)
    bare = alt.Axis(domain=False, ticks=False, labelExpr=shorter, labelLimit=_LABELS, grid=False)
    turned = alt.Axis(domain=False, ticks=False, labelExpr=shorter, labelLimit=_LABELS, grid=False, labelAngle=-40)
    base = drawing.of("cells").encode(
        x=alt.X("x:N", title=None, sort=list(columns[:-1]), axis=turned),
        y=alt.Y("y:N", title=None, sort=list(columns[1:]), axis=bare),
        tooltip=drawing.tooltips("measures", "r", "p", "problems", "note"),
    )
    # Blue for what goes together and orange for what goes apart: the scheme of the style, turned round.
    scale = alt.Scale(domain=[-1, 1], domainMid=0, reverse=True)
    legend = alt.Legend(title="r", orient="top", gradientLength=100, values=[-1, 0, 1])
    ink = alt.condition("abs(datum.value) > 0.85", alt.value("white"), alt.value("black"))
    side = _CELL * (len(columns) - 1)
    return drawing.layered(
        base.transform_filter("!isValid(datum.value)").mark_rect(fill="#c8c8c8", stroke="#8a8a8a"),
        base.transform_filter("isValid(datum.value)")
        .mark_rect(stroke="#8a8a8a", strokeWidth=0.5)
        .encode(color=alt.Color("value:Q", scale=scale, legend=legend)),
        base.mark_text(baseline="middle", fontSize=10).encode(text="text:N", color=ink),
        width=side,
        height=side,
    )
