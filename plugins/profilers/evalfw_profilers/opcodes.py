"""What a solution executes: the opcodes of the interpreter, counted."""

from __future__ import annotations

from collections.abc import Mapping

from evalfw import Json, NoOptions, OpcodeCounts, Profiler


class Opcodes(Profiler[NoOptions]):
    """How often the solution executed each opcode of the interpreter.

    Only code of the solution counts, in every thread started by `threading`; code of the standard library does
    not. Opcodes are those of the compiled program, before the interpreter specialises them. Source of the idea:
    Rajput et al., "Dynamic Stability of LLM-Generated Code" (2025), arXiv:2511.07463.
    """

    produces = OpcodeCounts
    instrument = "opcodes_instrument.py"

    def profile(self, record: Mapping[str, Json]) -> OpcodeCounts:
        """The counts.

        Raises:
            ValueError: The solution disturbed the measurement, or the record cannot be a measurement.
        """
        if "tampered" in record:
            raise ValueError(str(record["tampered"]))
        if record.keys() != {"counts"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        counts = record["counts"]
        if not isinstance(counts, Mapping):
            raise ValueError(f"counts are not by name of the opcode: {counts!r}")
        found = []
        for name in sorted(counts):
            times = counts[name]
            if type(times) is not int:
                raise ValueError(f"opcode {name} has no number of times: {times!r}")
            found.append((name, times))
        return OpcodeCounts(tuple(found))
