"""Profiles that never fall, as instruments report them: rises, in quanta."""

from __future__ import annotations

from itertools import accumulate

from evalfw import Json


def runs_of(flat: Json, quantum: int) -> tuple[tuple[int, int], ...]:
    """The runs (value, count) of a profile.

    Args:
        flat: Rise in quanta, then number of steps, for each run of equal values.
        quantum: Of the values.

    Raises:
        ValueError: It is nothing of the kind.
    """
    if not isinstance(flat, list) or len(flat) % 2 or any(type(number) is not int for number in flat):
        raise ValueError("runs is not a list of pairs of integers")
    rises, counts = flat[::2], flat[1::2]
    if any(rise < (position > 0) for position, rise in enumerate(rises)) or any(count < 1 for count in counts):
        raise ValueError("runs do not rise")
    return tuple(zip((level * quantum for level in accumulate(rises)), counts, strict=True))
