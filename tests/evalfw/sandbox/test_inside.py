from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.sandbox.inside import nodes, plain
from evalfw.sandbox.inside.prelude import prelude

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_data_survive(value: object) -> None:
    assert plain.decode(plain.encode(value)) == value


@given(st.recursive(PLAIN, lambda inner: st.dictionaries(st.sampled_from(["int", "float", "tuple", "dict"]), inner)))
def test_forged_data_are_refused_or_plain(value: object) -> None:
    try:
        plain.decode(value)
    except (ValueError, TypeError, RecursionError) as error:
        assert isinstance(error, ValueError)


@pytest.mark.parametrize("value", [{1}, b"", object(), type("L", (list,), {})(), 1j, [set()], {"a": print}])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(plain.NotPlain):
        plain.encode(value)


def test_cycles_end() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(plain.NotPlain, match="cycle"):
        plain.encode(cycle)


@given(st.lists(st.integers()))
def test_lists_and_nodes(values: list[int]) -> None:
    assert nodes.flatten_list(nodes.build_list(values)) == values


@pytest.mark.parametrize(
    "values",
    [[], [0], [1, 2, 3], [1, None, 0], [4, 2, 7, None, None, 6, 9], [1, 2, None, 3], [1, None, 2, None, 3]],
)
def test_trees_and_nodes(values: list[int | None]) -> None:
    assert nodes.flatten_tree(nodes.build_tree(values)) == values


def test_cyclic_nodes_end() -> None:
    head = nodes.ListNode(1)
    head.next = head
    with pytest.raises(ValueError, match="cycle"):
        nodes.flatten_list(head)
    root = nodes.TreeNode(1)
    root.left = root
    with pytest.raises(ValueError, match="cycle"):
        nodes.flatten_tree(root)


def test_the_prelude_hides_no_builtin() -> None:
    names = prelude()
    assert not names.keys() & vars(sys.modules["builtins"]).keys()
    assert {
        "List",
        "Optional",
        "ListNode",
        "TreeNode",
        "deque",
        "heapq",
        "heappush",
        "inf",
        "lru_cache",
    } <= names.keys()
