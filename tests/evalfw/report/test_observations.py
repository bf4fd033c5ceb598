from __future__ import annotations

import pytest

from evalfw import InputError
from evalfw.report.observations import blocks, observe, pairs
from tests.evalfw.report.runs import cell, rows, run, solved

RUN = run(
    [
        *rows("dmpd", {"p": 0.5}, model="a", temperature=0.0),
        *rows("dmpd", {"p": 0.7}, model="a", temperature=1.0),
        *rows("dmpd", {"p": 0.9}, model="b", temperature=0.0),
        *rows("seconds", {"p": 3.0}, model="b", temperature=0.0, profiler="clock"),
    ],
    [
        *(cell("pass@1", value, model=m, profiler=None, temperature=0.0) for m, value in (("a", 0.25), ("b", 0.75))),
        cell("mis_macro", 0.6, model="a", temperature=0.0),
    ],
    [
        *solved({"dmpd": [0.1, None]}, model="a", temperature=0.0),
        *solved({"dmpd": [0.2, 0.3]}, model="a", temperature=1.0),
        *solved({"dmpd": [0.4]}, model="b", temperature=0.0),
        *solved({"seconds": [2.0]}, model="b", temperature=0.0, profiler="clock"),
    ],
)


def test_a_solution_has_the_numbers_of_its_problem_and_condition() -> None:
    found = observe(RUN, "solutions", ["dmpd", "problems.dmpd", "pass@1", "conditions.mis_macro", "temperature"])
    assert [each.values for each in found] == [
        {"dmpd": 0.1, "problems.dmpd": 0.5, "pass@1": 0.25, "conditions.mis_macro": 0.6, "temperature": 0.0},
        {"dmpd": None, "problems.dmpd": 0.5, "pass@1": 0.25, "conditions.mis_macro": 0.6, "temperature": 0.0},
        {"dmpd": 0.2, "problems.dmpd": 0.7, "pass@1": None, "conditions.mis_macro": None, "temperature": 1.0},
        {"dmpd": 0.3, "problems.dmpd": 0.7, "pass@1": None, "conditions.mis_macro": None, "temperature": 1.0},
        {"dmpd": 0.4, "problems.dmpd": 0.9, "pass@1": 0.75, "conditions.mis_macro": None, "temperature": 0.0},
        # What the other profiler does not have is not there, rather than null; pass@1 needs none.
        {"pass@1": 0.75, "temperature": 0.0},
    ]
    assert (found[0].problem, found[0].solution, found[2].condition["temperature"]) == ("p", "p0", 1.0)


def test_the_finest_table_that_has_a_column_is_meant() -> None:
    (first, *_) = observe(RUN, "problems", ["dmpd", "samples"])
    assert (first.values, first.solution) == ({"dmpd": 0.5, "samples": 5}, None)


def test_pooling_throws_conditions_together() -> None:
    found = blocks(observe(RUN, "solutions", ["dmpd"], ["temperature"]), "dmpd")
    assert {block: len(group) for block, group in found.items()} == {
        ("d", "a", None, "base", None): 4,
        ("d", "b", None, "base", None): 1,
    }
    (together,) = blocks(observe(RUN, "solutions", ["dmpd"], ["temperature", "model"]), "dmpd").values()
    assert pairs(together, "dmpd", "dmpd") == ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4])


@pytest.mark.parametrize(
    ("of", "column", "pool", "said"),
    [
        ("solution", "dmpd", [], "of 'solutions' or of 'problems', not of 'solution'; did you mean 'solutions'"),
        ("conditions", "pass@1", [], "not of 'conditions'"),
        (
            "solutions",
            "dmdp",
            [],
            "no number 'dmdp' in the tables solutions, problems, conditions; did you mean 'dmpd'",
        ),
        ("problems", "verdict", [], "no number 'verdict' in the tables problems, conditions"),
        ("problems", "solutions.dmpd", [], "no number 'solutions.dmpd'"),
        ("problems", "conditions.dmpd", [], "no number 'conditions.dmpd'"),
        ("problems", "dmpd", ["profiler"], r"'profiler' cannot be pooled \(allowed: model, size, temperature\)"),
    ],
)
def test_bad_requests_are_one_message(of: str, column: str, pool: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        observe(RUN, of, [column], pool)
