"""Drives the stages of a run, all of them or one, from a plan to what is stored."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evalfw.domain.answer import Outcome
from evalfw.errors import InputError, RunError
from evalfw.hookspecs import RunFinished, RunStarted, Stage
from evalfw.pipeline.budget import check_budget
from evalfw.pipeline.canonical import canonicals
from evalfw.pipeline.drawn import Drawn, attempts_of, recall
from evalfw.pipeline.generate import generate
from evalfw.pipeline.judge import judge, overall, stored_verdicts, verdict_keys
from evalfw.pipeline.manifest import manifest, now, read_json, write_json
from evalfw.pipeline.measure import measure
from evalfw.pipeline.plan import Plan
from evalfw.pipeline.profile import measurements, profile, rehearse
from evalfw.pipeline.recorded import FILE
from evalfw.pipeline.resolved import write_experiment
from evalfw.pipeline.scale import scale, scaled
from evalfw.pipeline.tabulate import tabulate
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.levels import best, isolation
from evalfw.store.run import RunStore


class Run:
    """One invocation: some stages of one plan in one run directory.

    Args:
        plan: The plan.
        directory: The run directory.
        stages: Those that are carried out.
    """

    def __init__(self, plan: Plan, directory: Path, stages: Sequence[Stage]) -> None:
        self.plan = plan
        self.directory = directory
        self.stages = stages
        self.faults = 0
        """How many executions failed through no fault of the program."""
        self.missing = 0
        """How many completions were asked for and did not come."""
        self.notes: list[str] = []
        """What an earlier stage has left undone."""
        self.finished: RunFinished | None = None
        """The tables, once they are made."""
        self._started = time.monotonic()

    @contextmanager
    def open(self, sandboxed: bool = True) -> Iterator[tuple[RunStore, Workers]]:
        """The store to write to, and workers; at its end the manifest is complete.

        Raises:
            RunError: The run directory cannot be used, an instrument does not work here, or isolation is not as
                required.
        """
        experiment, listeners = self.plan.setup.experiment, self.plan.setup.listeners
        count, require = experiment.executor.workers or usable_cpus(), experiment.sandbox.require
        level = best(require) if sandboxed else None
        path = self.directory / "manifest.json"
        try:
            with RunStore.create(self.directory) as store:
                write_experiment(self.directory / FILE, self.plan.setup)
                in_force = isolation(level, require) if level else None
                facts = dict(manifest(self.plan, self.stages, count, in_force, read_json(path)))
                write_json(path, facts)
                listeners.tell(RunStarted(experiment.name, self.directory, self.plan.conditions))
                with Workers(count, experiment.sandbox.site_packages, level) as workers:
                    yield store, workers
                facts |= {"finished": now(), "faults": self.faults, "missing": self.missing}
                write_json(path, facts | {"complaints": listeners.complaints})
        except sqlite3.Error as error:  # the disk is full, or the file is damaged
            raise RunError(
                f"{self.directory / 'run.db'}: {error}; what was stored before stays."
                " See to the disk or the file, and run again."
            ) from error

    def drawn(self, store: RunStore) -> list[Drawn]:
        """The samples there are; says how many are missing."""
        found = recall(self.plan, store)
        self.missing = sum(one.wanted - len(one.attempts) for one in found)
        return found

    def conclude(self, store: RunStore) -> RunFinished:
        """Measure, and store the tables."""
        groups, estimates = measure(self.plan, store, self.drawn(store))
        tables = tabulate(self.plan, store, groups, estimates)
        store.replace_results(tables)
        seconds = time.monotonic() - self._started
        self.finished = RunFinished(self.directory, tables, self.faults, self.missing, seconds)
        self.plan.setup.listeners.tell(self.finished)
        store.put_sections((each.title, each.text) for each in self.plan.setup.listeners.sections(self.finished))
        return self.finished


def run(plan: Plan, directory: Path) -> RunFinished:
    """Do what is not done yet, in all stages, and store the tables.

    Raises:
        RunError: See `Run.open`.
        InputError: A model cannot be used as configured.
    """
    check_budget(plan)
    this = Run(plan, directory, ("generate", "judge", "profile", "measure"))
    with this.open() as (store, workers):
        rehearse(plan.setup, workers)
        this.plan, this.faults = scale(plan, store, workers)
        this.faults += generate(this.plan, store, workers)
        drawn = this.drawn(store)
        this.faults += judge(this.plan, store, workers, list(canonicals(this.plan, attempts_of(drawn))), told=False)
        this.faults += profile(this.plan, store, workers, drawn)
        return this.conclude(store)


def run_generate(plan: Plan, directory: Path) -> Run:
    """Sample what is not stored yet. Solutions are judged only where the number of samples depends on that."""
    check_budget(plan)
    judged = plan.setup.experiment.sampling.until is not None
    this = Run(plan, directory, ("generate", "judge") if judged else ("generate",))
    with this.open(sandboxed=judged) as (store, workers):
        this.faults = generate(plan, store, workers if judged else None)
        this.drawn(store)
    return this


def run_judge(plan: Plan, directory: Path) -> Run:
    """Make the tests of size buckets, and judge what is not judged yet.

    Raises:
        InputError: There is no completion.
    """
    this = Run(plan, directory, ("judge",))
    with this.open() as (store, workers):
        attempts = list(attempts_of(this.drawn(store)))
        if not attempts:
            raise InputError(f"{directory}: no completion has come yet: run `evalfw generate EXPERIMENT`")
        this.plan, this.faults = scale(plan, store, workers)
        attempts = list(attempts_of(this.drawn(store)))
        this.faults += judge(this.plan, store, workers, attempts)
        this.faults += judge(this.plan, store, workers, list(canonicals(this.plan, attempts)), told=False)
    return this


def run_profile(plan: Plan, directory: Path) -> Run:
    """Profile what is not profiled yet.

    Raises:
        InputError: No solution is judged.
    """
    this = Run(plan, directory, ("profile",))
    with this.open() as (store, workers):
        rehearse(plan.setup, workers)
        this.plan = scaled(plan, store)
        drawn = this.drawn(store)
        _see_what_is_judged(this, store, drawn)
        this.faults = profile(this.plan, store, workers, drawn)
    return this


def run_measure(plan: Plan, directory: Path) -> Run:
    """Compute what is not computed yet, and store the tables.

    Raises:
        InputError: No solution is judged, or there is something to profile and none of it is.
    """
    this = Run(plan, directory, ("measure",))
    with this.open(sandboxed=False) as (store, _):
        this.plan = scaled(plan, store)
        drawn = this.drawn(store)
        _see_what_is_judged(this, store, drawn)
        wanted = {measurement.key for measurement in measurements(this.plan, store, drawn)}
        _see_what_is_there(
            this, "profiled", "profile", len(wanted), sum(store.profile_verdict(k) is None for k in wanted)
        )
        this.conclude(store)
    return this


def usable_cpus() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _see_what_is_judged(this: Run, store: RunStore, drawn: Sequence[Drawn]) -> None:
    programs = {
        (id(each.subject), each.solution.code): each for each in attempts_of(drawn) if each.solution.status == "ok"
    }
    undone = 0
    for attempt in programs.values():
        verdicts = stored_verdicts(store, verdict_keys(this.plan, attempt.subject, attempt.solution.code))
        undone += overall(this.plan, attempt, verdicts).outcome is Outcome.SANDBOX_ERROR
    _see_what_is_there(this, "judged", "judge", len(programs), undone)


def _see_what_is_there(this: Run, done: str, command: str, total: int, undone: int) -> None:
    """Note how much an earlier stage has left undone; all of it is too much."""
    if undone:
        how_much = "nothing is" if undone == total else f"{undone} of {total} are not"
        note = f"{this.directory}: {how_much} {done} yet: run `evalfw {command} {this.directory}`"
        if undone == total:
            raise InputError(note)
        this.notes.append(note)
