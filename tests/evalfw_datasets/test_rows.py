from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import BaseModel, BeforeValidator, ConfigDict

from evalfw import InputError
from evalfw_datasets.records import Record
from evalfw_datasets.rows import parse_row


def _never(value: object) -> object:
    raise ValueError("this never fits")


class _Part(BaseModel):
    model_config = ConfigDict(strict=True)

    text: str
    number: int


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)

    name: str
    parts: list[_Part]
    ratio: float = 0.0
    never: Annotated[str, BeforeValidator(_never)] = ""


def _message(**data: object) -> str:
    with pytest.raises(InputError) as raised:
        parse_row(Record(data, "rows.jsonl:7"), _Row)
    return str(raised.value)


def test_right_record() -> None:
    row = parse_row(Record({"name": "a", "parts": [{"text": "t", "number": 1}], "ratio": 2}, "rows.jsonl:1"), _Row)
    assert (row.name, row.parts[0].number, row.ratio) == ("a", 1, 2.0)


def test_missing_fields_are_one_sentence() -> None:
    assert _message(nam="a", ratio=1) == "rows.jsonl:7: missing: name, parts (fields found: nam, ratio)"
    assert _message() == "rows.jsonl:7: missing: name, parts (fields found: none)"


def test_missing_fields_of_a_part() -> None:
    message = _message(name="a", parts=[{"text": "t", "number": 1}, {"number": 2}])
    assert message == "rows.jsonl:7: parts.1: missing: text (fields found: number)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"name": 3}, "name: a text is needed, found 3"),
        ({"ratio": "x" * 70}, f"ratio: a number is needed, found '{'x' * 60}'..."),
        ({"ratio": True}, "ratio: a number is needed, found True"),
        ({"parts": {"text": "t"}}, "parts: a list is needed, found an object"),
        ({"parts": [[1, 2, 3]]}, "parts.0: an object with named fields is needed, found a list of 3"),
        ({"parts": [{"text": "t", "number": 1.5}]}, "parts.0.number: a whole number is needed, found 1.5"),
        ({"name": 10**5000}, "name: a text is needed, found a very large number"),
        ({"never": "x"}, "never: this never fits"),
    ],
)
def test_wrong_field(data: dict[str, object], message: str) -> None:
    assert _message(**({"name": "a", "parts": []} | data)) == f"rows.jsonl:7: {message}"


def test_all_that_is_wrong_is_said() -> None:
    assert _message(name=1, ratio="x").splitlines() == [
        "rows.jsonl:7: missing: parts (fields found: name, ratio)",
        "rows.jsonl:7: name: a text is needed, found 1",
        "rows.jsonl:7: ratio: a number is needed, found 'x'",
    ]
