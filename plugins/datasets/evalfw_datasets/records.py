"""Records from a file: JSON Lines (also gzipped), JSON or Parquet."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NoReturn

from evalfw import InputError


@dataclass(frozen=True, slots=True)
class Record:
    """One record, and where it stands.

    Args:
        data: Its fields, as they were read.
        where: `file:line`, or `file: item 3` where a file has no line for each record; counted from 1.
    """

    data: Mapping[str, object]
    where: str


def data_files(path: Path, stem: str | None = None) -> list[Path]:
    """The file itself, or the files of a folder that can be read, in order of their names.

    Args:
        path: A file or a folder.
        stem: Of a folder, only the files named `<stem>.*`, `<stem>-*` or `<stem>_*` are meant.

    Raises:
        InputError: There is nothing at `path`, or nothing that can be read.
    """
    if path.is_file():
        _suffix(path)
        return [path]
    if not path.exists():
        raise InputError(_missing(path))
    readable = sorted(file for file in path.iterdir() if file.is_file() and file.name.endswith(tuple(_READERS)))
    chosen = [file for file in readable if stem is None or file.name.startswith((f"{stem}.", f"{stem}-", f"{stem}_"))]
    if not chosen:
        wanted = "no file" if stem is None else f"no file named {stem}.*, {stem}-* or {stem}_*"
        there = ", ".join(file.name for file in readable) or "none"
        raise InputError(f"{path}: {wanted} of a kind that can be read ({', '.join(_READERS)}); found: {there}")
    return chosen


def read_records(path: Path, without: Collection[str] = ()) -> Iterator[Record]:
    """The records of one file, one at a time.

    Args:
        path: A file; its kind is told by its name.
        without: Fields that nobody wants. A Parquet file is read without them, which saves most of its size;
            the other kinds hold them still.

    Raises:
        InputError: The file cannot be read, or one of its records is broken; the message says which.
    """
    reader = _READERS[_suffix(path)]
    try:
        yield from reader(path, without)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def fingerprint(files: Sequence[Path]) -> str:
    """SHA-256 of the content of a file; of several, of their names and contents."""
    digests = []
    for file in files:
        with file.open("rb") as content:
            digests.append(file_digest(content, "sha256").hexdigest())
    if len(files) == 1:
        return f"sha256:{digests[0]}"
    listing = "".join(f"{digest}  {file.name}\n" for file, digest in zip(files, digests, strict=True))
    return f"sha256:{sha256(listing.encode()).hexdigest()}"


def _json_lines(path: Path, without: Collection[str]) -> Iterator[Record]:
    with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{path}:{number}"
                yield _record(_parse(line.strip(), where), where)


def _json(path: Path, without: Collection[str]) -> Iterator[Record]:
    content = _parse(path.read_bytes(), str(path))
    if isinstance(content, list):
        for number, item in enumerate(content, 1):
            yield _record(item, f"{path}: item {number}")
    else:
        yield _record(content, str(path))


def _parquet(path: Path, without: Collection[str]) -> Iterator[Record]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(f"{path}: Parquet needs pyarrow; install it with: pip install 'evalfw[parquet]'") from error
    try:
        with parquet.ParquetFile(path) as table:
            columns = [name for name in table.schema_arrow.names if name not in without]
            number = 0
            for batch in table.iter_batches(batch_size=32, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield _record(row, f"{path}: row {number}")
    except pyarrow.ArrowException as error:
        raise InputError(f"{path}: not a Parquet file that can be read: {error}") from error


_READERS: dict[str, Callable[[Path, Collection[str]], Iterator[Record]]] = {
    ".jsonl": _json_lines,
    ".jsonl.gz": _json_lines,
    ".json": _json,
    ".parquet": _parquet,
}


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


def _suffix(path: Path) -> str:
    for suffix in _READERS:
        if path.name.endswith(suffix):
            return suffix
    raise InputError(f"{path}: unknown kind of file (allowed: {', '.join(_READERS)})")


def _missing(path: Path) -> str:
    if not path.parent.is_dir():
        return f"{path}: there is no folder {path.parent}"
    close = get_close_matches(path.name, sorted(sibling.name for sibling in path.parent.iterdir()), n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"{path}: there is no such file or folder{hint}"


def _parse(text: bytes, where: str) -> object:
    try:
        parsed: object = json.loads(text, parse_constant=_not_json)
        if _SURROGATE.search(text):
            json.dumps(parsed, ensure_ascii=False).encode()  # half a pair is no text: nothing could be fed with it
    except json.JSONDecodeError as error:
        line = "" if error.lineno == 1 else f"line {error.lineno}, "
        raise InputError(f"{where}: not JSON: {error.msg} ({line}column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON that can be read: {error}") from error
    return parsed


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _record(data: object, where: str) -> Record:
    if not isinstance(data, dict):
        raise InputError(f"{where}: an object with named fields is needed, found a {type(data).__name__}")
    return Record(data, where)
