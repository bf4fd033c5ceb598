"""One case: what is given, what is expected, and how the two are compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


class Skip(Exception):
    """The case concerns something that evalfw does not do; says what."""


@dataclass(frozen=True)
class Case:
    """A case folder."""

    id: str
    kind: str
    input: dict[str, Any]
    expected: dict[str, Any]
    folder: Path

    @classmethod
    def read(cls, file: Path) -> Self:
        content = json.loads(file.read_text(encoding="utf-8"))
        return cls(content["id"], content["kind"], content["input"], content["expected"], file.parent)

    def bytes_of(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def text_of(self, name: str) -> str:
        """A file as text, its line ends untouched."""
        return self.bytes_of(name).decode("utf-8")

    def rows(self) -> Iterator[dict[str, Any]]:
        """The small cases of a `rows.jsonl`."""
        for line in self.text_of(self.input["files"]["rows"]).splitlines():
            if line.strip():
                yield json.loads(line)


def differs(what: str, found: object, expected: object, tolerance: float = 0.0) -> list[str]:
    """The difference, if there is one; numbers may differ by the tolerance, containers are compared item by item."""
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = {**expected, **found}
        return [d for key in keys for d in differs(f"{what}.{key}", found.get(key), expected.get(key), tolerance)]
    if isinstance(expected, float | int) and not isinstance(expected, bool) and isinstance(found, float | int):
        return [] if abs(found - expected) <= tolerance else [f"{what} is {found!r}, expected {expected!r}"]
    return [] if found == expected else [f"{what} is {found!r}, expected {expected!r}"]
