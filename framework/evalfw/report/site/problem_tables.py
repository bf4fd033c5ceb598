"""What a problem's page shows without a script: tests, solutions, and how those failed that are not correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from evalfw.domain.problem import Problem
from evalfw.report import cells
from evalfw.report.cohorts import CohortRows
from evalfw.report.conditions import CONDITION
from evalfw.report.site.problem_data import label
from evalfw.report.site.programs import Programs
from evalfw.store.run import RunStore

MOST_ANSWER: Final = 2000
"""Characters of an answer without a program that are shown."""

_NO_METRICS = (
    *(*CONDITION, "problem", "solution", "index", "status", "duplicate_of"),
    *("verdict", "reason", "test", "profiles"),
)
_NAMES = {"dmpd": "mean DMPD", "npd": "mean NPD", "ncd": "mean NCD", "nmv": "NMV"}


@dataclass(frozen=True, slots=True)
class SolutionRow:
    """A line of a table of solutions; `values` are in the order of its columns, as text and as stored."""

    index: int
    name: str
    verdict: str
    duplicate_of: str | None
    program: int | None
    peak: str
    values: Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class SolutionTable:
    """The solutions of one cohort."""

    label: str
    columns: Sequence[str]
    peak: str
    rows: Sequence[SolutionRow]


@dataclass(frozen=True, slots=True)
class Failure:
    """A solution that is not correct.

    Args:
        condition: Model and temperature, with the run where there are several.
        index: Of the sample.
        verdict: The outcome.
        test: The test that decided, if one did.
        reason: Says more.
        printed: The end of what it wrote to standard error on that test, as far as it is stored.
        program: Its number on the page; None where there is no code.
        answer: The beginning of the answer where there is no code.
        left_out: How many characters of the answer are not shown.
    """

    condition: str
    index: int
    verdict: str
    test: str | None
    reason: str | None
    printed: str
    program: int | None
    answer: str
    left_out: int


def limits(problem: Problem) -> str:
    """The limits that a problem states."""
    stated = []
    if problem.time_seconds is not None:
        stated.append(f"{problem.time_seconds:g} seconds")
    if problem.memory_bytes is not None:
        stated.append(size(problem.memory_bytes))
    return " and ".join(stated) or "none of its own: those of the experiment hold"


def size(count: float) -> str:
    """Bytes as a person reads them."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            break
        count /= 1024
    return f"{count:.4g} {unit}"


def solution_table(cohort: CohortRows, several: bool, store: RunStore, programs: Programs) -> SolutionTable:
    """The solutions of a cohort with everything that metrics found of them."""
    columns = list(dict.fromkeys(name for row in cohort.solutions for name in row if name not in _NO_METRICS))
    peaks: dict[str, list[int]] = {}
    for rows in cohort.profiles.values():
        for name, row in rows.items():
            if row.get("peak_bytes") is not None:
                peaks.setdefault(name, []).append(row["peak_bytes"])
    return SolutionTable(
        label(cohort, several),
        [_NAMES.get(name, name) for name in columns],
        f"Peak, median of {len(cohort.profiles)} tests" if peaks else "",
        [
            SolutionRow(
                row["index"],
                row["solution"],
                row["verdict"],
                row["duplicate_of"],
                programs.number(store, cohort.executions[row["index"]]["completion"])
                if row["verdict"] == "accepted"
                else None,
                size(median(peaks[row["solution"]])) if row["solution"] in peaks else "-",
                [(_short(row.get(name)), row.get(name)) for name in columns],
            )
            for row in cohort.solutions
        ],
    )


def failures(
    cohorts: Sequence[CohortRows], several: bool, stores: Mapping[str, RunStore], programs: Programs
) -> list[Failure]:
    """The solutions that are not correct; each stands once, though it does under every profiler and for every size."""
    found: dict[tuple[Any, ...], Failure] = {}
    for cohort in cohorts:
        store = stores[cohort.run.name]
        for row in cohort.solutions:
            if row["verdict"] == "accepted":
                continue
            condition = {**cohort.problem, "profiler": None, "size": None}
            place = cohort.run.name, condition["model"], condition["temperature"], row["index"]
            if place not in found:
                about = CohortRows(cohort.run, condition, cohort.key, (), {}, {}, {})
                execution = cohort.executions[row["index"]]
                found[place] = _failure(label(about, several), row, execution, store, programs)
    return list(found.values())


def _failure(
    condition: str, row: Mapping[str, Any], execution: Mapping[str, Any], store: RunStore, programs: Programs
) -> Failure:
    completion = programs.completion(store, execution["completion"])
    code = bool(completion.solution.code)
    printed = "" if execution["verdict"] is None else store.stderr(execution["verdict"]).decode("utf-8", "replace")
    answer = "" if code else completion.text
    return Failure(
        condition,
        row["index"],
        row["verdict"],
        row["test"],
        row["reason"] or completion.solution.reason,
        printed,
        programs.number(store, execution["completion"]) if code else None,
        answer[:MOST_ANSWER],
        max(0, len(answer) - MOST_ANSWER),
    )


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else cells.text(value)
