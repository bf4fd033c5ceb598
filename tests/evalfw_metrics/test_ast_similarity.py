from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Estimate, Measure, NoOptions
from evalfw_metrics.ast_similarity import AstSimilarity, ast_similarity
from tests.evalfw_metrics.cohorts import measured, programs

LINES = st.lists(st.sampled_from(["x = 1", "y = x + 1", "print(x)", "for i in y: pass"]), min_size=1).map("\n".join)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("x = 1", "y = 'text'", 1.0),  # names and constants do not count
        # Module, Assign, Name, Constant; the other has 7 nodes, and all but the first Module are in both.
        ("x = 1", "x = 1\ny = 2", 2 * 3 / (4 + 7)),
        # Module, Assign, Name, BinOp, Name, Add or Sub, Constant: in both are two names and a constant.
        ("x = a + 1", "x = a - 1", 2 * 3 / (7 + 7)),
        ("x = a", "a\n", 2 * 1 / (4 + 3)),  # reading or writing a name is the same
    ],
)
def test_counted_by_hand(a: str, b: str, expected: float) -> None:
    assert ast_similarity(a, b) == ast_similarity(b, a) == expected


@given(LINES, LINES)
def test_symmetric_and_bounded(a: str, b: str) -> None:
    found = ast_similarity(a, b)
    assert 0.0 < found <= 1.0
    assert found == ast_similarity(b, a)
    assert found == 1.0 or a != b


def test_measures_and_estimate() -> None:
    metric = AstSimilarity(NoOptions())
    found = measured(metric, programs("x = 1", "y = 2"))
    assert list(found.measures) == [
        Measure({"ast_similarity": 1.0}, (0, 1)),
        Measure({"ast_similarity": 1.0}, (0,)),
        Measure({"ast_similarity": 1.0}, (1,)),
        Measure({"ast_similarity": 1.0, "ast_similarity_entries": 1}),
    ]
    assert list(metric.aggregate([found])) == [Estimate("ast_similarity", 1.0, n=1)]


def test_a_text_that_cannot_be_read_is_null_with_the_reason() -> None:
    found = measured(AstSimilarity(NoOptions()), programs("x = 1", "-" * 90_000 + "1\n"))
    assert found.measures[0] == Measure({"ast_similarity": None}, (0, 1), reason="nested too deeply, or too large")
