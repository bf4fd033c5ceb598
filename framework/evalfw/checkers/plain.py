"""Plain data taken apart: lists and tuples, objects, numbers, and what counts as equal among them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeGuard

from evalfw.domain.problem import Json

_TUPLE = "__tuple__"
_SCALARS = (int, float, str, type(None))


def as_list(value: Json) -> Sequence[Json] | None:
    """The elements of a list, a tuple or what stands for a tuple; None for anything else."""
    if isinstance(value, _SCALARS):
        return None
    if isinstance(value, Mapping) and len(value) == 1:
        value = value.get(_TUPLE)
    return value if isinstance(value, list | tuple) else None


def is_number(value: Json) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float; a bool is neither."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers(value: Json) -> Iterator[int | float]:
    """All numbers in a value, those of objects in the order of the keys."""
    items = as_list(value)
    if items is not None:
        for item in items:
            yield from numbers(item)
    elif isinstance(value, Mapping):
        for _, item in sorted(value.items()):
            yield from numbers(item)
    elif is_number(value):
        yield value


class Forms:
    """Names for values: two have the same one exactly if they are equal.

    Every part of a value is looked up once, so the work is linear in its size, whatever its depth.

    Args:
        multisets: Whether the order in lists is no matter.
        shapes: Whether all numbers are alike.
    """

    def __init__(self, *, multisets: bool, shapes: bool) -> None:
        self._multisets = multisets
        self._shapes = shapes
        self._names: dict[Hashable, int] = {}

    def name(self, value: Json) -> int:
        """The name of a value."""
        return self._names.setdefault(self._key(value), len(self._names))

    def _key(self, value: Json) -> Hashable:
        if is_number(value):
            return ("number",) if self._shapes else self._number(value)
        if value is None or isinstance(value, str | bool):
            return type(value).__name__, value
        items = as_list(value)
        if items is not None:
            names = [self.name(item) for item in items]
            return "list", *(sorted(names) if self._multisets else names)
        if isinstance(value, Mapping):
            return "object", *sorted((key, self.name(item)) for key, item in value.items())
        return "other", len(self._names)  # not plain data: like nothing else

    def _number(self, value: float) -> Hashable:
        # Digits, not the numbers: anybody can make up any amount of numbers with one hash, not so of texts.
        if isinstance(value, int):
            return "int", hex(value)
        return ("nan", len(self._names)) if math.isnan(value) else ("float", (value + 0.0).hex())
