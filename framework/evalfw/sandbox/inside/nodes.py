"""Linked lists and binary trees as contest sites define them, from arrays and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


BUILD: dict[str, tuple[Callable[..., object], type]] = {
    "ListNode": (build_list, ListNode),
    "TreeNode": (build_tree, TreeNode),
}
"""Type name in a method's signature -> how its argument is made, and of which class by default."""

FLATTEN: dict[str, Callable[..., list[object]]] = {"ListNode": flatten_list, "TreeNode": flatten_tree}
"""Type name in a method's signature -> how a result is turned into plain data."""
