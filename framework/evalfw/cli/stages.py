"""The commands that carry out a run: all of its stages, or one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from evalfw.cli.cautions import warn_of_interpreter, warn_of_isolation
from evalfw.cli.leaving import leave
from evalfw.cli.reporting import NoReport, report_at_end
from evalfw.cli.targets import ExperimentFile, Out, RunDirectory, find_run, load_plan, recall_plan

if TYPE_CHECKING:
    from evalfw.hookspecs import RunFinished
    from evalfw.pipeline.plan import Plan
    from evalfw.pipeline.run import Run
    from evalfw.registry.hooks import Listeners


ResultT = TypeVar("ResultT")


class _Stopped(Exception):
    """Somebody pressed Ctrl-C; says what is stored and how to go on."""


def run(experiment: ExperimentFile, out: Out = None, no_report: NoReport = False) -> None:
    """Run an experiment, or go on with it: only what is not stored yet is done."""
    from evalfw.pipeline.run import run as run_plan

    with _watched() as listeners:
        plan, directory = load_plan(experiment, out, listeners)
        warn_of_isolation(plan)
        warn_of_interpreter(plan, directory)
        finished = _interruptible(run_plan, plan, directory, _again("run", experiment, out))
    _report(finished, plan, no_report)


def generate(experiment: ExperimentFile, out: Out = None) -> None:
    """Only sample completions; with `sampling.until`, solutions are judged as well."""
    from evalfw.pipeline.run import run_generate

    with _watched() as listeners:
        plan, directory = load_plan(experiment, out, listeners)
        if plan.setup.experiment.sampling.until:
            warn_of_isolation(plan)
            warn_of_interpreter(plan, directory)
        done = _interruptible(run_generate, plan, directory, _again("generate", experiment, out))
    _conclude(done, plan, "judge")


def judge(run: RunDirectory) -> None:
    """Only judge solutions of a run, from its directory alone."""
    from evalfw.pipeline.run import run_judge

    _one_stage(run, "judge", run_judge, "profile")


def profile(run: RunDirectory) -> None:
    """Only profile correct solutions of a run, from its directory alone."""
    from evalfw.pipeline.run import run_profile

    _one_stage(run, "profile", run_profile, "measure")


def measure(run: RunDirectory, no_report: NoReport = False) -> None:
    """Only compute the numbers of a run and print the summary, from its directory alone."""
    from evalfw.pipeline.run import run_measure

    directory = find_run(run)
    with _watched() as listeners:
        plan = recall_plan(directory, listeners)
        done = _interruptible(run_measure, plan, directory, f"evalfw measure {directory}")
    _say(done.notes)
    if done.finished:
        _report(done.finished, plan, no_report)


def _one_stage(run: Path, name: str, work: Callable[[Plan, Path], Run], following: str) -> None:
    directory = find_run(run)
    with _watched() as listeners:
        plan = recall_plan(directory, listeners)
        warn_of_isolation(plan)
        warn_of_interpreter(plan, directory)
        done = _interruptible(work, plan, directory, f"evalfw {name} {directory}")
    _conclude(done, plan, following)


@contextmanager
def _watched() -> Iterator[Listeners]:
    """Listeners that show progress, and the summary at the end."""
    from evalfw.cli.console import ProgressBars, ProgressLines, Summary
    from evalfw.registry.hooks import Listeners

    listeners = Listeners()
    progress = ProgressBars() if sys.stderr.isatty() else ProgressLines()
    listeners.add(progress, "progress")
    listeners.add(Summary(), "summary")
    try:
        yield listeners
    except _Stopped as stopped:
        progress.close()
        typer.echo(f"\nevalfw: {stopped}", err=True)
        leave(130)
    finally:
        progress.close()


def _interruptible(work: Callable[[Plan, Path], ResultT], plan: Plan, directory: Path, again: str) -> ResultT:
    from evalfw.store.run import RunStore

    try:
        return work(plan, directory)
    except KeyboardInterrupt as interrupt:
        with RunStore.read(directory) as store:
            counts = ", ".join(f"{count} {name}s" for name, count in store.counts().items())
        raise _Stopped(f"stopped. Stored in {directory}: {counts}. Continue with: {again}") from interrupt


def _again(name: str, experiment: Path, out: Path | None) -> str:
    return f"evalfw {name} {experiment}" + (f" --out {out}" if out else "")


def _report(finished: RunFinished, plan: Plan, no_report: bool) -> None:
    from evalfw.store.run import RunStore

    _say(plan.setup.notes())
    with RunStore.read(finished.directory) as store:
        for section in store.results("sections"):
            typer.echo(f"\n{section['title']}\n{section['text']}")
    if not no_report:
        report_at_end(finished.directory)
    _exit_for(finished.faults)


def _conclude(done: Run, plan: Plan, following: str) -> None:
    from evalfw.store.run import RunStore

    _say([*plan.setup.notes(), *done.notes])
    with RunStore.read(done.directory) as store:
        counts = ", ".join(f"{count} {name}s" for name, count in store.counts().items())
    missing = f"; {done.missing} completions are missing" if done.missing else ""
    typer.echo(f"Stored in {done.directory}: {counts}{missing}.\nNext: evalfw {following} {done.directory}")
    _exit_for(done.faults)


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        typer.echo(note, err=True)


def _exit_for(faults: int) -> None:
    if faults:
        typer.echo(f"{faults} executions failed through no fault of the program; run again to repeat them.", err=True)
        raise typer.Exit(1)
