from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from evalfw.statistics.tertiles import Tertiles, tertiles
from tests.evalfw.statistics.numbers import GROUP, TIED


@given(GROUP)
def test_places_are_those_of_pandas(values: list[float]) -> None:
    cuts = tertiles(values)
    ends = pd.Series(values).quantile([1 / 3, 2 / 3])
    assert [cuts.first, cuts.second] == pytest.approx(list(ends))
    if len(set(values)) == len(values) >= 3:
        expected = pd.qcut(pd.Series(values), 3, labels=[1, 2, 3])
        assert [cuts.place(value) for value in values] == list(expected)


@given(TIED)
def test_equal_values_have_one_place_and_the_first_third_is_never_empty(values: list[float]) -> None:
    cuts = tertiles(values)
    places = [cuts.place(value) for value in values]
    assert len({*zip(values, places, strict=True)}) == len(set(values))
    assert 1 in places
    assert places == [1 + sum(value > cut for cut in (cuts.first, cuts.second)) for value in values]


def test_by_hand() -> None:
    assert tertiles([4.0, 1.0, 3.0, 2.0]) == Tertiles(2.0, 3.0)
    assert [Tertiles(2.0, 3.0).place(value) for value in (1.0, 2.0, 2.5, 3.0, 3.5)] == [1, 1, 2, 2, 3]
    with pytest.raises(ValueError, match="nothing to cut"):
        tertiles([])
