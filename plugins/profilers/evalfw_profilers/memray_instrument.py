"""Has memray write down every allocation of a program, and reads that in the same process when the program has ended.

Reading is done by native code, from a file that the solution could have written to. So it is done here, within the
sandbox, and nothing but numbers goes out.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from memray import AllocationRecord, Tracker

    from evalfw import Program

_STATUS = "/proc/self/status"
_NEVER_MS = 24 * 3_600_000  # what is recorded at intervals, by a thread of memray's, is not used here
_MARK = 3_141_593
_MARKED = _MARK + sys.getsizeof(b"")
"""Bytes of the one allocation that marks the beginning, and later the end: what is between is the program's."""

_memray: ModuleType
_RELEASES: frozenset[int]


class Settings(TypedDict):
    """The options of `memray`."""

    python_allocators: bool
    quantum: int


class Incomplete(Exception):
    """Not every allocation was written down."""


class Unreadable(Exception):
    """memray cannot work here."""


def prepare(settings: Settings) -> None:
    """Import memray, and let it do once what it does."""
    global _memray, _RELEASES  # noqa: PLW0603
    import memray

    _memray = memray
    kinds = memray.AllocatorType
    _RELEASES = frozenset({int(kinds.FREE), int(kinds.MUNMAP), int(kinds.PYMALLOC_FREE)})
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/allocations"
        with _tracker(path, settings):
            _mark()
            _mark()
        _profile(path, settings["quantum"])


def measure(program: Program, settings: Settings) -> dict[str, object]:
    """The profile of one run. `runs` is flat: rise in quanta, then number of steps, for each run of equal values.

    Raises:
        Incomplete: There were more allocations than the file can hold.
        Unreadable: What memray reads of the process is not shown here.
    """
    _see_to_reading()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(100)  # threads take turns where they wait, not where the clock says
    path = f"{os.getcwd()}/.allocations"
    with _tracker(path, settings):
        _mark()
        program.run()
        _mark()
    return _profile(path, settings["quantum"])


def _see_to_reading() -> None:
    if sys.platform != "linux":
        return
    try:
        with open(_STATUS, "rb"):
            pass
    except OSError as error:
        raise Unreadable(f"memray has to read {_STATUS}, which this level of isolation does not show") from error


def _tracker(path: str, settings: Settings) -> Tracker:
    file = _memray.FileDestination(path, compress_on_exit=False)
    tracker: Tracker = _memray.Tracker(
        destination=file,
        trace_python_allocators=settings["python_allocators"],
        memory_interval_ms=_NEVER_MS,
    )
    return tracker


def _mark() -> None:
    bytes(_MARK)


def _profile(path: str, quantum: int) -> dict[str, object]:
    live: dict[int, int] = {}
    total = peak = level = 0
    runs = [0, 0]
    with _memray.FileReader(path) as reader:
        for record in _between_marks(reader.get_allocation_records()):
            total -= live.pop(record.address, 0)
            if record.allocator not in _RELEASES:
                live[record.address] = record.size
                total += record.size
                peak = max(peak, total)
            quanta = (peak + quantum // 2) // quantum
            if quanta > level:
                runs += (quanta - level, 0)
                level = quanta
            runs[-1] += 1
    os.unlink(path)
    return {"runs": runs if runs[1] else runs[2:], "end": (total + quantum // 2) // quantum}


def _between_marks(records: Iterable[AllocationRecord]) -> Iterator[AllocationRecord]:
    """From the release of the first mark to the second one."""
    mark, begun = 0, False
    for record in records:
        if record.size == _MARKED:
            if begun:
                return
            mark = record.address
        elif begun:
            yield record
        else:
            begun = record.address == mark
    raise Incomplete("there were more allocations than could be written down")
