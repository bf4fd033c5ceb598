"""The place that contestants run in: what they see of the machine, and what they may ask of the kernel.

Levels, best first: `namespaces`, `landlock+seccomp`, `seccomp+rlimits`, `rlimits`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import kernel, seccomp
from .namespaces import DEVICES, MOUNT_SAFELY, NOBODY, View, change_user, enter_namespaces

MAX_TASKS = 512
"""Processes and threads of a contestant. Where all of a user are counted together, it is much more than there are."""

_ROOM = 2048

_SCRATCH_OPTIONS = "mode=700,size=32m,nr_inodes=1k"
_EACH_RUN = kernel.NEW_PIDS | kernel.NEW_MOUNTS | kernel.NEW_IPC


@dataclass(slots=True)
class Place:
    """What the fork server prepared, and each contestant takes on.

    Args:
        private: Whether each run has an init, namespaces and a scratch directory of its own.
        scratch: That directory.
        program: Filter of system calls; empty for none.
        rules: Descriptor of Landlock rules.
        user: To change to, where the fork server is root.
        capabilities: Kept by the contestant.
        max_tasks: Processes and threads of its user; None for no bound.
        cpu: The processor that contestants run on; None for any.
        features: What is in force, for the record.
        warnings: What is not, and may surprise.
    """

    private: bool = False
    scratch: str = ""
    program: bytes = b""
    rules: int | None = None
    user: int | None = None
    capabilities: int = 0
    max_tasks: int | None = None
    cpu: int | None = None
    features: dict[str, object] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def clone(self) -> int:
        """`os.fork` into the namespaces of one run."""
        return kernel.clone(_EACH_RUN)

    def furnish(self) -> bool:
        """In the init of a run: mount an empty scratch directory, and the processes of this run alone.

        Returns:
            Whether there are processes to be seen; where the host hides parts of /proc, /proc is empty instead.
        """
        kernel.mount("tmpfs", self.scratch, "tmpfs", MOUNT_SAFELY, _SCRATCH_OPTIONS)
        quiet = MOUNT_SAFELY | kernel.NO_EXECUTION | kernel.READ_ONLY
        try:
            kernel.mount("proc", "/proc", "proc", quiet, "subset=pid")
        except OSError:
            kernel.mount("tmpfs", "/proc", "tmpfs", quiet, "mode=755,size=4k")
            return False
        return True

    def settle(self, launching: bool = False) -> None:
        """In the contestant, before the solution is near: give up whatever it needs not. There is no way back.

        A contestant that is about to execute a program keeps the right to do so: it has yet to install the filter.
        """
        if self.cpu is not None:
            os.sched_setaffinity(0, {self.cpu})
        if self.user is not None:
            if self.capabilities:
                kernel.keep_capabilities()
            change_user(self.user)
        if self.private or self.capabilities or os.geteuid() == 0:
            kernel.set_capabilities(self.capabilities, inherited=launching)
        kernel.die_with_parent()
        kernel.renounce_privileges()
        kernel.let_others_read(True)
        if self.rules is not None:
            if launching:  # valgrind, for one, reads the map of its own memory
                kernel.landlock_allow(self.rules, f"/proc/{os.getpid()}")
            kernel.landlock_restrict(self.rules)
        if self.program and not launching:
            kernel.install_filter(self.filter())

    def filter(self) -> bytes:
        """The filter of system calls for this process; empty for none."""
        return seccomp.for_process(self.program, os.getpid())

    def family(self, pid: int) -> list[int]:
        """A contestant with its descendants, as far as they can be seen."""
        if self.private:
            return [pid, *(int(name) for name in os.listdir("/proc") if name.isdigit() and name not in {"1", str(pid)})]
        return [pid, *_descendants(pid)]


def enter(level: str, view: View, may_fork: bool, may_execute: bool = False) -> Place:
    """Bring this process, a fork server, to a level; once.

    Args:
        level: One of the levels.
        view: What contestants may see.
        may_fork: Contestants may make copies of themselves at every level.
        may_execute: They may execute programs, until they install the filter.

    Raises:
        OSError: This machine does not allow it; the text says what is missing.
    """
    place = Place()
    root = _is_root()
    if level != "rlimits":
        # In namespaces of its own, what a solution starts can be seen, and ends with the run.
        place.program = seccomp.build_filter("any" if level == "namespaces" else "copies" if may_fork else "none")
    if level == "namespaces":
        place.private = True
        # An interpreter may be anywhere, and must not be covered.
        place.scratch = "/scratch" if any(path.startswith("/tmp/") for path in view["show"]) else "/tmp"
        enter_namespaces(view, root, place.scratch)
        shows_processes = _rehearse(place)
        if _kernel_version() >= (5, 14):  # since then only those of our own user namespace are counted
            place.max_tasks = MAX_TASKS
    elif sys.platform == "linux":
        shows_processes = True
        if root:
            place.user, place.max_tasks = NOBODY, MAX_TASKS
            _see_to_reading(place, view, guarded=level == "landlock+seccomp")
        else:
            place.max_tasks = _tasks_of(os.getuid()) + _ROOM
        if level == "landlock+seccomp":
            place.rules = _landlock(view, may_execute)
    else:
        shows_processes = False
    kernel.let_others_read(False)
    if root is None and not place.private:
        place.warnings.append("evalfw runs as root of a user namespace that has no other user to change to")
    guarded = place.private or place.rules is not None
    if not guarded:
        place.warnings.append("solutions can read, and as far as permissions go write, the files of this machine")
    if not place.program:
        place.warnings.append("solutions can use the network, start processes and send signals")
    place.features = {
        "fs": "private" if place.private else "landlock" if place.rules is not None else "host",
        "pid": place.private,
        "net": "none" if place.private else "no sockets" if place.program else "host",
        "ipc": place.private,
        "seccomp": bool(place.program),
        "landlock_abi": kernel.landlock_version() if place.rules is not None else None,
        "caps": "files" if place.capabilities else "none",
        "uid": NOBODY if root else os.getuid(),
        "proc": ("own" if shows_processes else "none") if place.private else "host" if not guarded else "none",
        "nproc": place.max_tasks,
        "memory": "rss_poll+rlimit_as+peak_rss" if shows_processes else "rlimit_as+peak_rss",
    }
    return place


def _is_root() -> bool | None:
    """Whether this is root, and can become somebody else; None for a root that cannot."""
    if os.geteuid() != 0:
        return False
    try:
        maps = Path("/proc/self/uid_map").read_text().splitlines()
    except OSError:
        return None
    spans = (tuple(map(int, line.split())) for line in maps)
    return True if any(first <= NOBODY < first + count for first, _, count in spans) else None


def _kernel_version() -> tuple[int, ...]:
    return tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])


def _see_to_reading(place: Place, view: View, guarded: bool) -> None:
    """An interpreter below /root cannot be read by the user that contestants become, unless they keep a capability.

    Args:
        place: To be completed.
        view: What they have to read.
        guarded: Whether files are guarded by something else than permissions.

    Raises:
        OSError: No capability will do.
    """
    closed = next((path for path in view["show"].values() if not _open_to_all(path)), None)
    if closed is None:
        return
    ours = _capabilities()
    if ours & kernel.CAN_READ_ANY_FILE:
        place.capabilities = kernel.CAN_READ_ANY_FILE
    elif guarded and ours & kernel.CAN_USE_ANY_FILE:
        place.capabilities = kernel.CAN_USE_ANY_FILE
    else:
        raise OSError(f"{closed} can be read by root only, and solutions must not be root; use an interpreter in /usr")
    if not guarded:
        place.warnings.append(f"{closed} can be read by root only, so solutions may read every file")


def _capabilities() -> int:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in status if line.startswith("CapPrm:"))


def _open_to_all(path: str) -> bool:
    return all(os.stat(part).st_mode & 0o001 for part in Path(path).parents)


def _descendants(pid: int) -> Iterator[int]:
    try:
        children = [
            int(child)
            for thread in os.listdir(f"/proc/{pid}/task")
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        ]
    except OSError:  # it has just ended
        return
    for child in children:
        yield child
        yield from _descendants(child)


def _tasks_of(user: int) -> int:
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                count += len(os.listdir(process / "task"))
        except OSError:  # it has just ended
            continue
    return count


def _rehearse(place: Place) -> bool:
    """Try what each run will do. Returns what `furnish` does.

    Raises:
        OSError: It does not work.
    """
    reading, writing = os.pipe()
    pid = place.clone()
    if pid == 0:
        try:
            os.write(writing, b"own" if place.furnish() else b"none")
        except OSError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        said = file.read().decode()
    os.waitpid(pid, 0)
    if said not in {"own", "none"}:
        raise OSError(said or "the first process of a namespace ended without a word")
    return said == "own"


def _landlock(view: View, may_execute: bool) -> int:
    version = kernel.landlock_version()
    rules = kernel.landlock_rules(version)
    for source in set(view["show"].values()):
        _allow_reading(rules, source, view["hide"], may_execute)
    for name in DEVICES:
        kernel.landlock_allow(rules, f"/dev/{name}", write=True)
    kernel.landlock_allow(rules, view["scratch"], write=True)
    return rules


def _allow_reading(rules: int, path: str, hide: list[str], execute: bool) -> None:
    """All below a path but what is hidden there, of which the names alone can be listed."""
    if path in hide:
        return
    if not any(hidden.startswith(f"{path}/") for hidden in hide):
        kernel.landlock_allow(rules, path, execute=execute)
        return
    kernel.landlock_allow(rules, path, names_only=True)
    for entry in os.scandir(path):
        if not entry.is_symlink():
            _allow_reading(rules, entry.path, hide, execute)
