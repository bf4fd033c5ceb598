from __future__ import annotations

import pytest

from evalfw import OpcodeCounts


def test_opcode_counts() -> None:
    counts = OpcodeCounts((("CALL", 3), ("POP_TOP", 1 << 70)))
    assert OpcodeCounts.unpack(counts.pack()) == counts
    assert counts.pack() == OpcodeCounts.unpack(counts.pack()).pack()
    assert counts.facts() == {"opcodes": 3 + (1 << 70), "distinct_opcodes": 2}


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((), "at least one opcode"),
        ((("POP_TOP", 1), ("CALL", 1)), "out of order or named twice"),
        ((("CALL", 1), ("CALL", 1)), "out of order or named twice"),
        ((("CALL", 0),), "CALL has no positive number"),
        ((("CALL", True),), "CALL has no positive number"),
    ],
)
def test_what_cannot_be_opcode_counts_is_refused(counts: tuple[tuple[str, int], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OpcodeCounts(counts)
