from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalfw import Outcome, Problem, Solution, Until, Usage, Verdict
from evalfw.domain.cohort import Condition
from evalfw.pipeline.drawn import Attempt
from evalfw.pipeline.rounds import Tally
from tests.evalfw.pipeline.test_filling import subject_of

SUBJECT = subject_of(Problem("p", "", ()))


def attempt(index: int, form: str = "") -> Attempt:
    solution = Solution("ok", "")
    return Attempt(
        "", Condition("d", "m"), SUBJECT, index, solution, form or str(index), "ok", Usage(), None, None, None
    )


def drawn(until: Until, outcomes: list[Outcome], forms: list[str] | None = None) -> list[int]:
    """Sizes of the rounds; sample i has the i-th outcome."""
    tally, rounds = Tally(), []
    while further := tally.further(until):
        rounds.append(further)
        for index in range(tally.drawn, tally.drawn + further):
            form = forms[index] if forms else ""
            tally.add(attempt(index, form), Verdict(outcomes[index]), until)
        tally.drawn += further
    return rounds


def one_by_one(until: Until, keys: list[str | None]) -> int:
    """How many samples are drawn if each is judged before the next is."""
    seen: set[str] = set()
    for count, key in enumerate(keys):
        if len(seen) == until.correct or count == until.max:
            return count
        seen |= set() if key is None else {key}
    return len(keys)


@st.composite
def runs(draw: st.DrawFn) -> tuple[Until, list[str | None]]:
    most = draw(st.integers(1, 30))
    until = Until(draw(st.integers(1, most)), most, distinct=True)
    return until, draw(st.lists(st.sampled_from([None, *"abcdef"]), min_size=most, max_size=most))


@given(runs())
def test_rounds_draw_what_one_at_a_time_would(run: tuple[Until, list[str | None]]) -> None:
    until, keys = run
    outcomes = [Outcome.WRONG_ANSWER if key is None else Outcome.ACCEPTED for key in keys]
    forms = [key or "wrong" for key in keys]
    assert sum(drawn(until, outcomes, forms)) == one_by_one(until, keys)
    plain = Until(until.correct, until.max, distinct=False)
    numbered = [None if key is None else str(index) for index, key in enumerate(keys)]
    assert sum(drawn(plain, outcomes)) == one_by_one(plain, numbered)


def test_a_round_is_what_is_missing() -> None:
    wrong, right = Outcome.WRONG_ANSWER, Outcome.ACCEPTED
    assert drawn(Until(3, 10, distinct=False), [right, wrong, wrong, right, wrong, right]) == [3, 2, 1]
    assert drawn(Until(3, 4, distinct=False), [wrong] * 4) == [3, 1]
    assert drawn(Until(2, 9, distinct=True), [right] * 9, list("aaab") + ["a"] * 5) == [2, 1, 1]


def test_what_cannot_be_judged_is_waited_for() -> None:
    until = Until(2, 10, distinct=False)
    assert drawn(until, [Outcome.ACCEPTED, Outcome.SANDBOX_ERROR]) == [2]
