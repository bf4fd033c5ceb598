"""The manifest: how the numbers of a run were made."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evalfw._version import __version__
from evalfw.domain.problem import Json
from evalfw.pipeline.plan import Plan, dataset_digest

_LIBRARIES = ("dtaidistance", "numpy", "pandas", "pluggy", "pydantic", "scipy")


def manifest(plan: Plan, workers: int, isolation: Mapping[str, Json]) -> Mapping[str, Json]:
    """What is known when a run starts; `finished` and what follows from the run are added at its end.

    Args:
        plan: The plan.
        workers: How many.
        isolation: See `evalfw.sandbox.levels.isolation`.
    """
    setup = plan.setup
    return {
        "evalfw": __version__,
        "python": sys.version,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
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
        "started": now(),
    }


def now() -> str:
    """This moment, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
