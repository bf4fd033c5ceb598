from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.sandbox.inside import nodes, plain
from evalfw.sandbox.inside.nodes import GraphNode, ListNode, TreeNode
from tests.evalfw.sandbox.test_inside import PLAIN


class Link:
    """A node of another class than ours, with more in it."""

    def __init__(self, val: object) -> None:
        self.val, self.next, self.colour = val, self, "red"


def travelled(value: object) -> Any:  # noqa: ANN401
    return nodes.decode(json.loads(json.dumps(nodes.encode(value))))


@given(PLAIN)
def test_plain_data_survive(value: object) -> None:
    assert travelled(value) == value


@given(st.lists(st.integers() | st.none()))
def test_lists_survive_at_any_length(values: list[int | None]) -> None:
    head = nodes.build_list(values)
    assert nodes.flatten_list(travelled([head, 1])[0]) == values


def test_a_list_may_be_longer_than_data_may_be_deep() -> None:
    values = list(range(10 * plain.MAX_DEPTH))
    assert nodes.flatten_list(travelled(nodes.build_list(values))) == values


def test_trees_and_graphs_survive() -> None:
    shape = [4, 2, 7, None, None, 6, 9]
    tree = travelled(nodes.build_tree(shape))
    assert type(tree) is TreeNode
    assert nodes.flatten_tree(tree) == shape
    one, two = GraphNode(1), GraphNode(2)
    one.neighbors, two.neighbors = [two, one], [one]
    graph = travelled(one)
    assert type(graph) is GraphNode
    assert graph.neighbors[0].neighbors == [graph]
    assert graph.neighbors[1] is graph


def test_what_is_shared_stays_shared() -> None:
    tail = nodes.build_list([3, 4])
    one, other, arguments = travelled((ListNode(1, tail), ListNode(2, tail), [tail, None]))
    assert one.next is other.next is arguments[0]


def test_a_node_of_any_class_is_rebuilt_of_ours() -> None:
    node = travelled(Link("x"))
    assert type(node) is ListNode
    assert vars(node) == {"val": "x", "next": node}


class Raises:
    val = 1

    @property
    def next(self) -> object:
        raise ZeroDivisionError


class Endless:
    val = 1

    @property
    def next(self) -> object:
        return Endless()


class Pretends(int):
    pass


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Raises(), "ZeroDivisionError"),
        (object(), "neither plain data nor a node"),
        ({1}, "neither plain data nor a node"),
        (ListNode(Pretends(1)), "'Pretends' is neither"),
        (ListNode([set()]), "'set' is neither"),
        ([[[ListNode(type)]]], "'type' is neither"),
    ],
)
def test_what_is_not_plain_is_refused(value: object, reason: str) -> None:
    with pytest.raises(plain.NotPlain, match=reason):
        nodes.encode(value)


def test_nodes_without_end_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MAX_NODES", 10_000)
    with pytest.raises(plain.NotPlain, match="too large"):
        nodes.encode(Endless())


JSON = st.recursive(
    st.none() | st.integers(-2, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["val", "next", "left", "neighbors", "node", "tuple", "dict", "x"]), inner)
    ),
    max_leaves=20,
)


@given(JSON | st.fixed_dictionaries({"nodes": JSON | st.lists(JSON), "value": JSON}))
def test_forged_data_are_refused_or_nodes(data: object) -> None:
    try:
        nodes.decode(data)
    except (ValueError, TypeError) as error:
        assert isinstance(error, ValueError)


def test_a_node_is_refused_where_none_may_be() -> None:
    with pytest.raises(ValueError, match="malformed"):
        plain.decode({"node": 0})
    with pytest.raises(plain.NotPlain):
        plain.encode(ListNode(1))
