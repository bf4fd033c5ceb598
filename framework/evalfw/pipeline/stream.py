"""One model that answers in a thread of its own, while others answer and what has come is judged."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from evalfw.contracts import Model
from evalfw.domain.answer import Completion, Request
from evalfw.errors import PluginError
from evalfw.pipeline.asking import Wanted
from evalfw.pipeline.budget import Budget
from evalfw.pipeline.inbox import Inbox
from evalfw.registry.setup import Configured


class Stream:
    """Hands requests to a model, and its completions to the main thread.

    The model is called with all that there is to ask, and again if there is more by the time it has ended. It goes on
    after a completion when the main thread has stored that: however the run ends, what has arrived is not lost.

    Args:
        model: The model.
        budget: Ends the iterable of requests when it is used up.
        inbox: Of the main thread.
        store: Called there with each completion and what it answers.
    """

    def __init__(
        self,
        model: Configured[Model[Any]],
        budget: Budget,
        inbox: Inbox,
        store: Callable[[Wanted, Completion], None],
    ) -> None:
        self._model, self._budget, self._inbox, self._store = model, budget, inbox, store
        self._lock = threading.Lock()
        self._stored = threading.Semaphore(0)
        self._asked: dict[int, Wanted] = {}
        self._taken = self._refused = self._closed = False
        self.waiting: deque[Wanted] = deque()
        """What is still to be asked."""
        self.running = False
        """Whether the model is at work."""

    def go(self) -> None:
        """Call the model, unless it is at work, or has nothing to do that the budget allows."""
        if self.running or not self.waiting or self._budget.refuses(self.waiting[0]):
            return
        self.running, self._taken, self._refused = True, False, False
        threading.Thread(target=self._work, name=f"evalfw-{self._model.label}", daemon=True).start()

    def close(self) -> None:
        """Ask for nothing more, and let go of the model as soon as it gives a sign."""
        self._closed = True
        self._stored.release()

    # -- in the thread of the model ----------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            completions = self._model.component.complete(iter(self._next, None))
            for completion in completions:
                self._inbox.post(partial(self._take, completion))
                self._stored.acquire()
                if self._closed:
                    getattr(completions, "close", lambda: None)()
                    return
        except BaseException as error:
            self._inbox.post(partial(_fail, error))
        else:
            self._inbox.post(self._end)

    def _next(self) -> Request | None:
        with self._lock:
            if self._closed or not self.waiting:
                return None
            wanted = self.waiting[0]
            if not self._budget.take(wanted):
                self._refused = True
                return None
            self._asked[id(wanted.request)] = self.waiting.popleft()
            self._taken = True
            return wanted.request

    # -- in the main thread --------------------------------------------------------------------------------------

    def _take(self, completion: Completion) -> None:
        wanted = self._asked.pop(id(completion.request), None)
        if wanted is None:
            raise PluginError(
                f"{self._model.plugin} answered a request twice, or one it was not given:"
                " a completion must hold the request object it answers, and each may be answered once"
            )
        self._store(wanted, completion)
        self._stored.release()

    def _end(self) -> None:
        """What the model took and did not answer is missing; so is the rest, if it takes nothing at all."""
        for wanted in self._asked.values():
            self._budget.release(wanted)
        self._asked.clear()
        if not (self._taken or self._refused):
            self.waiting.clear()
        self.running = False


def _fail(error: BaseException) -> NoReturn:
    raise error
