from __future__ import annotations

from typing import Any

import pytest

from evalfw import Json, NoOptions, OpcodeCounts
from evalfw_profilers.opcodes import Opcodes

PROFILER = Opcodes(NoOptions())


def test_the_instrument_lies_beside_the_class() -> None:
    assert Opcodes.instrument_path().is_file()
    assert PROFILER.settings() == {}


def test_a_record_becomes_a_profile() -> None:
    record: dict[str, Json] = {"counts": {"POP_TOP": 2, "CALL": 3}}
    profile = PROFILER.profile(record)
    assert profile == OpcodeCounts((("CALL", 3), ("POP_TOP", 2)))
    assert profile.facts() == {"opcodes": 5, "distinct_opcodes": 2}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"tampered": "it was ended"}, "it was ended"),
        ({}, "not a record"),
        ({"counts": {"CALL": 1}, "more": 1}, "not a record"),
        ({"counts": ["CALL"]}, "not by name"),
        ({"counts": {}}, "at least one opcode"),
        ({"counts": {"CALL": 0}}, "no positive number"),
        ({"counts": {"CALL": True}}, "no number of times"),
        ({"counts": {"CALL": 1.0}}, "no number of times"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(record: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PROFILER.profile(record)
