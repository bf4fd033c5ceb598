"""The run directory and its database.

One process writes: the parent of the run. Everybody may read meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

from evalfw.domain.answer import ExtractionStatus, Outcome, Solution, Verdict
from evalfw.domain.cohort import Measure
from evalfw.domain.problem import Json
from evalfw.errors import InputError, RunError

SCHEMA_VERSION = 2

Row: TypeAlias = Mapping[str, Any]
"""One row of a results table."""

_SCHEMA = """
CREATE TABLE completion (
    key TEXT PRIMARY KEY, dataset TEXT NOT NULL, problem TEXT NOT NULL, model TEXT NOT NULL, temperature REAL,
    sample INTEGER NOT NULL, prompt BLOB NOT NULL, text BLOB NOT NULL, finish_reason TEXT NOT NULL,
    extractor INTEGER NOT NULL, status TEXT NOT NULL, code BLOB NOT NULL, reason TEXT
) WITHOUT ROWID;
CREATE TABLE verdict (
    key TEXT PRIMARY KEY, outcome TEXT NOT NULL, reason TEXT NOT NULL, stderr BLOB NOT NULL,
    cpu_seconds REAL NOT NULL, wall_seconds REAL NOT NULL, peak_bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE profile (
    key TEXT PRIMARY KEY, verdict TEXT NOT NULL REFERENCES verdict (key), outcome TEXT NOT NULL,
    reason TEXT NOT NULL, kind TEXT, facts TEXT, data BLOB
) WITHOUT ROWID;
CREATE TABLE bucket (key TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE measure (key TEXT PRIMARY KEY, rows TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE result (
    name TEXT NOT NULL, position INTEGER NOT NULL, row TEXT NOT NULL, PRIMARY KEY (name, position)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class StoredCompletion:
    """A completion as it is stored, with what was extracted from it."""

    key: str
    dataset: str
    problem: str
    model: str
    temperature: float | None
    index: int
    prompt: str
    text: str
    finish_reason: str
    extractor: int
    solution: Solution


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict on one test, with the figures of the execution."""

    key: str
    verdict: Verdict
    stderr: bytes = b""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """A profile as it is stored; without one `kind`, `facts` and `data` are None, and `verdict` says why."""

    key: str
    judged: str
    verdict: Verdict
    kind: str | None = None
    facts: Mapping[str, Json] | None = None
    data: bytes | None = None


class RunStore:
    """The database of one run. Made by `create` for the one writer, by `read` for everybody else."""

    def __init__(self, directory: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.directory = directory
        self._db = connection
        self._lock = lock

    @classmethod
    def create(cls, directory: Path) -> Self:
        """Open a run for writing, making it where there is none.

        Raises:
            RunError: Another process is writing to it, or the directory cannot be written.
            InputError: It was made by another version of evalfw.
        """
        try:
            directory.mkdir(parents=True, exist_ok=True)
            lock = os.open(directory / "run.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunError(f"{directory}: the run directory cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise RunError(f"{directory}: another evalfw process is writing to this run") from error
        db = sqlite3.connect(directory / "run.db", isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = ON")
            version = _version(db, directory)
            if version == 0:
                db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
        except Exception:
            db.close()
            os.close(lock)
            raise
        db.execute("BEGIN")
        return cls(directory, db, lock)

    @classmethod
    def read(cls, directory: Path) -> Self:
        """Open a run for reading, also while it is going on.

        Raises:
            InputError: There is no run, or it was made by another version of evalfw.
        """
        path = directory / "run.db"
        if not path.is_file():
            raise InputError(f"{directory} is not a run directory: it has no run.db. `evalfw run` makes one.")
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            _version(db, directory)
        except sqlite3.DatabaseError as error:
            db.close()
            raise InputError(f"{path} cannot be read: {error}") from error
        except InputError:
            db.close()
            raise
        return cls(directory, db, None)

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Keep what was stored and let go."""
        self.close()

    def close(self) -> None:
        """Keep what was stored and let go."""
        if self._lock is not None:
            self.commit()
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def commit(self) -> None:
        """Make what was put in so far durable."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    # -- size buckets -----------------------------------------------------------------------------------------

    def put_bucket(self, key: str, content: Mapping[str, Json]) -> None:
        """Store the generated tests of one problem and size, once."""
        self._db.execute("INSERT OR IGNORE INTO bucket VALUES (?, ?)", (key, json.dumps(content, allow_nan=False)))

    def bucket(self, key: str) -> Mapping[str, Any] | None:
        """The generated tests of this key, as they were put in."""
        row = self._db.execute("SELECT content FROM bucket WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    # -- completions --------------------------------------------------------------------------------------

    def put_completion(self, row: StoredCompletion) -> None:
        """Store a completion, once. One that is there keeps its text; labels and what is extracted may change."""
        solution = row.solution
        self._db.execute(
            "INSERT INTO completion VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET dataset = excluded.dataset, model = excluded.model, extractor = excluded.extractor,"
            " status = excluded.status, code = excluded.code, reason = excluded.reason",
            (
                *(
                    row.key,
                    row.dataset,
                    row.problem,
                    row.model,
                    row.temperature,
                    row.index,
                    _blob(row.prompt),
                ),
                *(_blob(row.text), row.finish_reason, row.extractor),
                *(solution.status, _blob(solution.code), solution.reason),
            ),
        )

    def completion(self, key: str) -> StoredCompletion | None:
        """The completion of this key."""
        row = self._db.execute("SELECT * FROM completion WHERE key = ?", (key,)).fetchone()
        return None if row is None else _completion(row)

    def completions(self) -> Iterator[StoredCompletion]:
        """All completions, in an order that does not depend on when they came."""
        order = "dataset, problem, model, temperature, sample, key"
        with closing(self._db.execute(f"SELECT * FROM completion ORDER BY {order}")) as rows:
            yield from map(_completion, rows)

    # -- verdicts and profiles -------------------------------------------------------------------------------

    def put_verdict(self, row: StoredVerdict) -> None:
        """Store a verdict, once."""
        self._db.execute(
            "INSERT OR IGNORE INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(row.key, row.verdict.outcome.value, row.verdict.reason, row.stderr),
                *(row.cpu_seconds, row.wall_seconds, row.peak_bytes),
            ),
        )

    def verdict(self, key: str) -> Verdict | None:
        """The verdict of this key."""
        row = self._db.execute("SELECT outcome, reason FROM verdict WHERE key = ?", (key,)).fetchone()
        return None if row is None else Verdict(Outcome(row[0]), row[1])

    def put_profile(self, row: StoredProfile) -> None:
        """Store a profile or the reason why there is none, once."""
        self._db.execute(
            "INSERT OR IGNORE INTO profile VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(row.key, row.judged, row.verdict.outcome.value, row.verdict.reason, row.kind),
                *(None if row.facts is None else json.dumps(row.facts, allow_nan=False), row.data),
            ),
        )

    def profile_verdict(self, key: str) -> Verdict | None:
        """How the profiled execution of this key went; None if there was none."""
        row = self._db.execute("SELECT outcome, reason FROM profile WHERE key = ?", (key,)).fetchone()
        return None if row is None else Verdict(Outcome(row[0]), row[1])

    def profile_facts(self, key: str) -> Mapping[str, Json]:
        """What the profile of this key says about itself; empty if there is none."""
        row = self._db.execute("SELECT facts FROM profile WHERE key = ?", (key,)).fetchone()
        return {} if row is None or row[0] is None else json.loads(row[0])

    def profile_data(self, key: str) -> bytes | None:
        """The packed profile of this key."""
        row = self._db.execute("SELECT data FROM profile WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    # -- measures and results -------------------------------------------------------------------------------

    def put_measures(self, key: str, measures: Sequence[Measure]) -> None:
        """Store what a metric found in a cohort, once."""
        rows = [[dict(m.values), list(m.solutions), m.test, m.reason] for m in measures]
        self._db.execute("INSERT OR IGNORE INTO measure VALUES (?, ?)", (key, json.dumps(rows, allow_nan=False)))

    def measures(self, key: str) -> tuple[Measure, ...] | None:
        """What a metric found in a cohort; None if it has not looked."""
        row = self._db.execute("SELECT rows FROM measure WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        return tuple(
            Measure(values, tuple(solutions), test, reason) for values, solutions, test, reason in json.loads(row[0])
        )

    def replace_results(self, tables: Mapping[str, Iterable[Row]]) -> None:
        """Store the tables of the finished run, in place of what was there, all at once."""
        self._db.execute("DELETE FROM result")
        for name, rows in tables.items():
            self._db.executemany(
                "INSERT INTO result VALUES (?, ?, ?)",
                ((name, position, json.dumps(row, allow_nan=False)) for position, row in enumerate(rows)),
            )
        self.commit()

    def results(self, name: str) -> list[Row]:
        """The rows of one table of the finished run, in order; empty before the run has finished."""
        rows = self._db.execute("SELECT row FROM result WHERE name = ? ORDER BY position", (name,))
        return [json.loads(row) for (row,) in rows]

    def counts(self) -> Mapping[str, int]:
        """How much is stored: rows by table."""
        names = ("completion", "verdict", "profile", "measure")
        return {name: self._db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def _version(db: sqlite3.Connection, directory: Path) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, SCHEMA_VERSION):
        raise InputError(
            f"{directory}/run.db has schema version {version}, this evalfw reads {SCHEMA_VERSION}:"
            " use the version that made it, or another --out"
        )
    return version


def _blob(text: str) -> bytes:
    """Text as bytes. Answers of models may hold half surrogate pairs, which SQLite's text cannot."""
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")


def _completion(row: Sequence[Any]) -> StoredCompletion:
    (
        key,
        dataset,
        problem,
        model,
        temperature,
        index,
        prompt,
        text,
        finish,
        extractor,
        status,
        code,
        reason,
    ) = row
    kind: ExtractionStatus = status
    solution = Solution(kind, _text(code), reason)
    return StoredCompletion(
        *(key, dataset, problem, model, temperature, index),
        *(_text(prompt), _text(text), finish, extractor, solution),
    )
