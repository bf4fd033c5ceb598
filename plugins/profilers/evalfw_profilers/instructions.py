"""Executed machine instructions: a cost that does not depend on how busy the machine is."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from evalfw import InstructionCount, Json, Profile, Profiler, ReferenceOptions, RunError
from evalfw_profilers.instructions_instrument import open_counter


class InstructionsOptions(ReferenceOptions):
    """Who counts."""

    source: Literal["auto", "perf", "callgrind"] = Field(
        default="auto",
        description="`perf`: counters of the processor. `callgrind`: valgrind. `auto`: the first of them that works.",
    )


@dataclass(frozen=True, slots=True)
class Source:
    """Who counts.

    Args:
        source: `perf` or `callgrind`.
        version: Of valgrind; of the kernel and the processor for perf.
        command: Path of valgrind; empty for perf.
        reason: Why it is not perf, where that would have done.
    """

    source: str
    version: str
    command: str = ""
    reason: str = ""


class Instructions(Profiler[InstructionsOptions]):
    """The number of machine instructions that the measured part executes outside the kernel.

    By the processor's own counters (perf) or by an interpreter of machine code (callgrind). The two give different
    numbers and are never mixed: source and version are part of the settings.
    """

    produces: ClassVar[type[Profile]] = InstructionCount
    instrument = "instructions_instrument.py"

    def settings(self) -> Mapping[str, Json]:
        """Source, version and command.

        Raises:
            RunError: This machine has no such source.
        """
        return {"source": self.source.source, "version": self.source.version, "command": self.source.command}

    def profile(self, record: Mapping[str, Json]) -> InstructionCount:
        """The number, from the process of the solution (callgrind) or from outside (perf).

        Raises:
            ValueError: The record cannot be a measurement.
        """
        told = record.get("observed") if self.source.source == "perf" else record
        count = told.get("instructions") if isinstance(told, Mapping) else None
        if type(count) is not int or count < 1:
            raise ValueError(f"not a number of instructions: {count!r}")
        return InstructionCount(count, self.source.source, self.source.version)

    @cached_property
    def source(self) -> Source:
        """Who counts, found out once.

        Raises:
            RunError: This machine has no such source; says what to install.
        """
        wanted = self.options.source
        refusals = {}
        for name, find in (("perf", _perf), ("callgrind", _callgrind)):
            if wanted in {"auto", name}:
                try:
                    found = find()
                except OSError as error:
                    refusals[name] = str(error)
                else:
                    reason = "".join(f"{other}: {why}" for other, why in refusals.items())
                    if reason:
                        self.notes.append(f"instructions are counted by {name}, since {reason}")
                    return Source(*found, reason)
        raise RunError(
            "instructions cannot be counted here:"
            + "".join(f"\n  {name}: {why}" for name, why in refusals.items())
            + "\n  install valgrind (apt install valgrind), or use a machine whose processor counts for its users"
        )


def _perf() -> tuple[str, str, str]:
    os.close(open_counter(0))
    return "perf", f"Linux {platform.release()}", ""


def _callgrind() -> tuple[str, str, str]:
    if platform.machine() != "x86_64":
        raise OSError(f"the requests to valgrind are not known for {platform.machine()}")
    command = shutil.which("valgrind")
    if command is None:
        raise OSError("there is no valgrind")
    # Debian's is a shell script around the program.
    behind = Path(f"{command}.bin")
    command = os.path.realpath(behind if behind.is_file() else command)
    answer = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.fullmatch(r"valgrind-(\S+)\s*", answer)
    if version is None:
        raise OSError(f"{command} does not say its version: {answer[:100]!r}")
    return "callgrind", f"valgrind {version[1]}", command
