from __future__ import annotations

from typing import Any

import pytest

from evalfw import Estimate, Measure, NoOptions
from evalfw_metrics.apart import apart
from tests.evalfw_metrics.cohorts import about, measured, programs

pytest.importorskip("codebleu", reason="codebleu is not built for this version of Python")

from evalfw_metrics.codebleu import COLUMNS, CodeBleu, codebleu

SUM_LOOP = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"
SUM_CALL = "def g(m):\n    return sum(x for x in range(m))\n"


def of_the_package(reference: str, candidate: str) -> dict[str, float]:
    from codebleu import calc_codebleu

    found: dict[str, float] = calc_codebleu([reference], [candidate], "python")
    return found


def test_the_mean_of_both_directions_of_the_package() -> None:
    found = apart(codebleu, SUM_LOOP, SUM_CALL).value
    there, back = of_the_package(SUM_LOOP, SUM_CALL), of_the_package(SUM_CALL, SUM_LOOP)
    assert there["codebleu"] != back["codebleu"]
    assert found["codebleu"] == about((there["codebleu"] + back["codebleu"]) / 2)
    assert found["codebleu_ngram"] == about((there["ngram_match_score"] + back["ngram_match_score"]) / 2)
    assert found == apart(codebleu, SUM_CALL, SUM_LOOP).value


def test_a_program_and_itself() -> None:
    assert apart(codebleu, SUM_LOOP, SUM_LOOP).value == dict.fromkeys(COLUMNS, 1.0)


def test_the_syntax_match_by_hand() -> None:
    # Subtrees with children: module, statement, assignment. Of the one all but the module are in the other, too;
    # of the other's five the four that are statements or assignments are in the one.
    found = apart(codebleu, "a = b\n", "a = b\nc = a\n").value
    assert found["codebleu_syntax"] == about((2 / 3 + 4 / 5) / 2)


def test_a_data_flow_that_does_not_match_counts_as_none() -> None:
    one, other = "a = b\n", "while c:\n    c = c - 1\n"
    theirs = of_the_package(one, other)
    assert theirs["dataflow_match_score"] == 0.0
    assert theirs["codebleu"] > 0.25  # for which it counts 1
    found = apart(codebleu, one, other).value
    assert found["codebleu_dataflow"] == 0.0
    assert found["codebleu"] == about(sum(found[name] for name in COLUMNS[1:]) / 4)


def test_where_there_is_no_data_flow_the_other_parts_count() -> None:
    found: dict[str, Any] = apart(codebleu, "print(1)\n", "print(2)\n").value
    assert found["codebleu_dataflow"] is None
    assert found["codebleu"] == about((0 + 0 + 1) / 3)


def test_measures_and_estimate() -> None:
    metric = CodeBleu(NoOptions())
    found = measured(metric, programs(SUM_LOOP, SUM_LOOP, "x = = 1"))
    why = "unparseable: invalid syntax (line 1)"
    assert found.measures[0] == Measure(dict.fromkeys(COLUMNS, 1.0), (0, 1))
    assert found.measures[1] == Measure(dict.fromkeys(COLUMNS), (0, 2), reason=why)
    assert list(metric.aggregate([found])) == [Estimate("codebleu", 1.0, n=1)]


def test_a_text_that_tree_sitter_would_die_of_is_null() -> None:
    found = measured(CodeBleu(NoOptions()), programs(SUM_LOOP, "x" + ".a" * 45_000 + "\n"))
    assert found.measures[0].reason == "nested too deeply, or too large"
