from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evalfw import InputError, Problem, Request, Usage
from evalfw.pipeline.asking import Wanted
from evalfw.pipeline.budget import Budget, most

TEN = Usage(0, 10)


def wanted(usage: Usage | None = TEN, price: float | None = 0.1, free: bool = False) -> Wanted:
    component = SimpleNamespace(
        free=free,
        at_most=lambda request: usage,
        cost=lambda used: None if price is None else price * used.output_tokens,
    )
    series = SimpleNamespace(model=SimpleNamespace(label="m", component=component))
    return Wanted("", cast(Any, series), Request(Problem("p", "", ()), "", None, 0, 0))


def test_requests_are_paid_in_advance_and_settled() -> None:
    budget = Budget(2.0, None, requests=0, spent=0.0)
    first, second, third = wanted(), wanted(), wanted()
    assert budget.take(first)
    assert budget.take(second)
    assert budget.refuses(third) == "max_cost"
    assert not budget.take(third)
    budget.settle(first, 0.25)
    assert budget.refuses(third) == "max_cost"
    budget.settle(second, 0.75)
    assert budget.take(third)


def test_decimals_add_up() -> None:
    budget = Budget(1.0, None, requests=0, spent=0.0)
    for _ in range(10):
        one = wanted(Usage(0, 1))
        assert budget.take(one)
        budget.settle(one, 0.1)
    assert budget.refuses(wanted(Usage(0, 1))) == "max_cost"


def test_what_was_spent_before_counts() -> None:
    assert Budget(5.0, None, requests=0, spent=4.5).refuses(wanted()) == "max_cost"
    assert Budget(None, 3, requests=3, spent=0.0).refuses(wanted()) == "max_requests"
    budget = Budget(2.5, None, requests=0, spent=1.0)
    budget.charge(wanted())
    assert budget.refuses(wanted()) == "max_cost"


def test_an_unknown_cost_stays_at_the_most() -> None:
    budget = Budget(1.5, None, requests=0, spent=0.0)
    one = wanted()
    assert budget.take(one)
    budget.settle(one, None)
    assert budget.refuses(wanted()) == "max_cost"


def test_a_request_without_an_answer_costs_nothing_and_is_counted() -> None:
    budget = Budget(1.0, 2, requests=0, spent=0.0)
    for _ in range(2):
        one = wanted()
        assert budget.take(one)
        budget.release(one)
    assert budget.refuses(wanted()) == "max_requests"


def test_what_is_free_is_not_bound() -> None:
    budget = Budget(0.1, 1, requests=5, spent=3.0)
    assert budget.take(wanted(usage=None, free=True))


def test_threads_never_take_more_than_there_is() -> None:
    budget = Budget(None, 500, requests=0, spent=0.0)
    taken: list[None] = []

    def work() -> None:
        while budget.take(wanted()):
            taken.append(None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 500


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (wanted(usage=None), r"'m' cannot say how many tokens an answer may have; set `sampling\.max_tokens`"),
        (wanted(price=None), "'m' has no prices"),
    ],
)
def test_a_model_that_cannot_say_what_it_costs(one: Wanted, message: str) -> None:
    with pytest.raises(InputError, match=rf"sampling\.max_cost: model {message}"):
        most(one.series.model, one.request)
