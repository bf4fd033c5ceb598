"""What should be known before programs are run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from evalfw.pipeline.plan import Plan


def warn_of_isolation(plan: Plan) -> None:
    """Say what the level of isolation here does not do."""
    from evalfw.sandbox.levels import attempt, best

    level = best(plan.setup.experiment.sandbox.require)
    for warning in attempt(level).warnings:
        typer.echo(f"evalfw: isolation is {level}: {warning}", err=True)


def warn_of_interpreter(plan: Plan, directory: Path) -> None:
    """Say that a run goes on under another interpreter, and what that means."""
    from evalfw.pipeline.manifest import moved_from

    if then := moved_from(directory, plan):
        here = plan.sandbox.rpartition("-")[0]
        typer.echo(
            f"evalfw: {directory} was last carried out under {then}, and this is {here}: results of different"
            " interpreters are never mixed, so solutions are judged and profiled under this one",
            err=True,
        )
