"""Costs: profiles that come to one number."""

from __future__ import annotations

import json
import math
import struct
import zlib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import ClassVar, Self

from evalfw.domain.problem import Json
from evalfw.domain.profile import Profile


class Cost(Profile):
    """A profile that comes to one number, of which less is better: what costs can be compared by.

    A kind of cost derives from this class and says its unit.
    """

    __slots__ = ()

    kind: ClassVar[str] = "cost"

    unit: ClassVar[str]
    """What is counted, in the plural."""

    @property
    @abstractmethod
    def cost(self) -> float:
        """The number, 0 or more."""


@dataclass(frozen=True, slots=True)
class InstructionCount(Cost):
    """Machine instructions that one execution took.

    Args:
        instructions: How many.
        source: Who counted.
        version: Its version. Counts of different sources or versions are not comparable.
    """

    kind: ClassVar[str] = "instructions"
    unit: ClassVar[str] = "instructions"

    instructions: int
    source: str = ""
    version: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be a count."""
        if type(self.instructions) is not int or self.instructions < 0:
            raise ValueError(f"not a number of instructions: {self.instructions!r}")

    @property
    def cost(self) -> float:
        """The number of instructions."""
        return self.instructions

    def facts(self) -> Mapping[str, Json]:
        """The number and who counted."""
        return {"instructions": self.instructions, "source": self.source, "source_version": self.version}

    def pack(self) -> bytes:
        """JSON."""
        return json.dumps([self.instructions, self.source, self.version], separators=(",", ":")).encode()

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Undo `pack`."""
        try:
            return cls(*json.loads(data))
        except TypeError as error:
            raise ValueError(f"not a packed number of instructions: {error}") from error


@dataclass(frozen=True, slots=True)
class Timing(Cost):
    """Run times of repeated rounds of one program on one test.

    Args:
        seconds: One entry a round, in order.
        clock: What they were read from.
        report: What the tool that measured says, as plain data; empty where there is none.
    """

    kind: ClassVar[str] = "timing"
    unit: ClassVar[str] = "seconds"

    seconds: tuple[float, ...]
    clock: str = ""
    report: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be a timing."""
        if not self.seconds or any(not 0 <= s < math.inf for s in self.seconds):
            raise ValueError("a timing needs at least one round, each of 0 seconds or more")

    @property
    def cost(self) -> float:
        """The median of the rounds, which paper B compares."""
        return median(self.seconds)

    def facts(self) -> Mapping[str, Json]:
        """Number of rounds, their median, and their sum."""
        return {
            "rounds": len(self.seconds),
            "median_seconds": self.cost,
            "total_seconds": math.fsum(self.seconds),
            "clock": self.clock,
        }

    def pack(self) -> bytes:
        """Notes as JSON, then little-endian doubles, deflated."""
        notes = {"clock": self.clock, "report": self.report}
        head = json.dumps(notes, sort_keys=True, separators=(",", ":")).encode()
        body = struct.pack(f"<I{len(head)}s{len(self.seconds)}d", len(head), head, *self.seconds)
        return zlib.compress(body, 9)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Undo `pack`."""
        try:
            body = zlib.decompress(data)
            (size,) = struct.unpack_from("<I", body)
            notes = json.loads(body[4 : 4 + size])
            rounds = body[4 + size :]
            return cls(struct.unpack(f"<{len(rounds) // 8}d", rounds), **notes)
        except (zlib.error, struct.error, ValueError) as error:
            raise ValueError(f"not a packed timing: {error}") from error
