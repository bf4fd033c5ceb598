"""What a plugin's options are made of: a strict pydantic base, and quantities with units."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from evalfw.domain.problem import Json

# Bounded, so that no text becomes a number of a million digits.
_NUMBER = r"[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?"
_SECONDS = {
    **{"us": Fraction(1, 10**6), "µs": Fraction(1, 10**6), "ms": Fraction(1, 1000)},
    **{"s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)},
}
_BYTES = {
    **{"B": Fraction(1), "KiB": Fraction(1 << 10), "MiB": Fraction(1 << 20), "GiB": Fraction(1 << 30)},
    **{"kB": Fraction(10**3), "MB": Fraction(10**6), "GB": Fraction(10**9)},
}
# Far above any use, far below what system calls take, even as multiples.
_MOST_SECONDS = 366 * 24 * 3600
_MOST_BYTES = 1 << 60

_SWITCH = {"yes": True, "on": True, "no": False, "off": False}


class Options(BaseModel):
    """Base of every plugin's options: unknown keys are refused, nothing is coerced, nothing changes later.

    The docstring of a field (`Field(description=...)`) is what `evalfw plugins` and the JSON Schema show.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _switches(cls, data: object) -> object:
        # YAML 1.2 reads an unquoted `no` as text, as it should; where true or false is wanted, it is clear.
        if not isinstance(data, Mapping):
            return data
        switches = {name for name, info in cls.model_fields.items() if info.annotation in (bool, bool | None)}
        return {
            name: _SWITCH.get(value.lower(), value) if name in switches and isinstance(value, str) else value
            for name, value in data.items()
        }


class _Operational:
    """Type of `OPERATIONAL`."""


OPERATIONAL: Final = _Operational()
"""Marks an option that says how work is done and cannot change what comes out: `Annotated[int, OPERATIONAL]`.

Such an option is no part of the key that results are stored under, so that changing it repeats nothing.
"""


def keyed(options: Options) -> dict[str, Json]:
    """The options that results depend on, as plain data: all but those marked `OPERATIONAL`."""
    aside = {name for name, info in type(options).model_fields.items() if OPERATIONAL in info.metadata}
    found: dict[str, Json] = json.loads(options.model_dump_json(exclude=aside))
    return found


class NoOptions(Options):
    """The options of a plugin that has none."""


References: TypeAlias = Literal["none", "canonical", "all"]
"""Which accepted solutions of a problem: none, the first one, all."""


class ReferenceOptions(Options):
    """Base of the options of a profiler that can measure accepted solutions beside those of a model."""

    references: References = Field(
        default="none",
        description="Accepted solutions that are measured beside the solutions of every model: the first one or `all`.",
    )


def _quantity(value: object, units: Mapping[str, Fraction], example: str) -> Fraction:
    match = re.fullmatch(rf"(-?{_NUMBER}) ?(\D+)", value) if isinstance(value, str) else None
    unit = match[4] if match else ""
    if match is None or unit not in units:
        raise ValueError(f"a number with a unit is needed, such as {example}; units: {', '.join(units)}")
    return Fraction(match[1]) * units[unit]


def _plain(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _seconds(value: object) -> object:
    return value if _plain(value) else float(_quantity(value, _SECONDS, "10s"))


def _bytes(value: object) -> object:
    if _plain(value):
        return value
    number = _quantity(value, _BYTES, "512MiB")
    if number.denominator != 1:
        raise ValueError("a whole number of bytes is needed")
    return int(number)


def _path(value: object) -> object:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("a path is needed, as text")
    return Path(value)


def _schema(units: Mapping[str, Fraction], plain: str, examples: list[str]) -> WithJsonSchema:
    pattern = f"^{_NUMBER} ?({'|'.join(units)})$"
    forms = [{"type": "string", "pattern": pattern}, {"type": plain, "exclusiveMinimum": 0}]
    return WithJsonSchema({"anyOf": forms, "examples": examples})


Seconds: TypeAlias = Annotated[
    float,
    BeforeValidator(_seconds),
    Field(gt=0, le=_MOST_SECONDS),
    _schema(_SECONDS, "number", ["10s", "500ms"]),
]
"""A duration: `10s`, `500ms`, `2min`; a plain number means seconds. A float of seconds in Python."""

Bytes: TypeAlias = Annotated[
    int, BeforeValidator(_bytes), Field(gt=0, le=_MOST_BYTES), _schema(_BYTES, "integer", ["64B", "512MiB"])
]
"""An amount of memory: `64B`, `512MiB`, `1GB`; a plain whole number means bytes. An int in Python."""

File: TypeAlias = Annotated[Path, BeforeValidator(_path), WithJsonSchema({"type": "string", "minLength": 1})]
"""A path; a relative one is meant from the folder of the experiment file (`Component.base`)."""
