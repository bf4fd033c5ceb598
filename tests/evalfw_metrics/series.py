"""Series for property tests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from hypothesis import strategies as st

Run = tuple[int, int]

values = st.one_of(st.integers(0, 2), st.integers(0, 6), st.integers(0, 10**9), st.integers(0, 2**70))
small = st.one_of(st.integers(0, 2), st.integers(0, 6), st.integers(0, 1000))


def rising(of: st.SearchStrategy[int] = values, longest: int = 40) -> st.SearchStrategy[list[int]]:
    """Series that never fall: few levels with long runs as well as many levels."""
    return st.lists(of, min_size=1, max_size=longest).map(sorted)


def any_shape(of: st.SearchStrategy[int] = small, longest: int = 20) -> st.SearchStrategy[list[int]]:
    return st.lists(of, min_size=1, max_size=longest)


def runs(series: Sequence[int]) -> list[Run]:
    return [(value, len(list(same))) for value, same in groupby(series)]
