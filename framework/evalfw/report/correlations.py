"""Correlations between columns, over solutions or problems, and problem by problem."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import median
from typing import Any

from evalfw.errors import InputError, near
from evalfw.report.conditions import CONDITION
from evalfw.report.observations import Block, Observation, blocks, observe, pairs
from evalfw.report.runs import Run
from evalfw.statistics.correlation import Correlation, pearson, spearman
from evalfw.statistics.intervals import median_interval
from evalfw.statistics.paired import spread

METHODS = {"pearson": pearson, "spearman": spearman}
"""By name, as on the command line."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Which columns are correlated, and over what.

    Args:
        x: Columns.
        y: Columns that each of `x` is held against; empty for every two of `x`.
        of: The table of which a row is an observation.
        per_problem: Whether there is a coefficient for each problem, instead of one for all.
        pool: Dimensions of a condition that are thrown together.
        method: Name of the coefficient.
        models: A problem takes part if so many models, or more, have a correct solution of it.
        correct: A problem takes part if it has so many correct solutions, or more.
    """

    x: tuple[str, ...]
    y: tuple[str, ...] = ()
    of: str = "problems"
    per_problem: bool = False
    pool: tuple[str, ...] = ()
    method: str = "pearson"
    models: int = 0
    correct: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, each once."""
        return tuple(dict.fromkeys((*self.x, *self.y)))

    @property
    def couples(self) -> list[tuple[str, str]]:
        """The pairs of columns."""
        return list(product(self.x, self.y)) if self.y else list(combinations(self.x, 2))


_ALL = ("model", "temperature")

PRESETS: Mapping[str, Analysis] = {
    "similarity": Analysis(("dmpd", "ngram_overlap", "codebleu", "ast_similarity", "tsed")),
    "npd": Analysis(("npd",), ("dmpd",), pool=("size",)),
    "success-runtime": Analysis(("conditions.pass@1",), ("runtime_median",), "solutions", True, _ALL),
    "success-variation": Analysis(("conditions.pass@1",), ("runtime_cv_solutions",), "problems", True, _ALL),
    "temperature-runtime": Analysis(("temperature",), ("runtime_median",), "solutions", True, _ALL),
    "temperature-variation": Analysis(("temperature",), ("runtime_cv_solutions",), "problems", True, _ALL),
}
"""The correlations of the papers: of A figures 8 and 9, of B section 5.3 and figure 7."""


def correlate(run: Run, analysis: Analysis) -> list[dict[str, Any]]:
    """Correlations between columns.

    Returns:
        One row a condition, or what is left of it after pooling, and pair of columns; with `per_problem` also a
        problem.

    Raises:
        InputError: Something named is not there, or there are too few columns.
    """
    if analysis.method not in METHODS:
        raise InputError(f"there is no correlation '{analysis.method}'{near(analysis.method, METHODS)}")
    if not analysis.couples:
        raise InputError("a correlation is between two columns or more, found " + (", ".join(analysis.x) or "none"))
    observations = observed(run, analysis)
    joined = {(x, y): blocks(observations, x, y) for x, y in analysis.couples}
    rows = []
    for block, ((x, y), having) in product(blocks(observations), joined.items()):
        about = {**dict(zip(CONDITION, block, strict=True)), "of": analysis.of, "x": x, "y": y}
        for problem, group in _groups(having.get(block, ()), analysis).items():
            found = METHODS[analysis.method](*pairs(group, x, y))
            rows.append({**about, **({"problem": problem} if problem is not None else {}), **_row(found, analysis)})
    if not rows:
        raise InputError("no profiler has both columns, or no problem has enough correct solutions")
    return rows


def over_problems(rows: Sequence[Mapping[str, Any]], run: Run) -> list[dict[str, Any]]:
    """What is typical of coefficients by problem: one row for all that differ in the problem only.

    A problem without a coefficient, where one side is constant for instance, is counted, and takes no part.
    """
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in (*CONDITION, "of", "x", "y")), []).append(row)
    return [_summary(group, run) for group in groups.values()]


def observed(run: Run, analysis: Analysis) -> list[Observation]:
    """The observations that an analysis rests on.

    Raises:
        InputError: Something named is not there.
    """
    observations = observe(run, analysis.of, analysis.columns, analysis.pool)
    if not analysis.models and not analysis.correct:
        return observations
    enough = _with_enough(run, analysis)
    return [each for each in observations if (each.block, each.problem) in enough]


def points(observations: Sequence[Observation], columns: Sequence[str]) -> list[dict[str, Any]]:
    """The observations as rows, for a scatter plot: those that have all these columns defined."""
    return [
        {**each.condition, "problem": each.problem, "solution": each.solution, **each.values}
        for each in observations
        if all(each.values.get(column) is not None for column in columns)
    ]


def _groups(observations: Sequence[Observation], analysis: Analysis) -> dict[str | None, list[Observation]]:
    groups: dict[str | None, list[Observation]] = {}
    for each in observations:
        groups.setdefault(each.problem if analysis.per_problem else None, []).append(each)
    return groups


def _row(found: Correlation, analysis: Analysis) -> dict[str, Any]:
    return {
        "method": analysis.method,
        "n": found.n,
        "value": found.value,
        "r_squared": None if found.value is None else found.value**2,
        "p": found.p,
        "pooled": ", ".join(analysis.pool) or None,
        "reason": found.reason,
    }


def _summary(rows: Sequence[Mapping[str, Any]], run: Run) -> dict[str, Any]:
    first = rows[0]
    values = [row["value"] for row in rows if row["value"] is not None]
    typical, interval = spread(values), median_interval(values, run.resampling)
    reasons = [f"{row['problem']}: {row['reason']}" for row in rows if row["value"] is None]
    if values and interval.reason:
        reasons.append(f"interval: {interval.reason}")
    return {
        **{name: first[name] for name in (*CONDITION, "of", "x", "y", "method")},
        "problems": len(values),
        "undefined": len(rows) - len(values),
        "n": sum(row["n"] for row in rows if row["value"] is not None),
        "median": median(values) if values else None,
        "low": interval.low,
        "high": interval.high,
        "iqr": typical.iqr,
        "mean": math.fsum(values) / len(values) if values else None,
        "pooled": first["pooled"],
        "confidence": run.resampling.confidence,
        "resamples": run.resampling.resamples,
        "reason": "; ".join(reasons) or None,
    }


def _with_enough(run: Run, analysis: Analysis) -> set[tuple[Block, str]]:
    """The problems that enough models have solved often enough, by what is left of their condition."""
    solved: dict[tuple[Block, str], dict[tuple[Any, Any], int]] = {}
    for each in observe(run, "problems", ["correct"], analysis.pool):
        # By model and temperature: sizes of tests, where they are pooled, repeat the number.
        who = each.condition["model"], each.condition["temperature"]
        solved.setdefault((each.block, each.problem), {})[who] = int(each.values["correct"] or 0)
    return {
        key
        for key, correct in solved.items()
        if sum(correct.values()) >= analysis.correct
        and len({model for (model, _), count in correct.items() if count}) >= analysis.models
    }
