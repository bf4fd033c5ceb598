"""Memory by executed lines: the profile of paper A."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Literal

from pydantic import Field

from evalfw import Bytes, Json, MemoryProfile, Options, Profiler


class LineOptions(Options):
    """What paper A, section 4.3 calls the two hyperparameters, and whose bytes are meant."""

    stride: int = Field(default=1, ge=1, description="Sample at every so many executed lines; the first always.")
    quantum: Bytes = Field(default=64, description="Round every sample to the nearest multiple of this, halves up.")
    scope: Literal["newest", "inclusive"] = Field(
        default="newest",
        description="Whose blocks count: those allocated while a frame of the solution was the newest one, or all that"
        " were allocated while it ran, by libraries too.",
    )
    frame_objects: Literal["count", "subtract"] = Field(
        default="count",
        description="Whether the objects that a trace function makes Python keep for the running frames of the"
        " solution count.",
    )


class TracemallocLine(Profiler[LineOptions]):
    """The monotonic peak profile of the bytes that tracemalloc attributes to the solution, line by line.

    Before every `stride`-th executed line of the solution: the bytes of all live blocks that were allocated while a
    frame of the solution was the newest one, less those at the first line, at least 0, rounded to `quantum`; of these
    the cumulative maximum (paper A, sections 3.2 and 4.2). Lines of threads started by `threading` count too.
    `end_bytes` is the value after the program, rounded in the same way, not a maximum. Where a value could only be
    bounded, the profile is not exact, and `uncertainty_bytes` bounds the error of every value. With a stride of 1,
    `lines` has the line that made each rise: of what ran since the sample before, that which took most memory.
    """

    instrument = "tracemalloc_line_instrument.py"

    def profile(self, record: Mapping[str, Json]) -> MemoryProfile:
        """The profile, from runs of (rise in quanta, number of samples).

        Raises:
            ValueError: The solution disturbed the measurement, or the record cannot be a measurement.
        """
        if "tampered" in record:
            raise ValueError(str(record["tampered"]))
        if record.keys() != {"runs", "lines", "uncertainty", "coverage", "end"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        uncertainty, coverage, end = record["uncertainty"], record["coverage"], record["end"]
        if type(uncertainty) is not int or uncertainty < 0:
            raise ValueError(f"uncertainty is not a number of quanta: {uncertainty!r}")
        if type(coverage) is not float or not 0 <= coverage <= 1:
            raise ValueError(f"coverage is not a number from 0 to 1: {coverage!r}")
        if type(end) is not int or end < 0:
            raise ValueError(f"end is not a number of quanta: {end!r}")
        quantum = self.options.quantum
        return MemoryProfile(
            self._runs(record["runs"]),
            exact=not uncertainty,
            coverage=coverage,
            end_bytes=end * quantum,
            uncertainty_bytes=uncertainty * quantum,
            lines=self._lines(record["lines"]),
        )

    def _runs(self, flat: Json) -> tuple[tuple[int, int], ...]:
        if not isinstance(flat, list) or len(flat) % 2 or any(type(number) is not int for number in flat):
            raise ValueError("runs is not a list of pairs of integers")
        rises, counts = flat[::2], flat[1::2]
        if rises[:1] != [0] or any(rise < 1 for rise in rises[1:]) or any(count < 1 for count in counts):
            raise ValueError("runs do not begin at 0 and rise from there")
        levels = (level * self.options.quantum for level in accumulate(rises))
        return tuple(zip(levels, counts, strict=True))

    def _lines(self, lines: Json) -> tuple[int, ...] | None:
        if self.options.stride > 1:
            if lines is not None:
                raise ValueError(f"lines were recorded; with a stride of {self.options.stride} there are none")
            return None
        if not isinstance(lines, list):
            raise ValueError("lines are not a list")
        if lines[:1] != [0]:
            raise ValueError("lines do not begin at 0")
        return tuple(lines)
