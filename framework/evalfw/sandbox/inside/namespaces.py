"""Namespaces of the fork server: a private read-only root, no network, and root's power over nothing but these."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from typing import TypedDict

from . import kernel

NOBODY = 65534
"""User and group of contestants where evalfw is run by root."""

DEVICES = ("null", "zero", "full", "random", "urandom")
MOUNT_SAFELY = kernel.NO_SET_UID | kernel.NO_DEVICES

_HOSTNAME = "evalfw"
_LINKS = {"stdin": "0", "stdout": "1", "stderr": "2", "fd": ""}
_ONCE = kernel.NEW_MOUNTS | kernel.NEW_NETWORK | kernel.NEW_IPC | kernel.NEW_HOSTNAME


class View(TypedDict):
    """What is shown of the file system.

    `show` maps paths to the real paths of what is found there; `hide` are real paths below them that are empty.
    `scratch` is where the parent makes working directories; unused with a private root.
    """

    show: dict[str, str]
    hide: list[str]
    scratch: str


def enter_namespaces(view: View, root: bool | None, scratch: str) -> None:
    """Enter them.

    Args:
        view: What is found in the new root.
        root: Whether this is the real root; the process is an ordinary user afterwards.
        scratch: Where each run will mount its own directory.

    Raises:
        OSError: The kernel refuses, or cannot do it.
    """
    ourselves = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if root:  # what only root can read has to be mounted before root is given up
            kernel.unshare(_ONCE)
            _build_root(view, scratch)
            change_user(NOBODY)
            kernel.let_others_read(True)  # a change of user forbids it; without it the maps are not ours to write
            kernel.unshare(kernel.NEW_USERS)
            _map_user(ourselves)
        else:
            user, group = os.geteuid(), os.getegid()
            kernel.unshare(kernel.NEW_USERS | _ONCE)
            _map_user(ourselves, user, group)
            _build_root(view, scratch)
    finally:
        os.close(ourselves)
    kernel.bound_capabilities()


def _map_user(ourselves: int, user: int = NOBODY, group: int = NOBODY) -> None:
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        fd = os.open(name, os.O_WRONLY, dir_fd=ourselves)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def _build_root(view: View, scratch: str) -> None:
    kernel.mount(None, "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("tmpfs", "/tmp", "tmpfs", MOUNT_SAFELY, "mode=755,size=1m,nr_inodes=4k")
    os.chdir("/tmp")
    os.mkdir("old")
    kernel.pivot_root(".", "old")
    os.chdir("/")
    devices = {f"/dev/{name}": f"/dev/{name}" for name in DEVICES}
    # Of /proc nothing is seen in a run, but the kernel mounts it anew only for those who have it already.
    for target, source in (*view["show"].items(), *devices.items(), ("/proc", "/proc")):
        _make_like(f"/old{source}", target)
        kernel.mount(f"/old{source}", target, None, kernel.BIND | kernel.RECURSIVE)
    for path in _hidden(view["show"], view["hide"]):
        kernel.mount("tmpfs", path, "tmpfs", MOUNT_SAFELY, "mode=755,size=4k")
    for name, number in _LINKS.items():
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    os.makedirs(scratch, exist_ok=True)
    kernel.unmount("/old")
    os.rmdir("/old")
    kernel.make_read_only("/")
    socket.sethostname(_HOSTNAME)


def _make_like(source: str, target: str) -> None:
    """A place to mount on."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))


def _hidden(show: Mapping[str, str], hide: list[str]) -> Iterator[str]:
    """Where the hidden directories are found."""
    for target, source in show.items():
        for path in hide:
            if path.startswith(f"{source}/"):
                yield target + path[len(source) :]


def change_user(user: int) -> None:
    """Stop being root."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
