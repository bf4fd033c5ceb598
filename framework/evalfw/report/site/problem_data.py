"""What the script of a problem's page is given: cohorts, their profiles as curves, and the numbers of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from statistics import fmean
from typing import Any, Final

from evalfw.domain.profile import MemoryOverTime, MemoryProfile, Series
from evalfw.report import cells
from evalfw.report.cohorts import PARTS, CohortRows, Row, divergence
from evalfw.report.conditions import CONDITION
from evalfw.report.curves import KINDS, raised, read_series, staircase
from evalfw.report.site.programs import Programs
from evalfw.store.run import RunStore

MOST_TESTS: Final = 10
"""How many tests of a cohort are drawn at most."""

MOST_ON_PAGE: Final = 1000
MOST_IN_ALL: Final = 24_000
"""About how many curves a page has at most, and a report: of a larger one fewer tests are drawn."""

_EXACT = 2**53
_NO_FACTS = (*CONDITION, "problem", "solution", "test", "pool", "outcome", "reason", "interpreter", "instrument")


@dataclass
class PageData:
    """The data of one page, where each profile and each program stands once.

    Args:
        programs: Of the page.
        several: Whether the report is about several runs, so that their names tell cohorts apart.
        in_all: How many correct solutions there are in all cohorts of the report.
    """

    programs: Programs
    several: bool
    in_all: int
    profiles: list[Mapping[str, Any]] = field(default_factory=list)
    _known: dict[tuple[str, str], int | None] = field(default_factory=dict)

    def cohorts(self, found: Sequence[CohortRows], stores: Mapping[str, RunStore]) -> dict[str, Any]:
        """The cohorts of the page.

        Args:
            found: In order.
            stores: Of the runs, by name.
        """
        here = max(1, sum(len(cohort.correct) for cohort in found))
        tests = max(1, min(MOST_TESTS, MOST_ON_PAGE // here, MOST_IN_ALL // max(here, self.in_all)))
        made = [self._cohort(cohort, stores[cohort.run.name], tests) for cohort in found]
        return {"cohorts": made, "start": _largest([each["divergence"] for each in made]), "profiles": self.profiles}

    def _cohort(self, cohort: CohortRows, store: RunStore, most: int) -> dict[str, Any]:
        columns = cohort.compared()
        main = divergence(columns)
        means = {test: None if main is None else cohort.mean(main, test) for test in cohort.profiles}
        worst = sorted(means, key=lambda test: -1.0 if (mean := means[test]) is None else mean, reverse=True)[:most]
        tests = [test for test in cohort.profiles if test in worst]
        by_problem = None if main is None else cohort.problem.get(main)
        names = [row["solution"] for row in cohort.correct]
        return {
            "label": label(cohort, self.several),
            "divergence": by_problem,
            "main": main,
            "columns": columns,
            "left": len(cohort.profiles) - len(tests),
            "solutions": [self._solution(row, cohort, store) for row in cohort.correct],
            "tests": [self._test(test, names, columns, cohort, store) for test in tests],
            "start": _largest([means[test] for test in tests]),
            "any": _numbers(cohort, columns, None),
            "over": {name: _over_tests(cohort, name) for name in columns},
        }

    def _solution(self, row: Row, cohort: CohortRows, store: RunStore) -> dict[str, Any]:
        execution = cohort.executions[row["index"]]
        return {
            "index": row["index"],
            "program": self.programs.number(store, execution["completion"]),
            "nmv": next((row[name] for name in row if name.rpartition(":")[2] == "nmv"), None),
        }

    def _test(
        self, test: str, names: Sequence[str], columns: Sequence[str], cohort: CohortRows, store: RunStore
    ) -> dict[str, Any]:
        rows = cohort.profiles[test]
        keys = [cohort.executions[row["index"]]["profiles"].get(test) for row in cohort.correct]
        packed = next((found for key in keys if key and (found := store.packed_profile(key))), None)
        kind = packed[0] if packed else None
        made = {"id": test, "kind": kind, "pairs": _numbers(cohort, columns, test), "why": _why(names, rows)}
        if kind in KINDS:
            return {**made, "profiles": [self._profile(store, key) for key in keys]}
        return {**made, "facts": _facts([rows.get(name, {}) for name in names])}

    def _profile(self, store: RunStore, key: str | None) -> int | None:
        if key is None:
            return None
        place = str(store.directory), key
        if place not in self._known:
            profile = read_series(store, key)
            self._known[place] = None if profile is None else len(self.profiles)
            if profile is not None:
                self.profiles.append(_drawn(profile))
        return self._known[place]


def label(cohort: CohortRows, several: bool) -> str:
    """What tells the condition of a cohort from others, for a reader."""
    row = cohort.problem
    parts = (
        cohort.run.name if several else None,
        row["model"],
        None if row["temperature"] is None else f"temperature {cells.text(row['temperature'])}",
        row["profiler"],
        None if row["size"] is None else f"size {row['size']}",
    )
    return ", ".join(part for part in parts if part is not None)


def _drawn(profile: Series) -> dict[str, Any]:
    """A profile as the page has it: `n` steps, `p` its peak, and flat lists, which are small.

    `d` has for each step of the curve how much later it begins than the one before, and how many times `g` it is
    higher. `m` has for each line its number, by how many times `g` it raised the profile, and how often. `s` has a
    letter for each step, from `A` on, which says where in `l` the line is that rises there, or the list of several.
    """
    steps = staircase(profile)
    unit = gcd(*(value for value, _ in profile.runs)) or 1
    flat: list[int] = []
    start = value = 0
    for step in steps:
        flat += (step.start - start, (step.value - value) // unit)
        start, value = step.start, step.value
    made: dict[str, Any] = {"n": profile.length, "p": profile.peak, "g": unit, "d": flat}
    if (lines := raised(profile)) is not None:
        made["m"] = [number for each in lines for number in (each.line, each.value // unit, each.times)]
        known = {found: place for place, found in enumerate(dict.fromkeys(step.lines for step in steps))}
        made["l"] = [found[0] if len(found) == 1 else list(found) for found in known]
        made["s"] = "".join(chr(ord("A") + known[step.lines]) for step in steps)
    if isinstance(profile, MemoryOverTime):
        made["i"] = profile.interval
    if isinstance(profile, MemoryProfile) and not profile.exact:
        made["e"] = profile.uncertainty_bytes
    return made


def _numbers(cohort: CohortRows, columns: Sequence[str], test: str | None) -> dict[str, list[Any]]:
    """Columns of the table of pairs on a test, with their exact parts; those without any value are left out."""
    parts = [name + part for name in columns for part in PARTS]
    found = {name: cohort.values(name, test) for name in (*columns, *parts)}
    return {name: list(map(_plain, values)) for name, values in found.items() if any(v is not None for v in values)}


def _over_tests(cohort: CohortRows, column: str) -> list[float | None]:
    """The mean over all tests of a column to six digits, for every two correct solutions in order."""
    by_test = [cohort.values(column, test) for test in cohort.profiles]
    known = [[value for value in values if value is not None] for values in zip(*by_test, strict=True)]
    return [float(f"{fmean(values):.6g}") if values else None for values in known]


def _plain(value: Any) -> Any:  # noqa: ANN401
    """A number as a script can hold it: whole numbers beyond the exact ones as text."""
    return str(value) if isinstance(value, int) and abs(value) >= _EXACT else value


def _why(names: Sequence[str], rows: Mapping[str, Row]) -> dict[int, str]:
    """Why there is no profile, by place of the solution."""
    missing = {}
    for place, name in enumerate(names):
        row = rows.get(name)
        if row is None:
            missing[place] = "not profiled"
        elif row["outcome"] != "accepted":
            missing[place] = ": ".join(filter(None, (row["outcome"], row["reason"])))
    return missing


def _facts(rows: Sequence[Row]) -> dict[str, Any]:
    """What profiles without a curve say of themselves, as a table."""
    columns = list(dict.fromkeys(name for row in rows for name in row if name not in _NO_FACTS))
    return {"columns": columns, "rows": [[_plain(row.get(name)) for name in columns] for row in rows]}


def _largest(values: Sequence[float | None]) -> int:
    """Where the largest is, the first of several; 0 where none is known."""
    known = [place for place, value in enumerate(values) if value is not None]
    return max(known, key=lambda place: values[place] or 0.0, default=0)
