"""The run directory and its database.

One process writes: the parent of the run. Everybody may read meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Self, TypeAlias

from evalfw.domain.answer import ExtractionStatus, Outcome, Solution, Usage, Verdict
from evalfw.domain.cohort import Measure
from evalfw.domain.problem import Json, Problem
from evalfw.errors import InputError, RunError
from evalfw.store import problems
from evalfw.store.rows import Answer, StoredCompletion, StoredProfile, StoredSample, StoredVerdict
from evalfw.store.schema import SCHEMA, VERSION

Row: TypeAlias = Mapping[str, Any]
"""One row of a results table."""


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
                db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
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

    # -- the plan --------------------------------------------------------------------------------------------

    def replace_plan(self, content: Mapping[str, Json], of: Iterable[tuple[str, Problem]]) -> None:
        """Store what is known before the first completion, in place of what was there.

        Args:
            content: Plain data.
            of: The problems by key; one that is there is not stored again.
        """
        known = {key for (key,) in self._db.execute("SELECT key FROM problem")}
        self._db.executemany(
            "INSERT INTO problem VALUES (?, ?)",
            ((key, problems.pack(problem)) for key, problem in dict(of).items() if key not in known),
        )
        self._db.execute("DELETE FROM plan")
        self._db.execute("INSERT INTO plan VALUES (?)", (zlib.compress(json.dumps(content).encode()),))

    def plan(self) -> Mapping[str, Any] | None:
        """The plan as it was put in."""
        row = self._db.execute("SELECT content FROM plan").fetchone()
        return None if row is None else json.loads(zlib.decompress(row[0]))

    def problem(self, key: str) -> Problem | None:
        """The problem of this key."""
        row = self._db.execute("SELECT content FROM problem WHERE key = ?", (key,)).fetchone()
        return None if row is None else problems.unpack(row[0])

    # -- size buckets -----------------------------------------------------------------------------------------

    def put_bucket(self, key: str, content: Mapping[str, Json]) -> None:
        """Store the generated tests of one problem and size, once."""
        self._db.execute("INSERT OR IGNORE INTO bucket VALUES (?, ?)", (key, json.dumps(content, allow_nan=False)))

    def bucket(self, key: str) -> Mapping[str, Any] | None:
        """The generated tests of this key, as they were put in."""
        row = self._db.execute("SELECT content FROM bucket WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    # -- samples and completions -------------------------------------------------------------------------

    def forget_samples(self) -> None:
        """Forget which samples were asked for; their completions stay."""
        self._db.execute("DELETE FROM sample")

    def put_sample(self, row: StoredSample) -> None:
        """Store that a sample is asked for, in place of what was said of it before."""
        self._db.execute(
            "INSERT OR REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(row.place, row.index, row.dataset, row.problem, row.model),
                *(row.temperature, row.completion, row.unasked),
            ),
        )

    def samples(self) -> list[StoredSample]:
        """The samples that the experiment asks for, in its order, with what has come."""
        rows = self._db.execute(
            "SELECT s.place, s.sample, s.dataset, s.problem, s.model, s.temperature, s.completion, s.unasked,"
            " c.status, c.code, c.reason, c.form, c.finish_reason, c.input_tokens, c.output_tokens,"
            " c.reasoning_tokens, c.seconds, c.served_by, c.cost"
            " FROM sample s LEFT JOIN completion c ON c.key = s.completion ORDER BY s.place, s.sample"
        )
        return [_sample(row) for row in rows]

    def put_completion(self, row: StoredCompletion) -> None:
        """Store a completion, once. One that is there keeps its text; labels and what is extracted may change."""
        solution, usage = row.solution, row.usage
        self._db.execute(
            f"INSERT INTO completion VALUES ({', '.join('?' * 24)}) ON CONFLICT (key) DO UPDATE"
            " SET dataset = excluded.dataset, model = excluded.model, extractor = excluded.extractor,"
            " status = excluded.status, code = excluded.code, reason = excluded.reason, form = excluded.form",
            (
                *(row.key, row.dataset, row.problem, row.model, row.temperature, row.index),
                *(_blob(row.prompt), _blob(row.text), _word(row.finish_reason), _blob(row.reasoning)),
                *(usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, row.seconds),
                *(_word(row.served_by), _word(row.fingerprint), json.dumps(dict(row.sent)), row.free, row.cost),
                *(row.extractor, solution.status, _blob(solution.code), solution.reason, row.form),
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

    def spent(self) -> tuple[int, float]:
        """How many completions are stored of models that are not free, and what these cost as far as is known."""
        row = self._db.execute("SELECT count(*), total(cost) FROM completion WHERE NOT free").fetchone()
        return row[0], row[1]

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

    def stderr(self, key: str) -> bytes:
        """What was printed to standard error in the execution of this verdict, as far as it was kept."""
        row = self._db.execute("SELECT stderr FROM verdict WHERE key = ?", (key,)).fetchone()
        return b"" if row is None else bytes(row[0])

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

    def packed_profile(self, key: str) -> tuple[str, bytes] | None:
        """The kind and the bytes of the profile of this key."""
        row = self._db.execute("SELECT kind, data FROM profile WHERE key = ? AND kind IS NOT NULL", (key,)).fetchone()
        return None if row is None else (row[0], row[1])

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

    def put_sections(self, sections: Iterable[tuple[str, str]]) -> None:
        """Store the titles and texts that plugins add to the summary of the finished run."""
        self._db.executemany(
            "INSERT INTO result VALUES ('sections', ?, ?)",
            ((place, json.dumps({"title": title, "text": text})) for place, (title, text) in enumerate(sections)),
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
    if version not in (0, VERSION):
        raise InputError(
            f"{directory}/run.db has schema version {version}, this evalfw reads {VERSION}:"
            " use the version that made it, or another --out"
        )
    return version


def _blob(text: str) -> bytes:
    """Text as bytes. Answers of models may hold half surrogate pairs, which SQLite's text cannot."""
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")


def _word(text: str | None) -> str | None:
    """A text of a provider, fit for a column of text."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


def _completion(row: Sequence[Any]) -> StoredCompletion:
    key, dataset, problem, model, temperature, index, prompt, text, finish_reason, reasoning = row[:10]
    input_tokens, output_tokens, reasoning_tokens, seconds, served_by, fingerprint, sent, free, cost = row[10:19]
    extractor, status, code, reason, form = row[19:]
    return StoredCompletion(
        *(key, dataset, problem, model, temperature, index, _text(prompt), _text(text), finish_reason, extractor),
        solution=_solution(status, code, reason),
        form=form,
        reasoning=_text(reasoning),
        usage=Usage(input_tokens, output_tokens, reasoning_tokens),
        seconds=seconds,
        served_by=served_by,
        fingerprint=fingerprint,
        sent=json.loads(sent),
        free=bool(free),
        cost=cost,
    )


def _sample(row: Sequence[Any]) -> StoredSample:
    place, index, dataset, problem, model, temperature, completion, unasked = row[:8]
    return StoredSample(
        *(place, index, dataset, problem, model, temperature, completion, unasked), answer=_answer(row[8:])
    )


def _answer(row: Sequence[Any]) -> Answer | None:
    status, code, reason, form, finish_reason, *tokens, seconds, served_by, cost = row
    if status is None:
        return None
    return Answer(_solution(status, code, reason), form, finish_reason, Usage(*tokens), seconds, served_by, cost)


def _solution(status: ExtractionStatus, code: bytes, reason: str | None) -> Solution:
    return Solution(status, _text(code), reason)
