"""The experiment as resolved: every default and every option of a plugin written out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from evalfw.registry.setup import Setup


def write_experiment(path: Path, setup: Setup) -> None:
    """Write it, in place of what was there; it is the same experiment when it is read again."""
    content: dict[str, Any] = setup.experiment.model_dump(mode="json")
    if setup.experiment.sampling.until is not None:
        del content["sampling"]["n"]  # the other rule, which may not stand beside it
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
