from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from pydantic import ValidationError

from evalfw import Completion, InputError, Outage, Problem, RemoteModel, RemoteOptions, Request, Usage
from evalfw.options import keyed
from evalfw.remote import asking
from evalfw.remote.options import Price

PROBLEM = Problem("p", "?", ())
Behaviour = Callable[[Request, int], Completion | Exception | float]
"""What becomes of a request that was sent so often before: an answer, an error, or seconds of silence."""


@pytest.fixture(autouse=True)
def short_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "FIRST_BACKOFF_SECONDS", 0.01)


def requests(count: int) -> list[Request]:
    return [Request(PROBLEM, f"prompt {index}", 0.5, index, index, max_tokens=100) for index in range(count)]


def right(request: Request, _: int = 0) -> Completion:
    return Completion(request, f"answer {request.index}", usage=Usage(10, 20))


class Scripted(RemoteModel[RemoteOptions]):
    """Answers without a network, in a thread, and keeps account."""

    def __init__(self, behaviour: Behaviour = right, **options: object) -> None:
        super().__init__(RemoteOptions.model_validate(options))
        self.behaviour = behaviour
        self.sent: Counter[int] = Counter()
        self.in_flight = self.most_in_flight = 0
        self.lock = threading.Lock()

    def answer(self, request: Request) -> Completion:
        with self.lock:
            before = self.sent[request.index]
            self.sent[request.index] += 1
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            found = self.behaviour(request, before)
            time.sleep(found if isinstance(found, float) else 0.005)
        finally:
            with self.lock:
                self.in_flight -= 1
        if isinstance(found, Completion):
            return found
        raise found if isinstance(found, Exception) else Outage("slept")


class Async(Scripted):
    """The same in the event loop."""

    async def answer(self, request: Request) -> Completion:  # type: ignore[override]
        before = self.sent[request.index]
        self.sent[request.index] += 1
        found = self.behaviour(request, before)
        await asyncio.sleep(found if isinstance(found, float) else 0.005)
        if isinstance(found, Completion):
            return found
        raise found if isinstance(found, Exception) else Outage("slept")


def fails(*times: Exception, but: int | None = None) -> Behaviour:
    """The first attempts at every request (or at this one) fail."""

    def behave(request: Request, before: int) -> Completion | Exception:
        concerned = but is None or request.index == but
        return times[before] if concerned and before < len(times) else right(request)

    return behave


@pytest.mark.parametrize("kind", [Scripted, Async])
def test_every_request_is_answered_once_and_never_more_than_allowed_at_once(kind: type[Scripted]) -> None:
    model, asked = kind(concurrency=4), requests(40)
    found = list(model.complete(asked))
    assert sorted(done.text for done in found) == sorted(f"answer {index}" for index in range(40))
    assert {id(done.request) for done in found} == {id(request) for request in asked}
    assert all(done.seconds and done.seconds > 0 for done in found)
    assert set(model.sent.values()) == {1}
    assert model.most_in_flight <= 4
    assert model.notes == []


def test_requests_are_taken_only_when_there_is_room() -> None:
    taken: list[int] = []

    def endless() -> Iterator[Request]:
        for index in itertools.count():
            taken.append(index)
            yield Request(PROBLEM, "?", 0.5, index, index)

    model = Scripted(concurrency=3)
    answers = model.complete(endless())
    for delivered in range(1, 20):
        next(answers)
        assert len(taken) <= delivered + 3
    answers.close()  # type: ignore[attr-defined]


def test_an_answer_is_delivered_while_others_are_awaited() -> None:
    model = Scripted(lambda request, _: 30.0 if request.index else right(request), concurrency=2)
    answers = model.complete(requests(2))
    assert next(answers).request.index == 0
    answers.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [Scripted, Async])
def test_stopping_does_not_wait_for_a_request_that_hangs(kind: type[Scripted]) -> None:
    model = kind(lambda request, _: 3600.0 if request.index else right(request))
    answers = model.complete(requests(8))
    next(answers)
    stopped = threading.Thread(target=answers.close)  # type: ignore[attr-defined]
    stopped.start()
    stopped.join(20)
    assert not stopped.is_alive()


@pytest.mark.parametrize("kind", [Scripted, Async])
def test_an_outage_is_repeated_and_an_answer_never(kind: type[Scripted]) -> None:
    model = kind(fails(Outage("HTTP 500"), TimeoutError()))
    assert len(list(model.complete(requests(10)))) == 10
    assert set(model.sent.values()) == {3}
    assert model.notes == []


@pytest.mark.parametrize("kind", [Scripted, Async])
def test_a_request_has_its_time(kind: type[Scripted]) -> None:
    model = kind(lambda request, before: 3600.0 if before == 0 else right(request), timeout=0.2)
    assert len(list(model.complete(requests(3)))) == 3
    assert set(model.sent.values()) == {2}


def test_outages_are_left_out_and_counted_by_kind() -> None:
    kinds = {2: Outage("HTTP 500"), 5: TimeoutError(), 7: Outage("HTTP 500")}
    model = Scripted(lambda request, _: kinds.get(request.index) or right(request), max_retries=2)
    assert {done.request.index for done in model.complete(requests(10))} == set(range(10)) - kinds.keys()
    assert {index: model.sent[index] for index in kinds} == dict.fromkeys(kinds, 3)
    assert model.notes == ["3 completions are missing: 2 x HTTP 500, 1 x time-out; the next run asks again"]


def test_the_note_on_outages_is_one_over_several_rounds() -> None:
    model = Scripted(lambda *_: Outage("HTTP 500"), max_retries=0)
    model.notes.append("another note")
    assert list(model.complete(requests(1))) == []
    assert model.notes[1] == "1 completion is missing: 1 x HTTP 500; the next run asks again"
    assert list(model.complete(requests(2))) == []
    assert model.notes == ["another note", "3 completions are missing: 3 x HTTP 500; the next run asks again"]


def test_a_dead_service_is_not_asked_for_ever() -> None:
    model = Scripted(lambda *_: Outage("no connection"), max_retries=0, concurrency=4)
    assert list(model.complete(requests(1000))) == []
    assert 20 <= len(model.sent) < 30
    asked = model.sent.total()
    assert list(model.complete(requests(1000))) == []
    assert model.sent.total() == asked
    assert "After 20 in a row no more were asked for" in model.notes[0]


def test_the_service_says_how_long_to_wait() -> None:
    times: list[float] = []

    def behave(request: Request, before: int) -> Completion | Exception:
        times.append(time.monotonic())
        return right(request) if before else Outage("HTTP 429", retry_after=0.3)

    assert len(list(Scripted(behave).complete(requests(1)))) == 1
    assert times[1] - times[0] >= 0.3


def test_a_service_that_asks_to_wait_very_long_is_left_to_the_next_run() -> None:
    model = Scripted(fails(Outage("HTTP 429", retry_after=3600), but=1))
    assert len(list(model.complete(requests(5)))) == 4
    assert model.sent[1] == 1
    assert model.notes == ["1 completion is missing: 1 x HTTP 429; the next run asks again"]


def test_a_refusal_stops_everything_at_once_and_loses_no_answer() -> None:
    def behave(request: Request, _: int) -> Completion | Exception:
        if request.index == 0:
            return InputError("the server answered with HTTP 404: no such model")
        return Outage("HTTP 500", retry_after=60) if request.index == 1 else right(request)

    model = Scripted(behave, concurrency=4)
    found: list[Completion] = []
    with pytest.raises(InputError, match=r"^model 'Scripted', problem 'p': the server answered with HTTP 404: no such"):
        found.extend(_into(found, model.complete(requests(200))))
    assert len(model.sent) <= 8
    assert len(found) == len(model.sent) - 2


def _into(found: list[Completion], answers: Iterator[Completion]) -> Iterator[Completion]:
    for done in answers:
        found.append(done)
    yield from ()


def test_a_prompt_that_is_no_text_is_refused() -> None:
    model = Scripted()
    with pytest.raises(InputError, match="problem 'p': the prompt has half a surrogate pair at 4"):
        list(model.complete([Request(PROBLEM, "half\ud835", None, 0, 0)]))
    assert not model.sent


def test_a_mistake_of_a_plugin_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        list(Scripted(lambda *_: ZeroDivisionError("a bug")).complete(requests(3)))


def test_requests_per_minute_hold() -> None:
    started = time.monotonic()
    assert len(list(Scripted(requests_per_minute=1200).complete(requests(12)))) == 12
    assert time.monotonic() - started >= 11 * 0.05


def test_tokens_per_minute_hold() -> None:
    started = time.monotonic()
    model = Scripted(tokens_per_minute=60_000)  # a thousand a second, thirty a request
    assert len(list(model.complete(requests(20)))) == 20
    assert time.monotonic() - started >= 19 * 0.03


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", " sk-secret\n")
    assert Scripted(api_key_env="A_KEY").api_key == "sk-secret"
    assert Scripted().api_key is None


@pytest.mark.parametrize("held", [None, "", "  ", "two words", "sk-\u2713", "sk-\x07"])
def test_a_missing_key_is_said_before_any_request(monkeypatch: pytest.MonkeyPatch, held: str | None) -> None:
    if held is not None:
        monkeypatch.setenv("A_KEY", held)
    model = Scripted(api_key_env="A_KEY")
    assert model.at_most(requests(1)[0]) is not None  # what does not sample needs no key
    with pytest.raises(InputError, match="the environment variable A_KEY") as caught:
        model.complete(requests(3))
    assert not held or held not in str(caught.value)
    assert not model.sent


def test_the_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-secret")
    model = Scripted(lambda *_: InputError("the key sk-secret is not known"), api_key_env="A_KEY")
    with pytest.raises(InputError) as caught:
        list(model.complete(requests(1)))
    assert str(caught.value) == "model 'Scripted', problem 'p': the key *** is not known"
    assert "sk-secret" not in repr(caught.value.__cause__) + repr(vars(model))


def test_prices_give_costs() -> None:
    model = Scripted(price=Price(input=0.15, output=0.60))
    assert model.cost(Usage(1_000_000, 2_000_000)) == pytest.approx(1.35)
    assert model.cost(Usage(0, 0)) == 0
    assert model.cost(Usage(None, 5)) is None
    assert model.cost(Usage(5, None)) is None
    assert Scripted().cost(Usage(1, 1)) is None


def test_a_request_comes_to_its_prompt_and_its_longest_answer() -> None:
    request = Request(PROBLEM, "x" * 1000, None, 0, 0, max_tokens=300)
    assert Scripted().at_most(request) == Usage(564, 300)
    assert Scripted().at_most(Request(PROBLEM, "x", None, 0, 0)) is None


def test_how_a_service_is_asked_is_no_part_of_a_key() -> None:
    assert keyed(RemoteOptions()) == {}


@pytest.mark.parametrize(
    "options", [{"concurrency": 0}, {"timeout": 0}, {"price": {"input": 1}}, {"api_key_env": "sk-a.b"}]
)
def test_options_that_cannot_be_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RemoteOptions.model_validate(options)
