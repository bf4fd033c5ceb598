"""The few system calls that Python does not offer. Each raises `OSError` naming itself; none works but on Linux."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterable

_NUMBERS = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155, "seccomp": 317},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41, "seccomp": 277},
}
_EVERYWHERE = {
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}

NEW_MOUNTS, NEW_HOSTNAME, NEW_IPC, NEW_USERS, NEW_PIDS, NEW_NETWORK = (
    *(0x0002_0000, 0x0400_0000, 0x0800_0000),
    *(0x1000_0000, 0x2000_0000, 0x4000_0000),
)
READ_ONLY, NO_SET_UID, NO_DEVICES, NO_EXECUTION = 1, 2, 4, 8
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 0x4_0000

CAN_USE_ANY_FILE, CAN_READ_ANY_FILE = 1 << 1, 1 << 2
_LAST_CAPABILITY = 63

_DETACH = 2
_SAME_DIRECTORY, _RECURSIVELY = -100, 0x8000
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_KEEPCAPS, _DROP_BOUND = 1, 4, 8, 24
_SET_TIMER_SLACK, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS = 29, 36, 38
_AMBIENT_CAPABILITIES, _RAISE = 47, 2
_SET_FILTER, _KEEP_SPECULATION = 1, 4
_SET_SECCOMP, _BY_FILTER = 22, 2
_CAPABILITY_VERSION = 0x2008_0522
_LANDLOCK_VERSION, _PATH_BENEATH = 1, 1

# Execute, write, read, list, remove directories and files, make seven kinds of file, link across, truncate.
_EXECUTE, _READ, _LIST = 1 << 0, 1 << 2, 1 << 3
_FILE_RIGHTS = _EXECUTE | 1 << 1 | _READ | 1 << 14
_ALL_RIGHTS = (1 << 15) - 1
_NEEDED_LANDLOCK = 3

_libc = ctypes.CDLL(None, use_errno=True)
_locked_libc = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock
for _library in (_libc, _locked_libc):
    _library.syscall.restype = ctypes.c_long


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _words(arguments: Iterable[object]) -> list[object]:
    """Numbers as whole registers: ctypes would pass them as 32 bits."""
    return [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]


def _number(name: str) -> int:
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in _NUMBERS:
        raise OSError(f"{name}: no number is known for this system call on {sys.platform} {machine}")
    return _EVERYWHERE.get(name) or _NUMBERS[machine][name]


def _call(name: str, *arguments: object) -> int:
    return _checked(_libc.syscall(*_words((_number(name), *arguments))), name)


def _prctl(option: int, *arguments: int) -> None:
    if sys.platform == "linux":
        _checked(_libc.prctl(*_words((option, *arguments, *[0] * (4 - len(arguments))))), f"prctl {option}")


def adopt_orphans() -> None:
    """Make orphans among our descendants our children, so that none gets away by starting a session."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent ends. Forgotten at a change of user."""
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)


def wake_in_time() -> None:
    """Let this process wait to the microsecond; by default the kernel may let it sleep 50 of them longer."""
    _prctl(_SET_TIMER_SLACK, 1)


def renounce_privileges() -> None:
    """Gain no privileges by executing set-uid programs."""
    _prctl(_SET_NO_NEW_PRIVS, 1)


def let_others_read(allowed: bool) -> None:
    """Whether processes of the same user may read our memory, descriptors and environment."""
    _prctl(_SET_DUMPABLE, int(allowed))


def keep_capabilities() -> None:
    """Keep what is permitted at the coming change from root to another user."""
    _prctl(_SET_KEEPCAPS, 1)


def set_capabilities(mask: int, inherited: bool = False) -> None:
    """Have these capabilities and no others, and let programs that are executed inherit them if wanted."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    low, high = mask & 0xFFFF_FFFF, mask >> 32
    heirs = (low, high) if inherited else (0, 0)
    _call("capset", header, struct.pack("=6I", low, low, heirs[0], high, high, heirs[1]))
    for capability in range(_LAST_CAPABILITY + 1):
        if inherited and mask >> capability & 1:
            _prctl(_AMBIENT_CAPABILITIES, _RAISE, capability)


def bound_capabilities() -> None:
    """Let no program that is executed from here on have capabilities."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            _prctl(_DROP_BOUND, capability)
        except OSError:  # this kernel has no more of them
            return


def unshare(flags: int) -> None:
    """Move this process to new namespaces."""
    _checked(_libc.unshare(flags), "unshare")


def clone(flags: int) -> int:
    """`os.fork` into new namespaces, for a process with one thread.

    Unlike `os.fork` it leaves out what Python does after a fork about other threads, which would touch, and so copy,
    some 200 pages of memory. The child may fork in turn, but not start threads.
    """
    return _checked(int(_locked_libc.syscall(*_words((_number("clone"), flags | signal.SIGCHLD, 0, 0, 0, 0)))), "clone")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount a file system, or change how mounts are propagated."""
    encoded = (None if text is None else text.encode() for text in (source, target, kind))
    data = None if options is None else options.encode()
    _checked(_libc.mount(*encoded, ctypes.c_ulong(flags), data), f"mount {target}")


def unmount(target: str) -> None:
    """Take away a mount with all below it, even when in use."""
    _checked(_libc.umount2(target.encode(), _DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root; the old one is found at `old`."""
    _call("pivot_root", new.encode(), old.encode())


def make_read_only(target: str) -> None:
    """Make a mount and all below it read-only, without set-uid programs."""
    attributes = struct.pack("=4Q", READ_ONLY | NO_SET_UID, 0, 0, 0)
    _call("mount_setattr", _SAME_DIRECTORY, target.encode(), _RECURSIVELY, attributes, len(attributes))


def landlock_version() -> int:
    """Version of Landlock's interface.

    Raises:
        OSError: There is none, or none that can guard files against being truncated (before Linux 6.2).
    """
    version = _call("landlock_create_ruleset", None, 0, _LANDLOCK_VERSION)
    if version < _NEEDED_LANDLOCK:
        raise OSError(f"Landlock has version {version} here, and {_NEEDED_LANDLOCK} (Linux 6.2) is needed")
    return version


def landlock_rules(version: int) -> int:
    """Descriptor of a new set of rules, which permits nothing about files, TCP, signals and abstract sockets."""
    files, network, scopes = _ALL_RIGHTS | (version >= 5) << 15, 3 * (version >= 4), 3 * (version >= 6)
    rules = struct.pack("=3Q", files, network, scopes)[: 8 if version < 4 else 16 if version < 6 else 24]
    return _call("landlock_create_ruleset", rules, len(rules), 0)


def landlock_allow(
    rules: int, path: str, *, write: bool = False, execute: bool = False, names_only: bool = False
) -> None:
    """Permit to read a file or all below a directory, or to execute or write there too, or only to list names."""
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        is_directory = (os.fstat(handle).st_mode & 0o170000) == 0o040000
        rights = _ALL_RIGHTS if write else _LIST if names_only else _READ | _LIST | (_EXECUTE if execute else 0)
        rule = struct.pack("=Qi", rights if is_directory else rights & _FILE_RIGHTS, handle)
        _call("landlock_add_rule", rules, _PATH_BENEATH, rule, 0)
    finally:
        os.close(handle)


def landlock_restrict(rules: int) -> None:
    """Be bound by a set of rules, with all children, for ever."""
    _call("landlock_restrict_self", rules, 0)


def install_filter(program: bytes, by_prctl: bool = False) -> None:
    """Have every system call from here on judged by a BPF program.

    Args:
        program: The program.
        by_prctl: Use the older of the two calls for it, the only one that valgrind knows. It slows processors down that
            must not speculate about what is filtered.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    if by_prctl:
        place = ctypes.create_string_buffer(header, len(header))
        _prctl(_SET_SECCOMP, _BY_FILTER, ctypes.addressof(place))
    else:
        _call("seccomp", _SET_FILTER, _KEEP_SPECULATION, header)
