"""From the `check(candidate)` of a LeetCodeDataset row to cases: arguments, and what is expected.

The source is untrusted and never runs here. Where all it holds is literals, it is read as a syntax tree. Where it is
more than that, it runs in a sandbox process of its own, with a candidate that notes what it is called with and what
its answer is compared with; no solution is near.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from evalfw import Call, Job, Json, Limits, Method, Sandbox

MAX_DEPTH = 100
"""How deep data may be nested."""

_NODES = {"list_node": "ListNode", "tree_node": "TreeNode"}
_SAME = {"is_same_list": "ListNode", "is_same_tree": "TreeNode"}
_CONSTANTS: dict[str, Json] = {"inf": math.inf, "nan": math.nan, "null": None, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Case:
    """One comparison of the candidate's answer.

    Args:
        args: Plain data; nodes as arrays.
        kinds: Of each argument, what `evalfw.Method.args` has to say.
        keywords: Names of the last arguments, those that are passed by keyword.
        expected: Plain data; nodes as an array.
        returns: `ListNode` or `TreeNode` where the answer is compared as such.
    """

    args: tuple[Json, ...]
    kinds: tuple[str, ...]
    keywords: tuple[str, ...]
    expected: Json
    returns: str = ""


class NotLiteral(Exception):
    """The source holds something else than comparisons with literals; says what."""


class NotPlain(Exception):
    """What is compared cannot be written as plain data; says what."""


def read_asserts(source: str) -> list[Case]:
    """The cases of a check whose body is `assert candidate(...) == ...` and the like, in order.

    Raises:
        NotLiteral: There is something else in it; `record_asserts` may know what to do.
    """
    try:
        (check,) = ast.parse(source).body
        if not isinstance(check, ast.FunctionDef) or len(check.args.args) != 1:
            raise NotLiteral("not a function of one argument")
        name = check.args.args[0].arg
        return [_read_assert(statement, name) for statement in check.body if not isinstance(statement, ast.Pass)]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotLiteral(str(error)) from error
    except NotPlain as error:
        raise NotLiteral(str(error)) from error


def record_asserts(source: str, sandbox: Sandbox) -> list[Case]:
    """The cases of any check that compares what its candidate returns, in the order of the comparisons.

    Raises:
        NotPlain: It raises an error, goes on for too long, or compares something else than plain data.
    """
    noting = Method("evalfw_comparisons", class_name=None)
    execution = sandbox.run(Job(f"{source}\n{_RECORDER}", noting, Call(()), Limits()))
    if execution.outcome is not None:
        raise NotPlain(f"running it ended with {execution.outcome.value}: {execution.reason}")
    match execution.value:
        case [*comparisons] if comparisons:
            return [_recorded(comparison) for comparison in comparisons]
    raise NotPlain("it compares nothing")


def read_examples(statement: str) -> Iterator[tuple[Json, ...]]:
    """The arguments in the examples of a statement (`Input: n = 3, word = "ab"`), as far as they can be read."""
    for match in _EXAMPLE.finditer(statement):
        try:
            call = ast.parse(f"f({match[1]})", mode="eval").body
            if isinstance(call, ast.Call):
                yield tuple(_literal(argument) for argument in (*call.args, *(word.value for word in call.keywords)))
        except (NotLiteral, SyntaxError, ValueError, RecursionError, MemoryError):
            continue


_EXAMPLE = re.compile(r"^\s*Input:?\s+(\S.*?)\s*^\s*Output\b", re.MULTILINE | re.DOTALL)

# Answers compare equal to everything, so that a check goes through to its end.
_RECORDER = """
class EvalfwAnswer:
    def __init__(self, positional, named):
        self.call = [list(positional), list(named), list(named.values())]
    def note(self, returns, expected):
        evalfw_noted.append([*self.call, returns, expected])
        return True
    def __eq__(self, expected):
        return self.note("", expected)

evalfw_noted = []

def list_node(values):
    return {"list_node": values}

def tree_node(values):
    return {"tree_node": values}

def is_same_list(answer, expected):
    return answer.note("ListNode", expected)

def is_same_tree(answer, expected):
    return answer.note("TreeNode", expected)

def evalfw_comparisons():
    check(lambda *positional, **named: EvalfwAnswer(positional, named))
    return evalfw_noted
"""


def _read_assert(statement: ast.stmt, candidate: str) -> Case:
    match statement:
        case ast.Assert(test=ast.Compare(left=ast.Call() as call, ops=[ast.Eq()], comparators=[expected])):
            returns = ""
        case ast.Assert(test=ast.Call(func=ast.Name(id=name), args=[ast.Call() as call, expected], keywords=[])) if (
            name in _SAME
        ):
            returns = _SAME[name]
        case _:
            raise NotLiteral(f"line {statement.lineno} does not compare the candidate's answer by ==")
    if not isinstance(call.func, ast.Name) or call.func.id != candidate:
        raise NotLiteral(f"line {statement.lineno} does not call the candidate")
    keywords = [word.arg for word in call.keywords]
    if any(isinstance(word, ast.Starred) for word in call.args) or None in keywords:
        raise NotLiteral(f"line {statement.lineno} unpacks arguments")
    positional = [_literal(argument) for argument in call.args]
    named = [_literal(word.value) for word in call.keywords]
    return _case(positional, cast("list[str]", keywords), named, returns, _literal(expected))


def _recorded(comparison: Json) -> Case:
    match comparison:
        case [[*positional], [*keywords], [*named], str() as returns, expected] if len(keywords) == len(named):
            return _case(positional, [str(word) for word in keywords], named, returns, expected)
    raise NotPlain("it reports something else than comparisons")


def _case(
    positional: Sequence[Json], keywords: Sequence[str], named: Sequence[Json], returns: str, expected: Json
) -> Case:
    unwrapped = [_argument(value) for value in (*positional, *named)]
    if returns:
        kind, expected = _argument(expected)
        if kind != returns and expected is not None:
            raise NotPlain(f"an answer is compared as {returns} with something else")
        expected = _without_absent(cast("Sequence[Json]", expected or ()))
    return Case(
        args=tuple(value for _, value in unwrapped),
        kinds=tuple(kind for kind, _ in unwrapped),
        keywords=tuple(keywords),
        expected=_plain(expected),
        returns=returns,
    )


def _without_absent(values: Sequence[Json]) -> Json:
    """An array without what stands at its end for no node."""
    kept = list(values)
    while kept and kept[-1] is None:
        kept.pop()
    return kept


def _argument(value: Json) -> tuple[str, Json]:
    """The kind of an argument and its plain value; `{"list_node": [...]}` stands for nodes."""
    kind = _node_kind(value)
    if kind:
        return kind, _node_values(value)
    if isinstance(value, list) and value:
        kinds = {_node_kind(item) for item in value}
        if len(kinds) == 1 and "" not in kinds:
            return f"List[{kinds.pop()}]", [_node_values(item) for item in value]
    return "", _plain(value)


def _node_kind(value: Json) -> str:
    return _NODES.get(next(iter(value)), "") if isinstance(value, Mapping) and len(value) == 1 else ""


def _node_values(value: Json) -> Json:
    (values,) = cast("Mapping[str, Json]", value).values()
    return _plain(list(cast("Sequence[Json]", values or ())))


def _plain(value: Json, depth: int = MAX_DEPTH) -> Json:
    """The value as JSON can hold it: a tuple becomes a list.

    Raises:
        NotPlain: It holds something else, nodes included, or is nested too deeply.
    """
    if depth == 0:
        raise NotPlain("data nested too deeply")
    match value:
        case None | bool() | float() | str():
            return value
        case int():
            if value.bit_length() > 10_000:
                raise NotPlain("a number of thousands of digits")
            return value
        case list() | tuple():
            return [_plain(item, depth - 1) for item in value]
        case dict() if not _node_kind(value) and all(isinstance(key, str) for key in value):
            return {key: _plain(item, depth - 1) for key, item in value.items()}
    raise NotPlain("a node within other data" if _node_kind(value) else f"a {type(value).__name__} that JSON lacks")


def _literal(node: ast.expr) -> Json:  # noqa: PLR0911
    """The value of a literal; `inf` and `nan` are among them, and `list_node([...])`, as `{"list_node": [...]}`."""
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = _literal(operand)
            if isinstance(number, int | float) and not isinstance(number, bool):
                return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
            if len(names) == len(keys):
                return {name: _literal(item) for name, item in zip(names, values, strict=True)}
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
            return float(text)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _NODES:
            return {name: _literal(argument)}
    raise NotLiteral(f"{ast.unparse(node)[:60]} is no literal")
