"""The filter of system calls: what a contestant must not ask of the kernel.

What takes a capability (mounting, modules, clocks, ...) is left out: a contestant has none, and cannot enter the
namespaces in which it would.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterable
from typing import Literal, TypeAlias

# Numbers on x86_64 and aarch64; None where a machine has no such call.
_CALLS: dict[str, tuple[int | None, int | None]] = {
    # namespaces in which one would be root
    "unshare": (272, 97), "setns": (308, 268),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "move_pages": (279, 239),
    "migrate_pages": (256, 238), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    # the network
    "socket": (41, 198), "bind": (49, 200), "connect": (42, 203), "listen": (50, 201),
    # memory that is in nobody's resident set
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # rights and times of the user's files, over which Landlock has no say
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "setxattrat": (463, 463), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "removexattrat": (466, 466), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88),
    # wide doors to the kernel that no solution needs
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fspick": (433, 433), "mount_setattr": (442, 442),
    "personality": (135, 92), "modify_ldt": (154, None),
}  # fmt: skip
_FORKS: dict[str, tuple[int | None, int | None]] = {"fork": (57, None), "vfork": (58, None)}
_PROGRAMS: dict[str, tuple[int | None, int | None]] = {"execve": (59, 221), "execveat": (322, 281)}
_CLONE, _CLONE3, _SOCKETPAIR = (56, 220), (435, 435), (53, 199)
_KILL, _TGKILL, _PRLIMIT = (62, 129), (234, 131), (302, 261)

_MACHINES = ("x86_64", "aarch64")
_ARCHITECTURES = (0xC000_003E, 0xC000_00B7)
_X32 = 0x4000_0000

_THREAD, _NEW_NAMESPACES = 0x0001_0000, 0x7E02_0080
_UNIX, _STREAM = 1, 1

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL_PROCESS, _REFUSE = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_OWN_PID = 0x7EAD_BEE5
"""Stands for the number of the process, which is known only when it exists."""


Processes: TypeAlias = Literal["none", "copies", "any"]
"""What a contestant may start besides threads: nothing; copies of itself, as instruments need them; or anything, and
signal it, where all that it can reach is its own."""


def build_filter(processes: Processes) -> bytes:
    """A BPF program that refuses calls with EPERM, to be completed by `for_process`.

    Raises:
        OSError: The numbers of system calls on this machine are not known.
    """
    if os.uname().machine not in _MACHINES:
        raise OSError(f"no filter of system calls is known for {os.uname().machine}")
    machine = _MACHINES.index(os.uname().machine)
    refuse, allow = _step(_RETURN, _REFUSE | errno.EPERM), _step(_RETURN, _ALLOW)

    def when(call: tuple[int | None, int | None], *steps: bytes) -> list[bytes]:
        return [_step(_EQUAL, call[machine] or 0, no=len(steps)), *steps]

    start = [
        _step(_LOAD, 4),
        _step(_EQUAL, _ARCHITECTURES[machine], yes=1),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, 0),
    ]
    if machine == 0:
        start += [_step(_AT_LEAST, _X32, no=1), refuse]
    # The C library tries clone3, whose flags a filter cannot read, and then clone.
    start += when(_CLONE3, _step(_RETURN, _REFUSE | errno.ENOSYS))
    if processes == "none":
        start += when(_CLONE, _argument(0), _step(_ANY_BIT, _THREAD, yes=1), refuse, allow)
    else:
        start += when(_CLONE, _argument(0), _step(_ANY_BIT, _NEW_NAMESPACES, no=1), refuse, allow)
    own = (_argument(0), _step(_EQUAL, _OWN_PID, yes=2), _step(_EQUAL, 0, yes=1), refuse, allow)
    for call in (_PRLIMIT,) if processes == "any" else (_KILL, _TGKILL, _PRLIMIT):
        start += when(call, *own)
    # A stream goes nowhere but to its other end; a datagram socket could send to any address.
    stream = (_argument(1), _step(_AND, 0xF), _step(_EQUAL, _STREAM, yes=1), refuse, allow)
    start += when(_SOCKETPAIR, _argument(0), _step(_EQUAL, _UNIX, yes=1), refuse, *stream)
    calls = [*_CALLS.values()]
    if processes != "any":
        calls += _PROGRAMS.values()
    if processes == "none":
        calls += _FORKS.values()
    refused = _numbers(machine, calls)
    chain = [_step(_EQUAL, number, yes=len(refused) - index) for index, number in enumerate(refused)]
    return b"".join([*start, *chain, allow, refuse])


def for_process(program: bytes, pid: int) -> bytes:
    """The program for the process of this number, which may send signals to itself."""
    return program.replace(struct.pack("<I", _OWN_PID), struct.pack("<I", pid))


def _numbers(machine: int, calls: Iterable[tuple[int | None, int | None]]) -> list[int]:
    return [number for call in calls if (number := call[machine]) is not None]


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _argument(index: int) -> bytes:
    """Load the lower half of an argument; all that are looked at are 32 bits wide."""
    return _step(_LOAD, 16 + 8 * index)
