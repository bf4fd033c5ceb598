"""The message about a file that is not there."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path


def missing(path: Path) -> str:
    """That there is no such file, with the name beside it that may have been meant."""
    siblings = sorted(file.name for file in path.parent.iterdir()) if path.parent.is_dir() else []
    close = get_close_matches(path.name, siblings, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"{path}: there is no such file{hint}"
