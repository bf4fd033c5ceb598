"""Asking a service for one completion, as often as it takes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from evalfw.domain.answer import Completion, Request, Usage
from evalfw.remote.failure import Outage
from evalfw.remote.loop import in_thread
from evalfw.remote.options import RemoteOptions
from evalfw.remote.pace import Pace

if TYPE_CHECKING:
    from tenacity import RetryCallState

Answer = Callable[[Request], Completion | Awaitable[Completion]]
"""Sends a request once and reads the answer: an `async` function, or one that blocks."""

FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 60.0
LONGEST_RETRY_AFTER_SECONDS = 120.0
"""A service that asks to wait longer is asked again by the next run."""


class Asking:
    """Asks for completions, each at its turn and in its time, and again where the service failed.

    Args:
        answer: Sends a request.
        options: How often and how long.
        pace: How fast.
    """

    def __init__(self, answer: Answer, options: RemoteOptions, pace: Pace) -> None:
        self._answer = answer
        self._options = options
        self._pace = pace
        self._waiting: set[asyncio.Task[object]] = set()
        self._winding_up = False

    async def ask(self, request: Request, at_most: int) -> Completion:
        """The completion of one request, which comes to so many tokens at most.

        Raises:
            Outage: There was none, and it is no use to go on asking.
        """
        from tenacity import AsyncRetrying, retry_if_exception_type

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Outage),
            stop=self._is_no_use,
            wait=_wait,
            reraise=True,
        )
        task: asyncio.Task[object] | None = asyncio.current_task()
        assert task is not None  # the loop runs tasks only
        self._waiting.add(task)
        try:
            return await retrying(self._once, task, request, at_most)
        finally:
            self._waiting.discard(task)

    def wind_up(self) -> None:
        """Send nothing more, and give up every request that is not being answered right now."""
        self._winding_up = True
        for task in self._waiting:
            task.cancel()

    def _is_no_use(self, state: RetryCallState) -> bool:
        often = state.attempt_number > self._options.max_retries
        return often or self._winding_up or _asked_to_wait(state) > LONGEST_RETRY_AFTER_SECONDS

    async def _once(self, task: asyncio.Task[object], request: Request, at_most: int) -> Completion:
        if self._winding_up:
            raise Outage("given up")
        expected = await self._pace.turn(at_most)
        self._waiting.discard(task)
        started = monotonic()
        try:
            async with asyncio.timeout(self._options.timeout):
                completion = await self._send(request)
        except TimeoutError as error:
            raise Outage("time-out") from error
        except Outage as outage:
            if outage.retry_after is not None and outage.retry_after <= LONGEST_RETRY_AFTER_SECONDS:
                self._pace.hold(outage.retry_after)
            raise
        finally:
            self._waiting.add(task)
        counted = _total(completion.usage)
        if counted is not None:
            self._pace.settle(expected, counted)
        return completion if completion.seconds is not None else replace(completion, seconds=monotonic() - started)

    async def _send(self, request: Request) -> Completion:
        if inspect.iscoroutinefunction(self._answer):
            found: Completion = await self._answer(request)
            return found
        answer = await in_thread(lambda: self._answer(request))
        return answer if isinstance(answer, Completion) else await answer


def _total(usage: Usage) -> int | None:
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens


def _asked_to_wait(state: RetryCallState) -> float:
    outage = state.outcome.exception() if state.outcome else None
    return (outage.retry_after or 0.0) if isinstance(outage, Outage) else 0.0


def _wait(state: RetryCallState) -> float:
    """As long as the service asks for, and on top of it a random part of a time that doubles."""
    from tenacity import wait_random_exponential

    backoff = wait_random_exponential(multiplier=FIRST_BACKOFF_SECONDS, max=LONGEST_BACKOFF_SECONDS)
    return _asked_to_wait(state) + backoff(state)
