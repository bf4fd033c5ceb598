"""Figures for the tests of pages: real drawings of a few rows, with hostile names."""

from __future__ import annotations

from typing import Any

from evalfw.report.figures.catalogue import Group
from evalfw.report.figures.figure import Absent, Figure, specification
from tests.evalfw.report.site.conftest import BREAKING, LABEL


def figure(name: str, count: int = 3) -> Figure:
    """Points, one a row."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        {"model": LABEL if place % 2 else "plain", "temperature": place / 10, "value": place / 7 if place else None}
        for place in range(count)
    ]
    chart = (
        alt.Chart(alt.NamedData("points"))
        .mark_point()
        .encode(x="temperature:Q", y="value:Q", color="model:N", shape="model:N", tooltip=["model:N", "value:Q"])
        .properties(width=200, height=150)
    )
    return Figure(
        name,
        f"Title of {name} {BREAKING}",
        f"Caption {BREAKING}",
        f"It rises. {BREAKING}",
        rows,
        {**specification(chart), "datasets": {"points": rows}},
        "paper A, figure 7",
    )


GROUPS = [
    Group(
        f"Stability {BREAKING}",
        [figure("first"), figure("second", 250)],
        [Absent("third", f"Third {BREAKING}", f"needs a profiler {BREAKING}", "paper A, figure 9")],
    ),
    Group("Run time", [], [Absent("fourth", "Fourth", "needs a profiler of run times")]),
]
