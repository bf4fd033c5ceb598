from __future__ import annotations

from math import log, log2
from typing import Any

import pytest

from evalfw import Cohort, NoOptions, Outcome
from evalfw_metrics.apart import apart
from evalfw_metrics.maintainability import COLUMNS, Maintainability, complexity
from tests.evalfw_metrics.cohorts import about, cohort, measured, problem_measure, programs, rows

METRIC = Maintainability(NoOptions())


def values(*codes: str) -> list[dict[str, Any]]:
    found = measured(METRIC, programs(*codes)).measures
    return [dict(each.values) for each in found if each.solutions]


@pytest.mark.parametrize("row", rows("odd_code.jsonl"), ids=lambda row: row["id"])
def test_odd_code(row: dict[str, Any]) -> None:
    answer, expected = apart(complexity, row["code"]), row["expected"]
    if expected["status"] != "ok":
        assert answer.value is None
        assert (answer.reason or "").startswith(expected["status"])
        return
    assert dict(answer.value["cyclomatic_functions"]) == expected["cyclomatic"]
    assert answer.value["maintainability_index"] == pytest.approx(expected["maintainability_index"], abs=0.01)
    cognitive = {name.rpartition(".")[2]: value for name, value in answer.value["cognitive_functions"]}
    assert (cognitive or {"<module>": answer.value["cognitive"]}) == expected["cognitive"]
    [solution] = values(row["code"])
    if "cyclomatic_module" in expected:
        assert (solution["cyclomatic"], solution["cyclomatic_mean"]) == (expected["cyclomatic_module"], None)


def test_decisions_counted_by_hand() -> None:
    code = """
class A:
    x = 1 if y else 2
    class B:
        def m(self):
            def c():
                while self:
                    pass
    async def n(self):
        async for i in self:
            pass
def f(a):
    return [b for b in a if b] or None
def f(a):
    pass
"""
    found = apart(complexity, code).value
    assert found["cyclomatic_functions"] == [["A.B.m", 1], ["A.B.m.c", 2], ["A.n", 2], ["f", 1], ["f", 4]]
    assert found["cyclomatic"] == 1 + 1 + 1 + 1 + 3  # and the conditional expression of the class body
    [solution] = values(code)
    assert solution["cyclomatic_mean"] == 2.0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if a and b or c and d:\n    pass\n", 4),
        ("x = a and not (b and c)\n", 2),
        ("for x in a:\n    while x:\n        if x > 1:\n            x -= 1\n", 6),
        ("x = 1 if a else 2 if b else 3\n", 3),
        ("try:\n    pass\nexcept E:\n    if a:\n        pass\nfinally:\n    pass\n", 3),
        ("if a:\n    pass\nelse:\n    if b:\n        pass\n", 4),
        ("for x in a:\n    match x:\n        case 1:\n            if a:\n                pass\n", 6),
        ("def f(n):\n    return n * f(n - 1) if n else 1\n", 2),
        ("def f(a):  # noqa: complexipy\n    if a:\n        pass\n", 1),
    ],
)
def test_cognitive_complexity_counted_by_hand(code: str, expected: int) -> None:
    assert apart(complexity, code).value["cognitive"] == expected


@pytest.mark.parametrize(
    ("code", "expected"), [("y = [x for x in a if x]\n", 2), ("while a:\n    pass\nelse:\n    pass\n", 1)]
)
def test_where_the_library_departs_from_the_definition_as_documented(code: str, expected: int) -> None:
    assert apart(complexity, code).value["cognitive"] == expected


def test_the_maintainability_index_by_its_formula() -> None:
    # One operator, two operands: a volume of 3 log2(3); complexity 1, one logical line, no comment.
    [solution] = values("a = b + c\n")
    assert solution["maintainability_index"] == about((171 - 5.2 * log(3 * log2(3)) - 0.23) * 100 / 171)


def test_means_over_solutions_and_problems() -> None:
    one, two = "def f(a):\n    if a:\n        pass\n", "for x in a:\n    if x:\n        pass\n"
    group = programs(one, two)
    problem = problem_measure(METRIC, group)
    assert problem.reason == "1 solution: no function, so no mean over functions"
    assert dict(problem.values) | {"maintainability_index": 0} == {
        **{"cyclomatic": 2.5, "cyclomatic_mean": 2.0, "cognitive": 2.0, "cognitive_mean": 1.0},
        "maintainability_index": 0,
    }
    cells = list(METRIC.aggregate([measured(METRIC, group), measured(METRIC, programs(two))]))
    assert [cell.metric for cell in cells] == list(COLUMNS)
    assert (cells[0].value, cells[0].n) == (2.75, 2)
    assert (cells[1].value, cells[1].n, cells[1].left_out) == (2.0, 1, 1)
    assert cells[1].reason == "1 problem: 1 solution: no function, so no mean over functions"


def test_code_that_cannot_be_read_is_null_with_the_reason() -> None:
    found = measured(METRIC, programs("x = 1\n", "-" * 90_000 + "1\n")).measures
    assert found[1].values == dict.fromkeys(COLUMNS)
    assert found[1].reason == "nested too deeply, or too large"
    assert found[2].values["cyclomatic"] == 1.0


@pytest.mark.parametrize(
    ("group", "reason"), [(cohort(), "no correct solution"), (cohort(tests=()), "no tests")], ids=["none", "no tests"]
)
def test_nothing_to_measure(group: Cohort, reason: str) -> None:
    assert problem_measure(METRIC, group).reason == reason
    assert set(problem_measure(METRIC, group).values.values()) == {None}


def test_only_correct_solutions_count() -> None:
    group = programs("x = 1\n", outcome=Outcome.WRONG_ANSWER)
    assert problem_measure(METRIC, group).reason == "no correct solution"
