"""Memory by the clock: the time mode of paper A."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from evalfw import Bytes, Json, MemoryOverTime, Profile, Profiler, ReferenceOptions, Seconds, peaks_over_time


class TimeOptions(ReferenceOptions):
    """Paper A, table 3, has intervals of 0.1, 1 and 2 ms."""

    interval: Seconds = Field(default=0.001, ge=0.0001, description="Time between two samples; at least 0.1 ms.")
    quantum: Bytes = Field(default=64, description="Round every sample to the nearest multiple of this, halves up.")


class TracemallocTime(Profiler[TimeOptions]):
    """The monotonic peak profile of the bytes that tracemalloc traces, sampled by the clock (paper A, section 4.3).

    All traced bytes count, whoever allocated them: the solution or library code that it calls.
    """

    produces: ClassVar[type[Profile]] = MemoryOverTime
    instrument = "tracemalloc_time_instrument.py"
    exclusive = True

    def profile(self, record: Mapping[str, Json]) -> MemoryOverTime:
        """The profile, from times in nanoseconds, bytes and the peak in bytes.

        Raises:
            ValueError: The solution disturbed the measurement, or the record cannot be a measurement.
        """
        if "tampered" in record:
            raise ValueError(str(record["tampered"]))
        if record.keys() != {"times", "values", "peak"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        peak = record["peak"]
        if type(peak) is not int:
            raise ValueError(f"peak is not a whole number: {peak!r}")
        return peaks_over_time(record["times"], record["values"], self.options.interval, self.options.quantum, peak)
