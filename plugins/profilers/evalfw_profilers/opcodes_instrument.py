"""Counts the opcodes that a solution executes.

Each code object of the solution has a list with one number an instruction, raised by one before the instruction is
executed; names are looked up at the end. Who calls: from Python 3.12 on `sys.monitoring`, for the code objects of the
program; before, a trace function, for every frame of the solution.
"""

from __future__ import annotations

import sys
import threading
from _thread import _count as count_threads
from collections import Counter
from opcode import opname
from os import _exit, getpid
from sys import gettrace, settrace
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from evalfw import Program

    Record: TypeAlias = dict[str, str | dict[str, int]]
    Local: TypeAlias = Callable[[FrameType, str, Any], Any]  # of typeshed

# Functions are kept under names of our own, so that a solution cannot replace them under our feet.
_trace_threads: Callable[[Any], None] = threading.settrace
_threads_traced = threading.gettrace
_monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on

SOLUTION = "<contestant>"
_TOOL, _NAME = 4, "opcodes"  # the number is none of those that have a meaning


def measure(program: Program, settings: object) -> Record:
    """The counts of one run by name of the opcode, or `{"tampered": reason}` where the solution disturbed it."""
    codes = list(_codes(program.code))
    if any("start_new_thread" in code.co_names for code in codes):
        return {"tampered": "_thread.start_new_thread is used, whose threads cannot be traced"}
    owner, threads = getpid(), count_threads()
    sys.setswitchinterval(100)  # threads take turns where they wait, so that no count is lost between read and write
    counter = _Tracer() if _monitoring is None else _Monitor(codes)
    program.run()
    fault = counter.stop()
    if getpid() != owner:  # a copy of the process that the solution made has nothing to report
        _exit(0)
    if not fault and count_threads() > threads:
        fault = "threads of the program were still running at its end"
    return {"tampered": fault} if fault else {"counts": _by_name(counter.codes.values())}


class _Monitor:
    """Counts by `sys.monitoring`."""

    def __init__(self, codes: list[CodeType]) -> None:
        self.codes = {id(code): (code, _zeros(code)) for code in codes}
        self.call = self._on_instruction
        self.event = _monitoring.events.INSTRUCTION
        _monitoring.use_tool_id(_TOOL, _NAME)
        _monitoring.register_callback(_TOOL, self.event, self.call)
        for code in codes:
            _monitoring.set_local_events(_TOOL, code, self.event)

    def _on_instruction(self, code: CodeType, offset: int) -> None:
        self.codes[id(code)][1][offset >> 1] += 1

    def stop(self) -> str | None:
        """End it; returns what disturbed it."""
        if (
            _monitoring.get_tool(_TOOL) != _NAME
            or _monitoring.register_callback(_TOOL, self.event, None) is not self.call
            or any(_monitoring.get_local_events(_TOOL, code) != self.event for code, _ in self.codes.values())
        ):
            return "monitoring of the program was ended"
        return None


class _Tracer:
    """Counts by a trace function."""

    def __init__(self) -> None:
        self.codes: dict[int, tuple[CodeType, list[int]]] = {}  # keeps the code, so that its id stays its own
        self.locals: dict[int, Local] = {}
        self.open_frames = 0
        self.hidden = False
        self.call = self._on_call
        _trace_threads(self.call)
        settrace(self.call)

    def _on_call(self, frame: FrameType, event: str, arg: object) -> Local | None:
        """A frame begins or goes on."""
        code = frame.f_code
        if code.co_filename != SOLUTION:
            return None
        self.open_frames += 1
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        if id(code) not in self.locals:
            self._meet(code)
        return self.locals[id(code)]

    def _meet(self, code: CodeType) -> None:
        times = _zeros(code)

        def local(frame: FrameType, event: str, arg: object) -> Local:
            if event == "opcode":
                times[frame.f_lasti >> 1] += 1
            elif event == "return":
                self.open_frames -= 1
                self.hidden |= not frame.f_trace_opcodes
            return local

        self.codes[id(code)] = code, times
        self.locals[id(code)] = local

    def stop(self) -> str | None:
        """End it; returns what disturbed it."""
        found, of_threads = gettrace(), _threads_traced()
        settrace(None)
        _trace_threads(None)
        if found is not self.call or of_threads is not self.call:
            return "the trace function was removed: by the program, or by Python at the recursion limit"
        return "frames or opcodes were hidden from the trace function" if self.open_frames or self.hidden else None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object with all that are made in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _zeros(code: CodeType) -> list[int]:
    """One number for each instruction."""
    return [0] * (len(code.co_code) // 2)


def _by_name(codes: Iterable[tuple[CodeType, list[int]]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for code, times in codes:
        for opcode, count in zip(code.co_code[::2], times, strict=True):
            if count:
                total[opname[opcode]] += count
    return dict(total)
