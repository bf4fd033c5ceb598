"""Problems as bytes and back: everything that they hold, down to the difference between a list and a tuple."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from evalfw.domain.problem import (
    AcceptedSolution,
    Call,
    Checker,
    Generator,
    Method,
    Problem,
    Stdin,
    TestCase,
)

_CLASSES = {
    found.__name__: found for found in (AcceptedSolution, Call, Checker, Generator, Method, Problem, Stdin, TestCase)
}


def pack(problem: Problem) -> bytes:
    """A problem as compressed JSON."""
    return zlib.compress(json.dumps(_plain(problem), separators=(",", ":")).encode())


def unpack(data: bytes) -> Problem:
    """Undo `pack`.

    Raises:
        ValueError: The data was not made by `pack`.
    """
    try:
        made = _made(json.loads(zlib.decompress(data)))
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(f"not a problem: {error}") from error
    if not isinstance(made, Problem):
        raise ValueError(f"not a problem but a {type(made).__name__}")
    return made


def _plain(value: Any) -> Any:  # noqa: ANN401
    """What JSON can hold; of what it cannot tell apart, mappings with the name of the kind as their only key."""
    if type(value) is list:
        return [_plain(item) for item in value]
    if type(value) is tuple:
        return {"tuple": [_plain(item) for item in value]}
    if isinstance(value, Mapping):
        return {"dict": [[_plain(key), _plain(item)] for key, item in value.items()]}
    name = type(value).__name__
    if _CLASSES.get(name) is type(value):
        return {name: {field.name: _plain(getattr(value, field.name)) for field in fields(value)}}
    return value


def _made(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, list):
        return [_made(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "tuple":
        return tuple(_made(item) for item in content)
    if kind == "dict":
        return {_made(key): _made(item) for key, item in content}
    return _CLASSES[kind](**{name: _made(item) for name, item in content.items()})
