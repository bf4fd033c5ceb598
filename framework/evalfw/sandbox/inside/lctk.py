"""What code of Mercury's rows imports as `lctk`: nodes from plain data and back.

Written anew, after the behaviour of the package of that name (PyPI, 0.0.6). Unlike there, nodes are of the classes
that solutions find in their module; `binaryTree2Arr` drops only what is None at the end, where the package drops 0,
False and empty texts too; a tree with a cycle is an error, where the package never ends; nothing is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .nodes import GraphNode, ListNode, TreeNode, build_list, build_tree, flatten_tree

__all__ = [
    "GraphNode",
    "ListNode",
    "TreeNode",
    "binaryTree",
    "binaryTree2Arr",
    "graph",
    "graph2Dict",
    "linkedList",
    "linkedList2Arr",
]


def linkedList(arr: Sequence[object], cyclePos: int = -1) -> ListNode | None:
    """The list of these values; its last node leads to the one at `cyclePos`, unless that is negative."""
    head = build_list(arr)
    if cyclePos >= len(arr):
        return None
    if cyclePos >= 0:
        chain = _chain(head)
        chain[-1].next = chain[cyclePos]
    return head


def linkedList2Arr(head: ListNode | None) -> list[object]:
    """The values of a list; of one with a cycle, each once."""
    return [node.val for node in _chain(head)]


def binaryTree(arr: Sequence[object]) -> TreeNode | None:
    """The tree of these values in level order, where None is no node."""
    return build_tree(arr)


def binaryTree2Arr(root: TreeNode | None) -> list[object]:
    """The values of a tree in level order, None where there is no node, without those at the end."""
    return flatten_tree(root)


def graph(inDict: Mapping[str, Any]) -> GraphNode | None:
    """The graph of `{"$id": "1", "val": 1, "neighbors": [...]}`, where a node that was there is `{"$ref": "1"}`."""
    return _graph(inDict, {}) if inDict else None


def graph2Dict(root: GraphNode | None) -> dict[str, Any]:
    """Undo `graph`; nodes get their numbers in the order in which they are met, depth first."""
    return _graph_data(root, {}) if root else {}


def _chain(head: ListNode | None) -> list[ListNode]:
    """The nodes of a list, each once."""
    chain: list[ListNode] = []
    met: set[int] = set()
    while head is not None and id(head) not in met:
        met.add(id(head))
        chain.append(head)
        head = head.next
    return chain


def _graph(data: Mapping[str, Any], made: dict[str, GraphNode]) -> GraphNode:
    if "$ref" in data:
        return made[data["$ref"]]
    node = made[data["$id"]] = GraphNode(data["val"])
    for neighbor in data["neighbors"]:
        other = _graph(neighbor, made)
        if other not in node.neighbors:
            node.neighbors.append(other)
        if node not in other.neighbors:
            other.neighbors.append(node)
    return node


def _graph_data(node: GraphNode, numbers: dict[int, int]) -> dict[str, Any]:
    if id(node) in numbers:
        return {"$ref": str(numbers[id(node)])}
    number = numbers[id(node)] = len(numbers) + 1
    return {
        "$id": str(number),
        "neighbors": [_graph_data(neighbor, numbers) for neighbor in node.neighbors],
        "val": node.val,
    }
