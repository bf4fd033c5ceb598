"""The tables of the database of a run."""

from __future__ import annotations

from typing import Final

VERSION: Final = 3
"""Raised whenever the tables change; another version is refused, not guessed at."""

SCHEMA: Final = """
CREATE TABLE plan (content BLOB NOT NULL);
CREATE TABLE problem (key TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE sample (
    place INTEGER NOT NULL, sample INTEGER NOT NULL, dataset TEXT NOT NULL, problem TEXT NOT NULL, model TEXT NOT NULL,
    temperature REAL, completion TEXT NOT NULL, unasked TEXT, PRIMARY KEY (place, sample)
) WITHOUT ROWID;
CREATE TABLE completion (
    key TEXT PRIMARY KEY, dataset TEXT NOT NULL, problem TEXT NOT NULL, model TEXT NOT NULL, temperature REAL,
    sample INTEGER NOT NULL, prompt BLOB NOT NULL, text BLOB NOT NULL, finish_reason TEXT NOT NULL,
    reasoning BLOB NOT NULL, input_tokens INTEGER, output_tokens INTEGER, reasoning_tokens INTEGER, seconds REAL,
    served_by TEXT, fingerprint TEXT, sent TEXT NOT NULL, free INTEGER NOT NULL, cost REAL,
    extractor INTEGER NOT NULL, status TEXT NOT NULL, code BLOB NOT NULL, reason TEXT, form TEXT NOT NULL
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
