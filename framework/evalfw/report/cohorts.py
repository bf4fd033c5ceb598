"""The rows of all tables about one problem under one condition, side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any, TypeAlias

from evalfw.report.conditions import CONDITION
from evalfw.report.runs import Run

Row: TypeAlias = Mapping[str, Any]

_PAIR = (*CONDITION, "problem", "test", "solution_a", "solution_b")
PARTS = ("_cost", "_scale", "_length")
"""Ends of the names of columns that are the exact parts of the number before."""


@dataclass(frozen=True, slots=True)
class CohortRows:
    """What the tables of a run say of one problem under one condition.

    Args:
        run: The run.
        problem: The row of the table of problems.
        key: Of the content of the problem.
        solutions: Rows of the table of solutions.
        executions: Where their completions, verdicts and profiles are, by index.
        profiles: Rows of the table of profiles by test, and there by name of the solution. The order of the tests is
            that of the problem.
        pairs: Rows of the table of pairs, by test and the two names; the test is None for what is about no test.
    """

    run: Run
    problem: Row
    key: str
    solutions: Sequence[Row]
    executions: Mapping[int, Row]
    profiles: Mapping[str, Mapping[str, Row]]
    pairs: Mapping[str | None, Mapping[tuple[str, str], Row]]

    @property
    def correct(self) -> list[Row]:
        """The solutions that passed, duplicates included."""
        return [row for row in self.solutions if row["verdict"] == "accepted"]

    def compared(self) -> list[str]:
        """Columns of the table of pairs that compare; the exact parts of a number are none."""
        names = dict.fromkeys(name for rows in self.pairs.values() for row in rows.values() for name in row)
        parts = {name + part for name in names for part in PARTS}
        return [name for name in names if name not in _PAIR and name not in parts]

    def values(self, column: str, test: str | None) -> list[Any]:
        """A column of the table of pairs on one test, for every two correct solutions in order; None for no value."""
        rows = self.pairs.get(test, {})
        names = [row["solution"] for row in self.correct]
        return [rows.get(pair, {}).get(column) for pair in combinations(names, 2)]

    def mean(self, column: str, test: str | None) -> float | None:
        """The mean of a column on one test over the pairs that have a value."""
        known = [value for row in self.pairs.get(test, {}).values() if (value := row.get(column)) is not None]
        return fmean(known) if known else None


def divergence(columns: Iterable[str]) -> str | None:
    """Of columns that compare pairs, the one that says how differently memory rises, or else the first."""
    names = list(columns)
    return next((name for name in names if name.rpartition(":")[2] == "dmpd"), names[0] if names else None)


def cohorts(run: Run) -> list[CohortRows]:
    """All cohorts of a run, in the order of its table of problems."""
    key = {(row["dataset"], row["problem"]): row["key"] for row in run.tables["subjects"]}
    order = {(row["dataset"], row["problem"], row["size"], row["test"]): n for n, row in enumerate(run.tables["tests"])}
    rows = {name: _grouped(run.tables[name]) for name in ("solutions", "executions", "profiles", "pairs")}
    found = []
    for problem in run.tables["problems"]:
        place = _place(problem)
        profiles: dict[str, dict[str, Row]] = defaultdict(dict)
        for row in rows["profiles"].get(place, ()):
            profiles[row["test"]][row["solution"]] = row
        pairs: dict[str | None, dict[tuple[str, str], Row]] = defaultdict(dict)
        for row in rows["pairs"].get(place, ()):
            pairs[row["test"]][row["solution_a"], row["solution_b"]] = row
        about = problem["dataset"], problem["problem"], problem["size"]
        found.append(
            CohortRows(
                run,
                problem,
                key[problem["dataset"], problem["problem"]],
                rows["solutions"].get(place, ()),
                {row["index"]: row for row in rows["executions"].get(place, ())},
                {test: profiles[test] for test in sorted(profiles, key=lambda test: order[*about, test])},
                dict(pairs),
            )
        )
    return found


def _place(row: Row) -> tuple[Any, ...]:
    return (*(row[name] for name in CONDITION), row["problem"])


def _grouped(rows: Iterable[Row]) -> Mapping[tuple[Any, ...], list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[_place(row)].append(row)
    return groups
