from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import (
    Cost,
    CpuProfile,
    InstructionCount,
    Json,
    MemoryOverTime,
    MemoryProfile,
    OpcodeCounts,
    Timing,
    monotonic_peak,
)

RUNS = st.lists(st.tuples(st.integers(0, 1 << 40), st.integers(1, 1 << 30)), min_size=1).map(tuple)


@given(RUNS, st.none() | st.floats(0, 1), st.none() | st.integers(0), st.none() | st.integers(0))
def test_packing_memory_profiles(
    runs: tuple[tuple[int, int], ...], coverage: float | None, end: int | None, uncertainty: int | None
) -> None:
    profile = MemoryProfile(runs, uncertainty == 0, coverage, end, uncertainty)
    assert MemoryProfile.unpack(profile.pack()) == profile


def test_an_exact_profile_is_nothing_off() -> None:
    assert MemoryProfile(((0, 1),)).uncertainty_bytes == 0
    assert MemoryProfile(((0, 1),), exact=False).uncertainty_bytes is None
    with pytest.raises(ValueError, match="64 bytes off"):
        MemoryProfile(((0, 1),), uncertainty_bytes=64)


def test_a_million_samples_are_small() -> None:
    profile = MemoryProfile(tuple((level * 6_400, 10_000 + level * 37 % 911) for level in range(100)))
    assert profile.length > 1_000_000
    assert len(profile.pack()) < 2048


@given(st.binary())
def test_other_bytes_are_refused(data: bytes) -> None:
    for kind in (MemoryProfile, MemoryOverTime, CpuProfile, Timing, InstructionCount, OpcodeCounts):
        with pytest.raises(ValueError, match=r"."):
            kind.unpack(data)


@given(st.lists(st.integers(0, 100), min_size=1))
def test_samples_and_runs(samples: list[int]) -> None:
    profile = MemoryProfile.from_samples(samples)
    assert list(profile.samples()) == samples
    assert (profile.length, profile.peak_bytes) == (len(samples), max(samples))
    assert profile.monotone == (samples == sorted(samples))
    assert all(a != b for (a, _), (b, _) in zip(profile.runs, profile.runs[1:], strict=False))


@pytest.mark.parametrize("samples", [[], [1, None], [1, 2.0], [True], [-1]])
def test_what_is_no_series(samples: list[object]) -> None:
    with pytest.raises(ValueError, match=r"sample|negative"):
        MemoryProfile.from_samples(samples)  # type: ignore[arg-type]


@pytest.mark.parametrize("runs", [(), ((1, 0),), ((-1, 1),), ((1.5, 1),)])
def test_what_is_no_profile(runs: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match=r"sample|run 0"):
        MemoryProfile(runs)


def test_the_monotonic_peak_by_hand() -> None:
    assert list(monotonic_peak([100, 90, 140, 120, 180]).samples()) == [0, 0, 40, 40, 80]


def test_halves_are_rounded_up() -> None:
    assert list(monotonic_peak([0, 31, 32, 96, 95], quantum=64).samples()) == [0, 0, 64, 128, 128]


@given(st.lists(st.integers(0, 10_000), min_size=1), st.integers(1, 300))
def test_the_monotonic_peak_of_any_series(samples: list[int], quantum: int) -> None:
    profile = monotonic_peak(samples, quantum)
    values = list(profile.samples())
    assert values[0] == 0
    assert profile.monotone
    assert len(values) == len(samples)
    assert all(value % quantum == 0 for value in values)
    rise = max(0, *(sample - samples[0] for sample in samples)) if len(samples) > 1 else 0
    assert abs(values[-1] - rise) <= quantum / 2


def test_timings() -> None:
    timing = Timing((0.1, 0.25))
    assert Timing.unpack(timing.pack()) == timing
    for bad in ((), (-1.0,), (float("nan"),), (1.0, float("inf"))):
        with pytest.raises(ValueError, match="at least one round"):
            Timing(bad)


def test_opcode_counts() -> None:
    counts = OpcodeCounts((("CALL", 3), ("POP_TOP", 1 << 70)))
    assert OpcodeCounts.unpack(counts.pack()) == counts
    assert counts.pack() == OpcodeCounts.unpack(counts.pack()).pack()
    assert counts.facts() == {"opcodes": 3 + (1 << 70), "distinct_opcodes": 2}


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((), "at least one opcode"),
        ((("POP_TOP", 1), ("CALL", 1)), "out of order or named twice"),
        ((("CALL", 1), ("CALL", 1)), "out of order or named twice"),
        ((("CALL", 0),), "CALL has no positive number"),
        ((("CALL", True),), "CALL has no positive number"),
    ],
)
def test_what_cannot_be_opcode_counts_is_refused(counts: tuple[tuple[str, int], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OpcodeCounts(counts)


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


@given(RUNS, st.none() | st.integers(0, 10**6))
def test_packing_cpu_profiles(runs: tuple[tuple[int, int], ...], overhead: int | None) -> None:
    profile = CpuProfile(runs, overhead)
    assert CpuProfile.unpack(profile.pack()) == profile
    assert profile.facts()["cpu_ns"] == profile.peak == max(value for value, _ in runs)


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
