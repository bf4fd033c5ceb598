"""Whether a text is a program, found out without running any of it."""

from __future__ import annotations

import ast
import codeop
import re
from collections.abc import Iterable
from enum import Enum, auto

_FILENAME = "<solution>"

LONGEST_PROGRAM = 1 << 18
"""Longest text, in characters, that is taken for a program: four times what contests allow for a source file."""

BYTECODE_LIMIT = 1 << 15
"""Longest text, in characters, that is compiled whole; of a longer one only the grammar is checked.

CPython's compiler is quadratic in equal functions: 100 kB of `lambda:0` take it seconds, a megabyte minutes.
"""

_INCOMPLETE_INPUT: int = codeop.PyCF_ALLOW_INCOMPLETE_INPUT  # type: ignore[attr-defined]

# What `compile` may raise on hostile text. SystemError is a fault of the interpreter that a text can provoke.
_REFUSALS = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError, SystemError)

_SURROGATE = re.compile("[\ud800-\udfff]")
# The look-behind keeps the search linear. 4300 digits is where Python refuses to read an integer by default.
_LONG_NUMBER = re.compile("(?<![0-9])[0-9]{4301,}")

_INERT = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.expr_context),
    *(ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.unaryop, ast.operator, ast.boolop, ast.cmpop),
)


class State(Enum):
    """What became of an attempt to compile."""

    WHOLE = auto()
    OPEN = auto()
    """It breaks off: more text might make it whole."""
    WRONG = auto()
    """No text that follows can mend it."""


def tidy(lines: Iterable[str]) -> str:
    """The lines as a program: no blank lines at either end, one final line feed; empty if no text."""
    kept = list(lines)
    filled = [number for number, line in enumerate(kept) if line.strip()]
    return "\n".join(kept[filled[0] : filled[-1] + 1]) + "\n" if filled else ""


def qualifies(code: str, entry_point: str | None) -> bool:
    """Whether a text is a candidate for the solution.

    It compiles, does more than state constants and names, and defines the entry point, if there is one, at
    top level: as a function, a class or by assignment. An import is no definition.
    """
    if len(code) > LONGEST_PROGRAM:
        return False
    try:
        tree = ast.parse(_neutral(code), _FILENAME)
        if len(code) <= BYTECODE_LIMIT:
            compile(tree, _FILENAME, "exec", dont_inherit=True)
        if all(_inert(statement) for statement in tree.body):
            return False
    except _REFUSALS:
        return False
    return entry_point is None or any(entry_point in _defined(statement) for statement in tree.body)


class Attempts:
    """Attempts at compiling parts of one answer, limited in all so that no answer can hold up a run.

    Args:
        characters: How many may be compiled in all; after that every attempt says WRONG, as does one at a
            text longer than `LONGEST_PROGRAM`.
    """

    def __init__(self, characters: int) -> None:
        self._left = characters

    def state(self, code: str) -> State:
        """Compile a text and see how far that goes."""
        if not self._pay(code):
            return State.WRONG
        try:
            _compile(code, _INCOMPLETE_INPUT)
        except SyntaxError as error:
            return State.OPEN if "incomplete input" in str(error.msg) else State.WRONG
        except _REFUSALS:
            return State.WRONG
        return State.WHOLE

    def fault(self, code: str) -> int:
        """The 1-based line at which a text that does not compile goes wrong; 1 where that is not known."""
        if "\0" in code:
            return code.count("\n", 0, code.index("\0")) + 1
        if not self._pay(code):
            return 1
        try:
            _compile(code)
        except SyntaxError as error:
            return error.lineno or 1
        except _REFUSALS:
            return 1
        return code.count("\n") + 1

    def _pay(self, code: str) -> bool:
        self._left -= len(code) + 64
        return self._left >= 0 and len(code) <= LONGEST_PROGRAM


def _compile(code: str, flags: int = 0) -> None:
    if len(code) > BYTECODE_LIMIT:
        flags |= ast.PyCF_ONLY_AST
    compile(_neutral(code), _FILENAME, "exec", flags=flags, dont_inherit=True)


def _neutral(code: str) -> str:
    """The same program as far as compiling goes, without what Python can run but this process cannot compile.

    Half a surrogate pair in a string is an error of the solution when it runs; a number too long to be read
    here is none in the sandbox, where that limit is lifted.
    """
    if not code.isascii():
        code = _SURROGATE.sub("\ufffd", code)
    return _LONG_NUMBER.sub(lambda digits: digits[0][:4000], code)


def _inert(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and all(isinstance(part, _INERT) for part in ast.walk(statement.value))


def _defined(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {statement.name}
        case ast.Assign():
            return {part.id for target in statement.targets for part in _names(target)}
        case ast.AnnAssign(value=ast.expr()):
            return {part.id for part in _names(statement.target)}
    return set()


def _names(target: ast.expr) -> Iterable[ast.Name]:
    return (part for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
