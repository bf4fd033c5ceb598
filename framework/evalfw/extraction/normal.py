"""The normal form of a program: what is left when layout, comments and docstrings are taken away."""

from __future__ import annotations

import ast
import hashlib
import sys
import warnings

_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def normal_form(code: str) -> str:
    """A digest that is the same for programs that differ in layout, comments and docstrings only.

    Names count: two programs that differ in them are two. A text that is no program is its own normal form. The digest
    begins with the version of Python, since that decides how a program is read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ast.dump(_bare(ast.parse(code)), annotate_fields=False)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = code
    return f"{_PYTHON}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def is_current(form: str) -> bool:
    """Whether a digest was made by this version of Python, so that it may be compared with others made now."""
    return form.startswith(f"{_PYTHON}-")


def _bare(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None  # of a text, whether it is written with a `u`
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return tree
