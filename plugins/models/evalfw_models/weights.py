"""Weights on disk: that they are there, and the digest that stands for their content."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path

from evalfw import InputError
from evalfw_models.missing import missing


def weights_file(path: Path, magic: bytes) -> Path:
    """The path, once it is known that a file of the kind is there.

    Args:
        path: Of the file.
        magic: How a file of its kind begins.

    Raises:
        InputError: There is none, it cannot be read, or it begins otherwise.
    """
    try:
        with path.open("rb") as content:
            found = content.read(len(magic))
    except FileNotFoundError as error:
        raise InputError(missing(path)) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if found != magic:
        raise InputError(f"{path}: no {magic.decode()} file: it begins with {found!r}, not with {magic!r}")
    return path


def weights_folder(path: Path, needed: str) -> Path:
    """The path, once it is known that a folder with a certain file is there.

    Raises:
        InputError: There is no such folder, or no such file in it.
    """
    if not path.exists():
        raise InputError(missing(path))
    if not path.is_dir():
        raise InputError(f"{path}: it is no folder")
    if not (path / needed).is_file():
        found = ", ".join(sorted(entry.name for entry in path.iterdir())[:10]) or "nothing"
        raise InputError(f"{path}: no folder with weights: there is no {needed} in it (found: {found})")
    return path


def digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of the files right in a folder.

    Hidden files and `*.md` are left out: no library reads them. Every byte of the others is read, which takes a
    second or so for each gigabyte.
    """
    if path.is_file():
        return f"sha256:{_content(path)}"
    return f"sha256:{sha256(''.join(_listing(path)).encode()).hexdigest()}"


def _listing(folder: Path) -> Sequence[str]:
    files = sorted(entry for entry in folder.iterdir() if entry.is_file())
    read = [file for file in files if not file.name.startswith(".") and file.suffix != ".md"]
    return [f"{_content(file)}  {file.name}\n" for file in read]


def _content(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
