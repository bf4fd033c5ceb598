"""The tables of the first page: conditions with their scores, problems, what was excluded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalfw.report.cells import Row, estimate, text
from evalfw.report.conditions import CONDITION
from evalfw.report.runs import Run
from evalfw.report.summary import Scores, exclusion, metrics, partial, sampling, scores, stability
from evalfw.report.summary import about as words

FIRST = ("mis_macro", "mis_micro", "nmv", "npd", "runtime_median")
"""Scores that come first where there are many, after `pass@k`; the others follow as they are in the tables."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table shows at one place.

    Args:
        text: As it is read.
        below: Said less loudly below it.
        sort: What rows are sorted by: a number, or a text; None comes last in any order.
        notes: Numbers of notes below the table.
        link: A page it leads to, from the folder of the site.
    """

    text: str
    below: str = ""
    sort: float | str | None = None
    notes: Sequence[int] = ()
    link: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Args:
        name: Its header.
        number: Whether it is of numbers.
    """

    name: str
    number: bool = True


@dataclass(slots=True)
class Table:
    """A table as a page shows it; the first cell of a row is its header.

    Args:
        columns: In their order.
        rows: A cell for each column.
        about: What is the same in all rows.
        notes: Referred to by cells, from 1.
    """

    columns: Sequence[Column]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    about: str = ""
    notes: list[str] = field(default_factory=list)

    def note(self, said: str | None) -> tuple[int, ...]:
        """The number of a note, in a tuple of its own; nothing for nothing. What is said twice is one note."""
        if said is None:
            return ()
        if said not in self.notes:
            self.notes.append(said)
        return (self.notes.index(said) + 1,)


def condition_table(runs: Sequence[Run]) -> Table:
    """One row for each condition of the runs, one column for each score."""
    found = [({"run": run.name, **row.condition}, row) for run in runs for row in scores(run.tables)]
    conditions = [condition for condition, _ in found]
    names = _told(conditions)
    measured = metrics(row for _, row in found)
    first = [*(name for name in measured if name.startswith("pass@")), *(name for name in FIRST if name in measured)]
    ordered = list(dict.fromkeys([*first, *measured]))
    counts = ("problems", "samples", "correct")
    table = Table(
        [*(Column(name, name in {"temperature", "size"}) for name in names), *map(Column, (*counts, *ordered))],
        about=_same(conditions, names),
    )
    for condition, row in found:
        table.rows.append(
            [
                *(_setting(condition[name]) for name in names),
                *(Cell(str(getattr(row, name)), sort=getattr(row, name)) for name in counts),
                *(_score(table, row, name) for name in ordered),
            ]
        )
    return table


def problem_table(runs: Sequence[Run], links: Mapping[str, str]) -> Table:
    """One row for each problem.

    Args:
        runs: The runs; a problem of several has one row.
        links: Pages of problems, by the key of their content.
    """
    metric = pairwise(runs)
    rows = _by_problem(runs)
    conditions = {_condition(row) for mine in rows.values() for row in mine}
    several = len({row["dataset"] for mine in rows.values() for row in mine}) > 1
    spread = [] if metric is None else [metric] if len(conditions) == 1 else [f"lowest {metric}", f"highest {metric}"]
    table = Table([Column("problem", number=False), Column("correct"), Column("cohort"), *map(Column, spread)])
    names = _told([dict(row) for mine in rows.values() for row in mine])
    for key, mine in rows.items():
        samples = list({tuple(row[name] for name in ("run", "model", "temperature")): row for row in mine}.values())
        asked, correct = (sum(row[name] for row in samples) for name in ("samples", "correct"))
        sizes = sorted({row["correct"] for row in samples})
        table.rows.append(
            [
                Cell(mine[0]["problem"], mine[0]["dataset"] if several else "", mine[0]["problem"], link=links[key]),
                Cell(f"{correct} of {asked}", sort=correct / asked if asked else None),
                Cell(f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0]), sort=sizes[-1]),
                *(_extremes(table, mine, metric, names) if metric is not None else ()),
            ]
        )
    return table


def pairwise(runs: Sequence[Run]) -> str | None:
    """The number of a problem that says how far its solutions are apart: `dmpd`, or the first that pairs have."""
    paired = {name for run in runs for row in run.tables["pairs"][:1] for name in row}
    columns = dict.fromkeys(name for run in runs for row in run.tables["problems"] for name in row)
    known = [name for name in columns if name in paired and name not in {*CONDITION, "problem", "test"}]
    return "dmpd" if "dmpd" in known else next(iter(known), None)


def exclusion_table(runs: Sequence[Run]) -> Table:
    """What takes no part, one row for each reason."""
    table = Table([Column("what", number=False), Column("how many"), Column("why", number=False)])
    reasons: dict[tuple[str, str], dict[str, int]] = {}
    for run in runs:
        several = len({row["dataset"] for row in run.tables["problems"]}) > 1
        for row in run.tables["excluded"]:
            parts = (run.name if len(runs) > 1 else "", row["dataset"] if several else "", words(row))
            place = ", ".join(filter(None, parts)) or row["dataset"]
            places = reasons.setdefault((row["what"], exclusion(row)), {})
            places[place] = places.get(place, 0) + row["count"]
    for (what, why), places in reasons.items():
        count = sum(places.values())
        table.rows.append(
            [
                Cell(f"{what}{'s' * (count != 1)}", sort=what),
                Cell(f"{count:,}", sort=count),
                Cell(why, "; ".join(f"{place}: {number:,}" for place, number in places.items()), why),
            ]
        )
    return table


def remarks(runs: Sequence[Run]) -> dict[str, list[str]]:
    """What else is to be said, by title: how stable the measuring was, and what sampling took."""
    found: dict[str, list[str]] = {"How stable the measuring was": [], "What sampling took": []}
    for run in runs:
        head = f"{run.name}: " if len(runs) > 1 else ""
        for lines, make, name in zip(found.values(), (stability, sampling), ("canonical", "sampling"), strict=True):
            lines += [head + line for line in make(run.tables[name])]
    return {title: lines for title, lines in found.items() if lines}


def _told(conditions: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns that tell conditions apart, the model first; or the model alone."""
    varying = [name for name in ("run", *CONDITION) if len({each[name] for each in conditions}) > 1]
    return sorted({*varying, "model"}, key=("model", "run", *(name for name in CONDITION if name != "model")).index)


def _same(conditions: Sequence[Mapping[str, Any]], told: Sequence[str]) -> str:
    """What all conditions have in common."""
    one = conditions[0]
    return ", ".join(f"{name} {text(one[name])}" for name in CONDITION if name not in told and one[name] is not None)


def _setting(found: Any) -> Cell:  # noqa: ANN401
    return Cell(text(found), sort=found)


def _score(table: Table, row: Scores, metric: str) -> Cell:
    cell = row.cells.get(metric)
    if cell is None:
        return Cell("-", notes=table.note("not computed in this run"))
    value, interval = estimate(cell)
    said = partial(cell) or (f"no interval: {cell['reason']}" if cell["low"] is None else None)
    return Cell(value, interval, cell["value"], table.note(said))


def _by_problem(runs: Sequence[Run]) -> dict[str, list[dict[str, Any]]]:
    """Rows of the table of problems with their run, by the key of the problem's content."""
    found: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        keys = {(row["dataset"], row["problem"]): row["key"] for row in run.tables["subjects"]}
        for row in run.tables["problems"]:
            found.setdefault(keys[row["dataset"], row["problem"]], []).append({"run": run.name, **row})
    return found


def _condition(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("run", *CONDITION))


def _extremes(table: Table, rows: Sequence[Row], metric: str, told: Sequence[str]) -> Iterable[Cell]:
    """The number of a problem where there is one condition in all, else its lowest and highest one."""
    several = len(table.columns) > 4
    defined = sorted((row for row in rows if row.get(metric) is not None), key=lambda row: row[metric])
    if not defined:
        return [Cell("-", notes=table.note(_undefined(rows, metric)))] * (2 if several else 1)
    missing = len(rows) - len(defined)
    said = table.note(
        f"undefined in {missing} of {len(rows)} conditions: {_undefined(rows, metric)}" if missing else None
    )
    ends = (defined[0], defined[-1]) if several else (defined[0],)
    return [
        Cell(
            estimate({"value": row[metric], "low": None, "high": None})[0],
            _where(row, told) if several else "",
            row[metric],
            said,
        )
        for row in ends
    ]


def _undefined(rows: Iterable[Row], metric: str) -> str:
    """Why a number of a problem about pairs is null."""
    missing = [row for row in rows if row.get(metric) is None]
    if all(row["correct"] < 2 for row in missing):
        return "fewer than two correct solutions"
    return "no two correct solutions have profiles on one test that can be compared"


def _where(row: Row, told: Sequence[str]) -> str:
    parts = [(name, row[name]) for name in told if row[name] is not None]
    return ", ".join(
        f"{name} {text(found)}" if name in {"temperature", "size"} else str(found) for name, found in parts
    )
