"""The manifest: how the numbers of a run were made."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evalfw._version import __version__
from evalfw.domain.problem import Json
from evalfw.hookspecs import Stage
from evalfw.pipeline.plan import Plan, dataset_digest

_LIBRARIES = ("dtaidistance", "numpy", "pandas", "pluggy", "pydantic", "scipy")


def manifest(
    plan: Plan, stages: Iterable[Stage], workers: int, isolation: Mapping[str, Json] | None, before: Mapping[str, Any]
) -> Mapping[str, Json]:
    """What is known when a run starts; `finished` and what follows from the run are added at its end.

    Args:
        plan: The plan.
        stages: Those that are carried out now.
        workers: How many.
        isolation: See `evalfw.sandbox.levels.isolation`; None where no program is run.
        before: The manifest of the invocation before; which stages others have carried out, and where, stays.
    """
    setup = plan.setup
    here: dict[str, Json] = {
        "evalfw": __version__,
        "python": sys.version,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
    }
    started = now()
    return {
        **here,
        "libraries": {name: version(name) for name in _LIBRARIES},
        "sandbox": plan.sandbox,
        "isolation": isolation,
        "seed": setup.experiment.seed,
        "statistics": setup.experiment.statistics.model_dump(),
        "workers": workers,
        "plugins": [
            {
                "kind": plugin.kind,
                "name": plugin.name,
                "distribution": plugin.distribution or None,
                "version": plugin.version or None,
                "target": plugin.target,
            }
            for plugin in setup.loaded()
        ],
        "datasets": [
            {
                "label": dataset.label,
                "plugin": dataset.plugin.name,
                "options": dataset.options,
                "revision": dataset.component.revision(),
                "problems": len(plan.of_dataset(dataset.label)),
                "sha256": dataset_digest(plan, dataset.label),
            }
            for dataset in setup.datasets
        ],
        "started": started,
        "stages": {**before.get("stages", {}), **{stage: here | {"started": started} for stage in stages}},
    }


def moved_from(directory: Path, plan: Plan) -> str | None:
    """The interpreter and platform under which programs of a run were last run, where that is not the present one.

    Args:
        directory: The run directory; there need not be one.
        plan: The plan.
    """
    before = read_json(directory / "manifest.json")
    if before.get("isolation") is None:  # no program was run
        return None
    then, here = (definition.rpartition("-")[0] for definition in (str(before["sandbox"]), plan.sandbox))
    return None if then == here else then


def now() -> str:
    """This moment, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_json(path: Path) -> Mapping[str, Any]:
    """The content of a file that `write_json` wrote; empty where there is none."""
    if not path.is_file():
        return {}
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Replace a file as a whole, so that no moment sees half of it."""
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(content, indent=2, ensure_ascii=True) + "\n", encoding="utf-8")
    draft.replace(path)


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
