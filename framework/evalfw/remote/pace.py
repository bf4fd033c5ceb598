"""How fast a service may be asked."""

from __future__ import annotations

import asyncio
from time import monotonic


class Pace:
    """Gives every request its turn, so that no minute holds more requests or tokens than are allowed.

    Turns are evenly spaced: a request takes up `1 / requests_per_minute` minutes, and the tokens that it is expected
    to come to take up their share of a minute: those of the mean answer so far, and of the longest possible one
    before the first. What an answer then differs by is made up for in later turns.

    It outlives event loops, and is used by one at a time.

    Args:
        requests_per_minute: None for no limit.
        tokens_per_minute: None for no limit.
    """

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        self._per_request = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._per_token = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._next_request = self._next_tokens = self._held_until = float("-inf")
        self._answers = self._tokens = 0

    async def turn(self, at_most: int) -> float:
        """Wait until a request may be sent that comes to so many tokens at most.

        Returns:
            How many tokens it is expected to come to, for `settle`.
        """
        expected = self._tokens / self._answers if self._answers else at_most
        start = self._take(expected)
        while (wait := start - monotonic()) > 0:
            await asyncio.sleep(wait)
            if start < self._held_until:
                start = self._take(expected)
        return expected

    def settle(self, expected: float, counted: int) -> None:
        """Say what a request that was expected to come to so many tokens came to."""
        self._answers += 1
        self._tokens += counted
        self._next_tokens += (counted - expected) * self._per_token

    def hold(self, seconds: float) -> None:
        """Send nothing for a while, whoever's turn it is."""
        self._held_until = max(self._held_until, monotonic() + seconds)

    def _take(self, tokens: float) -> float:
        start = max(monotonic(), self._held_until, self._next_request, self._next_tokens)
        self._next_request = start + self._per_request
        self._next_tokens = start + tokens * self._per_token
        return start
