"""The tables of the papers, each made from a run if it has what that takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, Final

from evalfw.errors import InputError
from evalfw.report.ablation import ablation
from evalfw.report.analysis_sheets import (
    association_sheets,
    contest_sheets,
    correlation_sheets,
    reliability_sheet,
    typical_correlation_sheets,
)
from evalfw.report.association import AGAINST, PROXIES, associate
from evalfw.report.cells import Row
from evalfw.report.conditions import CONDITION
from evalfw.report.contest import Rules, contests, totals
from evalfw.report.correlations import PRESETS, correlate, over_problems
from evalfw.report.gathering import TIMED, gathered, need
from evalfw.report.paper_rows import RUNTIMES, SCORES, models, pass_at_k, runtimes, scores
from evalfw.report.paper_sheets import models_sheet, pass_at_k_sheets, wide_sheets
from evalfw.report.reliability import reliability
from evalfw.report.runs import Run
from evalfw.report.sheets import Sheet, ablation_sheets

_OF_RUN_TIME: Final = ("success-runtime", "success-variation", "temperature-runtime", "temperature-variation")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper, from runs.

    Args:
        name: Of its file: lower-case words joined by `-`.
        title: What it is about, short.
        source: The table of a paper that it is, or the section whose numbers it holds; empty where it is ours.
        rows: Its numbers, in a fixed order.
        sheets: The same as a person reads it.
        reasons: Why runs have no part in it. Without rows: why there is none.
    """

    name: str
    title: str
    source: str
    rows: Sequence[Row]
    sheets: Sequence[Sheet]
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a table is made: its rows from one run, and sheets from these rows."""

    name: str
    title: str
    source: str
    rows: Callable[[Run], Sequence[Row]]
    sheets: Callable[[Sequence[Row]], Sequence[Sheet]]

    def make(self, runs: Sequence[Run]) -> Table:
        rows, reasons = gathered(runs, self.rows)
        sheets: list[Sheet] = []
        for run, of in groupby(rows, key=lambda row: row["run"]):
            found = self.sheets(list(of))
            sheets += found if len(runs) == 1 else [replace(each, title=f"run {run}; {each.title}") for each in found]
        return Table(self.name, self.title, self.source, rows, sheets, reasons)


def tables(runs: Sequence[Run], names: Sequence[str]) -> list[Table]:
    """Tables of these names, in the order of `TABLES`; those for which no run has what it takes have no rows."""
    return [kind.make(runs) for kind in _KINDS if kind.name in names]


def _association(run: Run) -> list[dict[str, Any]]:
    need(run, "solutions", (*PROXIES, *AGAINST), "the metrics dmpd, nmv and maintainability")
    return associate(run, pool=("temperature",))


def _similarity(run: Run) -> list[dict[str, Any]]:
    known = {name for row in run.tables["problems"] for name in row}
    columns = tuple(name for name in PRESETS["similarity"].x if name in known)
    if len(columns) < 2:
        wanted = ", ".join(PRESETS["similarity"].x)
        raise InputError(f"the run has fewer than two of {wanted}: list the metrics of these names")
    return correlate(run, replace(PRESETS["similarity"], x=columns))


def _contest(by: str, pool: str, run: Run) -> list[dict[str, Any]]:
    need(run, "solutions", ("runtime_median",), TIMED)
    rules = Rules("runtime_median", by, (pool,))
    return totals(contests(run, rules), rules)


def _of_run_time(run: Run) -> list[dict[str, Any]]:
    need(run, "problems", ("pass@1", "runtime_cv_solutions"), f"the metric pass_at_k with k: [1], and {TIMED}")
    rows = [row for name in _OF_RUN_TIME for row in over_problems(correlate(run, PRESETS[name]), run)]
    blocks = [_block(row) for row in rows]
    return sorted(rows, key=lambda row: blocks.index(_block(row)))


def _block(row: Row) -> list[Any]:
    return [row[name] for name in (*CONDITION, "of")]


_KINDS: Final = (
    _Kind("models", "Models", "paper A, table 1; paper B, table 1", models, models_sheet),
    _Kind(
        "conditions",
        "Correctness and instability by model and temperature",
        "paper A, table 2",
        scores,
        partial(wide_sheets, metrics=SCORES, form=".4f"),
    ),
    _Kind("ablation", "Settings of a profiler", "paper A, table 3", ablation, ablation_sheets),
    _Kind(
        "association",
        "Stability and maintainability",
        "paper A, table 4",
        _association,
        association_sheets,
    ),
    _Kind("similarity", "Correlations of measures of similarity", "paper A, figure 8", _similarity, correlation_sheets),
    _Kind("pass-at-k", "Correctness at the best temperature", "paper B, table 2", pass_at_k, pass_at_k_sheets),
    _Kind("runtimes", "Run times", "", runtimes, partial(wide_sheets, metrics=RUNTIMES, form=".3g")),
    _Kind(
        "reliability",
        "Variation of the run time of canonical solutions",
        "paper B, section 3.3",
        reliability,
        lambda rows: [reliability_sheet(rows)],
    ),
    _Kind(
        "contest-by-model",
        "Which models are faster",
        "paper B, figure 6",
        partial(_contest, "model", "temperature"),
        contest_sheets,
    ),
    _Kind(
        "contest-by-temperature",
        "Which temperatures are faster",
        "",
        partial(_contest, "temperature", "model"),
        contest_sheets,
    ),
    _Kind(
        "runtime-correlations",
        "Success, temperature and run time, problem by problem",
        "paper B, section 5.3",
        _of_run_time,
        typical_correlation_sheets,
    ),
)

TABLES: Final = tuple(kind.name for kind in _KINDS)
"""Names of the tables."""

ANALYSES: Final = TABLES[TABLES.index("ablation") :]
"""Names of those that say more than what was run and what its scores are."""
