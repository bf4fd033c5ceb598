"""What analyses find in several runs together, and whether a run has what an analysis takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from evalfw.errors import InputError
from evalfw.report.runs import Run

TIMED: Final = "a profiler of run time, such as pytest_benchmark, and the metric runtime"
"""What an experiment lists to have run times."""


def gathered(
    runs: Sequence[Run], find: Callable[[Run], Iterable[Mapping[str, Any]]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows that an analysis finds in each run, with the name of the run in front.

    Returns:
        The rows, and why those runs have none for which the analysis has raised an InputError.
    """
    rows: list[dict[str, Any]] = []
    reasons: dict[str, list[str]] = {}
    for run in runs:
        try:
            rows += [{"run": run.name, **row} for row in find(run)]
        except InputError as error:
            reasons.setdefault(" ".join(str(error).split()), []).append(run.name)
    return rows, [f"{', '.join(names)}: {why}" if len(runs) > 1 else why for why, names in reasons.items()]


def need(run: Run, table: str, columns: Sequence[str], how: str) -> None:
    """See that a table of the run has columns.

    Args:
        run: The run.
        table: Its name.
        columns: Their names.
        how: What an experiment lists to have them.

    Raises:
        InputError: One is missing.
    """
    known = {name for row in run.tables[table] for name in row}
    missing = [name for name in columns if name not in known]
    if missing:
        raise InputError(f"the run has no {', '.join(missing)}: list {how}")
