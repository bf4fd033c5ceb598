"""Pairing elements up where being alike is no equivalence, as with tolerances."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def unmatched(expected: list[T], actual: list[T], alike: Callable[[T, T], bool]) -> int | None:
    """Pair up two lists of one length by augmenting paths, so that no unlucky first choice decides.

    Both should be sorted: elements at or near the same place are tried first.

    Returns:
        Index of an expected element that is left over in every pairing; None if all find a partner.
    """
    owner: list[int | None] = [None] * len(actual)
    left = []
    for place, (wanted, found) in enumerate(zip(expected, actual, strict=True)):
        if alike(wanted, found):
            owner[place] = place
        else:
            left.append(place)
    return next((place for place in left if not _augment(place, expected, actual, owner, alike)), None)


def _augment(
    root: int, expected: list[T], actual: list[T], owner: list[int | None], alike: Callable[[T, T], bool]
) -> bool:
    """Find a partner for one element, moving others on where that must be; False if there is none."""
    reached: dict[int, int] = {}
    held: dict[int, int] = {}
    waiting = deque([root])
    while waiting:
        place = waiting.popleft()
        for other in _nearest(place, len(actual)):
            if other in reached or not alike(expected[place], actual[other]):
                continue
            reached[other] = place
            holder = owner[other]
            if holder is not None:
                held[holder] = other
                waiting.append(holder)
                continue
            free: int | None = other
            while free is not None:
                taker = owner[free] = reached[free]
                free = held.get(taker)
            return True
    return False


def _nearest(place: int, length: int) -> Iterator[int]:
    """All places, from one outwards."""
    yield place
    for step in range(1, length):
        if place - step >= 0:
            yield place - step
        if place + step < length:
            yield place + step
