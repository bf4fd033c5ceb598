"""What `evalfw doctor` prints: how well programs can be isolated on this machine, and what would raise that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from evalfw.domain.isolation import Level
from evalfw.domain.problem import Json

if TYPE_CHECKING:
    from evalfw.sandbox.levels import Trial


def print_diagnosis(refused: list[Trial], record: Mapping[str, Json], advice: Mapping[Level, str]) -> None:
    """Print the record of the level that works, and for each level above it why it does not.

    Args:
        refused: Levels that do not work here.
        record: See `evalfw.sandbox.levels.isolation`.
        advice: What makes a level work.
    """
    for name in ("kernel", "python", "level"):
        typer.echo(f"{name:<12} {record[name]}")
    features, warnings = record["features"], record["warnings"]
    assert isinstance(features, Mapping) and isinstance(warnings, tuple)
    for name, value in features.items():
        typer.echo(f"  {name:<12} {_word(value)}")
    for warning in warnings:
        typer.echo(f"  warning: {warning}")
    for trial in refused:
        typer.echo(f"\n{trial.level} does not work here: {trial.refusal}\n  It {advice[trial.level]}.")


def _word(value: Json) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
