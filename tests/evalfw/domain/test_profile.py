from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import (
    CpuProfile,
    InstructionCount,
    MemoryOverTime,
    MemoryProfile,
    OpcodeCounts,
    Timing,
    monotonic_peak,
)

RUNS = st.lists(st.tuples(st.integers(0, 1 << 40), st.integers(1, 1 << 30)), min_size=1).map(tuple)


RUNS_WITH_LINES = st.lists(
    st.tuples(st.integers(0, 1 << 40), st.integers(1, 1 << 30), st.integers(0, 1 << 31)), min_size=1
)


def apart(series: list[tuple[int, int, int]]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    return tuple((value, count) for value, count, _ in series), tuple(line for _, _, line in series)


@given(
    RUNS_WITH_LINES,
    st.booleans(),
    st.none() | st.floats(0, 1),
    st.none() | st.integers(0),
    st.none() | st.integers(0),
)
def test_packing_memory_profiles(
    series: list[tuple[int, int, int]],
    known: bool,
    coverage: float | None,
    end: int | None,
    uncertainty: int | None,
) -> None:
    runs, lines = apart(series)
    profile = MemoryProfile(runs, uncertainty == 0, coverage, end, uncertainty, lines if known else None)
    again = MemoryProfile.unpack(profile.pack())
    assert again == profile
    assert again.pack() == profile.pack()


def test_packing_the_lines_of_many_runs() -> None:
    runs = tuple((level, 1) for level in range(100_000))
    profile = MemoryProfile(runs, lines=tuple(level % 1000 for level in range(100_000)))
    assert MemoryProfile.unpack(profile.pack()) == profile


@given(RUNS_WITH_LINES)
def test_what_the_lines_raised_adds_up_to_the_peak(series: list[tuple[int, int, int]]) -> None:
    runs, lines = apart(series)
    profile = MemoryProfile(runs, lines=lines)
    raised = profile.raised_by()
    assert raised is not None
    assert sum(raised.values()) == profile.peak_bytes
    assert list(raised) == sorted(raised)
    assert raised.keys() <= set(lines)
    assert all(amount > 0 for amount in raised.values())


def test_what_lines_raised_by_hand() -> None:
    runs = ((0, 4), (64, 1), (192, 2), (256, 1))
    assert MemoryProfile(runs, lines=(0, 7, 3, 7)).raised_by() == {3: 128, 7: 128}
    assert MemoryProfile(runs).raised_by() is None


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "lines has 0 entries for 2 runs"),
        ((0, 1, 2), "lines has 3 entries for 2 runs"),
        ((0, -1), "entry 1 is not a whole number from 0: -1"),
        ((0, 1.0), "entry 1 is not"),
        ((False, 1), "entry 0 is not"),
        ((0, None), "entry 1 is not"),
    ],
)
def test_what_are_no_lines(lines: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MemoryProfile(((0, 1), (64, 1)), lines=lines)


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


@given(RUNS, st.none() | st.integers(0, 10**6))
def test_packing_cpu_profiles(runs: tuple[tuple[int, int], ...], overhead: int | None) -> None:
    profile = CpuProfile(runs, overhead)
    assert CpuProfile.unpack(profile.pack()) == profile
    assert profile.facts()["cpu_ns"] == profile.peak == max(value for value, _ in runs)
