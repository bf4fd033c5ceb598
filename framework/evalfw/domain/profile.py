"""Profiles: what a profiler measured in one execution."""

from __future__ import annotations

import json
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from typing import ClassVar, Self

from evalfw.domain.problem import Json


class Profile(ABC):
    """Base of every kind of profile. A kind says how it is stored; everything else is its own.

    A plugin adds a kind by deriving from this class and naming it in its profiler's `produces`.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Name of the kind, stored beside the data."""

    @abstractmethod
    def pack(self) -> bytes:
        """The profile as bytes; equal profiles give equal bytes."""

    def facts(self) -> Mapping[str, Json]:
        """What a reader of the table of profiles should see, by column. The default is nothing."""
        return {}

    @classmethod
    @abstractmethod
    def unpack(cls, data: bytes) -> Self:
        """Undo `pack`.

        Raises:
            ValueError: The bytes are not of this kind.
        """


@dataclass(frozen=True, slots=True)
class Series(Profile):
    """Whole numbers from 0 over T steps, held as runs of equal values: what profiles of one quantity have in common.

    A kind names its `unit`; what else a profile of it says are further fields of plain data.

    Args:
        runs: `(value, count)` in order of time; neighbours differ, counts are positive.
    """

    kind: ClassVar[str] = "series"

    unit: ClassVar[str] = ""
    """Of the values."""

    columns: ClassVar[tuple[str, ...]] = ()
    """Fields that have one whole number from 0 for each run, or are None: they are stored with the runs."""

    runs: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be a series."""
        if not self.runs:
            raise ValueError(f"a {self.kind} profile needs at least one sample")
        for position, (value, count) in enumerate(self.runs):
            if type(value) is not int or type(count) is not int:
                raise ValueError(f"run {position} is not a pair of integers: {(value, count)!r}")
            if value < 0 or count < 1:
                raise ValueError(f"run {position} has negative {self.unit} or no samples: {(value, count)!r}")
        for name in self.columns:
            numbers = getattr(self, name)
            if numbers is None:
                continue
            if len(numbers) != len(self.runs):
                raise ValueError(f"{name} has {len(numbers)} entries for {len(self.runs)} runs")
            for position, number in enumerate(numbers):
                if type(number) is not int or number < 0:
                    raise ValueError(f"{name}: entry {position} is not a whole number from 0: {number!r}")

    @classmethod
    def from_samples(cls, samples: Iterable[int]) -> Self:
        """The profile of a plain series, one value a step.

        Raises:
            ValueError: The series is empty or holds something that is not a whole number of the unit;
                the message names the position.
        """
        values = list(samples)
        for position, value in enumerate(values):
            if type(value) is not int:
                raise ValueError(f"sample {position} is not a whole number of {cls.unit}: {value!r}")
        return cls(tuple((value, sum(1 for _ in same)) for value, same in groupby(values)))

    @property
    def length(self) -> int:
        """T, the number of steps."""
        return sum(count for _, count in self.runs)

    @property
    def peak(self) -> int:
        """The largest value."""
        return max(value for value, _ in self.runs)

    @property
    def monotone(self) -> bool:
        """Whether the series never falls, as an MPP."""
        return all(a <= b for (a, _), (b, _) in zip(self.runs, self.runs[1:], strict=False))

    def samples(self) -> Iterator[int]:
        """The series, one value a step."""
        for value, count in self.runs:
            for _ in range(count):
                yield value

    def pack(self) -> bytes:
        """Deltas as variable-length integers, deflated: about two bytes a run before compression."""
        columns = [name for name in self.columns if getattr(self, name) is not None]
        names = [each.name for each in fields(self) if each.name not in ("runs", *self.columns)]
        notes = {"columns": columns, **{name: getattr(self, name) for name in names}}
        head = json.dumps(notes, sort_keys=True, separators=(",", ":")).encode()
        body = bytearray(struct.pack("<H", len(head)) + head)
        previous = 0
        for (value, count), *more in zip(self.runs, *(getattr(self, name) for name in columns), strict=True):
            delta = value - previous
            for number in (delta * 2 if delta >= 0 else -delta * 2 - 1, count, *more):
                _put_varint(body, number)
            previous = value
        return zlib.compress(bytes(body), 9)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Undo `pack`."""
        try:
            body = zlib.decompress(data)
            (size,) = struct.unpack_from("<H", body)
            notes = json.loads(body[2 : 2 + size])
            columns = notes.pop("columns", ())
            numbers = list(_varints(body[2 + size :]))
        except (zlib.error, struct.error, ValueError) as error:
            raise ValueError(f"not a packed {cls.kind} profile: {error}") from error
        runs, value, width = [], 0, 2 + len(columns)
        zigzags, counts, *more = (tuple(numbers[first::width]) for first in range(width))
        for zigzag, count in zip(zigzags, counts, strict=True):
            value += zigzag >> 1 if not zigzag & 1 else -((zigzag + 1) >> 1)
            runs.append((value, count))
        return cls(tuple(runs), **dict(zip(columns, more, strict=True)), **notes)


@dataclass(frozen=True, slots=True)
class MemoryProfile(Series):
    """A series of bytes.

    A monotonic peak profile (MPP, paper A equation 1) is one whose values never fall.

    Args:
        runs: `(bytes, count)`, see `Series`.
        exact: Whether every value is the one defined. False where the instrument could only bound it.
        coverage: Peak of the measured bytes over the peak of all traced bytes, in [0, 1]; None if unknown.
            Low values mean that most memory was held by code that is not the solution's.
        end_bytes: Value after the last step, which is no step itself; None if unknown.
        uncertainty_bytes: No value is further than this from the one defined; None if unknown. 0 for an exact profile.
        lines: For each run, the line of the solution, from 1, that took the series to its value; 0 for the first run
            and where the line has no number. None if the lines are unknown.
    """

    kind: ClassVar[str] = "memory"
    unit: ClassVar[str] = "bytes"
    columns: ClassVar[tuple[str, ...]] = ("lines",)

    exact: bool = True
    coverage: float | None = None
    end_bytes: int | None = None
    uncertainty_bytes: int | None = None
    lines: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a series, and bounds that contradict `exact`."""
        Series.__post_init__(self)
        if self.exact:
            object.__setattr__(self, "uncertainty_bytes", self.uncertainty_bytes or 0)
        if self.exact and self.uncertainty_bytes:
            raise ValueError(f"an exact profile cannot be {self.uncertainty_bytes} bytes off")

    @property
    def peak_bytes(self) -> int:
        """The largest value."""
        return self.peak

    def raised_by(self) -> Mapping[int, int] | None:
        """Bytes by which each line raised the peak, by line; they sum up to the peak. None if the lines are unknown."""
        if self.lines is None:
            return None
        raised: dict[int, int] = {}
        peak = 0
        for (value, _), line in zip(self.runs, self.lines, strict=True):
            if value > peak:
                raised[line] = raised.get(line, 0) + value - peak
                peak = value
        return dict(sorted(raised.items()))

    def facts(self) -> Mapping[str, Json]:
        """Number of steps, peak, and how far the values can be trusted."""
        return {
            "steps": self.length,
            "peak_bytes": self.peak_bytes,
            "end_bytes": self.end_bytes,
            "exact": self.exact,
            "uncertainty_bytes": self.uncertainty_bytes,
            "coverage": self.coverage,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOverTime(MemoryProfile):
    """A memory profile by the clock: step i is what was held i intervals after the beginning.

    It is `exact` where every step has a sample of its own; a step without one holds the value before.

    Args:
        interval: Seconds from one step to the next.
        taken: How many samples there are.
        interval_median: Seconds from one sample to the next, as achieved; None where there are no two samples.
        interval_p99: The 99th percentile of the same.
        interval_longest: The longest.
    """

    kind: ClassVar[str] = "memory over time"

    interval: float
    taken: int
    interval_median: float | None = None
    interval_p99: float | None = None
    interval_longest: float | None = None

    def facts(self) -> Mapping[str, Json]:
        """Those of a memory profile, and how well the clock was kept."""
        names = ("taken", "interval_median", "interval_p99", "interval_longest")
        return {**MemoryProfile.facts(self), **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, slots=True)
class CpuProfile(Series):
    """CPU time used up so far, in nanoseconds, which never falls.

    Args:
        runs: `(nanoseconds, count)`, see `Series`.
        overhead_ns: What the instrument has taken off at every step for its own work.
    """

    kind: ClassVar[str] = "cpu"
    unit: ClassVar[str] = "ns"

    overhead_ns: int | None = None

    def facts(self) -> Mapping[str, Json]:
        """Number of steps, CPU time in all, and the correction of a step."""
        return {"steps": self.length, "cpu_ns": self.peak, "overhead_ns": self.overhead_ns}


def monotonic_peak(samples: Iterable[int], quantum: int = 1) -> MemoryProfile:
    """The MPP of a raw series of bytes (paper A, section 3.2 and equation 1).

    Subtracts the first sample, floors at 0, rounds to the nearest multiple of `quantum` (halves up),
    then takes the cumulative maximum.

    Raises:
        ValueError: The series is empty or holds something that is not a whole number of bytes.
    """
    raw = list(MemoryProfile.from_samples(samples).samples())
    peak, profile = 0, []
    for value in raw:
        rise = max(0, value - raw[0])
        peak = max(peak, (rise + quantum // 2) // quantum * quantum)
        profile.append(peak)
    return MemoryProfile.from_samples(profile)


def _put_varint(out: bytearray, number: int) -> None:
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number
            number = shift = 0
    if shift:
        raise ValueError("the last number is cut off")
