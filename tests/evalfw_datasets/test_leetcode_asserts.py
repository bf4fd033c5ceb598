from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalfw import Json, Sandbox
from evalfw_datasets.leetcode_asserts import Case, NotLiteral, NotPlain, read_asserts, read_examples, record_asserts


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def _check(*lines: str) -> str:
    return "\n    ".join(["def check(candidate):", *lines]) + "\n"


SAME = [
    ("candidate(n = 7,queries = [[3, 6]]) == [4]", Case((7, [[3, 6]]), ("", ""), ("n", "queries"), [4])),
    ("candidate([1, None], 'a') == True", Case(([1, None], "a"), ("", ""), (), True)),
    ("candidate(1, k = -2) == {'a': (1, 2.5)}", Case((1, -2), ("", ""), ("k",), {"a": [1, 2.5]})),
    ("candidate(x = -inf) == float('inf')", Case((-math.inf,), ("",), ("x",), math.inf)),
    ("candidate() == ''", Case((), (), (), "")),
    (
        "candidate(root = tree_node([1, None, 2]), k = 1) == 2",
        Case(([1, None, 2], 1), ("TreeNode", ""), ("root", "k"), 2),
    ),
    (
        "is_same_list(candidate(a = list_node([1]), b = list_node(None)), list_node([1]))",
        Case(([1], []), ("ListNode", "ListNode"), ("a", "b"), [1], "ListNode"),
    ),
    (
        "is_same_list(candidate(lists = [list_node([1, 4]), list_node([])]), list_node([]))",
        Case(([[1, 4], []],), ("List[ListNode]",), ("lists",), [], "ListNode"),
    ),
    (
        "is_same_tree(candidate(root = tree_node([1])), tree_node([1, None, 2, None, None]))",
        Case(([1],), ("TreeNode",), ("root",), [1, None, 2], "TreeNode"),
    ),
    ("is_same_tree(candidate(root = tree_node([])), None)", Case(([],), ("TreeNode",), ("root",), [], "TreeNode")),
]


@pytest.mark.parametrize(("comparison", "case"), SAME)
def test_both_ways_find_the_same(sandbox: Sandbox, comparison: str, case: Case) -> None:
    source = _check(f"assert {comparison}")
    assert read_asserts(source) == [case]
    assert record_asserts(source, sandbox) == [case]


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(tests=st.lists(st.tuples(st.lists(plain, max_size=3), plain), min_size=1, max_size=3))
def test_any_plain_data_are_found_both_ways(sandbox: Sandbox, tests: list[tuple[list[Json], Json]]) -> None:
    lines = [f"assert candidate({', '.join(map(repr, args))}) == {expected!r}" for args, expected in tests]
    cases = read_asserts(_check(*lines))
    assert [(list(case.args), case.expected) for case in cases] == tests
    assert record_asserts(_check(*lines), sandbox) == cases


def test_order_is_kept_and_pass_is_nothing() -> None:
    source = _check("pass", "assert candidate(2) == 4", "assert candidate(1) == 1, 'one'")
    assert [case.args for case in read_asserts(source)] == [(2,), (1,)]
    assert read_asserts(_check("pass")) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def check(candidate:", "never closed"),
        ("x = 1\n", "not a function"),
        ("def check(a, b): pass\n", "not a function"),
        ("x = 1\ndef check(candidate): pass\n", "too many values"),
        (_check("assert candidate(1)"), "line 2 does not compare"),
        (_check("assert candidate(1) != 2"), "line 2 does not compare"),
        (_check("for i in []: pass"), "line 2 does not compare"),
        (_check("assert other(1) == 2"), "line 2 does not call the candidate"),
        (_check("assert candidate(*[1]) == 2"), "unpacks"),
        (_check("assert candidate(**{}) == 2"), "unpacks"),
        (_check("assert candidate(10 ** 9) == 2"), r"10 \*\* 9 is no literal"),
        (_check("assert candidate(limit) == 2"), "limit is no literal"),
        (_check("assert candidate(open('/etc/passwd')) == 2"), "is no literal"),
        (_check("assert candidate(-True) == 2"), "is no literal"),
        (_check("assert candidate({1, 2}) == 2"), "is no literal"),
        (_check("assert candidate({1: 2}) == 2"), "is no literal"),
        (_check("assert candidate(b'') == 1j"), "is no literal"),
        (_check("assert candidate({'list_node': [1]}, [[list_node([1])], 2]) == 2"), "a node within other data"),
        (_check("assert is_same_list(candidate(1), tree_node([1]))"), "compared as ListNode with something else"),
        (_check(f"assert candidate({'[' * 150}{']' * 150}) == 2"), "nested too deeply"),
        (_check(f"assert candidate({'[' * 5000}{']' * 5000}) == 2"), "nested"),
        (_check(f"assert candidate({'-' * 100_000}1) == 2"), "^"),
        (_check(f"assert candidate({'9' * 5000}) == 2"), "digits"),
    ],
)
def test_what_is_more_than_literals(source: str, message: str) -> None:
    with pytest.raises(NotLiteral, match=message):
        read_asserts(source)


def test_a_check_that_has_to_be_run(sandbox: Sandbox) -> None:
    source = _check(
        "limit = 10 ** 3",
        "for i in range(2):",
        "    assert candidate(n = limit + i, head = list_node(list(range(i)))) == [i] * 2",
        "assert candidate(*[1], **{'k': inf}) == min(2, 3)",
        "assert 5 == candidate(2)",
    )
    assert record_asserts(source, sandbox) == [
        Case((1000, []), ("", "ListNode"), ("n", "head"), [0, 0]),
        Case((1001, [0]), ("", "ListNode"), ("n", "head"), [1, 1]),
        Case((1, math.inf), ("", ""), ("k",), 2),
        Case((2,), ("",), (), 5),
    ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (_check("pass"), "compares nothing"),
        (_check("assert candidate(1)"), "compares nothing"),
        (_check("assert abs(candidate(1) - 2) < 1e-5"), "runtime_error: TypeError"),
        (_check("assert candidate(limit) == 2"), "runtime_error: NameError"),
        (_check("raise SystemExit(0)"), "wrong_answer"),
        (_check("import os; os._exit(0)"), "wrong_answer"),
        (_check("import sys; print('x' * (20 << 20)); sys.stdout.flush()"), "output_limit"),
        (_check("assert candidate({1, 2}) == 2"), "wrong_answer: a value of type 'set' is not plain data"),
        (_check("assert candidate({1: 2}) == 2"), "a dict that JSON lacks"),
        (_check("assert candidate(10 ** 5000) == 2"), "thousands of digits"),
        ("evalfw = 1\ndef check(candidate: pass\n", "compile_error"),
        (_check("evalfw_noted.append([1])"), "something else than comparisons"),
        (_check("evalfw_noted.append([[], ['k'], [], '', 1])"), "something else than comparisons"),
        (_check("evalfw_noted.append([[], [], [], 'Graph', 1])"), "compared as Graph with something else"),
    ],
)
def test_a_check_that_cannot_be_told(sandbox: Sandbox, source: str, message: str) -> None:
    with pytest.raises(NotPlain, match=message):
        record_asserts(source, sandbox)


def test_examples_of_a_statement() -> None:
    statement = (
        'Given n, return it.\n\xa0\nExample 1:\n\nInput: n = 3, words = ["a","b"], root = [1,null,2], on = true\n'
        "Output: 3\n\nExample 2:\n\n\nInput: n = 4,\nwords = []\nOutput: 4\nExplanation: Input: none.\n\n"
        'Example 3:\nInput\n["Cashier", "get"]\n[[1], [2]]\nOutput\n[null]\n\n'
        "Example 4:\nInput: a tree\nOutput: 1\n\nExample 5:\nInput: 7\nOutput: 1\n"
    )
    assert list(read_examples(statement)) == [(3, ["a", "b"], [1, None, 2], True), (4, []), (7,)]
