"""What a child says, taken as it comes and bounded."""

from __future__ import annotations

import os
from collections.abc import Mapping

_CHUNK = 1 << 16
_HEAD_BYTES = 64 << 10


class Output:
    """What comes through the pipes of one child, each up to its cap.

    Args:
        caps: Bytes that may come through each pipe; None for a pipe of which the head is kept and the rest
            read and forgotten.
    """

    def __init__(self, caps: Mapping[int, int | None]) -> None:
        self._caps = caps
        self._parts: dict[int, bytearray] = {fd: bytearray() for fd in caps}
        self.over: set[int] = set()

    @property
    def pipes(self) -> tuple[int, ...]:
        """The descriptors that are read."""
        return tuple(self._caps)

    def read(self, fd: int) -> bool:
        """Take what is there now; False when there will be no more."""
        try:
            part = os.read(fd, _CHUNK)
        except BlockingIOError:
            return True
        kept, cap = self._parts[fd], self._caps[fd]
        room = (_HEAD_BYTES if cap is None else cap) - len(kept)
        kept += part[: max(0, room)]
        if cap is not None and len(part) > room:
            self.over.add(fd)
        return bool(part) and fd not in self.over

    def drain(self) -> None:
        """Take what the child left in the pipes. Bounded: the child is dead, and its pipes hold little."""
        for fd in self.pipes:
            for _ in range(1 << 10):
                before = len(self._parts[fd])
                if not self.read(fd) or len(self._parts[fd]) == before:
                    break

    def text(self, fd: int) -> bytes:
        """What has been kept of one pipe."""
        return bytes(self._parts[fd])
