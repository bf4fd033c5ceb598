"""An event loop in a thread of its own, which nobody has to wait for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Self, TypeVar

T = TypeVar("T")

_PATIENCE_SECONDS = 2.0
"""How long to wait for what has been cancelled: enough to close connections, little enough for a person."""


class Loop:
    """Runs coroutines beside the thread that uses it. When it is left, what still runs is cancelled, at once.

    Args:
        session: Entered in the loop before anything is run, and left at the very end.
    """

    def __init__(self, session: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        self._session = session
        self._ready: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="evalfw-remote", daemon=True)

    def __enter__(self) -> Self:
        """Start the thread; what entering the session raises is raised here."""
        self._thread.start()
        self._loop = self._ready.result()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancel everything and stop; a coroutine that blocks the loop is left behind with its thread."""
        self.call(self._leave.set)
        self._thread.join(2 * _PATIENCE_SECONDS)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin with a coroutine; it has to deliver its result, and what it raises, by itself."""
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, function: Callable[[], object]) -> None:
        """Call a function in the loop, soon."""
        self._loop.call_soon_threadsafe(function)

    async def _live(self) -> None:
        self._leave = asyncio.Event()
        try:
            async with self._session():
                self._ready.set_result(asyncio.get_running_loop())
                await self._leave.wait()
                await _cancel_others()
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)


async def _cancel_others() -> None:
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=_PATIENCE_SECONDS)


async def in_thread(work: Callable[[], T]) -> T:
    """Call a function that blocks, in a thread of its own that no one waits for once this is cancelled."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def deliver(settle: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            raised = error
            deliver(lambda: future.set_exception(raised))
        else:
            deliver(lambda: future.set_result(result))

    threading.Thread(target=run, name="evalfw-remote-answer", daemon=True).start()
    return await future
