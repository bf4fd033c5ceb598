from __future__ import annotations

import doctest
import random
from itertools import permutations

from evalfw import Estimate, Measure, Measured
from evalfw_metrics import averages
from evalfw_metrics.averages import mean, mean_over_problems, tally


def test_mean() -> None:
    assert mean([]) is None
    assert mean([0.25, 0.5]) == 0.375


def test_mean_does_not_depend_on_order() -> None:
    values = [1e16, 1.0, -1e16, 3.0]
    assert {mean(order) for order in permutations(values)} == {1.0}
    draw = random.Random(3)
    many = [draw.random() for _ in range(1000)]
    assert mean(many) == mean(many[::-1]) == mean(sorted(many))


def test_tally_names_the_frequent_reasons_first_and_stays_short() -> None:
    assert tally("test", []) is None
    assert tally("test", ["b", "a", "b"]) == "2 tests: b; 1 test: a"
    assert tally("test", "abcdea") == "2 tests: a; 1 test: b; 1 test: c; 2 tests: other reasons"


def test_mean_over_problems_reads_problems_only() -> None:
    cohorts = [
        Measured("a", (Measure({"x": 9.0}, (0, 1), "t"), Measure({"x": 9.0}, (0,)), Measure({"x": 0.5}))),
        Measured("b", (Measure({"x": None}, reason="no tests"),)),
        Measured("c", (Measure({"x": 1.0}),)),
    ]
    expected = Estimate("x", 0.75, n=2, left_out=1, reason="1 problem: no tests")
    assert mean_over_problems("x", cohorts) == expected
    assert mean_over_problems("x", cohorts[::-1]) == expected
    assert mean_over_problems("x", []) == Estimate("x", None, n=0, reason="no problems")


def test_examples_in_docstrings() -> None:
    results = doctest.testmod(averages)
    assert results.attempted == 1
    assert results.failed == 0
