"""A model for tests, named in experiments by its file: it answers, fails and hangs as it is told."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Event

from pydantic import Field

from evalfw import Completion, File, InputError, Model, Options, Request, Usage


class ScriptedOptions(Options):
    """Options of `Scripted`.

    Args:
        codes: Sample i is the i-th of them, over and over.
        log: A line for each request that is answered is appended here.
        seconds: How long an answer takes.
        ahead: Requests that are taken before any is answered; the last is answered first.
        missing: Samples that never come.
        hang_at: The sample at which it hangs for ever.
        hang_in_pool: Hang in a pool of threads, which a process waits for at its end.
        error_at: The sample at which it fails.
        foreign: Answer requests of its own making.
        price: Of a token; an answer has 10 of them, and 100 at most.
    """

    codes: list[str]
    log: File | None = None
    seconds: float = 0.0
    ahead: int = 1
    missing: tuple[int, ...] = Field(default=(), strict=False)
    hang_at: int | None = None
    hang_in_pool: bool = False
    error_at: int | None = None
    foreign: bool = False
    price: float | None = None


class Scripted(Model[ScriptedOptions]):
    def at_most(self, request: Request) -> Usage | None:
        return Usage(0, 100)

    def cost(self, usage: Usage) -> float | None:
        price = self.options.price
        return None if price is None or usage.output_tokens is None else price * usage.output_tokens

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        waiting = iter(requests)
        while batch := list(islice(waiting, self.options.ahead)):
            for request in reversed(batch):
                if request.index not in self.options.missing:
                    yield self._answer(request)

    def _answer(self, request: Request) -> Completion:
        options, index = self.options, request.index
        if index == options.error_at:
            raise InputError("scripted: no such model")
        if index == options.hang_at:
            self._log(request, "hangs")
            if options.hang_in_pool:
                ThreadPoolExecutor(1).submit(Event().wait).result()
            Event().wait()
        time.sleep(options.seconds)
        self._log(request, "answered")
        if options.foreign:
            request = Request(request.problem, request.prompt, None, 0, 0)
        code = options.codes[index % len(options.codes)]
        text = code if code.startswith("!") else f"```python\n{code}```\n"
        finish = "content_filter" if code == "!filtered" else "stop"
        return Completion(
            request,
            "" if code.startswith("!") else text,
            finish,
            reasoning="thought",
            usage=Usage(5, 10, 3),
            seconds=0.5,
            served_by="scripted-1",
            fingerprint="f1",
            sent={"temperature": request.temperature},
        )

    def _log(self, request: Request, what: str) -> None:
        if self.options.log is not None:
            with (self.base / self.options.log).open("a") as log:
                log.write(f"{what} {request.problem.id} {request.temperature} {request.index}\n")
