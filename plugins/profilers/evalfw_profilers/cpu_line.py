"""CPU time by executed lines: a profile that rises as that of paper A does, of time instead of memory."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from evalfw import CpuProfile, Json, Options, Profiler
from evalfw_profilers.rises import runs_of


class CpuOptions(Options):
    """How finely time is told."""

    quantum_ns: int = Field(
        default=1000, ge=1, description="Round every value to the nearest multiple of so many nanoseconds, halves up."
    )


class CpuLine(Profiler[CpuOptions]):
    """The CPU time that the solution has used up, line by line.

    After every executed line of the solution: the CPU time of the process since the first, less what tracing took,
    rounded to `quantum_ns`. A line that calls a function of the solution's ends where the first line of that begins.
    """

    instrument = "cpu_line_instrument.py"
    produces = CpuProfile
    exclusive = True

    def profile(self, record: Mapping[str, Json]) -> CpuProfile:
        """The profile, from runs of (rise in quanta, number of lines).

        Raises:
            ValueError: The solution disturbed the measurement, or the record cannot be a measurement.
        """
        if "tampered" in record:
            raise ValueError(str(record["tampered"]))
        if record.keys() != {"runs", "overhead_ns"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        overhead = record["overhead_ns"]
        if type(overhead) is not int or overhead < 0:
            raise ValueError(f"overhead_ns is not a number of nanoseconds: {overhead!r}")
        return CpuProfile(runs_of(record["runs"], self.options.quantum_ns), overhead)
