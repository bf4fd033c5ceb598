"""What commands work on: run directories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalfw.errors import InputError, near

RunDirectory = Annotated[Path, typer.Argument(metavar="RUN", help="A run directory, or the name of one in runs/.")]


def find_run(run: Path) -> Path:
    """A run directory, from its path or its name.

    Raises:
        InputError: There is none.
    """
    if run.exists():
        return run
    named = Path("runs") / run
    if not named.is_dir():
        known = [file.parent.name for file in Path("runs").glob("*/run.db")]
        raise InputError(f"there is no run '{run}'{near(str(run), known)}")
    return named
