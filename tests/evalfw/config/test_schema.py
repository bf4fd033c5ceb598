from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from evalfw.config.document import read
from evalfw.config.schema import experiment_schema
from evalfw.options import Bytes, NoOptions, Options

DATA = Path(__file__).parent / "data"


class Point(Options):
    x: int


class LineOptions(Options):
    stride: int = Field(default=1, ge=1, description="Every how many lines a sample is taken.")
    quantum: Bytes = 64
    origin: Point | None = None


class PassOptions(Options):
    k: tuple[int, ...] = Field(strict=False, min_length=1)
    estimator: Literal["unbiased", "plain"] = "unbiased"


SCHEMA = experiment_schema(
    {
        "datasets": {"starter": ("Ten problems.", NoOptions)},
        "models": {"accepted": ("The accepted solutions.", NoOptions)},
        "profilers": {"tracemalloc_line": ("Memory, line by line.", LineOptions)},
        "metrics": {
            "pass_at_k": ("Chance that one of k samples is correct.", PassOptions),
            **{name: (f"{name}.", NoOptions) for name in ("dmpd", "npd", "nmv", "mis")},
        },
    }
)

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_ANNOTATIONS = {"$schema", "$defs", "title", "description", "default", "examples"}


def valid(schema: Mapping[str, object], value: object) -> bool:
    """The part of JSON Schema that is used here; any other keyword is an error."""
    return all(_holds(keyword, rule, value, schema) for keyword, rule in schema.items())


def _holds(keyword: str, rule: object, value: object, schema: Mapping[str, object]) -> bool:  # noqa: PLR0911, PLR0912
    match keyword, rule, value:
        case ("type", str(name), _):
            return isinstance(value, _TYPES[name]) and (not isinstance(value, bool) or name == "boolean")
        case ("const", _, _):
            return value == rule
        case ("enum", list(), _):
            return value in rule
        case ("oneOf", list(), _):
            return sum(valid(each, value) for each in rule) == 1
        case ("anyOf", list(), _):
            return any(valid(each, value) for each in rule)
        case ("$ref", str(), _):
            definitions = SCHEMA["$defs"]
            assert isinstance(definitions, dict)
            return valid(definitions[rule.removeprefix("#/$defs/")], value)
        case ("pattern", str(), str()):
            return re.search(rule, value) is not None
        case ("minLength", int(), str()):
            return len(value) >= rule
        case ("minimum", int() | float(), int() | float()):
            return value >= rule
        case ("exclusiveMinimum", int() | float(), int() | float()):
            return value > rule
        case ("maximum", int() | float(), int() | float()):
            return value <= rule
        case ("exclusiveMaximum", int() | float(), int() | float()):
            return value < rule
        case ("minItems", int(), list()):
            return len(value) >= rule
        case ("uniqueItems", True, list()):
            return all(each not in value[:index] for index, each in enumerate(value))
        case ("items", dict(), list()):
            return all(valid(rule, each) for each in value)
        case ("required", list(), dict()):
            return all(name in value for name in rule)
        case ("properties", dict(), dict()):
            return all(valid(rule[name], each) for name, each in value.items() if name in rule)
        case ("additionalProperties", False, dict()):
            properties = schema["properties"]
            assert isinstance(properties, dict)
            return value.keys() <= properties.keys()
        case ("pattern" | "minLength" | "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum", _, _):
            return True
        case ("minItems" | "uniqueItems" | "items" | "required" | "properties" | "additionalProperties", _, _):
            return True
    assert keyword in _ANNOTATIONS, keyword
    return True


def quickstart() -> dict[str, object]:
    return copy.deepcopy(dict(read(DATA / "quickstart.yaml").data))


def test_the_quickstart_is_valid() -> None:
    assert valid(SCHEMA, quickstart())


@pytest.mark.parametrize(
    "changed",
    [
        {"profilers": ["tracemalloc_line", {"use": "tracemalloc_line", "label": "b", "origin": {"x": 1}}]},
        {"profilers": ["./mine.py:Mine", {"use": "./mine.py:Mine", "anything": [1]}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": {"sweep": [1, 5]}, "quantum": {"sweep": ["64B", 128]}}]},
        {"statistics": {"resamples": 500, "confidence": 0.9}},
        {"profilers": []},
        {"metrics": ["dmpd"]},
        {"limits": {"time": None, "profile_memory": "1.5 GiB"}},
        {"sampling": {"temperatures": [0, 0.5]}},
        {"plugins": ["./watch.py:Watch"]},
    ],
)
def test_what_may_be_written(changed: dict[str, object]) -> None:
    assert valid(SCHEMA, quickstart() | changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"profiler": []},
        {"profilers": ["tracemaloc_line"]},
        {"profilers": [{"use": "tracemaloc_line"}]},
        {"profilers": [{"use": "tracemalloc_line", "strides": 1}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": 0}]},
        {"profilers": [{"use": "tracemalloc_line", "quantum": 64.5}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": {"sweep": [0]}}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": {"sweep": []}}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": {"sweep": [1, 1]}}]},
        {"profilers": [{"use": "tracemalloc_line", "stride": {"sweep": [1], "step": 1}}]},
        {"metrics": [{"use": "pass_at_k", "k": {"sweep": [[1]]}}]},
        {"statistics": {"confidence": 1.0}},
        {"statistics": {"resamples": 10}},
        {"profilers": [{"use": "tracemalloc_line", "origin": {"y": 1}}]},
        {"profilers": [{"use": "tracemalloc_line", "label": 1.1}]},
        {"profilers": [{"stride": 1}]},
        {"metrics": []},
        {"metrics": ["pass_at_k"]},
        {"metrics": [{"use": "pass_at_k", "k": [1], "estimator": "biased"}]},
        {"metrics": ["tracemalloc_line"]},
        {"plugins": ["unheard_of"]},
        {"limits": {"time": "10"}},
        {"limits": {"tme": "10s"}},
        {"sampling": {"n": True}},
        {"sampling": {"temperatures": [0.0, 0.0]}},
        {"name": "a/b"},
        {"datasets": None},
    ],
)
def test_what_may_not_be_written(changed: dict[str, object]) -> None:
    assert not valid(SCHEMA, quickstart() | changed)


def test_what_is_required() -> None:
    for field in ("name", "datasets", "models", "metrics"):
        experiment = quickstart()
        del experiment[field]
        assert not valid(SCHEMA, experiment), field


def test_summaries_and_descriptions_are_shown() -> None:
    text = json.dumps(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert '"description": "Memory, line by line."' in text
    assert '"description": "Every how many lines a sample is taken."' in text


def test_the_shipped_default_of_a_size_has_the_form_of_a_size() -> None:
    bounds = SCHEMA["$defs"]
    assert isinstance(bounds, dict)
    output = bounds["Bounds"]["properties"]["output"]
    assert valid(output, output["default"])
