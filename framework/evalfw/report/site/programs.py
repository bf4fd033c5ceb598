"""The programs of a page: each text once, however many solutions, conditions and runs have it."""

from __future__ import annotations

from evalfw.store.rows import StoredCompletion
from evalfw.store.run import RunStore


class Programs:
    """Numbers programs in the order in which they are asked for."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._completions: dict[tuple[str, str], StoredCompletion] = {}

    def completion(self, store: RunStore, key: str) -> StoredCompletion:
        """A stored completion; a finished run has all that its tables speak of."""
        place = str(store.directory), key
        if place not in self._completions:
            found = store.completion(key)
            assert found is not None
            self._completions[place] = found
        return self._completions[place]

    def number(self, store: RunStore, key: str) -> int:
        """The number of the program in a completion."""
        code = self.completion(store, key).solution.code
        return self._numbers.setdefault(code, len(self._numbers))

    @property
    def codes(self) -> list[str]:
        """The programs by number."""
        return list(self._numbers)
