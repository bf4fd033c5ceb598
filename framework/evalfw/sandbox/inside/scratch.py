"""Working directories for executions that see the machine's own file system."""

from __future__ import annotations

import os


class Scratch:
    """A directory in which each execution finds an empty one, and of which nothing stays.

    Args:
        path: An empty directory, which is ours.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def fresh(self, user: int | None) -> str:
        """A new, empty directory that belongs to the user that the solution will run as, if it is another."""
        os.chmod(self.path, 0o711)
        directory = os.path.join(self.path, "run")
        os.mkdir(directory, 0o700)
        if user is not None:
            os.chown(directory, user, user)
        return directory

    def clear(self) -> None:
        """Remove what executions left, however deep and whatever its permissions."""
        while entries := list(os.scandir(self.path)):
            for entry in entries:
                self._flatten(entry)

    def close(self) -> None:
        """Remove it all; more than once does no harm."""
        if os.path.isdir(self.path):
            self.clear()
            os.rmdir(self.path)

    def _flatten(self, entry: os.DirEntry[str]) -> None:
        """Remove a file; of a directory, move its directories up, so that no path is ever too long to follow."""
        if not entry.is_dir(follow_symlinks=False):
            os.unlink(entry.path)
            return
        os.chmod(entry.path, 0o700)
        for inner in os.scandir(entry.path):
            if inner.is_dir(follow_symlinks=False):
                os.chmod(inner.path, 0o700)
                os.rename(inner.path, os.path.join(self.path, os.urandom(8).hex()))
            else:
                os.unlink(inner.path)
        os.rmdir(entry.path)
