"""What settings of a profiler change: differences to the baseline, problem by problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evalfw.report.ablation import BLOCK, ablation
from evalfw.report.cells import number
from evalfw.report.figures import drawing
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.figures.scores import Part, grouped, parts, varying, with_interval, written
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

_NAME, _TITLE, _SOURCE = "ablation", "Settings of the profiler against the baseline", "paper A, table 3"
_WIDTH, _ROW = 130, 22


def ablation_forest(runs: Sequence[Run]) -> list[Figure | Absent]:
    """The paired differences of D_p under each setting to those under the first: the values of table 3 of paper A.

    One figure a run, dataset and model; its panels are temperatures and sizes.
    """
    rows = [{"run": run.name, **row} for run in runs if _has_settings(run) for row in ablation(run)]
    drawable = [part for part in parts(rows, ("run", "dataset", "model")) if _settings(part.rows)]
    if drawable:
        return [_figure(part) for part in drawable]
    needs = "needs the metrics dmpd and mis under two or more settings of a profiler"
    why = f"no setting has a problem in common with the baseline: {rows[0]['reason']}" if rows else needs
    return [Absent(_NAME, _TITLE, why, _SOURCE)]


def _has_settings(run: Run) -> bool:
    scored = {cell["profiler"] for cell in run.tables["conditions"] if cell["metric"] == "mis_macro"}
    return len(scored & {row["profiler"] for row in run.tables["problems"] if row.get("dmpd") is not None}) > 1


def _settings(rows: Sequence[Row]) -> list[Row]:
    """The rows with a difference."""
    return [row for row in rows if row["median_difference"] is not None]


def _figure(part: Part) -> Figure:
    import altair as alt

    first = part.rows[0]
    others = [row for row in part.rows if row["profiler"] != row["baseline"]]
    ends = ("median_difference", "difference_low", "difference_high")
    reach = drawing.end(abs(row[end]) for row in _settings(others) for end in ends if row[end] is not None)
    told = varying(part.rows, BLOCK)
    blocks = grouped(others, told)
    titles = [", ".join(written(name, value) for name, value in zip(told, key, strict=True)) for key in blocks]
    drawn = [[_drawn(row) | {"panel": panel} for row in rows] for panel, rows in enumerate(blocks.values())]
    panels = [
        _panel(panel, [row["label"] for row in rows], reach, title)
        for panel, (rows, title) in enumerate(zip(drawn, titles, strict=True))
    ]
    missing = [f"{row['profiler']} ({row['reason']})" for row in others if row["median_difference"] is None]
    return Figure(
        name=f"{_NAME}{part.suffix}",
        title=f"{_TITLE}{part.about}",
        caption=(
            f"How much D_p, the mean DMPD of a problem, is larger than under the setting '{first['baseline']}': median"
            f" over the problems that both have, with its {100 * first['confidence']:g}% interval. To the right of 0,"
            " solutions seem less stable than under the baseline. At the right: change of MIS macro."
            + (f" Undefined: {'; '.join(missing)}." if missing else "")
        ),
        description=" ".join(map(_told, drawn, titles)),
        rows=part.rows,
        spec=specification(
            alt.vconcat(*panels, spacing=26),
            rows=[row for rows in drawn for row in rows],
            panels=[{"panel": panel, "heading": "MIS macro"} for panel in range(len(panels))],
        ),
        source=_SOURCE,
    )


def _panel(panel: int, settings: Sequence[str], reach: float, title: str) -> alt.LayerChart:
    import altair as alt

    y = alt.Y(
        "label:N",
        title=None,
        sort=list(settings),
        axis=alt.Axis(labelExpr=drawing.cutting(22), labelLimit=150, ticks=False, domain=False),
    )
    x = alt.X(
        "median_difference:Q",
        title="median difference of D_p",
        axis=alt.Axis(tickCount=3, format=drawing.NUMBERS),
        scale=alt.Scale(domain=[-reach, reach], nice=False),
    )
    tooltip = drawing.tooltips("setting", "difference", "problems", "p", "Cliffs_delta", "MIS_macro", "change")
    base = drawing.of("rows", panel).encode(x=x, y=y, tooltip=tooltip)
    once = drawing.of("panels", panel)
    text: dict[str, Any] = {"baseline": "middle", "align": "left", "tooltip": False}
    aside = _WIDTH + 10
    return drawing.layered(
        once.mark_rule(strokeDash=[3, 3], tooltip=False).encode(x=alt.datum(0), y=alt.value(0), y2=alt.value("height")),
        base.transform_filter("isValid(datum.difference_low)")
        .mark_rule(strokeWidth=1.5)
        .encode(x=alt.X("difference_low:Q"), x2="difference_high:Q"),
        base.transform_filter("isValid(datum.median_difference)").mark_point(shape="square", size=40, opacity=1),
        base.transform_filter("!isValid(datum.median_difference)")
        .mark_text(baseline="middle", align="left", fontStyle="italic", text="undefined")
        .encode(x=alt.value(_WIDTH / 2 + 6)),
        base.mark_text(**text).encode(x=alt.value(aside), text="change:N"),
        once.mark_text(**text).encode(x=alt.value(aside), y=alt.value(-8), text="heading:N"),
        width=_WIDTH,
        height=_ROW * len(settings),
        title=title,
    )


def _drawn(row: Row) -> dict[str, Any]:
    ends = (row["median_difference"], row["difference_low"], row["difference_high"])
    return {
        **dict(zip(("median_difference", "difference_low", "difference_high"), ends, strict=True)),
        "label": row["profiler"],
        "setting": row["profiler"],
        "difference": with_interval(*ends),
        "problems": f"{row['common']} in common",
        "p": number(row["p"], ".3g"),
        "Cliffs_delta": number(row["cliffs_delta"], "+.3f"),
        "MIS_macro": with_interval(row["mis_macro"], row["mis_macro_low"], row["mis_macro_high"]),
        "change": _change(row),
    }


def _change(row: Row) -> str:
    change = row["mis_macro_change_percent"]
    return "undefined" if change is None else f"{change:+.1f}%".replace("-", "−")


def _told(rows: Sequence[Row], title: str) -> str:
    said = [f"{row['setting']} {row['difference']}, MIS macro {row['MIS_macro']} ({row['change']})" for row in rows]
    return f"{title + ': ' if title else ''}{'; '.join(said)}."
