"""Samples the resident memory of all processes of a solution, from outside of them.

`observe` runs in the process that watches the solution, out of its reach.
"""

from __future__ import annotations

import os
from time import monotonic_ns
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

CAPACITY = 1 << 21
"""Samples of one run."""

_PAGE = os.sysconf("SC_PAGE_SIZE")


def prepare(settings: dict[str, str | float]) -> None:
    """See whether there is anything to be read."""
    _MEASURES[str(settings["count"])](os.getpid())


def observe(
    processes: Callable[[], list[int]], settings: dict[str, str | float]
) -> Generator[float, bool, dict[str, list[int]]]:
    """Times in nanoseconds, and bytes at these times."""
    measure, interval = _MEASURES[str(settings["count"])], round(float(settings["interval"]) * 1e9)
    times: list[int] = []
    values: list[int] = []
    start, ended = monotonic_ns(), False
    while True:
        times.append(monotonic_ns() - start if times else 0)
        values.append(_sum(measure, processes()))
        if ended:
            return {"times": times, "values": values}
        if len(times) == CAPACITY:
            raise OverflowError(f"{CAPACITY} samples were not enough; a larger interval is needed")
        due = start + (times[-1] // interval + 1) * interval
        ended = yield max(0, due - monotonic_ns()) / 1e9


def _sum(measure: Callable[[int], int], processes: list[int]) -> int:
    total = measure(processes[0])
    for pid in processes[1:]:
        try:
            total += measure(pid)
        except OSError:  # it has just ended
            continue
    return total


def _resident(pid: int) -> int:
    return int(_read(f"/proc/{pid}/statm").split()[1]) * _PAGE


def _proportional(pid: int) -> int:
    lines = _read(f"/proc/{pid}/smaps_rollup").splitlines()
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:")), 0)


def _read(path: str) -> bytes:
    with open(path, "rb", 0) as file:
        return file.read()


_MEASURES = {"rss": _resident, "pss": _proportional}
