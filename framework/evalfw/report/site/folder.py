"""The folder of a report: replaced as a whole by the next one, and nothing in it is touched that is not of a report."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalfw.errors import InputError

MARKER = ".evalfw-report.json"
"""The file that lists what is of the report, by paths from the folder."""

_DRAFT = ".unfinished"


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A folder to write a report to, which at the end takes the place of the report in `out`.

    Until then, and if the work fails, the former report stays as it is.

    Args:
        out: The folder of the report; it is made where there is none.

    Raises:
        InputError: It holds something else than a report, or cannot be written.
    """
    try:
        former = _claim(out)
        draft = out / _DRAFT
        shutil.rmtree(draft, ignore_errors=True)  # of one that was killed
        draft.mkdir()
        try:
            yield draft
            _swap(out, draft, former)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error


def _claim(out: Path) -> list[str]:
    """Mark a folder as one of a report; returns what the former report in it consists of."""
    out.mkdir(parents=True, exist_ok=True)
    marker = out / MARKER
    if marker.is_file():
        return _listed(marker)
    if any(out.iterdir()):
        raise InputError(
            f"{out} is not empty and holds no report of evalfw: name another folder with --out, or empty this one"
        )
    _mark(out, [])
    return []


def _listed(marker: Path) -> list[str]:
    try:
        content = json.loads(marker.read_text(encoding="utf-8"))
        return [str(name) for name in content["files"]]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{marker} cannot be read as the list of the files of a report: name another folder with --out, or remove"
            f" {marker.parent}"
        ) from error


def _mark(out: Path, names: list[str]) -> None:
    text = json.dumps(
        {"about": "Files of a report of evalfw; the next report replaces them.", "files": names}, indent=1
    )
    (out / MARKER).write_text(text + "\n", encoding="utf-8")


def _swap(out: Path, draft: Path, former: list[str]) -> None:
    """Put the new files in the place of the former ones; whenever this is broken off, all are still listed."""
    names = sorted(path.relative_to(draft).as_posix() for path in draft.rglob("*") if path.is_file())
    gone = sorted(set(former) - set(names))
    _mark(out, sorted({*former, *names}))
    for name in names:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (draft / name).replace(out / name)
    for name in gone:
        _remove(out, name)
    _mark(out, names)


def _remove(out: Path, name: str) -> None:
    """Remove a file and the folders that are empty then, inside the folder of the report alone."""
    path = out / name
    inside = path.parent.resolve().is_relative_to(out.resolve())  # the list might have been written by anybody
    if inside and (path.is_file() or path.is_symlink()):
        path.unlink()
        folder = path.parent
        while folder != out and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
