"""The budget of a run directory: what may be asked, and what that may cost."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

from evalfw.contracts import Model
from evalfw.domain.answer import Request
from evalfw.errors import InputError
from evalfw.pipeline.asking import Wanted, all_series, want
from evalfw.pipeline.plan import Plan
from evalfw.registry.setup import Configured

MAX_COST = "max_cost"
MAX_REQUESTS = "max_requests"


class Budget:
    """Decides, for all models together, whether there is a next request. Threads of models ask it.

    A request is paid for in advance with the most that it can come to; when its completion is stored, with what it
    cost. Amounts are added as the decimals they are written as.

    Args:
        max_cost: Of everything in the run directory; None for no limit.
        max_requests: Likewise.
        requests: How many completions are stored, of models that are not free.
        spent: What they cost.
    """

    def __init__(self, max_cost: float | None, max_requests: int | None, requests: int, spent: float) -> None:
        self._max_cost = None if max_cost is None else _exact(max_cost)
        self._max_requests = max_requests
        self._requests = requests
        self._spent = _exact(spent)
        self._held: dict[int, Decimal] = {}
        self._lock = threading.Lock()

    def refuses(self, wanted: Wanted) -> str | None:
        """The limit that a request would pass; None where it would pass none."""
        if wanted.series.model.component.free:
            return None
        if self._max_requests is not None and self._requests >= self._max_requests:
            return MAX_REQUESTS
        if self._max_cost is not None and self._spent + self._most(wanted) > self._max_cost:
            return MAX_COST
        return None

    def take(self, wanted: Wanted) -> bool:
        """Pay for a request in advance, if that passes no limit."""
        with self._lock:
            if self.refuses(wanted):
                return False
            if not wanted.series.model.component.free:
                self._requests += 1
                if self._max_cost is not None:
                    self._held[id(wanted)] = self._most(wanted)
                    self._spent += self._held[id(wanted)]
            return True

    def settle(self, wanted: Wanted, cost: float | None) -> None:
        """Pay what a completion cost; where nobody knows, it stays at the most it could come to."""
        with self._lock:
            held = self._held.pop(id(wanted), None)
            if held is not None and cost is not None:
                self._spent += _exact(cost) - held

    def release(self, wanted: Wanted) -> None:
        """Take back what was paid for a request that remained without an answer. As a request it counts."""
        self.settle(wanted, 0.0)

    def charge(self, wanted: Wanted) -> None:
        """Pay for a completion that an earlier run stored without knowing its cost."""
        if self._max_cost is not None and not wanted.series.model.component.free:
            self._spent += self._most(wanted)

    def _most(self, wanted: Wanted) -> Decimal:
        return _exact(most(wanted.series.model, wanted.request))


def check_budget(plan: Plan) -> None:
    """See that every model can say what a request may cost, where that is limited.

    Raises:
        InputError: One cannot.
    """
    if plan.setup.experiment.sampling.max_cost is None:
        return
    first = {id(series.model): series for series in reversed(list(all_series(plan)))}
    for series in first.values():
        if not series.model.component.free:
            most(series.model, want(plan, series, 0).request)


def most(model: Configured[Model[Any]], request: Request) -> float:
    """The most that a request can cost.

    Raises:
        InputError: The model cannot say.
    """
    usage = model.component.at_most(request)
    if usage is None:
        raise InputError(
            f"sampling.max_cost: model '{model.label}' cannot say how many tokens an answer may have;"
            " set `sampling.max_tokens`, or take `max_requests` instead"
        )
    cost = model.component.cost(usage)
    if cost is None:
        raise InputError(
            f"sampling.max_cost: model '{model.label}' has no prices, so that nothing is known of costs;"
            " give it prices, or take `max_requests` instead"
        )
    return cost


def _exact(amount: float) -> Decimal:
    return Decimal(repr(amount))
