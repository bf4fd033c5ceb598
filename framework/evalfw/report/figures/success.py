"""How often models are right, by what the problems are: figure 2 of paper B."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from evalfw.errors import InputError
from evalfw.report.breakdown import breakdown
from evalfw.report.cells import confidence
from evalfw.report.conditions import CONDITION
from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.panels import LABEL, WIDTH, Heading, about, counted, in_panels, listed, who
from evalfw.report.figures.scores import varying
from evalfw.report.gathering import gathered, need
from evalfw.report.runs import Run

if TYPE_CHECKING:
    import altair as alt

Row = Mapping[str, Any]

_HEADING = Heading("pass-by-kind", "pass@1 by kind of problem", "paper B, figure 2")

KINDS: Final = ("difficulty", "level", "kind")
"""Traits that say how hard a problem is or of which sort: the first that a run has is drawn."""

SUBSET: Final = "subset"
"""The trait that says which part of a dataset a problem is of, such as that from before and after a date."""

_ORDER: Final = ("easy", "medium", "hard")
_STEP = 15


def pass_by_kind(runs: Sequence[Run]) -> list[Figure | Absent]:
    """The mean pass@1 of each model over the problems of each kind."""
    return [_pass_by_kind(runs)]


def _pass_by_kind(runs: Sequence[Run]) -> Figure | Absent:
    rows, reasons = gathered(runs, _rows)
    if not rows:
        return _HEADING.absent("; ".join(reasons))
    shown = [row for row in rows if row["value"] is not None]
    if not shown:
        why = dict.fromkeys(row["reason"] for row in rows)
        return _HEADING.absent(f"pass@1 is undefined for every kind: {'; '.join(why)}")
    names = varying(shown, ("run", "dataset", SUBSET))
    traits = ", ".join(dict.fromkeys(row["trait"] for row in rows))
    drawn = [
        {
            "panel": about(row, names),
            "group": who(row),
            **{name: row[name] for name in ("kind", "value", "low", "high", "problems")},
        }
        for row in shown
    ]
    undefined = f" Undefined, and left out: {len(rows) - len(shown)}." if len(rows) > len(shown) else ""
    return _HEADING.drawn(
        in_panels(_layers(drawn, traits), drawn),
        rows,
        f"Mean of pass@1 over the problems of each kind (trait: {traits}); lines are {confidence(rows[0])} bootstrap"
        f" intervals over problems. Where there is no line, there is no interval.{undefined}",
        listed([_said(row, names) for row in shown]),
        {"rows": drawn},
        reasons,
    )


def _rows(run: Run) -> list[dict[str, Any]]:
    traits = {row["trait"] for row in run.tables["traits"]}
    kind = next((name for name in KINDS if name in traits), None)
    if kind is None:
        raise InputError(
            f"no problem has one of the traits {', '.join(KINDS)}: take a dataset that says one, such as mercury or"
            " leetcode"
        )
    by = [kind, SUBSET] if SUBSET in traits else [kind]
    need(run, "problems", ("pass@1",), "the metric pass_at_k with k: [1]")
    return [
        {
            **{name: row[name] for name in CONDITION},
            **{"trait": kind, "kind": row[kind] or "not said", SUBSET: row.get(SUBSET)},
            **{name: value for name, value in row.items() if name not in {*CONDITION, *by}},
        }
        for row in breakdown(run, by)
    ]


def _layers(drawn: Sequence[Row], trait: str) -> list[alt.Chart]:
    import altair as alt

    kinds = sorted({row["kind"] for row in drawn}, key=_place)
    scale = alt.Scale(domain=kinds)
    base = alt.Chart(width=WIDTH, height=alt.Step(_STEP, **{"for": "position"} if len(kinds) < 2 else {})).encode(
        y=alt.Y("group:N", sort=None, title=None, axis=alt.Axis(labelLimit=LABEL), scale=alt.Scale(paddingInner=0.35)),
        yOffset=alt.YOffset("kind:N", sort=kinds, scale=alt.Scale(domain=kinds)),
        color=alt.Color("kind:N", scale=scale, title=trait, legend=alt.Legend(orient="top", labelLimit=LABEL)),
        tooltip=[
            alt.Tooltip("group:N", title="model"),
            alt.Tooltip("kind:N", title=trait),
            alt.Tooltip("value:Q", title="pass@1", format=".4f"),
            alt.Tooltip("low:Q", title="from", format=".4f"),
            alt.Tooltip("high:Q", title="to", format=".4f"),
            alt.Tooltip("problems:Q", title="problems"),
        ],
    )
    x = alt.X("value:Q", title="pass@1 (mean over problems)", scale=alt.Scale(domain=[0, 1]))
    line = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=1.5)
    return [
        line.encode(x=alt.X("low:Q", title="pass@1 (mean over problems)"), x2="high:Q", color=alt.Color("kind:N")),
        base.mark_point(opacity=1).encode(x=x, shape=alt.Shape("kind:N", scale=scale, title=trait)),
    ]


def _place(kind: str) -> tuple[int, str]:
    plain = kind.lower()
    return (_ORDER.index(plain) if plain in _ORDER else len(_ORDER), kind)


def _said(row: Row, names: Sequence[str]) -> str:
    place = f" ({where})" if (where := about(row, names)) else ""
    ends = "" if row["low"] is None else f", interval {row['low']:.2f} to {row['high']:.2f}"
    return f"{who(row)}, {row['kind']}{place}: {row['value']:.2f}{ends}, {counted(row['problems'], 'problem')}."
