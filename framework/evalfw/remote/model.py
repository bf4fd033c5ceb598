"""`RemoteModel`: a model behind an HTTP API, all but the API itself."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from evalfw.contracts import Model
from evalfw.domain.answer import Completion, Request, Usage
from evalfw.errors import InputError
from evalfw.remote.asking import Asking
from evalfw.remote.failure import Outage
from evalfw.remote.loop import Loop
from evalfw.remote.options import RemoteOptions
from evalfw.remote.pace import Pace

RemoteOptionsT = TypeVar("RemoteOptionsT", bound=RemoteOptions)

_FAILURES_IN_A_ROW = 20
_BYTES_PER_TOKEN = 2
_TOKENS_AROUND_A_PROMPT = 64


class RemoteModel(Model[RemoteOptionsT]):
    """A model behind an HTTP API.

    The author of a plugin writes `answer`. Asking several requests at the same time, at the rate that is allowed and
    again after an outage, time-outs, prices and the API key are seen to here.
    """

    def __init__(self, options: RemoteOptionsT, base: Path = Path()) -> None:
        super().__init__(options, base)
        self._pace = Pace(options.requests_per_minute, options.tokens_per_minute)
        self._outages: Counter[str] = Counter()
        self._in_a_row = 0
        self._note = ""

    @property
    def api_key(self) -> str | None:
        """The API key, from the environment; None where the server needs none. Never store or print it.

        Raises:
            InputError: The environment variable holds none.
        """
        name = self.options.api_key_env
        if name == "none":
            return None
        key = os.environ.get(name, "").strip()
        if not key:
            raise InputError(
                f"{self._name}: the environment variable {name} (`api_key_env`) holds no API key; set it,"
                " or write `api_key_env: none` for a server that needs none"
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise InputError(f"{self._name}: what the environment variable {name} holds cannot be an API key")
        return key

    @abstractmethod
    def answer(self, request: Request) -> Completion | Awaitable[Completion]:
        """Send a request, once, and read the answer. What the model failed to do is a completion too.

        An `async` method runs in an event loop and is cancelled when its time is up. A plain one runs in a thread of
        its own, which is left behind then: give its client `self.options.timeout`.

        Raises:
            Outage: The service failed; it is worth asking again. A `TimeoutError` means the same.
            InputError: The service refuses what it is asked; nothing more is asked.
        """

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Entered in the event loop before the first request, for what is slow to import and has to be closed."""
        yield

    def at_most(self, request: Request) -> Usage | None:
        """One token for every two bytes of the prompt and 64 around it, and `max_tokens`; None without that.

        Tokenizers need about half of that for prose and for code.
        """
        return None if request.max_tokens is None else Usage(_prompt_tokens(request), request.max_tokens)

    def cost(self, usage: Usage) -> float | None:
        """What these tokens cost at the `price` of the options; None where a count or the price is unknown."""
        price = self.options.price
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        return (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1e6

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Answer requests side by side, taking the next one only when fewer than `concurrency` are in flight.

        Requests that the service did not answer are left out, and counted by kind in `notes`. After 20 of them in a
        row no more are taken, by later calls neither.

        Raises:
            InputError: There is no API key, or the service refuses a request. Nothing more is sent then, and what
                others are being answered is delivered first.
        """
        secret = self.api_key
        return self._complete(iter(requests), secret)

    def _complete(self, requests: Iterator[Request], secret: str | None) -> Iterator[Completion]:
        asking = Asking(self.answer, self.options, self._pace)
        results: SimpleQueue[Completion | Exception] = SimpleQueue()
        in_flight = 0
        more = self._in_a_row < _FAILURES_IN_A_ROW
        refusal: Exception | None = None

        async def deliver(request: Request) -> None:
            try:
                results.put(await self._ask(asking, request, secret))
            except Exception as error:
                results.put(error)
            except BaseException:
                results.put(Outage("given up"))
                raise

        with Loop(self.session) as loop:
            while more or in_flight:
                if more and in_flight < self.options.concurrency and results.empty():
                    request = next(requests, None)
                    if request is None:
                        more = False
                    else:
                        loop.start(deliver(request))
                        in_flight += 1
                    continue
                result = results.get()
                in_flight -= 1
                if isinstance(result, Completion):
                    self._in_a_row = 0
                    yield result
                elif isinstance(result, Outage):
                    if refusal is None:
                        self._count(result)
                    more = more and self._in_a_row < _FAILURES_IN_A_ROW
                else:
                    refusal = refusal or result
                    more = False
                    loop.call(asking.wind_up)
        if refusal is not None:
            raise refusal

    async def _ask(self, asking: Asking, request: Request, secret: str | None) -> Completion:
        at_most = self.at_most(request) or Usage(_prompt_tokens(request))
        try:
            _check_text(request.prompt)
            return await asking.ask(request, (at_most.input_tokens or 0) + (at_most.output_tokens or 0))
        except InputError as error:
            words = str(error).replace(secret, "***") if secret else str(error)
            raise InputError(f"{self._name}, problem '{request.problem.id}': {words}") from None

    def _count(self, outage: Outage) -> None:
        """Say in the notes how many completions are missing, and why."""
        self._in_a_row += 1
        self._outages[outage.kind] += 1
        missing = self._outages.total()
        kinds = ", ".join(f"{count} x {kind}" for kind, count in self._outages.most_common())
        note = f"{missing} completion{'s are' if missing > 1 else ' is'} missing: {kinds}; the next run asks again"
        if self._in_a_row >= _FAILURES_IN_A_ROW:
            note += f". After {_FAILURES_IN_A_ROW} in a row no more were asked for"
        self.notes[:] = [*(other for other in self.notes if other != self._note), note]
        self._note = note

    @property
    def _name(self) -> str:
        return f"model '{self.label or type(self).__name__}'"


def _prompt_tokens(request: Request) -> int:
    """More tokens than a prompt has in any tokenizer in use, for prose and code."""
    return _TOKENS_AROUND_A_PROMPT + len(request.prompt.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN


def _check_text(prompt: str) -> None:
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the prompt has half a surrogate pair at {error.start}, which cannot be sent") from error
