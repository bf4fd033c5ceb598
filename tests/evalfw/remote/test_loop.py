from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from queue import SimpleQueue

import pytest

from evalfw.remote.loop import Loop, in_thread


def test_a_session_is_around_what_is_run_and_what_runs_is_cancelled_at_the_end() -> None:
    told: list[str] = []
    results: SimpleQueue[str] = SimpleQueue()

    @asynccontextmanager
    async def session() -> AsyncIterator[None]:
        told.append("in")
        yield
        told.append("out")

    async def quick() -> None:
        results.put("done")

    async def endless() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            told.append("cancelled")

    with Loop(session) as loop:
        loop.start(endless())
        loop.start(quick())
        assert results.get() == "done"
    assert told == ["in", "cancelled", "out"]


def test_what_entering_the_session_raises_is_raised_where_the_loop_is_used() -> None:
    @asynccontextmanager
    async def session() -> AsyncIterator[None]:
        raise KeyError("no library")
        yield

    with pytest.raises(KeyError, match="no library"), Loop(session):
        pytest.fail("it was entered")


def test_a_function_that_blocks_gives_its_result_or_its_error_and_can_be_left_behind() -> None:
    release = threading.Event()

    def fail() -> None:
        raise ValueError("so")

    async def work() -> None:
        assert await in_thread(lambda: 7) == 7
        with pytest.raises(ValueError, match="so"):
            await in_thread(fail)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await in_thread(release.wait)

    asyncio.run(work())
    release.set()
