from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalfw import Estimate, Measure
from evalfw_metrics.apart import Unmeasurable
from evalfw_metrics.ngram_overlap import NgramOverlap, ngram_overlap
from tests.evalfw_metrics.cohorts import made, measured, programs

LINES = st.lists(st.sampled_from(["x = 1", "y = x + 1", "print(x)", "for i in y: pass"]), min_size=1).map("\n".join)


@pytest.mark.parametrize(
    ("a", "b", "n", "expected"),
    [
        ("x = 1", "x = 2", 1, 2 / 4),
        ("x = 1", "x = 2", 2, 1 / 3),
        ("x = 1", "x = 2", 3, 0.0),
        ("x = 1", "x  =  1  # the same", 3, 1.0),
        ("f(a, a)", "f(a)", 1, 4 / 6),  # f ( a ) in both; the comma and the other a in one
        ("if a:\n    b\n", "if a:\n  if a:\n    b\n", 1, 4 / 7),
    ],
)
def test_counted_by_hand(a: str, b: str, n: int, expected: float) -> None:
    assert ngram_overlap(a, b, n) == ngram_overlap(b, a, n) == expected


@given(LINES, LINES, st.integers(1, 3))
def test_symmetric_and_bounded(a: str, b: str, n: int) -> None:
    found = ngram_overlap(a, b, n)
    assert 0.0 <= found <= 1.0
    assert found == ngram_overlap(b, a, n)
    assert found == 1.0 or a != b


def test_too_few_tokens_are_no_evidence() -> None:
    with pytest.raises(Unmeasurable, match="fewer than 4 tokens in both programs"):
        ngram_overlap("x = 1", "y = 2", 4)
    assert ngram_overlap("x = 1", "y = 2 + 3", 4) == 0.0


@pytest.mark.parametrize("options", [{"n": 0}, {"n": 1.5}, {"m": 1}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        made(NgramOverlap, **options)


def test_measures_and_estimate() -> None:
    metric = made(NgramOverlap, n=1)
    found = measured(metric, programs("x = 1", "x = 2", "x = = 1"))
    why = "unparseable: invalid syntax (line 1)"
    assert list(found.measures) == [
        Measure({"ngram_overlap": 0.5}, (0, 1)),
        Measure({"ngram_overlap": None}, (0, 2), reason=why),
        Measure({"ngram_overlap": None}, (1, 2), reason=why),
        Measure({"ngram_overlap": 0.5}, (0,), reason=f"1 of 2 pairs undefined, such as: {why}"),
        Measure({"ngram_overlap": 0.5}, (1,), reason=f"1 of 2 pairs undefined, such as: {why}"),
        Measure({"ngram_overlap": None}, (2,), reason=f"2 of 2 pairs undefined, such as: {why}"),
        Measure({"ngram_overlap": 0.5, "ngram_overlap_entries": 1}, reason=f"2 of 3 pairs undefined, such as: {why}"),
    ]
    alone = measured(metric, programs("x = 1", problem="q"))
    assert list(metric.aggregate([found, alone])) == [
        Estimate("ngram_overlap", 0.5, n=1, left_out=1, reason="1 problem: fewer than two correct solutions")
    ]
