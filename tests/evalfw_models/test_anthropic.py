from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Completion, InputError, Problem, Request, Usage, extract
from evalfw.remote import asking
from evalfw_models.anthropic import Anthropic, AnthropicOptions
from tests.evalfw_models.server import KEY, Act, Server, in_order, prompt

PROBLEM = Problem("p", "?", ())


@pytest.fixture(autouse=True)
def setting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(asking, "FIRST_BACKOFF_SECONDS", 0.01)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    yield


def request(**changes: object) -> Request:
    return replace(Request(PROBLEM, "the prompt", temperature=0.5, index=0, seed=1), **changes)  # type: ignore[arg-type]


def message(*content: Mapping[str, object], stop_reason: str = "end_turn", **usage: object) -> Act:
    return Act(
        body={
            **{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-tiny-1"},
            **{"content": list(content), "stop_reason": stop_reason, "stop_sequence": None},
            "usage": {"input_tokens": 20, "output_tokens": 10, **usage},
        }
    )


def text(content: str) -> dict[str, object]:
    return {"type": "text", "text": content}


def error(status: int, kind: str, words: str = "no") -> Act:
    return Act(status, {"type": "error", "error": {"type": kind, "message": words}})


def model(server: Server, **options: object) -> Anthropic:
    return Anthropic(AnthropicOptions.model_validate({"model": "claude-tiny", "base_url": server.url, **options}))


def ask(act: Act, asked: Request | None = None, **options: object) -> tuple[Completion, dict[str, Any], dict[str, str]]:
    """The completion that comes of one response, and the body and the headers that went out."""
    with Server(in_order(act), prompt) as server:
        (found,) = model(server, **options).complete([asked or request()])
    (seen,) = server.seen
    assert seen.path == "/v1/messages"
    return found, dict(seen.body), dict(seen.headers)


def test_what_goes_out_and_what_comes_back() -> None:
    act = message(
        *({"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "redacted_thinking", "data": "x"}),
        *(text("the "), text("answer")),
        cache_creation_input_tokens=5,
        cache_read_input_tokens=None,
        output_tokens_details={"thinking_tokens": 4},
    )
    asked = request(top_p=0.9, stop=("\nQ:",), max_tokens=77)
    found, body, headers = ask(act, asked, system="Be brief.", parameters={"top_k": 20})
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body.pop("messages") == [{"role": "user", "content": "the prompt"}]
    assert body == {
        **{"model": "claude-tiny", "max_tokens": 77, "temperature": 0.5, "top_p": 0.9, "stop_sequences": ["\nQ:"]},
        **{"system": "Be brief.", "top_k": 20},
    }
    assert found.request is asked
    assert (found.text, found.reasoning, found.finish_reason) == ("the answer", "hm", "end_turn")
    assert (found.usage, found.served_by) == (Usage(25, 10, 4), "claude-tiny-1")
    assert found.sent == {**body, "anthropic-version": "2023-06-01"}
    assert found.seconds
    assert KEY not in repr(found)


def test_without_sampling_parameters_the_version_of_the_sdk_is_asked_for() -> None:
    found, body, headers = ask(message(text("x")), request(temperature=None), send_temperature=False)
    assert body.keys() == {"model", "max_tokens", "messages"}
    assert body["max_tokens"] == 4096
    assert headers["anthropic-version"] > "2023-06-01"
    assert "anthropic-version" not in found.sent


@pytest.mark.parametrize(
    ("act", "said", "finish_reason"),
    [
        (message(stop_reason="refusal"), "", "refusal"),
        (message(text("half"), stop_reason="max_tokens"), "half", "max_tokens"),
        (message(text("x"), stop_reason="stop_sequence"), "x", "stop_sequence"),
        (message(), "", "end_turn"),
    ],
    ids=["refusal", "cut off", "stop", "empty"],
)
def test_what_the_model_did_not_do_is_a_completion(act: Act, said: str, finish_reason: str) -> None:
    found, _, _ = ask(act)
    assert (found.text, found.finish_reason) == (said, finish_reason)


def test_an_answer_that_was_cut_off_is_known_for_that() -> None:
    assert extract("no program yet", None, "max_tokens").reason == "token_limit"


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (error(529, "overloaded_error"), "HTTP 529"),
        (error(429, "rate_limit_error"), "HTTP 429"),
        (error(500, "api_error"), "HTTP 500"),
        (Act(body=b"{"), "unreadable answer"),
        (Act(body={"type": "message"}), "unreadable answer"),
        (Act(body=b"x" * 1000, how="cut"), "connection lost"),
        (Act(how="hang"), "time-out"),
        (Act(body=b"{", how="drip"), "time-out"),
    ],
)
def test_what_the_service_did_not_do_is_an_outage_and_repeated(act: Act, kind: str) -> None:
    with Server(in_order(act), prompt) as server:
        one = model(server, max_retries=1, timeout=0.5)
        assert list(one.complete([request()])) == []
    assert len(server.seen) == 2
    assert one.notes == [f"1 completion is missing: 1 x {kind}; the next run asks again"]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (error(401, "authentication_error", "invalid x-api-key"), "HTTP 401: invalid x-api-key; the server does not"),
        (error(404, "not_found_error", "model: claude-tiny"), "HTTP 404: model: claude-tiny; see to the name"),
        (error(400, "invalid_request_error", "`temperature` is deprecated"), "write `send_temperature: no`"),
        (error(400, "invalid_request_error", "Your credit balance is too low"), "Your credit balance is too low"),
    ],
)
def test_what_the_server_refuses_is_said_in_its_own_words_and_at_once(act: Act, said: str) -> None:
    with Server(in_order(act), prompt) as server, pytest.raises(InputError) as caught:
        list(model(server).complete([request(seed=seed) for seed in range(200)]))
    assert said in str(caught.value)
    assert len(server.seen) <= 8


def test_a_temperature_above_one_is_refused_before_anything_is_sent() -> None:
    one = Anthropic(AnthropicOptions(model="claude-tiny"))
    assert one.depends_on(request(temperature=1.0)) == one.depends_on(request(temperature=None)) == ""
    with pytest.raises(InputError, match=r"model 'claude-tiny': .* from 0 to 1, and `sampling.temperatures` has 1.2"):
        one.depends_on(request(temperature=1.2))


def test_a_request_comes_to_the_longest_answer_of_the_options() -> None:
    one = Anthropic(AnthropicOptions(model="m", max_tokens=100, system="s" * 10))
    assert one.at_most(request()) == Usage(64 + (10 + len("the prompt")) // 2, 100)
    assert one.at_most(request(max_tokens=7)) == Usage(64 + (10 + len("the prompt")) // 2, 7)


@pytest.mark.parametrize("name", ["temperature", "system", "stream", "max_tokens"])
def test_what_is_decided_elsewhere_is_no_parameter(name: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} cannot be given here"):
        AnthropicOptions.model_validate({"model": "m", "parameters": {name: 1}})
