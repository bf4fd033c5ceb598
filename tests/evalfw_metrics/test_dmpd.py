from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Cohort, Measure, MemoryProfile, Outcome, Timing, monotonic_peak
from evalfw_metrics.dmpd import Divergence, Dmpd, DmpdOptions, Engine, dmpd
from tests.evalfw_metrics.cohorts import about, cohort, made, problem_measure, profile, rows, sample
from tests.evalfw_metrics.series import rising, small

ENGINES: tuple[Engine, ...] = ("exact", "dtaidistance")
VALUES = [row for row in rows("dtw_rows.jsonl") if row["expected"] != "error"]
ERRORS = [row for row in rows("dtw_rows.jsonl") if row["expected"] == "error"]

mpps = rising(longest=40).map(lambda series: MemoryProfile.from_samples(x - series[0] for x in series))
small_mpps = rising(small).map(lambda series: MemoryProfile.from_samples(x - series[0] for x in series))


def pair_of(row: dict[str, Any]) -> list[MemoryProfile]:
    if "samples" in row["input"]:
        return [monotonic_peak(samples) for samples in row["input"]["samples"]]
    return [MemoryProfile.from_samples(samples) for samples in row["input"]["mpp"]]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", VALUES, ids=lambda row: row["id"])
def test_rows_with_a_value(row: dict[str, Any], engine: Engine) -> None:
    a, b = pair_of(row)
    found = dmpd(a, b, engine)
    assert found.value == pytest.approx(row["expected"], abs=row["tol"])
    assert found.cost / found.scale == pytest.approx(row["cost"], abs=row["tol"])
    assert found.length == row["path_len"]
    if "mpp" in row:
        assert [list(a.samples()), list(b.samples())] == row["mpp"]


@pytest.mark.parametrize(
    ("row", "message"),
    [(ERRORS[0], "sample 2 is not a whole number of bytes: None"), (ERRORS[1], "at least one sample")],
)
def test_rows_with_an_error(row: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pair_of(row)


def test_the_value_is_made_of_whole_numbers() -> None:
    # On the scale 12 the unit peaks are 0 4 12 and 0 6 12.
    found = dmpd(profile(0, 1, 3), profile(0, 2, 4))
    assert found == Divergence(cost=2, scale=12, length=3)
    assert found.value == 1 / 18


def test_numbers_beyond_floats_are_divided_correctly() -> None:
    assert Divergence(cost=10**400, scale=3 * 10**400, length=1).value == 1 / 3


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (profile(0), profile(0, 0), Divergence(0, 1, 2)),
        (profile(0, 0, 0), profile(0, 5), Divergence(5, 5, 3)),
        (profile(0, 64), profile(0, 192), Divergence(0, 192, 2)),
        (profile(0, 0, 0, 0, 8), profile(0, 8, 8, 8, 8), Divergence(0, 8, 8)),
    ],
    ids=["both zero", "one zero", "another scale", "a late jump against an early one"],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_edges(a: MemoryProfile, b: MemoryProfile, expected: Divergence, engine: Engine) -> None:
    assert dmpd(a, b, engine) == expected


@settings(deadline=None)
@given(small_mpps, small_mpps)
def test_both_engines_give_the_same_numbers(a: MemoryProfile, b: MemoryProfile) -> None:
    assert dmpd(a, b, "dtaidistance") == dmpd(a, b)


@settings(deadline=None)
@given(mpps, mpps, st.integers(2, 9))
def test_symmetric_bounded_and_blind_to_scale(a: MemoryProfile, b: MemoryProfile, factor: int) -> None:
    found = dmpd(a, b)
    larger = MemoryProfile.from_samples(factor * value for value in a.samples())
    assert dmpd(b, a) == found
    assert 0 <= Fraction(found.cost, found.scale * found.length) <= 1
    assert 0.0 <= found.value <= 1.0
    assert dmpd(larger, b).value == found.value
    assert dmpd(a, larger).value == 0.0


def test_falling_profiles_need_the_other_engine() -> None:
    a, b = profile(0, 4, 0, 4), profile(0, 4)
    with pytest.raises(ValueError, match="'dtaidistance' takes any"):
        dmpd(a, b)
    assert dmpd(a, b, "dtaidistance") == Divergence(cost=4, scale=4, length=4)


GROUP = cohort(
    sample(0, t1=profile(0, 2, 4), t2=profile(0, 8)),
    sample(1, Outcome.WRONG_ANSWER),
    sample(2, t1=profile(0, 1, 2, 3, 4), t2=profile(0, 8, 8)),
    sample(3, t1=profile(0, 1)),
    tests=("t1", "t2"),
)


def test_measures_of_a_cohort() -> None:
    # Samples 0 and 2 differ by 1/2 over 5 cells on t1 (row d03). Against 0 1 the middle of 0 2 4 costs 1/2
    # over 3 cells, and the inner values of 0 1 2 3 4 cost 1/4 + 1/2 + 1/4 over 5.
    assert list(Dmpd(DmpdOptions()).measure(GROUP)) == [
        pair_measure((0, 2), "t1", cost=2, scale=4, length=5),
        pair_measure((0, 3), "t1", cost=2, scale=4, length=3),
        pair_measure((2, 3), "t1", cost=4, scale=4, length=5),
        pair_measure((0, 2), "t2", cost=0, scale=8, length=3),
        Measure({"dmpd": about((1 / 10 + 1 / 6 + 0) / 3)}, (0,)),
        Measure({"dmpd": about((1 / 10 + 1 / 5 + 0) / 3)}, (2,)),
        Measure({"dmpd": about((1 / 6 + 1 / 5) / 2)}, (3,)),
        Measure({"dmpd": about((1 / 10 + 1 / 6 + 1 / 5 + 0) / 4), "dmpd_entries": 4}),
    ]


def pair_measure(pair: tuple[int, int], test: str, cost: int, scale: int, length: int) -> Measure:
    value = cost / (scale * length)
    parts = {"dmpd": value, "dmpd_cost": cost, "dmpd_scale": scale, "dmpd_length": length}
    return Measure(parts, pair, test)


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        (cohort(sample(0, Outcome.NO_TESTS), tests=()), "no tests"),
        (cohort(sample(0, t1=profile(0, 1))), "fewer than two correct solutions"),
        (
            cohort(sample(0, t1=profile(0, 1)), sample(1, t2=profile(0, 1)), tests=("t1", "t2")),
            "no two correct solutions have a profile on the same test",
        ),
    ],
)
def test_without_pairs_the_problem_is_undefined(group: Cohort, reason: str) -> None:
    metric = Dmpd(DmpdOptions())
    assert problem_measure(metric, group) == Measure({"dmpd": None, "dmpd_entries": 0}, reason=reason)
    assert [m.values for m in metric.measure(group) if m.solutions] == [{"dmpd": None}] * len(group.correct)


def test_a_pair_over_the_limits_is_null_and_counted() -> None:
    long = MemoryProfile(((0, 3000), (1, 1)))
    group = cohort(sample(0, t1=long), sample(1, t1=long), sample(2, t1=profile(0, 1)))
    first, *_, problem = made(Dmpd, engine="dtaidistance").measure(group)
    assert first.values == dict.fromkeys(("dmpd", "dmpd_cost", "dmpd_scale", "dmpd_length"))
    assert first.reason is not None and first.reason.startswith("3001 x 3001 samples are over")
    assert problem.values == {"dmpd": 0.0, "dmpd_entries": 2}
    assert problem.reason == f"1 of 3 pairs undefined, such as: {first.reason}"


def test_profiles_of_another_kind_are_refused() -> None:
    timing = Timing((0.5,))
    with pytest.raises(TypeError, match="found one of kind 'timing'"):
        list(Dmpd(DmpdOptions()).measure(cohort(sample(0, t1=timing), sample(1, t1=timing))))


def test_the_engine_is_an_option() -> None:
    assert DmpdOptions().engine == "exact"
    with pytest.raises(ValidationError, match="'exact' or 'dtaidistance'"):
        made(Dmpd, engine="fast")


def test_the_results_table_is_left_to_mis() -> None:
    assert list(Dmpd(DmpdOptions()).aggregate(())) == []
