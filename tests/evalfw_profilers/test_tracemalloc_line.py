from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Json, MemoryProfile
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

RECORD: dict[str, Json] = {
    "runs": [0, 2, 3, 1, 1, 4],
    "lines": [0, 7, 3],
    "uncertainty": 0,
    "coverage": 0.5,
    "end": 2,
}


def test_options_are_those_of_the_paper_by_default() -> None:
    profiler = TracemallocLine(LineOptions())
    assert profiler.settings() == {"stride": 1, "quantum": 64, "scope": "newest", "frame_objects": "count"}
    assert LineOptions.model_validate({"stride": 5, "quantum": "256B"}) == LineOptions(stride=5, quantum=256)


@pytest.mark.parametrize(
    "options",
    [
        *({"stride": 0}, {"quantum": 0}, {"stride": 1.0}, {"strides": 1}, {"quantum": "64"}),
        *({"scope": "any"}, {"frame_objects": "no"}),
    ],
)
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LineOptions.model_validate(options)


def test_the_instrument_lies_beside_the_class() -> None:
    assert TracemallocLine.instrument_path().is_file()


def test_a_record_becomes_a_profile() -> None:
    profile = TracemallocLine(LineOptions(quantum=100)).profile(RECORD)
    runs = ((0, 2), (300, 1), (400, 4))
    assert profile == MemoryProfile(runs, exact=True, coverage=0.5, end_bytes=200, lines=(0, 7, 3))


def test_with_a_stride_there_are_no_lines() -> None:
    profiler = TracemallocLine(LineOptions(stride=2))
    assert profiler.profile({**RECORD, "lines": None}).lines is None
    with pytest.raises(ValueError, match="with a stride of 2 there are none"):
        profiler.profile(RECORD)


def test_an_uncertainty_makes_a_profile_inexact() -> None:
    profile = TracemallocLine(LineOptions(quantum=100)).profile({**RECORD, "uncertainty": 3})
    assert (profile.exact, profile.uncertainty_bytes) == (False, 300)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6))), st.integers(1, 10**4), st.integers(1, 4096))
def test_runs_are_summed_up(runs: list[tuple[int, int]], first: int, quantum: int) -> None:
    flat = [0, first, *(number for run in runs for number in run)]
    lines: list[Json] = [0] * (1 + len(runs))
    profile = TracemallocLine(LineOptions(quantum=quantum)).profile({**RECORD, "runs": flat, "lines": lines})
    assert profile.monotone
    assert profile.length == sum(flat[1::2])
    assert profile.peak_bytes == quantum * sum(flat[::2])


def test_the_reason_of_a_disturbed_measurement_is_passed_on() -> None:
    with pytest.raises(ValueError, match="the tracer is gone"):
        TracemallocLine(LineOptions()).profile({"tampered": "the tracer is gone"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": []}, "begin at 0"),
        ({"runs": None}, "pairs of integers"),
        ({"runs": "0, 1"}, "pairs of integers"),
        ({"runs": [0]}, "pairs of integers"),
        ({"runs": [0, True]}, "pairs of integers"),
        ({"runs": [0, 1.0]}, "pairs of integers"),
        ({"runs": [1, 1]}, "begin at 0"),
        ({"runs": [0, 1, 0, 1]}, "begin at 0"),
        ({"runs": [0, 1, -1, 1]}, "begin at 0"),
        ({"runs": [0, 0, 1, 1]}, "begin at 0"),
        ({"lines": None}, "lines are not a list"),
        ({"lines": "012"}, "lines are not a list"),
        ({"lines": [0, 1]}, "2 entries for 3 runs"),
        ({"lines": [1, 1, 1]}, "lines do not begin at 0"),
        ({"lines": [0, -1, 1]}, "entry 1"),
        ({"lines": [0, True, 1]}, "entry 1"),
        ({"lines": [0, 1.0, 1]}, "entry 1"),
        ({"uncertainty": -1}, "uncertainty"),
        ({"uncertainty": True}, "uncertainty"),
        ({"coverage": 1.5}, "coverage"),
        ({"coverage": float("nan")}, "coverage"),
        ({"coverage": 1}, "coverage"),
        ({"end": -1}, "end"),
        ({"end": None}, "end"),
        ({"more": 1}, "not a record"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TracemallocLine(LineOptions()).profile({**RECORD, **change})


@pytest.mark.parametrize("missing", RECORD)
def test_nothing_may_be_missing(missing: str) -> None:
    with pytest.raises(ValueError, match="not a record"):
        TracemallocLine(LineOptions()).profile({key: value for key, value in RECORD.items() if key != missing})
