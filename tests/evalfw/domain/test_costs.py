from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Cost, InstructionCount, Json, Timing


def test_timings() -> None:
    timing = Timing((0.1, 0.25))
    assert Timing.unpack(timing.pack()) == timing
    for bad in ((), (-1.0,), (float("nan"),), (1.0, float("inf"))):
        with pytest.raises(ValueError, match="at least one round"):
            Timing(bad)


@given(st.integers(0), st.text(), st.text())
def test_instructions(count: int, source: str, version: str) -> None:
    found = InstructionCount(count, source, version)
    assert InstructionCount.unpack(found.pack()) == found
    assert found.facts() == {"instructions": count, "source": source, "source_version": version}


@pytest.mark.parametrize("count", [-1, 1.0, True, None, "1"])
def test_what_is_no_number_of_instructions(count: object) -> None:
    with pytest.raises(ValueError, match="not a number of instructions"):
        InstructionCount(count)  # type: ignore[arg-type]


def test_costs_have_a_number_and_a_unit() -> None:
    costs: list[Cost] = [InstructionCount(7), Timing((1.0, 3.0, 2.0))]
    assert [(cost.cost, cost.unit) for cost in costs] == [(7, "instructions"), (2.0, "seconds")]


@given(
    st.lists(st.floats(0, 1e6), min_size=1).map(tuple),
    st.text(),
    st.dictionaries(st.text(), st.lists(st.integers() | st.text() | st.none())),
)
def test_packing_timings_with_their_report(seconds: tuple[float, ...], clock: str, report: dict[str, Json]) -> None:
    timing = Timing(seconds, clock, report)
    assert Timing.unpack(timing.pack()) == timing


def test_what_a_timing_says_of_itself() -> None:
    facts = Timing((0.25, 1.0, 0.5), "perf_counter").facts()
    assert facts == {"rounds": 3, "median_seconds": 0.5, "total_seconds": 1.75, "clock": "perf_counter"}
