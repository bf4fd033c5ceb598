"""What commands work on: experiment files and run directories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from evalfw.pipeline.plan import Plan
    from evalfw.registry.hooks import Listeners

ExperimentFile = Annotated[Path, typer.Argument(metavar="EXPERIMENT", help="The experiment file (YAML).")]
RunDirectory = Annotated[Path, typer.Argument(metavar="RUN", help="A run directory, or the name of one in runs/.")]
Out = Annotated[Path | None, typer.Option(help="Run directory. Default: runs/<name of the experiment>.")]


def load_plan(experiment: Path, out: Path | None, listeners: Listeners) -> tuple[Plan, Path]:
    """The plan of an experiment file, and its run directory."""
    from evalfw.config.experiment import load_experiment
    from evalfw.pipeline.plan import make_plan
    from evalfw.registry.catalog import Catalog
    from evalfw.registry.setup import assemble

    loaded, document = load_experiment(experiment)
    setup = assemble(loaded, document, Catalog.scan(), listeners)
    return make_plan(setup), out or Path("runs") / loaded.name


def recall_plan(directory: Path, listeners: Listeners) -> Plan:
    """The plan of a run directory."""
    from evalfw.pipeline.recorded import recalled
    from evalfw.registry.catalog import Catalog
    from evalfw.store.run import RunStore

    with RunStore.read(directory) as store:
        return recalled(directory, store, Catalog.scan(), listeners)


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
