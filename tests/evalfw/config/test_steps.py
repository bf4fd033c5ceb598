from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw.config.steps import Sweep


def numbers(first: float, last: float, step: float) -> tuple[float, ...]:
    return Sweep.model_validate({"from": first, "to": last, "step": step}).numbers()


@pytest.mark.parametrize(
    ("first", "last", "step", "expected"),
    [
        (0, 2, 0.2, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)),
        (0.1, 0.3, 0.1, (0.1, 0.2, 0.3)),
        (0, 1, 0.3, (0.0, 0.3, 0.6, 0.9)),
        (0.5, 0.5, 1, (0.5,)),
        (1e-7, 3e-7, 1e-7, (1e-7, 2e-7, 3e-7)),
        (-0.0, 1, 1, (0.0, 1.0)),
    ],
)
def test_exact_decimals(first: float, last: float, step: float, expected: tuple[float, ...]) -> None:
    assert repr(numbers(first, last, step)) == repr(expected)


@given(st.integers(-500, 500), st.integers(0, 300), st.integers(1, 50), st.integers(0, 4))
def test_every_number_is_the_one_that_a_person_would_write(low: int, length: int, step: int, places: int) -> None:
    unit = Decimal(1).scaleb(-places)
    exact = [low * unit + place * unit for place in range(0, length + 1, step)]
    if step > length > 0:
        return
    found = numbers(float(low * unit), float((low + length) * unit), float(step * unit))
    assert found == tuple(float(str(number)) for number in exact)


@pytest.mark.parametrize(
    ("first", "last", "step", "message"),
    [
        (2, 0, 0.1, "`to` is 0.0, and has to be at least `from`, which is 2.0"),
        (0, 1, 2, "`step` is 2.0, and leads from 0.0 past 1.0 at once"),
        (0, 1, 1e-4, "more than 1000 numbers"),
    ],
)
def test_what_is_no_sweep(first: float, last: float, step: float, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        numbers(first, last, step)
