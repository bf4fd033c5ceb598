"""The JSON Schema of experiment.yaml, for editors: the experiment and the plugins that are installed."""

from __future__ import annotations

from collections.abc import Mapping

from evalfw.config.experiment import KINDS, Experiment
from evalfw.options import Options

_OWN_PLUGIN: dict[str, object] = {"type": "string", "pattern": r"\.py:[A-Za-z_][A-Za-z0-9_]*$"}


def experiment_schema(kinds: Mapping[str, Mapping[str, tuple[str, type[Options]]]]) -> dict[str, object]:
    """JSON Schema (2020-12) of an experiment file.

    Args:
        kinds: For each list of uses (`datasets`, `models`, `profilers`, `metrics`, `plugins`) the plugins
            that are installed, by name: a one-line summary, and the options model.
    """
    schema = Experiment.model_json_schema()
    definitions = schema["$defs"]
    label = definitions.pop("Use")["properties"]["label"]
    for kind in KINDS:
        installed = kinds.get(kind, {})
        entries: list[dict[str, object]] = []
        for name, (summary, model) in installed.items():
            key = f"{kind}.{name}"
            entry = model.model_json_schema(ref_template=f"#/$defs/{key}.{{model}}")
            for inner, definition in entry.pop("$defs", {}).items():
                definitions[f"{key}.{inner}"] = definition
            use = {"const": name, "description": summary}
            entry["description"] = summary
            own = entry.get("properties", {})
            if kind == "profilers":
                own = {option: _or_sweep(value) for option, value in own.items()}
            entry["properties"] = {"use": use, "label": label} | own
            entry["required"] = ["use", *entry.get("required", [])]
            definitions[key] = entry
            entries.append({"$ref": f"#/$defs/{key}"})
            if entry["required"] == ["use"]:
                entries.append({"const": name, "description": summary})
        definitions[f"{kind}.own"] = {
            "type": "object",
            "description": "A plugin of your own, from a file: `./file.py:Class`, with its options.",
            "properties": {"use": _OWN_PLUGIN, "label": label},
            "required": ["use"],
        }
        entries += [{"$ref": f"#/$defs/{kind}.own"}, _OWN_PLUGIN]
        schema["properties"][kind]["items"] = {"anyOf": entries}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _or_sweep(option: Mapping[str, object]) -> dict[str, object]:
    """The schema of an option that may be given several values, each a setting of its own."""
    about = {name: option[name] for name in ("title", "description", "default") if name in option}
    value = {name: rule for name, rule in option.items() if name not in about}
    values = {"type": "array", "items": value, "minItems": 1, "uniqueItems": True}
    sweep = {"type": "object", "properties": {"sweep": values}, "required": ["sweep"], "additionalProperties": False}
    return about | {"anyOf": [value, sweep]}
