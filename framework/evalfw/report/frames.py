"""The results tables as pandas data frames, and as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalfw.errors import InputError
from evalfw.store.run import RunStore

if TYPE_CHECKING:
    import pandas as pd

_CONDITION = ("dataset", "model", "temperature", "profiler", "size")
_COLUMNS: Mapping[str, Sequence[str]] = {
    "conditions": (*_CONDITION, "metric", "value", "low", "high", "n", "left_out", "reason"),
    "problems": (*_CONDITION, "problem", "samples", "correct", "distinct", "tests", "pool"),
    "solutions": (
        *(*_CONDITION, "problem", "solution", "index", "status", "duplicate_of"),
        *("verdict", "reason", "test", "profiles"),
    ),
    "pairs": (*_CONDITION, "problem", "test", "solution_a", "solution_b"),
    "profiles": (*_CONDITION, "problem", "solution", "test", "pool", "outcome", "reason"),
    "canonical": (*_CONDITION, "problem", "test", "outcome", "reason", "groups", "cv"),
    "buckets": ("dataset", "problem", "size", "tests", "drawn", "reason"),
    "traits": ("dataset", "problem", "trait", "value"),
    "sampling": (
        *("dataset", "model", "temperature", "asked", "completions", "missing"),
        *("ok", "truncated", "filtered", "empty_answer", "no_code", "distinct"),
        *("input_tokens", "output_tokens", "reasoning_tokens", "cost", "median_seconds", "served_by"),
    ),
    "excluded": (*_CONDITION, "what", "why", "count"),
}
"""Columns that a table has in any case; the columns of the experiment's metrics follow."""

TABLES = tuple(_COLUMNS)
"""Names of the results tables."""

BEHIND = ("subjects", "tests", "executions", "sections")
"""Names of what is stored beside them: where the things are that the tables speak of, and what plugins have to say."""


def read_tables(store: RunStore) -> Mapping[str, list[Mapping[str, Any]]]:
    """The tables of a finished run.

    Raises:
        InputError: The run has not finished.
    """
    tables = {name: store.results(name) for name in TABLES}
    if not tables["problems"]:
        counts = ", ".join(f"{count} {name}s" for name, count in store.counts().items())
        raise InputError(
            f"{store.directory} has no results yet: the run has not finished (stored: {counts}).\n"
            "Continue it with `evalfw run` and the same experiment file."
        )
    return tables


def added(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Columns of numbers that the metrics of an experiment have added to a table."""
    columns = dict.fromkeys(key for row in rows for key in row if key not in _COLUMNS[name])
    kinds = {column: {type(row.get(column)) for row in rows} - {type(None)} for column in columns}
    return [column for column in columns if kinds[column] and kinds[column] <= {int, float}]


def frame(name: str, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One table as a data frame; whole numbers stay whole where values are missing, however large they are."""
    import pandas as pd

    columns = list(dict.fromkeys([*_COLUMNS[name], *(key for row in rows for key in row)]))
    data = {column: _series([row.get(column) for row in rows]) for column in columns}
    return pd.DataFrame(data, columns=columns)


def export(store: RunStore, kind: str, out: Path) -> list[Path]:
    """Write the tables of a finished run, and with `jsonl` the completions in the form that `replay` reads.

    Returns:
        The files written.

    Raises:
        InputError: The run has not finished, the folder cannot be written, or the format needs a package that
            is not installed.
    """
    tables = read_tables(store)
    try:
        out.mkdir(parents=True, exist_ok=True)
        written = []
        for name, rows in tables.items():
            path = out / f"{name}.{kind}"
            _WRITERS[kind](frame(name, rows), path)
            written.append(path)
        if kind == "jsonl":
            written.append(out / "completions.jsonl")
            _write_completions(store, written[-1])
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return written


def _series(values: list[Any]) -> pd.Series[Any]:
    import pandas as pd

    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pd.Series(values, dtype="boolean")
    if kinds == {int}:
        fits = all(-(2**63) <= value < 2**63 for value in values if value is not None)
        return pd.Series(values, dtype="Int64" if fits else "object")
    if kinds and kinds <= {int, float}:
        return pd.Series(values, dtype="Float64")
    return pd.Series(values, dtype="object")


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    table.to_csv(path, index=False, lineterminator="\n")


def _write_jsonl(table: pd.DataFrame, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in table.astype(object).where(table.notna(), None).to_dict("records"):
            file.write(json.dumps(row) + "\n")


def _write_parquet(table: pd.DataFrame, path: Path) -> None:
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError as error:
        raise InputError("parquet files need the package pyarrow: pip install 'evalfw[parquet]'") from error
    for column in table.select_dtypes(object).columns:
        # Whole numbers of more than 64 bits have no column type of their own; as text they lose nothing.
        table[column] = table[column].map(lambda value: None if value is None else str(value)).astype("string")
    table.to_parquet(path, index=False)


_WRITERS: Mapping[str, Callable[[pd.DataFrame, Path], None]] = {
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}

FORMATS = tuple(_WRITERS)
"""File formats of `export`."""


def _write_completions(store: RunStore, path: Path) -> None:
    used = {row["key"] for row in store.results("completions")}
    with path.open("w", encoding="utf-8") as file:
        for sample in store.samples():
            row = store.completion(sample.completion) if sample.completion in used else None
            if row is not None:
                record = {
                    "dataset": sample.dataset,
                    "problem_id": sample.problem,
                    "model": sample.model,
                    "temperature": sample.temperature,
                    "index": sample.index,
                    "prompt": row.prompt,
                    "completion": row.text,
                    "finish_reason": row.finish_reason,
                    "code": row.solution.code,
                    "reasoning": row.reasoning,
                    "input_tokens": row.usage.input_tokens,
                    "output_tokens": row.usage.output_tokens,
                    "reasoning_tokens": row.usage.reasoning_tokens,
                    "seconds": row.seconds,
                    "served_by": row.served_by,
                    "fingerprint": row.fingerprint,
                    "sent": row.sent,
                    "cost": row.cost,
                }
                file.write(json.dumps(record) + "\n")  # in ASCII, since answers may hold half surrogate pairs
