"""The few system calls that Python does not offer. On other systems than Linux they do nothing."""

from __future__ import annotations

import ctypes
import signal
import sys

_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _prctl(option: int, value: int) -> None:
    if _libc is not None:
        _libc.prctl(option, value, 0, 0, 0)


def adopt_orphans() -> None:
    """Make orphans among our descendants our children, so that none gets away by starting a session."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)


def renounce_privileges() -> None:
    """Gain no privileges by executing set-uid programs."""
    _prctl(_SET_NO_NEW_PRIVS, 1)
