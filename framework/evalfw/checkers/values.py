"""The checkers that compare plain data, in order or as multisets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from evalfw.checkers.matching import unmatched
from evalfw.checkers.numbers import Tolerance, decimal
from evalfw.checkers.plain import Forms, as_list, is_number, numbers
from evalfw.checkers.texts import show
from evalfw.domain.problem import Json

PAIRS = 100_000
"""How many pairs of elements are compared at most where tolerances make pairing up a search."""

_WHERE = 40


def value(expected: Json, actual: Json, tolerance: Tolerance) -> str | None:
    """The same data: lists in order, objects by key, integers and texts exactly, floats within a tolerance.

    A tuple is a list, and so is `{"__tuple__": [...]}`. An integer is accepted where a float is expected, not the
    other way round. A bool is no number. NaN equals nothing, NaN included; an infinity equals itself.
    """
    return _compare(expected, actual, _Comparison(tolerance), top=False)


def unordered(expected: Json, actual: Json, tolerance: Tolerance) -> str | None:
    """As `value`, but the outermost list is a multiset."""
    return _compare(expected, actual, _Comparison(tolerance), top=True)


def unordered_nested(expected: Json, actual: Json, tolerance: Tolerance) -> str | None:
    """As `value`, but every list is a multiset."""
    return _compare(expected, actual, _Comparison(tolerance, multisets=True), top=True)


class _TooManyPairs(Exception):
    pass


def _compare(expected: Json, actual: Json, comparison: _Comparison, *, top: bool) -> str | None:
    wanted, found = as_list(expected), as_list(actual)
    try:
        if top and wanted is not None and found is not None:
            return comparison.multiset(wanted, found, "")
        return comparison.difference(expected, actual, "")
    except RecursionError:
        return "nested too deeply to be compared"
    except _TooManyPairs:
        return "too many ways to pair the elements up"


class _Comparison:
    """One comparison under way. `difference` and `multiset` give the first difference, None if there is none.

    Args:
        tolerance: For floats.
        multisets: Whether lists are multisets.
    """

    def __init__(self, tolerance: Tolerance, *, multisets: bool = False) -> None:
        self._tolerance = tolerance
        self._multisets = multisets
        self._pairs = PAIRS

    def difference(self, expected: Json, actual: Json, where: str) -> str | None:
        """Compare in order, unless all lists are multisets."""
        wanted, found = as_list(expected), as_list(actual)
        if wanted is not None and found is not None:
            return self._lists(wanted, found, where)
        if wanted is found is None and isinstance(expected, Mapping) and isinstance(actual, Mapping):
            return self._objects(expected, actual, where)
        if is_number(expected) and is_number(actual):
            same = self._same_number(expected, actual)
        else:
            same = _same_scalar(expected, actual)
        return None if same else f"{_at(where)}expected {show(expected)}, found {show(actual)}"

    def multiset(self, expected: Sequence[Json], actual: Sequence[Json], where: str) -> str | None:
        """Compare without regard to order.

        Without a float in what is expected, being alike is being equal, and names settle it. With floats the
        elements are sorted into groups that are alike but for numbers, and paired up within each.
        """
        if len(expected) != len(actual):
            return _lengths(expected, actual, where)
        exact = not any(isinstance(number, float) for number in numbers(expected))
        forms = Forms(multisets=self._multisets, shapes=not exact)
        wanted, found = [forms.name(item) for item in expected], [forms.name(item) for item in actual]
        missing = Counter(wanted) - Counter(found)
        if missing:
            return _missing(expected[wanted.index(next(iter(missing)))], where)
        if exact:
            return None
        groups: defaultdict[int, tuple[list[Json], list[Json]]] = defaultdict(lambda: ([], []))
        for side, (names, items) in enumerate(((wanted, expected), (found, actual))):
            for name, item in zip(names, items, strict=True):
                groups[name][side].append(item)
        alone = (self._unmatched(*group) for group in groups.values())
        return next((_missing(item[0], where) for item in alone if item), None)

    def _lists(self, expected: Sequence[Json], actual: Sequence[Json], where: str) -> str | None:
        if self._multisets:
            return self.multiset(expected, actual, where)
        if len(expected) != len(actual):
            return _lengths(expected, actual, where)
        pairs = enumerate(zip(expected, actual, strict=True))
        reasons = (self.difference(one, other, f"{where}[{at}]") for at, (one, other) in pairs)
        return next(filter(None, reasons), None)

    def _objects(self, expected: Mapping[str, Json], actual: Mapping[str, Json], where: str) -> str | None:
        if expected.keys() != actual.keys():
            return f"{_at(where)}expected other keys"
        reasons = (self.difference(item, actual[key], f"{where}[{show(key)}]") for key, item in expected.items())
        return next(filter(None, reasons), None)

    def _same_number(self, expected: float, actual: float) -> bool:
        if expected == actual:
            return isinstance(expected, float) or isinstance(actual, int)
        if isinstance(expected, int) or self._tolerance == Tolerance():
            return False
        if isinstance(actual, int) and actual.bit_length() > 1100:
            return False  # beyond all floats, and perhaps too long to be written out
        return self._tolerance.covers(decimal(repr(expected)), decimal(repr(actual)))

    def _unmatched(self, expected: list[Json], actual: list[Json]) -> tuple[Json] | None:
        """An element without a partner, among those that are alike but for numbers."""
        if all(map(is_number, expected)):
            return self._unmatched_number(list(numbers(expected)), list(numbers(actual)))

        def order(item: Json) -> list[float]:
            return sorted(numbers(item)) if self._multisets else list(numbers(item))

        def apart(column: Iterable[float]) -> int:
            return sum(not self._same_number(one, other) for one, other in pairwise(sorted(column)))

        columns = [apart(column) for column in zip(*map(order, expected), strict=True)]
        lead = columns.index(max(columns)) if columns else 0

        def key(item: Json) -> list[float]:
            """The numbers, from the one on that tells most elements apart: near ones then come near each other."""
            row = order(item)
            return row[lead:] + row[:lead]

        wanted = sorted(expected, key=key)
        place = unmatched(wanted, sorted(actual, key=key), self._alike)
        return None if place is None else (wanted[place],)

    def _unmatched_number(self, expected: list[float], actual: list[float]) -> tuple[Json] | None:
        """The same for numbers alone.

        Integers take their equals first; nothing else will do for them. Of the rest the smallest go together: the
        range that a float accepts rises with it at both ends (rel < 1), so no other pairing can do better.
        """
        spare = Counter(hex(number) for number in actual if isinstance(number, int))
        for number in expected:
            if isinstance(number, int):
                if not spare[hex(number)]:
                    return (number,)
                spare[hex(number)] -= 1
        rest: list[float] = [int(digits, 16) for digits in spare.elements()]
        rest += [number for number in actual if isinstance(number, float)]
        floats = sorted(number for number in expected if isinstance(number, float))
        pairs = zip(floats, sorted(rest), strict=True)
        return next(((one,) for one, other in pairs if not self._same_number(one, other)), None)

    def _alike(self, expected: Json, actual: Json) -> bool:
        self._pairs -= 1
        if self._pairs < 0:
            raise _TooManyPairs
        return self.difference(expected, actual, "") is None


def _same_scalar(expected: Json, actual: Json) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, str) and isinstance(actual, str):
        return expected == actual
    return expected is None and actual is None


def _lengths(expected: Sequence[Json], actual: Sequence[Json], where: str) -> str:
    return f"{_at(where)}expected {show(expected)}, found {show(actual)}"


def _missing(item: Json, where: str) -> str:
    return f"{_at(where)}nothing found for {show(item)}"


def _at(where: str) -> str:
    if len(where) > _WHERE:
        where = where[:_WHERE] + "..."
    return f"at {where}: " if where else ""
