"""Figures of run time that hold two things against each other: two profilers, two models, two temperatures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, Final

from evalfw.report.cells import text
from evalfw.report.contest import Rules, contests, totals
from evalfw.report.costs import COSTS, costs_against, within_problems
from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.panels import LABEL, PANEL, WIDTH, Heading, about, counted, listed, who
from evalfw.report.figures.scores import varying
from evalfw.report.gathering import TIMED, gathered, need
from evalfw.report.runs import Run

Row = Mapping[str, Any]

_SIDE: Final = 260
_CELL: Final = 40
_GRADIENT: Final = 120
_MOST_COLOURS: Final = 8
_POINT: Final = ("problem", "solution", "x", "y")
_OTHER: Final = {"model": "temperature", "temperature": "model"}
_DARK: Final = 0.45
"""Share from which black is easier to read on the colours of a heatmap than white."""


def costs(runs: Sequence[Run]) -> Figure | Absent:
    """Two costs of the same solutions against each other, one plot a pair of profilers."""
    import altair as alt

    heading = Heading("costs", "Two costs of the same solutions", "paper B, figure 4")
    rows, reasons = gathered(runs, costs_against)
    if not rows:
        return heading.absent("; ".join(reasons) or "no solution was measured by two profilers on all of its tests")
    shared = ("run", "dataset", "size", "x_profiler", "y_profiler")
    names = varying(rows, ("run", "dataset", "size"))
    plots: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        plots.setdefault(tuple(row[name] for name in shared), []).append(row)
    charts: list[Any] = []
    parts = []
    data: dict[str, list[Row]] = {}
    for of in plots.values():
        pair = f"{of[0]['y_profiler']} against {of[0]['x_profiler']}"
        place = f", {where}" if (where := about(of[0], names)) else ""
        found = _correlation(of)
        problems = counted(len({row["problem"] for row in of}), "problem")
        name = f"plot{len(charts)}"
        data[name] = [{"who": who(row), **{column: row[column] for column in _POINT}} for row in of]
        charts.append(_scatter(name, of, f"{pair}{place}", found))
        parts.append(f"{pair}{place}: {counted(len(of), 'solution')} of {problems}; {found}.")
    chart = (
        charts[0] if len(charts) == 1 else alt.vconcat(*charts).resolve_scale(color="independent", shape="independent")
    )
    return heading.drawn(
        chart,
        rows,
        "Each point is a correct solution: its mean cost over the tests, by two profilers. Axes are logarithmic where"
        " all costs are above 0. r: Pearson's correlation over the solutions of one problem, the median over problems.",
        listed(parts),
        data,
        reasons,
    )


def faster(runs: Sequence[Run], by: str) -> Figure | Absent:
    """On how many problems the solutions of the row are significantly faster than those of the column."""
    import altair as alt

    source = "paper B, figure 6" if by == "model" else ""
    heading = Heading(f"faster-by-{by}", f"Which {by}s are faster", source)
    rules = Rules("runtime_median", by, (_OTHER[by],))
    rows, reasons = gathered(runs, partial(_cells, rules=rules))
    if not any(row["problems"] for row in rows):
        few = f"no problem has more than {rules.more_than} correct solutions of two {by}s: sample more"
        return heading.absent(few if rows else "; ".join(reasons))
    names = varying(rows, PANEL)
    drawn = [
        {
            "panel": about(row, names),
            **{name: text(row[name]) for name in ("row", "column")},
            "share": row["share"],
            "said": f"{row['faster']}/{row['problems']}" if row["problems"] else "–",
            "faster": row["faster"],
            "problems": row["problems"],
            "d": row["cohens_d"],
        }
        for row in rows
    ]
    panels: dict[str, list[Row]] = {}
    for row in drawn:
        panels.setdefault(row["panel"], []).append(row)
    data = {f"panel{place}": of for place, of in enumerate(panels.values())}
    charts = [_matrix(name, of, by) for name, of in data.items()]
    return heading.drawn(
        charts[0] if len(charts) == 1 else alt.vconcat(*charts),
        rows,
        f"Cells: on how many problems the {by} of the row is significantly faster than that of the column"
        f" ({rules.test.capitalize()}'s t-test within a problem, p < {rules.level:g}), of how many with more than"
        f" {rules.more_than} correct solutions of both; –: of none. All {_OTHER[by]}s together.",
        listed(
            [
                f"{text(row['row'])} is faster than {text(row['column'])} on {row['faster']} of"
                f" {counted(row['problems'], 'problem')}{f' ({where})' if (where := about(row, names)) else ''}."
                for row in rows
                if row["problems"]
            ]
        ),
        data,
        reasons,
    )


def _cells(run: Run, rules: Rules) -> Iterable[dict[str, Any]]:
    """Both directions of every contest, each as a cell of the matrix."""
    need(run, "solutions", (rules.on,), TIMED)
    for total in totals(contests(run, rules), rules):
        shared = {name: total[name] for name in (*PANEL[1:], "problems", "too_few", "undefined")}
        made = {name: total[name] for name in ("test", "more_than", "level", "correction", "pooled", "reason")}
        for side, other, sign in (("a", "b", 1), ("b", "a", -1)):
            effect = total["cohens_d"]
            yield {
                **{"by": rules.by, "row": total[side], "column": total[other], **shared},
                **{"faster": total[f"{side}_lower"], "share": total[f"{side}_lower_share"]},
                **{"cohens_d": None if effect is None else sign * effect, **made},
            }


def _matrix(name: str, drawn: Sequence[Row], by: str) -> Any:  # noqa: ANN401
    import altair as alt

    sides = list(dict.fromkeys(row[side] for row in drawn for side in ("row", "column")))
    base = alt.Chart(width=alt.Step(_CELL), height=alt.Step(_CELL)).encode(
        y=alt.Y("row:N", sort=sides, title=f"{by} that is faster", axis=alt.Axis(labelLimit=LABEL, grid=False)),
        x=alt.X(
            "column:N", sort=sides, title=f"than this {by}", axis=alt.Axis(labelLimit=LABEL, labelAngle=-40, grid=False)
        ),
        tooltip=[
            alt.Tooltip("row:N", title=by),
            alt.Tooltip("column:N", title="than"),
            alt.Tooltip("faster:Q", title="faster on"),
            alt.Tooltip("problems:Q", title="of problems"),
            alt.Tooltip("share:Q", title="share", format=".0%"),
            alt.Tooltip("d:Q", title="Cohen's d", format="+.3f"),
        ],
    )
    cells = base.transform_filter("isValid(datum.share)").mark_rect()
    cells = cells.encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 1]),
            title="share of problems",
            legend=alt.Legend(format=".0%", orient="bottom", gradientLength=_GRADIENT),
        )
    )
    known = base.transform_filter("isValid(datum.share)").mark_text()
    known = known.encode(
        text="said:N",
        color=alt.condition(f"datum.share >= {_DARK}", alt.value("black"), alt.value("white")),
    )
    unknown = base.transform_filter("!isValid(datum.share)").mark_text().encode(text="said:N")
    chart = alt.layer(cells, known, unknown, data=alt.NamedData(name))
    title = drawn[0]["panel"]
    return chart.properties(title=alt.Title(title, limit=WIDTH)) if title else chart


def _scatter(name: str, rows: Sequence[Row], title: str, found: str) -> Any:  # noqa: ANN401
    import altair as alt

    problems = list(dict.fromkeys(row["problem"] for row in rows))
    titles = {side: _axis(rows[0], side) for side in "xy"}
    axes = {
        side: (alt.X if side == "x" else alt.Y)(
            f"{side}:Q",
            title=titles[side],
            axis=alt.Axis(format="~s", tickCount=5),
            scale=alt.Scale(type="log", nice=False, padding=10)
            if all(row[side] > 0 for row in rows)
            else alt.Scale(zero=True),
        )
        for side in "xy"
    }
    chart = alt.Chart(
        alt.NamedData(name),
        width=_SIDE,
        height=_SIDE,
        title=alt.Title(title, subtitle=found, limit=_SIDE + LABEL),
    )
    encoded = chart.mark_point(opacity=0.7).encode(
        **axes,
        tooltip=[
            alt.Tooltip("who:N", title="model"),
            *(alt.Tooltip(f"{column}:N", title=column) for column in ("problem", "solution")),
            *(alt.Tooltip(f"{side}:Q", title=titles[side], format=".4~s") for side in "xy"),
        ],
    )
    if len(problems) > _MOST_COLOURS:
        return encoded
    scale = alt.Scale(domain=problems)
    legend = alt.Legend(labelLimit=LABEL, orient="bottom", columns=3)
    return encoded.encode(
        color=alt.Color("problem:N", scale=scale, title="problem", legend=legend),
        shape=alt.Shape("problem:N", scale=scale, title="problem", legend=legend),
    )


def _axis(row: Row, side: str) -> str:
    cost, profiler = COSTS[row[f"{side}_cost"]], row[f"{side}_profiler"]
    return str(cost if cost == profiler else f"{cost}, {profiler}")


def _correlation(rows: Sequence[Row]) -> str:
    found = within_problems(rows)
    values = [each.value for each in found.values() if each.value is not None]
    if not values:
        return "r within problems is undefined: " + "; ".join({each.reason or "" for each in found.values()})
    undefined = f", {len(found) - len(values)} undefined" if len(found) > len(values) else ""
    ends = f" ({min(values):+.2f} to {max(values):+.2f})" if len(values) > 1 else ""
    return f"r within problems {median(values):+.2f}{ends}, n = {len(values)}{undefined}"
