"""Drives the stages of a run, from a plan to stored tables."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from evalfw.errors import RunError
from evalfw.hookspecs import RunFinished, RunStarted
from evalfw.pipeline.canonical import canonicals
from evalfw.pipeline.generate import generate, wanted
from evalfw.pipeline.judge import judge
from evalfw.pipeline.manifest import manifest, now, write_json
from evalfw.pipeline.measure import measure
from evalfw.pipeline.plan import Plan
from evalfw.pipeline.profile import profile, rehearse
from evalfw.pipeline.scale import buckets_stored, scale
from evalfw.pipeline.tabulate import tabulate
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.levels import best, isolation
from evalfw.store.run import RunStore


def run(plan: Plan, directory: Path) -> RunFinished:
    """Do what is not done yet, and store the tables.

    Raises:
        RunError: The run directory cannot be used, an instrument does not work here, or isolation is not as required.
        InputError: A model cannot be used as configured.
    """
    try:
        return _run(plan, directory)
    except sqlite3.Error as error:  # the disk is full, or the file is damaged
        path = directory / "run.db"
        raise RunError(
            f"{path}: {error}; what was stored before stays. See to the disk or the file, and run again."
        ) from error


def _run(plan: Plan, directory: Path) -> RunFinished:
    started = time.monotonic()
    experiment, listeners = plan.setup.experiment, plan.setup.listeners
    count = experiment.executor.workers or usable_cpus()
    level = best(experiment.sandbox.require)
    with RunStore.create(directory) as store:
        _write_yaml(directory / "experiment.yaml", plan)
        facts = dict(manifest(plan, count, isolation(level, experiment.sandbox.require)))
        write_json(directory / "manifest.json", facts)
        listeners.tell(RunStarted(experiment.name, directory, plan.conditions))
        with Workers(count, experiment.sandbox.site_packages, level) as workers:
            rehearse(plan.setup, workers)
            plan, faults = scale(plan, store, workers)
            attempts, missing = generate(plan, store)
            faults += judge(plan, store, workers, [*attempts, *canonicals(plan, attempts)])
            faults += profile(plan, store, workers, attempts)
        groups, estimates = measure(plan, store, attempts)
        tables = tabulate(plan, store, groups, estimates)
        store.replace_results(tables)
        finished = RunFinished(directory, tables, faults, missing, time.monotonic() - started)
        listeners.tell(finished)
        facts |= {"finished": now(), "faults": faults, "missing": missing, "complaints": listeners.complaints}
        write_json(directory / "manifest.json", facts)
    return finished


def usable_cpus() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a run would do.

    Args:
        completions: How many the experiment asks for.
        completions_stored: How many of them are stored.
        verdicts_stored: Verdicts on single tests in the run directory.
        profiles_stored: Profiles there.
        buckets: How many size buckets the experiment asks for, of problems that have a generator.
        buckets_stored: How many of them are stored.
        executions_at_most: Executions of the whole experiment, should every completion be a different, correct
            program; without those that make the tests of size buckets and those of canonical solutions.
    """

    completions: int
    completions_stored: int
    verdicts_stored: int
    profiles_stored: int
    buckets: int
    buckets_stored: int
    executions_at_most: int


def outlook(plan: Plan, directory: Path) -> Outlook:
    """What a run would do, without doing any of it."""
    everything = list(wanted(plan))
    stored, filled, counts = 0, 0, {"verdict": 0, "profile": 0}
    if (directory / "run.db").is_file():
        with RunStore.read(directory) as store:
            stored = sum(store.completion(want.key) is not None for want in everything)
            filled = buckets_stored(plan, store)
            counts |= store.counts()
    generated, profilers = plan.setup.experiment.tests.generated, len(plan.setup.profilers)
    per_problem = generated.per_size * len(generated.sizes) if generated else 0
    at_most = 0
    for subject in (want.subject for want in everything):
        in_buckets = per_problem if subject.problem.generator else 0
        at_most += len(subject.public) + len(subject.private) + in_buckets
        at_most += profilers * (in_buckets if generated else len(subject.private))
    return Outlook(
        completions=len(everything),
        completions_stored=stored,
        verdicts_stored=counts["verdict"],
        profiles_stored=counts["profile"],
        buckets=len(plan.sizes) * sum(subject.problem.generator is not None for subject in plan.subjects),
        buckets_stored=filled,
        executions_at_most=at_most,
    )


def _write_yaml(path: Path, plan: Plan) -> None:
    """The experiment as resolved: every default and every option of a plugin written out."""
    setup = plan.setup
    content: dict[str, Any] = setup.experiment.model_dump(mode="json")
    for field in ("datasets", "models", "profilers", "metrics"):
        uses, parts = getattr(setup.experiment, field), getattr(setup, field)
        content[field] = [
            {"use": use.use, "label": part.label, **_shown(part.options)} for use, part in zip(uses, parts, strict=True)
        ]
    content["plugins"] = [use.use for use in setup.experiment.plugins]
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    with path.with_suffix(".tmp").open("w", encoding="utf-8") as file:
        file.write("# The experiment as it was run, written by evalfw: quantities in seconds and bytes.\n")
        yaml.dump(content, file)
    path.with_suffix(".tmp").replace(path)


def _shown(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
