from __future__ import annotations

from typing import cast

import pytest

from evalfw import Call, Checker, Execution, Json, Method, Outcome, Problem, RunStyle, Stdin, TestCase
from evalfw.pipeline.answers import answers
from evalfw.sandbox.inside import nodes


def found(style: RunStyle, execution: Execution, checker: str = "value") -> list[Json]:
    given = "in" if isinstance(style, Stdin) else Call(([1],))
    problem = Problem("p", "", (), style=style, checker=Checker(checker))
    return list(answers(problem, TestCase("t", "generated", given, None), execution))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(3, [3]), ((1, (2, 3)), [[1, [2, 3]]]), (None, [None]), (float("nan"), []), ({1: 2}, [{"1": 2}])],
)
def test_a_function_is_expected_to_return_it_as_json(value: Json, expected: list[Json]) -> None:
    assert found(Method("f"), Execution(None, value=value)) == expected


def test_a_program_is_expected_to_print_it() -> None:
    assert found(Stdin(), Execution(None, stdout=b"4 \xff\n"), "tokens") == ["4 \udcff\n"]
    assert found(Stdin(), Execution(None, stdout=b"4\n"), "any_of") == [["4\n"]]


def test_a_program_that_fails_says_nothing() -> None:
    assert found(Stdin(), Execution(Outcome.RUNTIME_ERROR, stdout=b"4\n")) == []


def test_what_the_problems_own_code_compares_may_be_the_result_or_an_argument() -> None:
    tree = nodes.build_tree([5, None, 6])
    made = [[3, 1], nodes.build_list([1, 2]), (tree,), None]
    execution = Execution(None, value=cast(Json, nodes.encode(made)))
    assert found(Method("f", result_from="all"), execution, "code") == [None, [], [3, 1], [1, 2], [[5, None, 6]]]


def test_a_graph_is_no_plain_data() -> None:
    graph = nodes.GraphNode()
    execution = Execution(None, value=cast(Json, nodes.encode([[1], graph])))
    assert found(Method("f", result_from="all"), execution, "code") == [[1]]
