"""The expected output of a test, from an accepted solution that was run on its input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalfw.domain.problem import Json, Method, Problem, TestCase
from evalfw.sandbox.inside import nodes
from evalfw.sandbox.job import Execution


def answers(problem: Problem, test: TestCase, execution: Execution) -> Iterator[Json]:
    """What may be expected on a test, after an accepted solution ended in good order on it.

    There is one answer, but where the problem's own code compares whatever the function returned or changed: then
    these are the result and the arguments after the call, nodes as arrays, and the first that this code accepts is
    meant. What is no plain data is left out.
    """
    if execution.outcome is not None:
        return
    for answer in _found(problem, test, execution):
        try:
            yield json.loads(json.dumps(answer, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            continue


def _found(problem: Problem, test: TestCase, execution: Execution) -> Iterator[Any]:
    if isinstance(test.input, str):
        text = execution.stdout.decode("utf-8", "surrogateescape")
        yield [text] if problem.checker.name == "any_of" else text
        return
    style = problem.style
    if not (isinstance(style, Method) and style.result_from == "all"):
        yield [execution.value] if problem.checker.name == "any_of" else execution.value
        return
    made: Any = nodes.decode(execution.value)  # the arguments after the call, then the result
    for value in (made[-1], *made[:-1]):
        yield _as_arrays(value)
        if value is None:
            yield []  # no nodes


def _as_arrays(value: object) -> object:
    if isinstance(value, nodes.ListNode):
        return nodes.flatten_list(value)
    if isinstance(value, nodes.TreeNode):
        return nodes.flatten_tree(value)
    if isinstance(value, list | tuple):
        return [_as_arrays(item) for item in value]
    return value
