"""Linked lists, binary trees and graphs as contest sites define them: from arrays and back, and as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import plain

MAX_NODES = 1_000_000


class ListNode:
    """A node of a singly linked list."""

    def __init__(self, val: object = 0, next: ListNode | None = None) -> None:
        self.val = val
        self.next = next


class TreeNode:
    """A node of a binary tree."""

    def __init__(self, val: object = 0, left: TreeNode | None = None, right: TreeNode | None = None) -> None:
        self.val = val
        self.left = left
        self.right = right


class GraphNode:
    """A node of a graph."""

    def __init__(self, val: object = 0, neighbors: list[GraphNode] | None = None) -> None:
        self.val = val
        self.neighbors = [] if neighbors is None else neighbors


def build_list(values: Sequence[object], node: type[ListNode] = ListNode) -> ListNode | None:
    """The list of `values` in order, made of `node`; None for no values."""
    head: ListNode | None = None
    for value in reversed(values):
        head = node(value, head)
    return head


def flatten_list(head: ListNode | None) -> list[object]:
    """The values of a list in order.

    Raises:
        ValueError: It has a cycle, or over a million nodes.
    """
    values: list[object] = []
    while head is not None:
        values.append(head.val)
        head = head.next
        if len(values) > MAX_NODES:
            raise ValueError("the list has a cycle")
    return values


def build_tree(values: Sequence[object], node: type[TreeNode] = TreeNode) -> TreeNode | None:
    """The tree of `values` in level order, where None is no node; None for no values."""
    if not values or values[0] is None:
        return None
    root = node(values[0])
    parents, rest = [root], iter(values[1:])
    for parent in parents:
        for side in ("left", "right"):
            value = next(rest, None)
            if value is not None:
                child = node(value)
                setattr(parent, side, child)
                parents.append(child)
    return root


def flatten_tree(root: TreeNode | None) -> list[object]:
    """The values of a tree in level order, None where there is no node, without trailing ones.

    Raises:
        ValueError: It has a cycle, or over a million nodes.
    """
    values: list[object] = []
    level: list[TreeNode | None] = [root]
    for node in level:
        if node is None:
            values.append(None)
            continue
        values.append(node.val)
        level.append(node.left)
        level.append(node.right)
        if len(values) > MAX_NODES:
            raise ValueError("the tree has a cycle")
    while values and values[-1] is None:
        values.pop()
    return values


def build_lists(arrays: Sequence[Sequence[object]], node: type[ListNode] = ListNode) -> list[ListNode | None]:
    """One list for each of the arrays."""
    return [build_list(values, node) for values in arrays]


def build_trees(arrays: Sequence[Sequence[object]], node: type[TreeNode] = TreeNode) -> list[TreeNode | None]:
    """One tree for each of the arrays."""
    return [build_tree(values, node) for values in arrays]


BUILD: dict[str, tuple[Callable[..., object], type]] = {
    "ListNode": (build_list, ListNode),
    "TreeNode": (build_tree, TreeNode),
    "List[ListNode]": (build_lists, ListNode),
    "List[TreeNode]": (build_trees, TreeNode),
}
"""Type name in a method's signature -> how its argument is made, and of which class by default."""

FLATTEN: dict[str, Callable[..., list[object]]] = {"ListNode": flatten_list, "TreeNode": flatten_tree}
"""Type name in a method's signature -> how a result is turned into plain data."""

_LINKS = {"left": TreeNode, "right": TreeNode, "next": ListNode, "neighbors": GraphNode}
"""What makes an object with a `val` a node, and the class it is rebuilt of; the first one that is there counts."""


def encode(value: object) -> object:
    """A JSON-ready form of plain data with nodes of any class in them; `decode` makes them again.

    Two references to one node stay so, cycles included, whatever the length of a list. Of a node, what is kept is
    its `val` and its links.

    Raises:
        NotPlain: See `plain.encode`; what has no `val` and no link is no node.
    """
    numbers: dict[int, int] = {}
    found: list[object] = []
    left = [plain.MAX_NODES]

    def number(value: object) -> int:
        place = numbers.setdefault(id(value), len(found))
        if place == len(found):
            found.append(value)
        return place

    try:
        root = plain.encode(value, left, number)
        # Grows while it is gone through; as every node is held, no two of them have one id.
        table = [{name: plain.encode(part, left, number) for name, part in _parts(node).items()} for node in found]
    except plain.NotPlain:
        raise
    except Exception as error:  # an attribute may be a property of the solution's
        raise plain.NotPlain(f"a node that raises {type(error).__name__}") from error
    return {"nodes": table, "value": root}


def decode(data: object) -> object:
    """Undo `encode`; nodes are `TreeNode`, `ListNode` or `GraphNode`, by their links.

    Raises:
        ValueError: The data was not made by `encode`.
    """
    if not isinstance(data, dict) or data.keys() != {"nodes", "value"} or not isinstance(data["nodes"], list):
        raise ValueError("malformed value")
    made = [_made(entry) for entry in data["nodes"]]
    for node, entry in zip(made, data["nodes"], strict=True):
        for name, part in entry.items():
            setattr(node, name, plain.decode(part, made))
    return plain.decode(data["value"], made)


def _parts(node: object) -> dict[str, object]:
    missing = object()
    parts = {name: getattr(node, name, missing) for name in ("val", *_LINKS)}
    there = {name: part for name, part in parts.items() if part is not missing}
    if "val" not in there or len(there) == 1:
        raise plain.NotPlain(f"a value of type {type(node).__name__!r} is neither plain data nor a node")
    return there


def _made(entry: object) -> object:
    if not isinstance(entry, dict) or "val" not in entry or not {"val"} < entry.keys() <= {"val", *_LINKS}:
        raise ValueError("malformed node")
    return next(kind() for name, kind in _LINKS.items() if name in entry)
