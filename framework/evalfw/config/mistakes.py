"""What pydantic found wrong with a file, in plain words and with positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evalfw.config.document import Document, FieldPath
from evalfw.domain.problem import Json
from evalfw.errors import Mistake, near

# What is needed instead, by pydantic's type of error; in braces the error's context.
_NEEDED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "path_type": "a path",
    "none_required": "nothing",
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number less than {lt}",
    "less_than_equal": "a number of at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
    "too_short": "a list of {min_length} or more items",
    "too_long": "a list of no more than {max_length} items",
    "string_too_short": "text of {min_length} or more characters",
    "string_too_long": "text of no more than {max_length} characters",
    "string_pattern_mismatch": "text of the form {pattern}",
    "literal_error": "{expected}",
    "enum": "{expected}",
}


def mistakes(
    document: Document,
    error: ValidationError,
    model: type[BaseModel],
    prefix: FieldPath = (),
    also: Iterable[str] = (),
) -> list[Mistake]:
    """Everything in a validation error, in the order of the file.

    Args:
        document: The file.
        error: Says what is wrong with the part of the file at `prefix`.
        model: What that part was validated as; near matches for unknown fields come from it.
        prefix: Where that part is.
        also: Names that are allowed at `prefix` beside the fields of the model.
    """
    by_path: dict[FieldPath, list[ErrorDetails]] = {}
    for details in error.errors(include_url=False):
        by_path.setdefault(_path(document, details, prefix), []).append(details)
    found = []
    for path, errors in by_path.items():
        # Of a list with a bad item, that it is no 'all' and too short without the item is no news.
        if any(other[: len(path)] == path for other in by_path if other != path):
            continue
        if errors[0]["type"] == "extra_forbidden":
            allowed = set(_fields(model, path[len(prefix) : -1])) | (set(also) if path[:-1] == prefix else set())
            message = f"unknown field '{path[-1]}'{near(str(path[-1]), allowed)}"
        else:
            message = _message(document, path, errors)
        found.append(document.mistake(path, message))
    return sorted(found, key=lambda mistake: (mistake.line or 0, mistake.column or 0))


def _path(document: Document, details: ErrorDetails, prefix: FieldPath) -> FieldPath:
    """Where an error is in the file, without the names of members of a union that pydantic puts in."""
    path = prefix
    for number, part in enumerate(details["loc"], start=1):
        is_missing = details["type"] == "missing" and number == len(details["loc"])
        if (*path, part) in document.positions or is_missing:
            path = (*path, part)
    return path


def _fields(model: type[BaseModel], path: FieldPath) -> Iterator[str]:
    """Names of the fields that are allowed at a path below a model."""
    models = [model]
    for part in path:
        infos = [each.model_fields[part] for each in models if part in each.model_fields]
        models = [inner for info in infos for inner in _models(info.annotation)] or models
    for each in models:
        for name, info in each.model_fields.items():
            yield info.alias or name


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def _message(document: Document, path: FieldPath, errors: Sequence[ErrorDetails]) -> str:
    kinds = [details["type"] for details in errors]
    if "missing" in kinds:
        return "required, but missing"
    value = document.value(path)
    if kinds == ["literal_error"] and isinstance(value, str):
        allowed = re.findall(r"'([^']*)'", errors[0]["ctx"]["expected"])
        return f"unknown value {_found(document, path, value)}{near(value, allowed)}"
    speaks_for_itself = isinstance(value, list | Mapping) or (
        isinstance(value, str) and repr(value) in _text(errors[0])
    )
    if kinds == ["value_error"] and speaks_for_itself:
        return _text(errors[0])
    needed = list(dict.fromkeys(_needed(details) for details in errors))
    known = all(kind in _NEEDED for kind in kinds)
    message = f"found {_found(document, path, value)}, but {' or '.join(needed)}{' is needed' if known else ''}"
    if value is not None and not isinstance(value, str | list | Mapping) and "string_type" in kinds:
        message += f'; put it in quotes: "{document.literal(path)}"'
    return message


def _needed(details: ErrorDetails) -> str:
    if details["type"] in _NEEDED:
        context = {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in details.get("ctx", {}).items()
        }
        return _NEEDED[details["type"]].format_map(context)
    return _text(details)


def _text(details: ErrorDetails) -> str:
    """What the author of a validator wrote, or failing that what pydantic says."""
    if details["type"] in ("value_error", "assertion_error"):
        return str(details["ctx"]["error"])
    return details["msg"][:1].lower() + details["msg"][1:]


def _found(document: Document, path: FieldPath, value: Json) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:57]}...")
    if isinstance(value, bool | int | float):
        return document.literal(path) or str(value)
    return f"{'a' if value else 'an empty'} {'mapping' if isinstance(value, Mapping) else 'list'}"
