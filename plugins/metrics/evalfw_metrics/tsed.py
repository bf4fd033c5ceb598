"""How few edits turn the syntax tree of one program into that of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import Field

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options
from evalfw_metrics.apart import Unmeasurable, apart
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_programs
from evalfw_metrics.syntax import parsed, require


def tsed(a: str, b: str, max_nodes: int) -> float:
    """Tree similarity of edit distance, max(0, 1 - edits / nodes of the larger tree), in [0, 1].

    To be called by `apart`. Trees are the named nodes of tree-sitter without comments, labelled by their types;
    deleting, inserting and renaming a node cost 1 each. Source: Song et al., "Revisiting Code Similarity Evaluation
    with Abstract Syntax Tree Edit Distance" (2024).

    Raises:
        Unmeasurable: A program cannot be parsed, is empty, or has a tree of more than `max_nodes` nodes.
    """
    from xted import x_ted_compute

    parents_a, labels_a = syntax_tree(a)
    parents_b, labels_b = syntax_tree(b)
    nodes = max(len(labels_a), len(labels_b))
    if nodes > max_nodes:
        raise Unmeasurable(f"a tree of {nodes} nodes, more than max_nodes = {max_nodes}")
    edits: int = x_ted_compute(parents_a, labels_a, parents_b, labels_b)
    return max(0, nodes - edits) / nodes


def syntax_tree(code: str) -> tuple[list[int], list[str]]:
    """The tree of a program: parent (-1: none) and label of each node, parents before children, in order of the text.

    Raises:
        Unmeasurable: It cannot be parsed or is empty.
    """
    import tree_sitter_python
    from tree_sitter import Language, Parser

    parsed(code)
    parser = Parser(Language(tree_sitter_python.language()))
    parents: list[int] = []
    labels: list[str] = []
    stack = [(-1, parser.parse(code.encode()).root_node)]
    while stack:
        parent, node = stack.pop()
        number = len(labels)
        parents.append(parent)
        labels.append(node.type)
        stack += [(number, child) for child in reversed(node.named_children) if child.type != "comment"]
    return parents, labels


class TsedOptions(Options):
    """Options of `tsed`."""

    max_nodes: int = Field(
        default=2000, ge=1, le=100_000, description="Pairs with a larger tree are null, since time grows with n^3."
    )


class Tsed(Metric[TsedOptions]):
    """Tree similarity of edit distance of two programs, in [0, 1] (a baseline of paper A, section 5.3).

    Pairs get `tsed`, solutions the mean over their pairs, the problem the mean over all pairs, the results table the
    mean over problems. Edit distances are exact, computed by the package x-ted.
    """

    def __init__(self, options: TsedOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        require("tsed", "similarity", "tree_sitter", "tree_sitter_python", "xted")

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_programs("tsed", cohort, self._compare)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("tsed", cohorts)

    def _compare(self, a: str, b: str) -> Compared:
        answer = apart(tsed, a, b, self.options.max_nodes)
        return {"tsed": answer.value}, answer.reason
