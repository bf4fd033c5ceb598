"""Installed plugins for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalfw.cli.summary import console


def print_listing(entries: Sequence[Mapping[str, Any]]) -> None:
    """Print plugins, one paragraph each."""
    out = console()
    for entry in entries:
        origin = f"{entry['distribution'] or '?'} {entry['version'] or ''}".strip()
        out.print(f"{entry['kind']} {entry['name']}  ({origin})", style="bold", highlight=False, markup=False)
        if entry["error"]:
            out.print(f"    cannot be used: {entry['error']}", style="red", highlight=False, markup=False)
            continue
        out.print(f"    {entry['summary']}", highlight=False, markup=False)
        for option in entry["options"]:
            default = "required" if option["required"] else f"= {option['default']}"
            line = f"    {option['name']}: {option['type']} {default}"
            out.print(f"{line}  {option['description']}".rstrip(), highlight=False, markup=False)
    if not entries:
        out.print("none installed")
