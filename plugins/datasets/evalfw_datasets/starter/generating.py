"""The part of a problem's `problem.py` that makes inputs, as the text of a program of its own for the sandbox."""

from __future__ import annotations

import ast

from evalfw import Generator

_RENDERED = """

_data = generate


def generate(rng, size):
    return render(_data(rng, size))
"""


def generator(source: str) -> Generator:
    """The generator of a problem, from the text of its `problem.py`.

    That is all of it but its recipe and what it imports from elsewhere than the standard library. Where it has a
    function `render`, which writes the input of a program, that is applied.
    """
    kept = [node for node in ast.parse(source).body if not _is_ours(node)]
    code = "\n\n".join(ast.get_source_segment(source, node) or "" for node in kept)
    renders = any(isinstance(node, ast.FunctionDef) and node.name == "render" for node in kept)
    return Generator(code + (_RENDERED if renders else "\n"))


def _is_ours(node: ast.stmt) -> bool:
    """Whether a statement means nothing outside of this package."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in {"evalfw", "evalfw_datasets"}
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["RECIPE"]
