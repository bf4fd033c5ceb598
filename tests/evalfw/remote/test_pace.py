from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.remote import pace as module
from evalfw.remote.pace import Pace


class Clock:
    """A clock that stands still but for sleep, which takes a nanosecond longer, as sleep does."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds + 1e-9


def on_a_clock(work: Callable[[Clock], Coroutine[Any, Any, None]]) -> None:
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "monotonic", clock.monotonic)
        patch.setattr(module, "asyncio", SimpleNamespace(sleep=clock.sleep))
        asyncio.run(work(clock))


@given(rate=st.floats(1, 600), count=st.integers(2, 50))
def test_requests_are_evenly_spaced(rate: float, count: int) -> None:
    async def work(clock: Clock) -> None:
        pace, times = Pace(rate, None), []
        for _ in range(count):
            await pace.turn(10**6)
            times.append(clock.now)
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert gaps == pytest.approx([60 / rate] * (count - 1))

    on_a_clock(work)


@given(rate=st.integers(100, 10**6), answers=st.lists(st.integers(0, 5000), min_size=1, max_size=40))
def test_tokens_come_to_no_more_than_allowed_in_the_long_run(rate: int, answers: list[int]) -> None:
    async def work(clock: Clock) -> None:
        pace, start = Pace(None, rate), clock.now
        for counted in answers:
            pace.settle(await pace.turn(5000), counted)
        expected = await pace.turn(5000)
        assert expected == pytest.approx(sum(answers) / len(answers))
        assert (clock.now - start) * rate / 60 >= sum(answers) - 1e-3

    on_a_clock(work)


def test_without_limits_nobody_waits() -> None:
    async def work(clock: Clock) -> None:
        pace = Pace(None, None)
        for _ in range(100):
            pace.settle(await pace.turn(10**6), 10**6)
        assert clock.now == 1000.0

    on_a_clock(work)


def test_everyone_waits_while_the_service_asks_for_it() -> None:
    async def work(clock: Clock) -> None:
        pace = Pace(60, None)
        await pace.turn(0)
        pace.hold(30)
        pace.hold(5)
        await pace.turn(0)
        assert clock.now == pytest.approx(1030)
        await pace.turn(0)
        assert clock.now == pytest.approx(1031)

    on_a_clock(work)


def test_who_waits_already_waits_for_the_service_too() -> None:
    async def work() -> None:
        pace = Pace(600, None)
        await pace.turn(0)
        second = asyncio.ensure_future(pace.turn(0))
        await asyncio.sleep(0.01)
        pace.hold(0.3)
        held_until = asyncio.get_running_loop().time() + 0.25
        await second
        assert asyncio.get_running_loop().time() >= held_until

    asyncio.run(work())
