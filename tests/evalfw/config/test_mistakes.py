from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, field_validator, model_validator

from evalfw.config.document import read
from evalfw.config.source import load_yaml, validate
from evalfw.errors import ConfigError
from evalfw.options import Bytes, File, Options, Seconds


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(Options):
    deep: int = 0
    wide: float = 0.0


class Model(Options):
    number: int = Field(default=3, ge=2, le=9)
    ratio: float = Field(default=0.5, gt=0, lt=1)
    even: int = Field(default=2, multiple_of=2)
    text: str = Field(default="abc", min_length=2, max_length=5)
    coded: str = Field(default="a1", pattern="^[a-z][0-9]$")
    flag: bool = False
    items: list[int] = Field(default=[1], min_length=1, max_length=3)
    table: dict[str, int] = Field(default_factory=dict)
    inner: Inner = Inner()
    inners: list[Inner] = Field(default_factory=list)
    named: dict[str, Inner] = Field(default_factory=dict)
    maybe: Inner | None = None
    choice: Literal["fast", "slow"] = "fast"
    colour: Colour = Field(default=Colour.RED, strict=False)
    count: Literal["all"] | Annotated[int, Field(ge=0)] = "all"
    several: Literal["none"] | list[int] = "none"
    time: Seconds | None = None
    size: Bytes = 1
    span: Literal["auto"] | Seconds = "auto"
    file: File = Path("x")
    odd: int = 1

    @field_validator("odd")
    @classmethod
    def _odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError("an odd number is needed")
        return value

    @model_validator(mode="after")
    def _together(self) -> Model:
        if self.number == 8 and self.flag:
            raise ValueError("number 8 cannot go with flag")
        return self


class Required(Options):
    must: str
    nested: Inner


def said(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "m.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_yaml(path, Model)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number: 5.0", "1:1: number: found 5.0, but a whole number is needed"),
        ("number: 1.10", "1:1: number: found 1.10, but a whole number is needed"),
        ("number: true", "1:1: number: found true, but a whole number is needed"),
        ("number: '5'", "1:1: number: found '5', but a whole number is needed"),
        ("number:", "1:1: number: found nothing, but a whole number is needed"),
        ("number: 1", "1:1: number: found 1, but a number of at least 2 is needed"),
        ("number: 0x10", "1:1: number: found 0x10, but a number of at most 9 is needed"),
        ("ratio: 0.00", "1:1: ratio: found 0.00, but a number greater than 0 is needed"),
        ("ratio: 1e0", "1:1: ratio: found 1e0, but a number less than 1 is needed"),
        ("ratio: .nan", "1:1: ratio: found .nan, but a finite number is needed"),
        ("ratio: half", "1:1: ratio: found 'half', but a number is needed"),
        ("even: 3", "1:1: even: found 3, but a multiple of 2 is needed"),
        ("text: 1.10", '1:1: text: found 1.10, but text is needed; put it in quotes: "1.10"'),
        ("text: true", '1:1: text: found true, but text is needed; put it in quotes: "true"'),
        ("text:", "1:1: text: found nothing, but text is needed"),
        ("text: a", "1:1: text: found 'a', but text of 2 or more characters is needed"),
        ("text: abcdef", "1:1: text: found 'abcdef', but text of no more than 5 characters is needed"),
        ("coded: 1a", "1:1: coded: found '1a', but text of the form ^[a-z][0-9]$ is needed"),
        ("flag: maybe", "1:1: flag: found 'maybe', but true or false is needed"),
        ("items: 5", "1:1: items: found 5, but a list is needed"),
        ("items: []", "1:1: items: found an empty list, but a list of 1 or more items is needed"),
        ("items: [1, 2, 3, 4]", "1:1: items: found a list, but a list of no more than 3 items is needed"),
        ("items:\n  - 1\n  - x", "3:5: items.1: found 'x', but a whole number is needed"),
        ("table: {a: x}", "1:9: table.a: found 'x', but a whole number is needed"),
        ("table: [a]", "1:1: table: found a list, but a mapping is needed"),
        ("inner: {}\nnumber: {}", "2:1: number: found an empty mapping, but a whole number is needed"),
        ("inner: 5", "1:1: inner: found 5, but a mapping is needed"),
        ("choice: fats", "1:1: choice: unknown value 'fats'; did you mean 'fast'? (allowed: fast, slow)"),
        ("choice: 5", "1:1: choice: found 5, but 'fast' or 'slow' is needed"),
        ("colour: green", "1:1: colour: found 'green', but 'red' or 'blue' is needed"),
        ("count: some", "1:1: count: found 'some', but 'all' or a whole number is needed"),
        ("count: -1", "1:1: count: found -1, but 'all' or a number of at least 0 is needed"),
        ("several: [1, x]", "1:14: several.1: found 'x', but a whole number is needed"),
        ("several: 5", "1:1: several: found 5, but 'none' or a list is needed"),
        ("time: 0s", "1:1: time: found '0s', but a number greater than 0 is needed"),
        ("size: 1.5B", "1:1: size: found '1.5B', but a whole number of bytes is needed"),
        ("file: 5", "1:1: file: found 5, but a path is needed, as text"),
        ("odd: 4", "1:1: odd: found 4, but an odd number is needed"),
        ("number: 8\nflag: yes", "1:1: number 8 cannot go with flag"),
        (f"flag: {'x' * 99}", f"1:1: flag: found '{'x' * 57}...', but true or false is needed"),
    ],
)
def test_messages_are_plain_english(tmp_path: Path, text: str, message: str) -> None:
    assert said(tmp_path, text) == [message]


def test_a_quantity_names_its_units(tmp_path: Path) -> None:
    units = "a number with a unit is needed, such as 10s; units: us, µs, ms, s, min, h"
    assert said(tmp_path, "time: 1:30\nspan: ten\n") == [
        f"1:1: time: found '1:30', but {units}",
        f"2:1: span: found 'ten', but 'auto' or {units}",
    ]


@pytest.mark.parametrize(
    "place", ["inner: {deeep: 1}", "inners: [{deeep: 1}]", "named: {x: {deeep: 1}}", "maybe: {deeep: 1}"]
)
def test_an_unknown_field_gets_the_near_match_of_its_place(tmp_path: Path, place: str) -> None:
    (message,) = said(tmp_path, place)
    assert message.endswith("deeep: unknown field 'deeep'; did you mean 'deep'? (allowed: deep, wide)")


def test_every_mistake_in_the_order_of_the_file(tmp_path: Path) -> None:
    found = said(tmp_path, "odd: 2\nnumbr: 5\nitems: [1, x, 2.0]\nflag: 1\n")
    assert [line.split(" ")[0] for line in found] == ["1:1:", "2:1:", "3:12:", "3:15:", "4:1:"]


def test_a_missing_field_is_missed_where_it_should_be(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("part:\n  nested: {deep: x}\n")
    document = read(path)
    found = validate(document, document.data["part"], Required, ("part",))
    assert isinstance(found, list)
    assert [(each.field, each.message, each.line, each.column) for each in found] == [
        ("part.must", "required, but missing", 1, 1),
        ("part.nested.deep", "found 'x', but a whole number is needed", 2, 12),
    ]


def test_names_beside_the_model_are_offered_at_the_prefix_only(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("part: {lable: x, nested: {lable: 1}, must: a}\n")
    document = read(path)
    found = validate(document, document.data["part"], Required, ("part",), also=["label"])
    assert isinstance(found, list)
    assert [each.message for each in found] == [
        "unknown field 'lable'; did you mean 'label'? (allowed: label, must, nested)",
        "unknown field 'lable' (allowed: deep, wide)",
    ]
