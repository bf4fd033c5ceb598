"""Profiles as curves to look at: staircases with no more steps than an eye can tell apart."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from evalfw.domain.profile import CpuProfile, MemoryOverTime, MemoryProfile, Series
from evalfw.store.run import RunStore

TOLERANCE: Final = 0.005
"""How far a curve is from its profile at most: this share of the peak up or down, and of the length left or right."""

PLAIN: Final = 50
"""Profiles of so many runs, or fewer, are drawn as they are."""

KINDS: Final[Mapping[str, type[Series]]] = {kind.kind: kind for kind in (MemoryProfile, MemoryOverTime, CpuProfile)}
"""Kinds of profile that are a curve."""


class Step(NamedTuple):  # of which there are many, so that it matters how fast one is made
    """A piece of a staircase, which lasts until the next begins.

    Args:
        start: How many steps of the profile come before it.
        value: In the unit of the profile.
        lines: Lines of the source that raised the profile to its value from the one before; empty where none did or
            where they are unknown.
    """

    start: int
    value: int
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """What one line of a source did to a profile.

    Args:
        line: Its number from 1; 0 for what has no line.
        value: By how much it raised the peak, in the unit of the profile. Over all lines this adds up to the peak.
        times: How often it did.
    """

    line: int
    value: int
    times: int


def read_series(store: RunStore, key: str) -> Series | None:
    """A stored profile that is a curve; None where there is no profile or it is of another kind.

    Raises:
        ValueError: It cannot be unpacked.
    """
    packed = store.packed_profile(key)
    if packed is None or packed[0] not in KINDS:
        return None
    kind, data = packed
    return KINDS[kind].unpack(data)


def raised(profile: Series) -> tuple[Raised, ...] | None:
    """What each line did, by line; None where the profile does not know."""
    by_line = profile.raised_by() if isinstance(profile, MemoryProfile) else None
    if by_line is None:
        return None
    times = Counter(line for line, rises in zip(_lines(profile), _rises(profile), strict=True) if rises)
    return tuple(Raised(line, value, times[line]) for line, value in by_line.items())


def staircase(profile: Series, tolerance: float = TOLERANCE, plain: int = PLAIN) -> list[Step]:
    """A profile as a staircase with few steps.

    Wherever one of the two is, the other passes within `tolerance * peak` of that value no further than
    `tolerance * length` steps away. The last value is that of the profile, and so is the highest.

    Args:
        profile: The profile.
        tolerance: See above.
        plain: Profiles of so many runs, or fewer, stay as they are.
    """
    marked = _marked(profile)
    if len(marked) <= max(plain, 1):
        return marked
    height, width = tolerance * profile.peak, int(tolerance * profile.length)
    # What only rises may jump in the middle of a group, which is then near from both sides.
    shift = width if profile.monotone else 0
    steps = marked[:1]
    group, low, high = marked[1:2], marked[1].value, marked[1].value
    for step in marked[2:]:
        low, high = min(low, step.value), max(high, step.value)
        if high - low <= height or step.start - group[0].start <= width + shift:
            group.append(step)
        else:
            steps += _merged(group, steps[-1].value, shift)
            group, low, high = [step], step.value, step.value
    return steps + _merged(group, steps[-1].value, shift)


def at(steps: Sequence[Step], place: int) -> Step:
    """The step that holds at a step of the profile."""
    return steps[bisect_right(steps, place, key=lambda step: step.start) - 1]


def _merged(group: Sequence[Step], before: int, shift: int) -> list[Step]:
    """The steps that stand for a group: its last, and before that its extremes where they stand out."""
    last = group[-1]
    lowest, highest = (extreme(group, key=lambda step: step.value) for extreme in (min, max))
    extremes = [
        *([lowest] if lowest.value < min(before, last.value) else []),
        *([highest] if highest.value > max(before, last.value) else []),
    ]
    kept = [*sorted(extremes, key=lambda step: step.start), last]
    lines = tuple(dict.fromkeys(line for step in group for line in step.lines))
    start = min(last.start, group[0].start + shift)
    return [Step(start, kept[0].value, lines), *(Step(step.start, step.value) for step in kept[1:])]


def _marked(profile: Series) -> list[Step]:
    """The runs of a profile as steps."""
    steps, start = [], 0
    lines = _lines(profile) or (None,) * len(profile.runs)
    for (value, count), line, rises in zip(profile.runs, lines, _rises(profile), strict=True):
        steps.append(Step(start, value, (line,) if rises and line is not None else ()))
        start += count
    return steps


def _rises(profile: Series) -> Iterator[bool]:
    """Whether each run is higher than all before it, and than 0."""
    peak = 0
    for value, _ in profile.runs:
        yield value > peak
        peak = max(peak, value)


def _lines(profile: Series) -> tuple[int, ...]:
    """The line of each run; none where the profile does not know them."""
    return (isinstance(profile, MemoryProfile) and profile.lines) or ()
