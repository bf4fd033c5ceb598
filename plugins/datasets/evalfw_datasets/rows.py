"""Rows: records checked against a pydantic model, with messages in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from evalfw import InputError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from evalfw_datasets.records import Record

RowT = TypeVar("RowT", bound=BaseModel)

_NEEDED = {
    "string_type": "a text is needed",
    "int_type": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "float_type": "a number is needed",
    "list_type": "a list is needed",
    "dict_type": "an object with named fields is needed",
    "model_type": "an object with named fields is needed",
}


def parse_row(record: Record, model: type[RowT]) -> RowT:
    """The record as a row of this model.

    Raises:
        InputError: Names the place of the record and, for every wrong field, what was found and is allowed.
    """
    try:
        return model.model_validate(record.data)
    except ValidationError as error:
        sentences = [*_missing(error.errors(include_url=False)), *_wrong(error.errors(include_url=False))]
        raise InputError("\n".join(f"{record.where}: {sentence}" for sentence in sentences)) from error


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or if it is taken `name#2`, `name#3`, ..."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}#{number}"
    return candidate


def _missing(details: list[ErrorDetails]) -> Iterator[str]:
    """One sentence for all fields that one object lacks."""
    absent = [detail for detail in details if detail["type"] == "missing"]
    for parent, group in groupby(absent, key=lambda detail: detail["loc"][:-1]):
        lacking = list(group)
        names = ", ".join(str(detail["loc"][-1]) for detail in lacking)
        found = lacking[0]["input"]
        there = ", ".join(str(name) for name in found) if isinstance(found, Mapping) else ""
        yield f"{_prefix(parent)}missing: {names} (fields found: {there or 'none'})"


def _wrong(details: list[ErrorDetails]) -> Iterator[str]:
    for detail in details:
        prefix = _prefix(detail["loc"])
        if detail["type"] == "value_error":
            yield f"{prefix}{detail['ctx']['error']}"
        elif detail["type"] != "missing":
            needed = _NEEDED.get(detail["type"], detail["msg"])
            yield f"{prefix}{needed}, found {_shown(detail['input'])}"


def _prefix(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) + ": " if location else ""


def _shown(value: object) -> str:
    """What was found, short; large things by their kind only, for a row may hold megabytes."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a very large number"
    text = repr(value[:60] if isinstance(value, str) else value)
    return f"{text}..." if isinstance(value, str) and len(value) > 60 else text
