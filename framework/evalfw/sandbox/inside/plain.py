"""Plain data out of a hostile process: only exact built-in types, bounded in depth and number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

MAX_DEPTH = 200
MAX_NODES = 5_000_000
_BIG = 1 << 63


class NotPlain(Exception):
    """A value that is not plain data; the text says what was found."""


def encode(value: object, left: list[int] | None = None, node: Callable[[object], int] | None = None) -> object:
    """A JSON-ready form of `value` from which `decode` makes the same value again.

    Subclasses of built-in types are refused, since they can lie about themselves.

    Args:
        value: Anything.
        left: How many parts there may be in this value and others; is counted down.
        node: Gives a number to a value that is no plain data, or raises `NotPlain`, see `nodes`.

    Raises:
        NotPlain: The value holds anything else than None, bool, int, float, str, list, tuple and dict, or is
            too deep (a cycle is) or too large.
    """
    return _encode(value, MAX_DEPTH, [MAX_NODES] if left is None else left, node)


def _encode(value: object, depth: int, left: list[int], node: Callable[[object], int] | None) -> object:  # noqa: PLR0911
    left[0] -= 1
    if depth < 0 or left[0] < 0:
        raise NotPlain("nested too deeply, or a cycle" if depth < 0 else "too large")
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -_BIG <= value < _BIG else {"int": hex(value)}  # type: ignore[operator, arg-type]
    if kind is float:
        return value if value - value == 0 else {"float": repr(value)}  # type: ignore[operator]
    if kind is list:
        return [_encode(item, depth - 1, left, node) for item in value]  # type: ignore[attr-defined]
    if kind is tuple:
        return {"tuple": [_encode(item, depth - 1, left, node) for item in value]}  # type: ignore[attr-defined]
    if kind is dict:
        items = value.items()  # type: ignore[attr-defined]
        return {"dict": [[_encode(k, depth - 1, left, node), _encode(v, depth - 1, left, node)] for k, v in items]}
    if node is not None:
        return {"node": node(value)}
    raise NotPlain(f"a value of type {kind.__name__!r} is not plain data")


def decode(value: object, made: Sequence[object] = ()) -> object:  # noqa: PLR0911
    """Undo `encode`.

    Args:
        value: What `encode` returned.
        made: What stands behind the numbers that `node` gave.

    Raises:
        ValueError: The data was not made by `encode`.
    """
    if isinstance(value, list):
        return [decode(item, made) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise ValueError("malformed value")
    ((kind, content),) = value.items()
    try:
        if kind == "int":
            return int(content, 16)
        if kind == "float":
            return float(content)
        if kind == "tuple":
            return tuple(decode(item, made) for item in content)
        if kind == "dict":
            return {decode(key, made): decode(item, made) for key, item in content}
        if kind == "node" and type(content) is int and 0 <= content < len(made):
            return made[content]
    except (TypeError, AttributeError) as error:
        raise ValueError(f"malformed value: {error}") from error
    raise ValueError("malformed value")
