"""All that is installed, with options and load errors: for `evalfw plugins` and `evalfw schema`."""

from __future__ import annotations

import inspect
import json
from typing import Any

from evalfw.config.schema import experiment_schema
from evalfw.errors import PluginError
from evalfw.registry.catalog import GROUPS, Catalog, Installed
from evalfw.registry.loading import CONTRACTS, load


def inventory(catalog: Catalog) -> list[dict[str, Any]]:
    """One entry a plugin: what `evalfw plugins --json` prints. Imports every plugin, and survives all of them."""
    return [_entry(plugin) for plugin in catalog.installed]


def schema(catalog: Catalog) -> dict[str, Any]:
    """JSON Schema of the experiment file with every installed plugin that can be loaded."""
    kinds: dict[str, dict[str, tuple[str, Any]]] = {f"{kind}s": {} for kind in GROUPS}
    for plugin in catalog.installed:
        try:
            found = load(plugin)
        except PluginError:  # `evalfw plugins` says what is wrong with it
            continue
        if plugin.kind in CONTRACTS:
            kinds[f"{plugin.kind}s"][plugin.name] = (_summary(found), found.options_model)
    return experiment_schema(kinds)


def _entry(plugin: Installed) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "kind": plugin.kind,
        "name": plugin.name,
        "distribution": plugin.distribution or None,
        "version": plugin.version or None,
        "target": plugin.target,
        "summary": None,
        "options": [],
        "error": None,
    }
    try:
        found = load(plugin)
    except PluginError as error:
        return entry | {"error": str(error)}
    entry["summary"] = _summary(found)
    if plugin.kind in CONTRACTS:
        entry["options"] = _options(found.options_model)
    return entry


def _summary(found: object) -> str:
    return (inspect.getdoc(found) or "").partition("\n")[0]


def _options(model: Any) -> list[dict[str, Any]]:
    properties = model.model_json_schema()["properties"] if model.model_fields else {}
    return [
        {
            "name": name,
            "type": _type_name(properties[name]),
            "required": field.is_required(),
            "default": None
            if field.is_required()
            else json.loads(json.dumps(field.get_default(call_default_factory=True), default=str)),
            "description": field.description or "",
        }
        for name, field in model.model_fields.items()
    ]


def _type_name(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(_type_name(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return (
        str(schema.get("examples", [schema.get("type", "any")])[0])
        if "examples" in schema
        else str(schema.get("type", "any"))
    )
