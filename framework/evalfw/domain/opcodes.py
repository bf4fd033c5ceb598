"""Opcode counts: profiles of what the interpreter executed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from evalfw.domain.problem import Json
from evalfw.domain.profile import Profile


@dataclass(frozen=True, slots=True)
class OpcodeCounts(Profile):
    """How often each opcode of the interpreter was executed.

    Args:
        counts: `(name, times)` in order of the names, each name once, times positive.
    """

    kind: ClassVar[str] = "opcodes"

    counts: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be counts."""
        if not self.counts:
            raise ValueError("opcode counts need at least one opcode")
        names = [name for name, _ in self.counts]
        if names != sorted(set(names)):
            raise ValueError(f"opcodes are out of order or named twice: {names}")
        for name, times in self.counts:
            if type(times) is not int or times < 1:
                raise ValueError(f"opcode {name} has no positive number of times: {times!r}")

    def facts(self) -> Mapping[str, Json]:
        """How many opcodes were executed, and how many different ones."""
        return {"opcodes": sum(times for _, times in self.counts), "distinct_opcodes": len(self.counts)}

    def pack(self) -> bytes:
        """JSON, deflated."""
        return zlib.compress(json.dumps(self.counts, separators=(",", ":")).encode(), 9)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Undo `pack`."""
        try:
            return cls(tuple((name, times) for name, times in json.loads(zlib.decompress(data))))
        except (zlib.error, TypeError, ValueError) as error:
            raise ValueError(f"not packed opcode counts: {error}") from error
