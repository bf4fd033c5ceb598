from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from evalfw.options import OPERATIONAL, Bytes, File, NoOptions, Options, Seconds, keyed


class Wait(Options):
    time: Seconds = 10.0


class Room(Options):
    memory: Bytes = 1


class Mixed(Options):
    on: bool = False
    perhaps: bool | None = None
    file: File = Path("x")
    ratio: float = 0.5
    count: int = Field(default=1, ge=1)
    text: str = ""


def written(model: type[Options], **values: object) -> Options:
    return model.model_validate(values)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10.0),
        ("10 s", 10.0),
        ("1.5s", 1.5),
        ("1e-3s", 0.001),
        ("1E2s", 100.0),
        ("500ms", 0.5),
        ("250us", 0.00025),
        ("250µs", 0.00025),
        ("2min", 120.0),
        ("1h", 3600.0),
        ("0.1s", 0.1),
        ("366 h", 366 * 3600.0),
    ],
)
def test_a_duration_is_read_with_its_unit(text: str, seconds: float) -> None:
    assert written(Wait, time=text) == Wait(time=seconds)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64B", 64),
        ("1 kB", 1000),
        ("1KiB", 1024),
        ("1.5KiB", 1536),
        ("512MiB", 512 << 20),
        ("1GiB", 1 << 30),
        ("2GB", 2 * 10**9),
        ("1e3B", 1000),
        ("1125899906842623B", 1125899906842623),
        ("1152921504606846975B", (1 << 60) - 1),  # a double cannot hold it
    ],
)
def test_an_amount_of_memory_is_read_exactly(text: str, size: int) -> None:
    assert written(Room, memory=text) == Room(memory=size)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "s",
            "10",
            "10sec",
            "10S",
            "10m",
            "1:30",
            "1,5s",
            ".5s",
            "5.s",
            "+5s",
            " 5s",
            "5s ",
            "5  s",
            "5s5s",
        ),
        *(
            "1e400s",
            "1e-400s",
            "٣s",
            "inf s",
            "nans",
            "1_0s",
            "9" * 5000 + "s",
            True,
            None,
            ["10s"],
        ),
    ],
)
def test_a_duration_of_another_form_is_refused(text: object) -> None:
    with pytest.raises(ValidationError, match="a number with a unit is needed, such as 10s; units: us, µs, ms"):
        written(Wait, time=text)


@pytest.mark.parametrize("text", ["", "64", "64b", "1K", "1kb", "1mb", "1Mib", "1TB", "-", True, None])
def test_an_amount_of_another_form_is_refused(text: object) -> None:
    with pytest.raises(ValidationError, match="a number with a unit is needed, such as 512MiB; units: B, KiB"):
        written(Room, memory=text)


@pytest.mark.parametrize("text", ["0s", "-5s", "0.0ms", "-1e3 h"])
def test_a_duration_is_more_than_zero(text: str) -> None:
    with pytest.raises(ValidationError, match="greater than 0"):
        written(Wait, time=text)


@pytest.mark.parametrize("text", ["0B", "-1GiB"])
def test_an_amount_is_more_than_zero(text: str) -> None:
    with pytest.raises(ValidationError, match="greater than 0"):
        written(Room, memory=text)


def test_what_no_system_call_takes_is_refused() -> None:
    with pytest.raises(ValidationError, match="less than or equal to 31622400"):
        written(Wait, time="1e99h")
    with pytest.raises(ValidationError, match="less than or equal to 1152921504606846976"):
        written(Room, memory="1e99GiB")


@pytest.mark.parametrize("text", ["1.5B", "1e-3B", "0.0001KiB"])
def test_bytes_are_whole(text: str) -> None:
    with pytest.raises(ValidationError, match="a whole number of bytes is needed"):
        written(Room, memory=text)


def test_plain_numbers_are_seconds_and_bytes() -> None:
    assert written(Wait, time=2) == Wait(time=2.0)
    assert written(Wait, time=0.5) == Wait(time=0.5)
    assert written(Room, memory=64) == Room(memory=64)
    with pytest.raises(ValidationError, match="greater than 0"):
        written(Wait, time=0)
    with pytest.raises(ValidationError, match="finite"):
        written(Wait, time=float("inf"))
    with pytest.raises(ValidationError, match="valid integer"):
        written(Room, memory=64.0)


@given(st.integers(1, 1 << 60))
def test_every_number_of_bytes_can_be_written(size: int) -> None:
    assert written(Room, memory=f"{size}B") == Room(memory=size)


@given(st.floats(1e-9, 3e7))
def test_a_duration_survives_being_written(seconds: float) -> None:
    assert written(Wait, time=f"{seconds!r}s") == Wait(time=seconds)


@given(st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,3})?([eE][+-]?[0-9])? ?(us|µs|ms|s|min|h|B|KiB|kB|sec)?", fullmatch=True))
def test_the_schema_knows_the_form_that_is_read(text: str) -> None:
    pattern = Wait.model_json_schema()["properties"]["time"]["anyOf"][0]["pattern"]
    try:
        written(Wait, time=text)
    except ValidationError as error:
        of_form = error.errors()[0]["type"] != "value_error" and not text.startswith("-")
    else:
        of_form = True
    assert bool(re.search(pattern, text)) == of_form


def test_options_are_strict_and_frozen() -> None:
    wrong: list[dict[str, object]] = [{"count": True}, {"count": 5.0}, {"count": "5"}, {"ratio": "0.5"}]
    wrong += [{"ratio": True}, {"ratio": float("nan")}, {"text": 5}, {"on": 1}, {"unknown": 1}]
    for values in wrong:
        with pytest.raises(ValidationError):
            written(Mixed, **values)
    assert Mixed(ratio=1).ratio == 1.0
    with pytest.raises(ValidationError, match="frozen"):
        Mixed().count = 2
    with pytest.raises(ValidationError):
        written(NoOptions, anything=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("yes", True), ("No", False), ("ON", True), ("off", False), (True, True), (False, False)],
)
def test_a_switch_takes_the_words_for_true_and_false(text: str | bool, value: bool) -> None:
    assert written(Mixed, on=text, perhaps=text, text="no") == Mixed(on=value, perhaps=value, text="no")


@pytest.mark.parametrize("text", ["y", "n", "1", "", "nope"])
def test_a_switch_takes_no_other_words(text: str) -> None:
    with pytest.raises(ValidationError):
        written(Mixed, on=text)


def test_a_file_is_a_path() -> None:
    assert Mixed.model_validate({"file": "data/x.jsonl"}).file == Path("data/x.jsonl")
    assert Mixed(file=Path("y")).file == Path("y")
    for wrong in ("", 5, None, "a\0b"):
        with pytest.raises(ValidationError, match="a path is needed, as text"):
            Mixed.model_validate({"file": wrong})


def test_an_operational_option_is_no_part_of_a_key() -> None:
    class Remote(Options):
        model: str
        at_once: Annotated[int, Field(ge=1), OPERATIONAL] = 4

    assert keyed(Remote(model="m", at_once=9)) == {"model": "m"}
    assert Remote(model="m", at_once=9).model_dump() == {"model": "m", "at_once": 9}
