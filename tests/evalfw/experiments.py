"""Small real experiments for the tests of the pipeline, the report and the command line."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evalfw import Execution, Job
from evalfw.config.experiment import load_experiment
from evalfw.hookspecs import Judged, Profiled, RunFinished, StageStarted, hookimpl
from evalfw.pipeline.plan import Plan, make_plan
from evalfw.pipeline.run import run
from evalfw.registry.catalog import Catalog
from evalfw.registry.hooks import Listeners
from evalfw.registry.setup import assemble
from evalfw.sandbox.server import Zygote
from evalfw.store.run import RunStore

DOUBLE = "print(int(input()) * 2)\n"
LISTED = "rows = []\nn = int(input())\nfor i in range(n):\n    rows.append(i)\nprint(2 * len(rows))\n"
BLOCK = "n = int(input())\nrows = list(range(n))\nmore = [0] * n\nprint(len(rows) + len(more))\n"
WRONG = "print(int(input()) + 2)\n"


class Watcher:
    """Keeps what the hooks tell."""

    def __init__(self) -> None:
        self.stages: dict[str, tuple[int, int]] = {}
        self.judged: list[Judged] = []
        self.profiled: list[Profiled] = []

    @hookimpl
    def evalfw_stage_started(self, event: StageStarted) -> None:
        self.stages[event.stage] = (event.total, event.stored)

    @hookimpl
    def evalfw_judged(self, event: Judged) -> None:
        self.judged.append(event)

    @hookimpl
    def evalfw_profiled(self, event: Profiled) -> None:
        self.profiled.append(event)


def problem(
    name: str, public: Sequence[int] = (2,), private: Sequence[int] = (30, 60), **more: object
) -> dict[str, Any]:
    """Doubling a number; the private tests are larger."""
    tests = [{"pool": "public", "input": f"{n}\n", "expected": f"{2 * n}\n"} for n in public]
    tests += [{"pool": "private", "input": f"{n}\n", "expected": f"{2 * n}\n"} for n in private]
    return {"id": name, "statement": "Double the number.", "tests": tests, **more}


def write(
    folder: Path, problems: Sequence[Mapping[str, Any]], answers: Mapping[str, Sequence[str]], **changes: object
) -> Path:
    """An experiment file that replays these programs, by problem, on these problems."""
    folder.mkdir(parents=True, exist_ok=True)
    records = [
        {"problem_id": name, "model": "m", "temperature": None, "index": index, "code": code}
        for name, codes in answers.items()
        for index, code in enumerate(codes)
    ]
    (folder / "problems.jsonl").write_text("".join(json.dumps(p) + "\n" for p in problems))
    (folder / "answers.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    content = {
        "name": "test",
        "datasets": [{"use": "jsonl", "path": "problems.jsonl"}],
        "models": [{"use": "replay", "path": "answers.jsonl"}],
        "sampling": {"n": max(map(len, answers.values()))},
        "profilers": ["tracemalloc_line"],
        "metrics": [{"use": "pass_at_k", "k": [1]}, "dmpd", "npd", "nmv", "mis"],
        "limits": {"time": "2s", "memory": "512MiB"},
        "executor": {"workers": 2},
    }
    path = folder / "experiment.yaml"
    path.write_text(json.dumps(content | changes))
    return path


def plan(path: Path, watcher: object | None = None) -> Plan:
    """Everything up to the first completion."""
    experiment, document = load_experiment(path)
    listeners = Listeners()
    if watcher is not None:
        listeners.add(watcher, "watcher")
    return make_plan(assemble(experiment, document, Catalog.scan(), listeners))


def carry_out(path: Path, watcher: object | None = None) -> RunFinished:
    """Run an experiment, into the folder `run` beside its file."""
    return run(plan(path, watcher), path.parent / "run")


def table(path: Path, name: str) -> list[Mapping[str, Any]]:
    """A stored table of a run."""
    with RunStore.read(path.parent / "run") as store:
        return store.results(name)


def estimates(finished: RunFinished) -> dict[str, float | None]:
    """The cells of the results table of a run with one condition."""
    return {row["metric"]: row["value"] for row in finished.tables["conditions"]}


def lose_zygotes_to(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every fork server die of one program."""
    run = Zygote.run

    def lose(zygote: Zygote, job: Job) -> Execution:
        if job.code == code:
            os.kill(zygote.pid, signal.SIGKILL)
        return run(zygote, job)

    monkeypatch.setattr(Zygote, "run", lose)
