from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Json, MemoryOverTime, MemoryProfile, monotonic_peak, peaks_over_time

MS = 1_000_000


def over(times: list[float], values: list[int], **how: int) -> MemoryOverTime:
    """A profile of one step a millisecond; times are in milliseconds."""
    return peaks_over_time([round(time * MS) for time in times], values, 0.001, **how)


def test_one_sample_a_step() -> None:
    profile = over([0, 1.01, 2.05, 3.0, 3.4], [100, 300, 200, 500, 100])
    assert profile.runs == ((0, 1), (200, 2), (400, 1))
    assert (profile.exact, profile.end_bytes, profile.interval, profile.taken) == (True, 0, 0.001, 5)
    achieved = profile.interval_median, profile.interval_p99, profile.interval_longest
    assert achieved == (0.00101, 0.00104, 0.00104)


def test_a_step_without_a_sample_holds_the_value_before() -> None:
    profile = over([0, 1.0, 4.2, 5.1], [0, 64, 640, 320], quantum=64)
    assert list(profile.samples()) == [0, 64, 64, 64, 640, 640]
    assert (profile.exact, profile.taken, profile.end_bytes) == (False, 4, 320)
    assert profile.interval_longest == pytest.approx(0.0032)


def test_of_two_samples_in_one_step_the_larger_counts() -> None:
    assert list(over([0, 1.1, 1.9, 2.0], [0, 7, 3, 0]).samples()) == [0, 7, 7]


def test_a_program_shorter_than_an_interval_has_a_step_before_and_one_after() -> None:
    profile = over([0, 0.2], [10, 30])
    assert profile.runs == ((0, 1), (20, 1))
    assert (profile.interval_median, profile.interval_p99, profile.interval_longest) == (None, None, None)


def test_a_known_peak_says_how_much_of_it_the_samples_saw() -> None:
    assert over([0, 1, 2], [100, 150, 120], peak=300).coverage == 0.25
    assert over([0, 1, 2], [100, 100, 100], peak=100).coverage == 1.0
    assert over([0, 1, 2], [100, 150, 120]).coverage is None


def test_the_percentile_is_one_of_the_intervals() -> None:
    times = [float(step) for step in range(101)] + [107.0, 107.5]
    profile = over(times, [0] * len(times))
    assert (profile.interval_median, profile.interval_p99, profile.interval_longest) == (0.001, 0.001, 0.007)


@given(st.lists(st.tuples(st.integers(0, 5 * MS), st.integers(0, 1 << 40)), min_size=2), st.integers(1, 512))
def test_any_series(samples: list[tuple[int, int]], quantum: int) -> None:
    times, now = [], 0
    for gap, _ in samples:
        times.append(now)
        now += gap
    values = [value for _, value in samples]
    profile = peaks_over_time(times, values, 0.001, quantum)
    assert profile.monotone
    assert profile.length == max(1, times[-1] // MS) + 1
    assert profile.peak_bytes == monotonic_peak(values, quantum).peak_bytes
    assert profile.exact == (profile.length <= len({max(1, time // MS) for time in times[1:]}) + 1)
    assert MemoryOverTime.unpack(profile.pack()) == profile


def test_it_is_a_memory_profile_with_more_facts() -> None:
    profile = over([0, 1, 2], [0, 64, 0])
    assert isinstance(profile, MemoryProfile)
    facts = profile.facts()
    assert (facts["steps"], facts["taken"], facts["interval_median"]) == (3, 3, 0.001)


@pytest.mark.parametrize(
    ("times", "values", "message"),
    [
        ([0], [1], "1 times for 1 values"),
        ([0, 1], [1], "2 times for 1 values"),
        ([1, 2], [1, 1], "begin at 0"),
        ([0, 2, 1], [1, 1, 1], "begin at 0"),
        ([0, 1], [1, -1], r"values\[1\] is not a whole number from 0: -1"),
        ([0, 1.0], [1, 1], r"times\[1\] is not a whole number from 0: 1.0"),
        ([0, True], [1, 1], r"times\[1\]"),
        ("0, 1", [1, 1], "times is not a list"),
    ],
)
def test_what_is_no_series(times: Json, values: Json, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        peaks_over_time(times, values, 0.001)


def test_no_value_is_above_the_peak() -> None:
    with pytest.raises(ValueError, match="greater than the peak"):
        over([0, 1], [1, 9], peak=8)
