"""Watches one child from outside: ends it at its limits, and whatever it leaves behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from . import kernel
from .observe import Observation

_LINUX = sys.platform == "linux"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK_SECONDS = 0.02
_SWEEP_SECONDS = 5.0


def watch(
    pid: int,
    limits: Mapping[str, float],
    control: socket.socket,
    woken: socket.socket,
    family: Callable[[int], list[int]],
    observation: Observation,
) -> dict[str, object]:
    """Wait for a child, killing it when it passes a limit or the other side of `control` says so.

    Args:
        pid: A child of this process, leader of its own session.
        limits: `cpu_seconds`, `wall_seconds`, `memory_bytes`.
        control: Anything to read here, its end included, means kill.
        woken: Becomes readable when a child ends.
        family: Processes that the limits of a child apply to, itself included.
        observation: Who looks at the child meanwhile.

    Returns:
        `killed` (cpu, wall, memory, told, or None), `status` as of `waitpid`, `cpu_seconds`, `wall_seconds`,
        `peak_bytes`; `begun`, `observed` and `fault` of the observation.
    """
    started = now = time.monotonic()
    check = started + _TICK_SECONDS
    killed: str | None = None
    inputs = [woken, control, observation.marks]
    kernel.wake_in_time()
    while True:
        ready = select.select(inputs, [], [], max(0.0, min(check, observation.due) - now))[0]
        if observation.marks in ready and not observation.read():
            inputs.remove(observation.marks)
        if woken in ready:
            woken.recv(4096)
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        now = time.monotonic()
        if ended:
            break
        if now >= observation.due:
            observation.look()
        if now >= check:
            killed = killed or _over(pid, now - started, limits, family)
            check = now + _TICK_SECONDS
        if control in ready:
            killed = killed or "told"
        if killed:
            kill_group(pid)
        if control in ready:  # what it says is read by the caller; do not be woken by it again
            inputs.remove(control)
        now = time.monotonic()
    observation.read()
    scale = 1024 if _LINUX else 1
    return {
        "killed": killed,
        "status": status,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "wall_seconds": now - started,
        "peak_bytes": usage.ru_maxrss * scale,
        "begun": observation.set,
        "observed": observation.record,
        "fault": observation.fault,
    }


def _over(pid: int, wall: float, limits: Mapping[str, float], family: Callable[[int], list[int]]) -> str | None:
    """The limit that a running child has passed, if any."""
    if wall > limits["wall_seconds"]:
        return "wall"
    if _LINUX:
        members = family(pid)
        if sum(map(_cpu_seconds, members)) > limits["cpu_seconds"]:
            return "cpu"
        measure = _resident_bytes if len(members) == 1 else _share_of_memory
        if sum(map(measure, members)) > limits["memory_bytes"]:
            return "memory"
    return None


def _cpu_seconds(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPU clock of another process
    except OSError:  # it has just ended
        return 0.0


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):  # it has just ended, or /proc is hidden
        return 0


def _share_of_memory(pid: int) -> int:
    """Resident bytes, of which those that a fork shares with others count in part; all of them, if it hides that."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return _resident_bytes(pid)
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def kill_group(pid: int) -> None:
    """Kill a child with its whole process group."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def sweep(pid: int) -> None:
    """Kill and reap everything that the child of this number has left: its group, and adopted orphans."""
    deadline = time.monotonic() + _SWEEP_SECONDS
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return
        for orphan in _children():
            kill_group(orphan)
        time.sleep(0.001)


def _children() -> list[int]:
    try:
        return [int(pid) for pid in Path("/proc/thread-self/children").read_text().split()]
    except OSError:  # no such file outside Linux; the group has been killed
        return []
