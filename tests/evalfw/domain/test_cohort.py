from __future__ import annotations

from dataclasses import replace

import pytest

from evalfw import (
    Cohort,
    Condition,
    Estimate,
    Measure,
    MemoryProfile,
    Outcome,
    Problem,
    Sample,
    Solution,
    TestCase,
    Verdict,
)

TESTS = tuple(TestCase(name, "private", "", "") for name in "tu")
PROFILE = MemoryProfile(((0, 1),))


def sample(index: int, outcome: Outcome, *tests: str) -> Sample:
    return Sample(index, Solution("ok", ""), Verdict(outcome), dict.fromkeys(tests, PROFILE))


def test_pairs_are_of_correct_samples_with_a_profile() -> None:
    samples = (
        sample(0, Outcome.ACCEPTED, "t", "u"),
        sample(1, Outcome.WRONG_ANSWER, "t", "u"),
        sample(2, Outcome.ACCEPTED, "u"),
        sample(3, Outcome.ACCEPTED, "t", "u"),
    )
    cohort = Cohort(Condition("d", "m"), Problem("p", "", TESTS), TESTS, samples, wanted=4)
    assert [s.index for s in cohort.correct] == [0, 2, 3]
    pairs = [(test.id, a.index, b.index) for test, a, b in cohort.pairs()]
    assert pairs == [("t", 0, 3), ("u", 0, 2), ("u", 0, 3), ("u", 2, 3)]


@pytest.mark.parametrize(("solutions", "test"), [((), "t"), ((0, 1, 2), None)])
def test_measures_that_have_no_table_are_refused(solutions: tuple[int, ...], test: str | None) -> None:
    with pytest.raises(ValueError, match="a measure is about"):
        Measure({"x": 1}, solutions, test)


def test_terms_make_the_value() -> None:
    terms = ((1.0, 4), (0.5, 2))
    assert Estimate("x", 0.25, 2, terms=terms) == Estimate("x", 0.25, 2)
    for value in (0.26, None):
        with pytest.raises(ValueError, match=r"the terms of 'x' make 0.25, but its value is"):
            Estimate("x", value, 2, terms=terms)
    with pytest.raises(ValueError, match="not above 0"):
        Estimate("x", 0.25, 2, terms=((1.0, 4), (0.0, 0)))


def test_duplicates_are_not_compared() -> None:
    first, same, other = (sample(index, Outcome.ACCEPTED, "t") for index in range(3))
    samples = (first, replace(same, duplicate_of=0), other)
    cohort = Cohort(Condition("d", "m"), Problem("p", "", TESTS), TESTS, samples, wanted=3)
    assert [(a.index, b.index) for _, a, b in cohort.pairs()] == [(0, 2)]
