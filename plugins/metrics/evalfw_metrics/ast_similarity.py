"""How much of their abstract syntax two programs share."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions
from evalfw_metrics.apart import apart
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_programs
from evalfw_metrics.syntax import parsed

_Shapes: TypeAlias = dict[tuple[str, tuple[int, ...]], int]
"""A number for each shape of subtree: type of its root, and the shapes of the children in order."""


def ast_similarity(a: str, b: str) -> float:
    """Share of the nodes of two syntax trees that are roots of equal subtrees, in [0, 1]. To be called by `apart`.

    2 S / (2 S + L + R): S subtrees in both, each as often as it occurs, L and R those in one alone (Baxter et al.,
    "Clone Detection Using Abstract Syntax Trees", 1998, over all subtrees). Names and constants are left
    out: subtrees are equal when their node types are.

    Raises:
        Unmeasurable: A program cannot be parsed or is empty.
    """
    shapes: _Shapes = {}
    first, second = _subtrees(parsed(a), shapes), _subtrees(parsed(b), shapes)
    return 2 * (first & second).total() / (first.total() + second.total())


class AstSimilarity(Metric[NoOptions]):
    """Share of the subtrees of two programs that both have, in [0, 1] (a baseline of paper A, section 5.3).

    Pairs get `ast_similarity`, solutions the mean over their pairs, the problem the mean over all pairs, the results
    table the mean over problems.
    """

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_programs("ast_similarity", cohort, _compare)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("ast_similarity", cohorts)


def _compare(a: str, b: str) -> Compared:
    answer = apart(ast_similarity, a, b)
    return {"ast_similarity": answer.value}, answer.reason


def _subtrees(tree: ast.AST, shapes: _Shapes) -> Counter[int]:
    """How often each shape of subtree occurs. Whether a name is read or written is no node."""
    found: Counter[int] = Counter()

    def shape(node: ast.AST) -> int:
        children = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context))
        number = shapes.setdefault((type(node).__name__, tuple(map(shape, children))), len(shapes))
        found[number] += 1
        return number

    shape(tree)
    return found
