"""All memory that a process allocates, native code included: the high-water mark as memray sees it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from evalfw import Bytes, Json, MemoryProfile, Options, Profiler
from evalfw_profilers.rises import runs_of


class MemrayOptions(Options):
    """What is counted, and how finely."""

    python_allocators: bool = Field(
        default=True,
        description="Count what Python's own allocator gives out, object by object, instead of the arenas it takes.",
    )
    quantum: Bytes = Field(default=64, description="Round every value to the nearest multiple of this, halves up.")


class Memray(Profiler[MemrayOptions]):
    """The high-water mark of the bytes that the process has allocated since the program began.

    A step is one allocation or deallocation, by whatever code: of the solution, of libraries, of C extensions. After
    each: the largest number of bytes so far that were allocated since the beginning and not freed, rounded to
    `quantum`. What was allocated before and is freed meanwhile is a step, but takes nothing off.
    """

    instrument = "memray_instrument.py"
    packages = ("memray",)

    def profile(self, record: Mapping[str, Json]) -> MemoryProfile:
        """The profile, from runs of (rise in quanta, number of steps).

        Raises:
            ValueError: The record cannot be a measurement.
        """
        if record.keys() != {"runs", "end"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        end = record["end"]
        if type(end) is not int or end < 0:
            raise ValueError(f"end is not a number of quanta: {end!r}")
        return MemoryProfile(runs_of(record["runs"], self.options.quantum), end_bytes=end * self.options.quantum)
