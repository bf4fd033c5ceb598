"""Columns of several tables side by side: what is known of each solution, or of each problem.

What stands in a coarser table holds for every row of a finer one: a solution has the numbers of its problem, and both
have those of their condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from evalfw.errors import InputError, near
from evalfw.report.conditions import CONDITION
from evalfw.report.runs import Run

POOLED = ("model", "temperature", "size")
"""Dimensions of a condition that can be thrown together. What two profilers found of one solution is never."""

UNITS = ("solutions", "problems")
"""Tables of which a row can be an observation, the finer one first."""

_TABLES = (*UNITS, "conditions")
_NO_NUMBERS = {
    *("dataset", "model", "profiler", "problem", "pool"),
    *("solution", "status", "verdict", "reason", "test", "metric"),
}

Block: TypeAlias = tuple[Any, ...]
"""A condition, as the values of its columns; None for what is thrown together."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A solution, or a problem under one condition.

    Args:
        block: What it is an observation of.
        condition: With all its columns, by name.
        problem: Its id.
        solution: Its name; None for a problem.
        values: By column; None where undefined. A column that its profiler does not have is not in it.
    """

    block: Block
    condition: Mapping[str, Any]
    problem: str
    solution: str | None
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a column is: its table, its name there, and the profilers that it exists for."""

    table: str
    name: str
    profilers: frozenset[str | None]


def observe(run: Run, of: str, columns: Iterable[str], pool: Sequence[str] = ()) -> list[Observation]:
    """The observations of a run, in the order of its tables.

    Args:
        run: The run.
        of: The table of which a row is an observation.
        columns: Of it or of a coarser table: the finest that has the column is meant, unless it is written as
            `problems.NAME` or `conditions.NAME`. Of the table of conditions, the names of metrics are columns.
        pool: Dimensions that are thrown together.

    Raises:
        InputError: Something named is not there.
    """
    if of not in UNITS:
        raise InputError(f"an observation is a row of 'solutions' or of 'problems', not of '{of}'{near(of, UNITS)}")
    for name in pool:
        if name not in POOLED:
            raise InputError(f"the dimension '{name}' cannot be pooled{near(name, POOLED)}")
    sources = {column: _source(run, of, column) for column in columns}
    problems = {(*_condition(row), row["problem"]): row for row in run.tables["problems"]}
    cells = _cells(run)
    found = []
    for row in run.tables[of]:
        condition = _condition(row)
        rows = {of: row, "problems": problems[*condition, row["problem"]], "conditions": _known(cells, condition)}
        found.append(
            Observation(
                tuple(None if name in pool else row[name] for name in CONDITION),
                dict(zip(CONDITION, condition, strict=True)),
                row["problem"],
                row.get("solution"),
                {
                    column: rows[source.table].get(source.name)
                    for column, source in sources.items()
                    if row["profiler"] in source.profilers
                },
            )
        )
    return found


def blocks(observations: Iterable[Observation], *columns: str) -> dict[Block, list[Observation]]:
    """The observations that have these columns, by what they are observations of."""
    found: dict[Block, list[Observation]] = {}
    for each in observations:
        if all(column in each.values for column in columns):
            found.setdefault(each.block, []).append(each)
    return found


def pairs(observations: Iterable[Observation], x: str, y: str) -> tuple[list[float], list[float]]:
    """Two columns, where both are defined."""
    xs, ys = [], []
    for each in observations:
        one, other = each.values[x], each.values[y]
        if one is not None and other is not None:
            xs.append(one)
            ys.append(other)
    return xs, ys


def _source(run: Run, of: str, column: str) -> _Source:
    tables = _TABLES[_TABLES.index(of) :]
    table, _, name = column.partition(".")
    wanted = [(table, name)] if table in tables and name else [(each, column) for each in tables]
    for table, name in wanted:
        profilers = _columns(run, table).get(name)
        if profilers:
            return _Source(table, name, frozenset(profilers))
    known = {name for table in tables for name in _columns(run, table)}
    raise InputError(f"there is no number '{column}' in the tables {', '.join(tables)}{near(column, known)}")


def _columns(run: Run, table: str) -> dict[str, set[str | None]]:
    """Columns of numbers, with the profilers that they exist for."""
    found: dict[str, set[str | None]] = {}
    if table == "conditions":
        profilers = {row["profiler"] for row in run.tables["problems"]}
        for cell in run.tables["conditions"]:
            found.setdefault(cell["metric"], set()).update(
                profilers if cell["profiler"] is None else {cell["profiler"]}
            )
        return found
    for row in run.tables[table]:
        for name in row:
            if name not in _NO_NUMBERS:
                found.setdefault(name, set()).add(row["profiler"])
    return found


def _cells(run: Run) -> dict[Block, dict[str, float | None]]:
    cells: dict[Block, dict[str, float | None]] = {}
    for cell in run.tables["conditions"]:
        cells.setdefault(_condition(cell), {})[cell["metric"]] = cell["value"]
    return cells


def _known(cells: Mapping[Block, Mapping[str, float | None]], condition: Block) -> Mapping[str, float | None]:
    """The cells of a condition, with those that need no profile and so stand without profiler and size."""
    free = tuple(
        None if name in {"profiler", "size"} else value for name, value in zip(CONDITION, condition, strict=True)
    )
    return {**cells.get(free, {}), **cells.get(condition, {})}


def _condition(row: Mapping[str, Any]) -> Block:
    return tuple(row[name] for name in CONDITION)
