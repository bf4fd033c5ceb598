"""Runs inside the sandbox: standard library only."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalfw import Program


def measure(program: Program, settings: dict[str, object]) -> dict[str, object]:
    """Run the program once and count its lines."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        if frame.f_code.co_filename != program.code.co_filename:
            return None
        lines += event == "line"
        return trace

    sys.settrace(trace)
    program.run()
    sys.settrace(None)
    return {"lines": lines}
