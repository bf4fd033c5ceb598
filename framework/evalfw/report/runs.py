"""A finished run as it is compared: its tables, and how its intervals were made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalfw.errors import InputError
from evalfw.report.frames import BEHIND, read_tables
from evalfw.statistics.intervals import Resampling
from evalfw.store.run import RunStore


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    Args:
        name: Of its directory, or its path where two have one name.
        tables: Its results, and what is stored beside them.
        resampling: As its experiment asks for it.
        sandbox: Definition of the sandbox its solutions ran in.
        directory: Where it is.
        manifest: How its numbers were made.
    """

    name: str
    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    resampling: Resampling
    sandbox: str
    directory: Path = Path()
    manifest: Mapping[str, Any] = field(default_factory=dict)


def read_runs(directories: Sequence[Path]) -> list[Run]:
    """Read the results of runs.

    Raises:
        InputError: One is no run, is given twice, has not finished, or was finished by an evalfw without intervals.
    """
    places = [directory.resolve() for directory in directories]
    for place in places:
        if places.count(place) > 1:
            raise InputError(f"the run {place} is given twice")
    names = [place.name for place in places]
    return [
        _read(directory, place.name if names.count(place.name) == 1 else str(directory))
        for directory, place in zip(directories, places, strict=True)
    ]


def _read(directory: Path, name: str) -> Run:
    with RunStore.read(directory) as store:
        tables = {**read_tables(store), **{name: store.results(name) for name in BEHIND}}
    try:
        manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{directory}/manifest.json cannot be read: {error.strerror}") from error
    if "statistics" not in manifest:
        raise InputError(
            f"{directory}/manifest.json has no field 'statistics': the run was finished by an earlier evalfw.\n"
            "`evalfw run` with the same experiment file brings it up to date; nothing is measured again."
        )
    how = Resampling(**manifest["statistics"], seed=manifest["seed"])
    return Run(name, tables, how, manifest["sandbox"], directory, manifest)
