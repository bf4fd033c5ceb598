"""Resident memory by the clock, seen from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from evalfw import Bytes, Json, MemoryOverTime, Profile, Profiler, ReferenceOptions, Seconds, peaks_over_time


class RssOptions(ReferenceOptions):
    """How often, and what is counted."""

    interval: Seconds = Field(default=0.001, ge=0.0001, description="Time between two samples; at least 0.1 ms.")
    quantum: Bytes = Field(default=4096, description="Round every sample to the nearest multiple of this, halves up.")
    count: Literal["rss", "pss"] = Field(
        default="rss",
        description="Pages that several processes share: `rss` counts them for each, `pss` divides them among these.",
    )


class Rss(Profiler[RssOptions]):
    """The monotonic peak profile of the resident memory of all processes of a solution, by the clock.

    The process that watches the solution reads it from the kernel, so nothing of the solution is slowed down, changed
    or trusted. The first sample is taken just before the measured part begins, the last one just after its end.
    """

    produces: ClassVar[type[Profile]] = MemoryOverTime
    instrument = "rss_instrument.py"
    exclusive = True

    def profile(self, record: Mapping[str, Json]) -> MemoryOverTime:
        """The profile, from times in nanoseconds and bytes.

        Raises:
            ValueError: The record cannot be a measurement.
        """
        observed = record.get("observed")
        if not isinstance(observed, dict) or observed.keys() != {"times", "values"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        return peaks_over_time(observed["times"], observed["values"], self.options.interval, self.options.quantum)
