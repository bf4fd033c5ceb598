"""Which problems of a dataset are meant: the options `ids` and `limit`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice

from evalfw import InputError, Problem, near


def select(problems: Iterable[Problem], ids: Sequence[str] | None, limit: int | None) -> Iterator[Problem]:
    """The problems with these ids (None: all), the first `limit` of them, in the order of the dataset.

    Raises:
        InputError: There is no problem of one of the ids.
    """
    return islice(problems if ids is None else _named(problems, ids), limit)


def _named(problems: Iterable[Problem], ids: Sequence[str]) -> Iterator[Problem]:
    wanted, found, known = set(ids), [], []
    for problem in problems:
        known.append(problem.id)
        if problem.id in wanted:
            found.append(problem)
            if len(found) == len(wanted):
                break
    for unknown in sorted(wanted.difference(known)):
        # A list of all problems of a large dataset would bury the hint.
        close = known if len(known) <= 20 else get_close_matches(unknown, known, n=5, cutoff=0.3)
        raise InputError(f"ids: none of the {len(known)} problems is named {unknown!r}{near(unknown, close)}")
    yield from found
