"""The results are those of lctk 0.0.6, but where the module says otherwise."""

from __future__ import annotations

import pytest

from evalfw.sandbox.inside import lctk
from evalfw.sandbox.inside.lctk import TreeNode

SQUARE = {
    "$id": "1",
    "neighbors": [
        {
            "$id": "2",
            "neighbors": [
                {"$ref": "1"},
                {
                    "$id": "3",
                    "neighbors": [
                        {"$ref": "2"},
                        {"$id": "4", "neighbors": [{"$ref": "3"}, {"$ref": "1"}], "val": 4},
                    ],
                    "val": 3,
                },
            ],
            "val": 2,
        },
        {"$ref": "4"},
    ],
    "val": 1,
}


@pytest.mark.parametrize("values", [[], [0], [1, 2, 3], ["a", None]])
def test_lists(values: list[object]) -> None:
    assert lctk.linkedList2Arr(lctk.linkedList(values)) == values


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_list_with_a_cycle(position: int) -> None:
    head = lctk.linkedList([1, 2, 3], position)
    assert head is not None and head.next is not None and head.next.next is not None
    assert head.next.next.next is [head, head.next, head.next.next][position]
    assert lctk.linkedList2Arr(head) == [1, 2, 3]


def test_a_cycle_cannot_close_where_nothing_is() -> None:
    assert lctk.linkedList([1], 1) is None


@pytest.mark.parametrize("values", [[], [3, 9, 20, None, None, 15, 7], [1, None, 2, 3], [1, 0], [0]])
def test_trees_keep_zeros_at_the_end(values: list[object]) -> None:
    assert lctk.binaryTree2Arr(lctk.binaryTree(values)) == values


def test_a_tree_with_a_cycle_is_an_error() -> None:
    root = TreeNode(1)
    root.left = root
    with pytest.raises(ValueError, match="cycle"):
        lctk.binaryTree2Arr(root)


def test_graphs() -> None:
    graph = lctk.graph(SQUARE)
    assert graph is not None
    assert [node.val for node in graph.neighbors] == [2, 4]
    assert lctk.graph2Dict(graph) == SQUARE
    assert (lctk.graph({}), lctk.graph2Dict(None)) == (None, {})
