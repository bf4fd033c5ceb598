"""Program texts as trees, and whether the packages that read them are there."""

from __future__ import annotations

import ast
from importlib.util import find_spec

from evalfw import InputError
from evalfw_metrics.apart import Unmeasurable


def parsed(code: str) -> ast.Module:
    """The abstract syntax tree of a program. To be called apart: parsing may take the process with it.

    Raises:
        Unmeasurable: It is not Python, as this interpreter understands it, or there is nothing in it.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        raise Unmeasurable(f"unparseable: {error.msg} (line {error.lineno})") from error
    except ValueError as error:  # null bytes, lone surrogates
        raise Unmeasurable(f"unparseable: {error}") from error
    if not tree.body:
        raise Unmeasurable("empty: there is no statement")
    return tree


def require(metric: str, extra: str, *modules: str) -> None:
    """Check that the packages of an extra are installed.

    Raises:
        InputError: One is not; says how to get it.
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise InputError(f"metric '{metric}' needs {', '.join(missing)}: pip install 'evalfw[{extra}]'")
