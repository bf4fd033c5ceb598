from __future__ import annotations

import random
from functools import cache
from typing import TypeAlias

import pytest

from evalfw import Estimate, Measure
from evalfw_metrics.apart import apart
from tests.evalfw_metrics.cohorts import made, measured, programs

pytest.importorskip("xted", reason="x-ted is not built for this version of Python")

from evalfw_metrics.tsed import Tsed, syntax_tree, tsed

Tree: TypeAlias = tuple[str, tuple["Tree", ...]]


def test_the_tree_of_a_program() -> None:
    assert syntax_tree("x = 1  # a comment\nf()\n") == (
        [-1, 0, 1, 2, 2, 0, 5, 6, 6],
        [
            *("module", "expression_statement", "assignment", "identifier", "integer"),
            *("expression_statement", "call", "identifier", "argument_list"),
        ],
    )


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("x = 1\n", "y = 2\n", 1.0),
        ("x = 1\n", "x = 1\ny = 2\n", (9 - 4) / 9),  # a statement of four nodes is inserted
        ("x = 1\n", "f(1)\n", (6 - 2) / 6),  # assignment becomes call, argument_list is inserted
        ("x = 1\n", "x = 'a'\n", (8 - 4) / 8),  # integer becomes string, whose start, content and end are inserted
    ],
)
def test_edits_counted_by_hand(a: str, b: str, expected: float) -> None:
    assert tsed(a, b, 2000) == tsed(b, a, 2000) == pytest.approx(expected, abs=1e-15)


@cache
def edits(one: tuple[Tree, ...], other: tuple[Tree, ...]) -> int:
    """The edit distance of two forests by its recursive definition."""
    if not one or not other:
        return sum(1 + edits(children, ()) for _, children in one or other)
    (label_a, children_a), (label_b, children_b) = one[-1], other[-1]
    return min(
        edits(one[:-1] + children_a, other) + 1,
        edits(one, other[:-1] + children_b) + 1,
        edits(one[:-1], other[:-1]) + edits(children_a, children_b) + (label_a != label_b),
    )


def nested(parents: list[int], labels: list[str], node: int = 0) -> Tree:
    return labels[node], tuple(nested(parents, labels, i) for i, parent in enumerate(parents) if parent == node)


def test_equals_the_recursive_definition_on_random_programs() -> None:
    draw = random.Random(1)
    statements = ["x = 1", "f(x)", "if x: f()", "for i in x: pass", "x = a + b", "return x", "while x: x = 1"]
    for _ in range(40):
        a, b = ("\n".join(draw.choices(statements, k=draw.randint(1, 3))) + "\n" for _ in range(2))
        trees = syntax_tree(a), syntax_tree(b)
        nodes = max(len(labels) for _, labels in trees)
        found = edits((nested(*trees[0]),), (nested(*trees[1]),))
        assert tsed(a, b, 2000) == pytest.approx(max(0, 1 - found / nodes), abs=1e-15)


def test_measures_and_estimate() -> None:
    metric = made(Tsed, max_nodes=8)
    found = measured(metric, programs("x = 1\n", "y = 2\n", "x = 1\ny = 2\n"))
    why = "a tree of 9 nodes, more than max_nodes = 8"
    assert found.measures[:2] == (Measure({"tsed": 1.0}, (0, 1)), Measure({"tsed": None}, (0, 2), reason=why))
    assert found.measures[-1].reason == f"2 of 3 pairs undefined, such as: {why}"
    assert list(metric.aggregate([found])) == [Estimate("tsed", 1.0, n=1)]


def test_a_text_that_tree_sitter_would_die_of_is_null() -> None:
    answer = apart(tsed, "x = 1\n", "x" + ".a" * 45_000 + "\n", 2000)
    assert (answer.value, answer.reason) == (None, "nested too deeply, or too large")
