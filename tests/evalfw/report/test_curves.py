from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import MemoryProfile, Outcome, Profile, Timing, Verdict
from evalfw.domain.profile import CpuProfile, MemoryOverTime
from evalfw.report.curves import Raised, Step, at, raised, read_series, staircase
from evalfw.store.rows import StoredProfile, StoredVerdict
from evalfw.store.run import RunStore

TOLERANCE = 0.02  # larger than that of pages, so that short profiles are simplified

monotone = st.lists(st.integers(0, 40), min_size=1, max_size=300).map(
    lambda rises: [sum(rises[: k + 1]) for k in range(len(rises))]
)
any_series = st.lists(st.integers(0, 1000), min_size=1, max_size=300)


def curve(steps: Sequence[Step], length: int) -> list[int]:
    return [at(steps, place).value for place in range(length)]


def covered(one: Sequence[int], other: Sequence[int], height: float, width: int) -> bool:
    """Whether each value of one lies between values of the other that are near in both directions."""
    for place, value in enumerate(one):
        near = other[max(0, place - width) : place + width + 1]
        if not min(near) - height <= value <= max(near) + height:
            return False
    return True


@given(st.one_of(monotone, any_series))
def test_a_staircase_stays_near_its_profile(samples: list[int]) -> None:
    profile = MemoryProfile.from_samples(samples)
    drawn = curve(staircase(profile, TOLERANCE, plain=1), len(samples))
    height, width = TOLERANCE * profile.peak, int(TOLERANCE * len(samples))
    assert covered(drawn, samples, height, width)
    assert covered(samples, drawn, height, width)
    assert drawn[-1] == samples[-1]
    assert max(drawn) == profile.peak
    assert drawn[0] == samples[0]


@given(monotone)
def test_a_staircase_has_no_more_steps_than_can_be_told_apart(samples: list[int]) -> None:
    steps = staircase(MemoryProfile.from_samples(samples), TOLERANCE, plain=1)
    assert len(steps) <= 2 + 1 / TOLERANCE
    assert [step.start for step in steps] == sorted({step.start for step in steps})


def test_a_long_ramp_becomes_short() -> None:
    ramp = MemoryProfile.from_samples(range(20_000))
    assert len(staircase(ramp)) <= 202


@given(any_series)
def test_a_small_profile_is_drawn_exactly(samples: list[int]) -> None:
    profile = MemoryProfile.from_samples(samples)
    assert curve(staircase(profile, plain=300), len(samples)) == samples
    assert curve(staircase(profile, tolerance=0, plain=1), len(samples)) == samples


PROFILE = MemoryProfile(((0, 2), (64, 1), (192, 3), (256, 1)), lines=(0, 3, 5, 3))


def test_steps_know_their_lines() -> None:
    assert staircase(PROFILE) == [Step(0, 0), Step(2, 64, (3,)), Step(3, 192, (5,)), Step(6, 256, (3,))]
    merged = staircase(PROFILE, tolerance=0.9, plain=1)
    assert merged == [Step(0, 0), Step(6, 256, (3, 5))]


def test_lines_add_up_to_the_peak() -> None:
    assert raised(PROFILE) == (Raised(3, 128, 2), Raised(5, 128, 1))
    assert raised(MemoryProfile(PROFILE.runs)) is None
    assert raised(CpuProfile(((0, 1), (5, 2)))) is None


def put(store: RunStore, key: str, profile: Profile | None) -> None:
    store.put_verdict(StoredVerdict("v", Verdict(Outcome.ACCEPTED), b"said\xff"))
    outcome = Verdict(Outcome.ACCEPTED if profile else Outcome.PROFILE_TIMEOUT)
    kind, data = (profile.kind, profile.pack()) if profile else (None, None)
    store.put_profile(StoredProfile(key, "v", outcome, kind, None, data))


@pytest.mark.parametrize(
    "profile", [PROFILE, CpuProfile(((0, 1), (5, 2))), MemoryOverTime(((0, 1), (7, 2)), interval=0.001, taken=3)]
)
def test_curves_come_back_from_the_store(tmp_path: Path, profile: Profile) -> None:
    with RunStore.create(tmp_path) as store:
        put(store, "k", profile)
        assert read_series(store, "k") == profile


@pytest.mark.parametrize("profile", [None, Timing((0.5,))])
def test_what_is_no_curve_is_none(tmp_path: Path, profile: Profile | None) -> None:
    with RunStore.create(tmp_path) as store:
        put(store, "k", profile)
        assert read_series(store, "k") is None
        assert read_series(store, "other") is None
        assert (store.packed_profile("k") is None) == (profile is None)
        assert store.stderr("v") == b"said\xff"
        assert store.stderr("other") == b""
