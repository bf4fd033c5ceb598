from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Completion, InputError, Problem, Request, Usage
from evalfw.options import keyed
from evalfw.remote import asking
from evalfw_models.openai import OpenAI, OpenAIOptions
from tests.evalfw_models.server import KEY, Act, Server, chat, completion, error, in_order

PROBLEM = Problem("p", "?", ())


@pytest.fixture(autouse=True)
def setting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(asking, "FIRST_BACKOFF_SECONDS", 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield


def request(**changes: object) -> Request:
    return replace(Request(PROBLEM, "the prompt", temperature=0.5, index=0, seed=3_000_000_000), **changes)  # type: ignore[arg-type]


def model(server: Server, **options: object) -> OpenAI:
    return OpenAI(OpenAIOptions.model_validate({"model": "tiny", "base_url": f"{server.url}/v1/", **options}))


def answers(server: Server, **options: object) -> list[Completion]:
    return list(model(server, **options).complete([request()]))


def ask(act: Act, **options: object) -> Completion:
    """The completion that comes of one response."""
    with Server(in_order(act)) as server:
        (found,) = answers(server, **options)
    return found


def sent(changes: dict[str, object] | None = None, **options: object) -> dict[str, Any]:
    """The body that goes out for a request."""
    with Server(in_order(chat("x")), name=str) as server:
        list(model(server, **options).complete([request(**(changes or {}))]))
    (seen,) = server.seen
    return dict(seen.body)


def test_what_goes_out_and_what_comes_back() -> None:
    act = chat("the answer", reasoning_content="thoughts")
    act.body["usage"]["completion_tokens_details"] = {"reasoning_tokens": 4}  # type: ignore[index]
    with Server(in_order(act)) as server:
        one = model(server, parameters={"top_k": 20}, system="Be brief.")
        asked = request(top_p=0.9, max_tokens=50, stop=("\nQ:",))
        (found,) = one.complete([asked])
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    parameters = {
        **{"model": "tiny", "temperature": 0.5, "top_p": 0.9, "max_tokens": 50, "seed": 852_516_352},
        **{"stop": ["\nQ:"], "top_k": 20},
    }
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "the prompt"}]
    assert seen.body == {**parameters, "messages": messages}
    assert found.request is asked
    assert (found.text, found.reasoning, found.finish_reason) == ("the answer", "thoughts", "stop")
    assert found.usage == Usage(20, 10, 4)
    assert (found.served_by, found.fingerprint) == ("tiny-2026-01-01", "fp_1")
    assert found.sent == {**parameters, "system": "Be brief."}
    assert found.seconds
    assert KEY not in repr(found)
    assert one.label == "tiny"


def test_what_the_experiment_leaves_open_is_left_to_the_server() -> None:
    body = sent({"temperature": None}, send_seed=False)
    assert body == {"model": "tiny", "messages": [{"role": "user", "content": "the prompt"}]}


@pytest.mark.parametrize(
    ("url", "options", "field"),
    [
        ("https://api.openai.com/v1", {}, "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", {}, "max_completion_tokens"),
        ("https://mine.openai.azure.com/openai/v1", {}, "max_completion_tokens"),
        ("https://api.openai.com/v1", {"mode": "completion"}, "max_tokens"),
        ("https://api.openai.com/v1", {"limit_field": "max_tokens"}, "max_tokens"),
        ("http://localhost:11434/v1", {}, "max_tokens"),
        ("https://notopenai.com/v1", {}, "max_tokens"),
        ("http://localhost:4000", {"limit_field": "max_completion_tokens"}, "max_completion_tokens"),
    ],
)
def test_the_longest_answer_goes_out_under_the_name_that_the_server_knows(
    url: str, options: dict[str, object], field: str
) -> None:
    one = OpenAI(OpenAIOptions.model_validate({"model": "m", "base_url": url, **options}))
    body = one._body(request(max_tokens=7))
    assert {name for name in body if name.startswith("max")} == {field}
    assert body[field] == 7


def test_completion_mode_sends_the_bare_prompt() -> None:
    with Server(in_order(Act(body=completion({"text": " + 1", "finish_reason": "length"})))) as server:
        (found,) = answers(server, mode="completion")
    (seen,) = server.seen
    assert (seen.path, seen.body["prompt"]) == ("/v1/completions", "the prompt")
    assert "messages" not in seen.body
    assert (found.text, found.finish_reason) == (" + 1", "length")


def test_a_server_without_keys_is_sent_none_of_ours() -> None:
    with Server(in_order(chat("x"))) as server:
        assert len(answers(server, api_key_env="none")) == 1
    assert KEY not in repr(server.seen)


@pytest.mark.parametrize(
    ("act", "text", "finish_reason"),
    [
        (Act(body=completion()), "", "no_choices"),
        (Act(body={**completion(), "choices": None}), "", "no_choices"),
        (chat(None), "", "stop"),
        (chat(""), "", "stop"),
        (chat(None, "content_filter"), "", "content_filter"),
        (chat("half an ans", "length"), "half an ans", "length"),
        (chat(None, refusal="I cannot."), "I cannot.", "refusal"),
        (chat([{"type": "thinking"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab", "stop"),
        (chat("\ud835 and \0"), "\ud835 and \0", "stop"),
        (error(400, "filtered", code="content_filter"), "", "content_filter"),
        (error(400, "flagged", code="invalid_prompt"), "", "content_filter"),
    ],
)
def test_what_the_model_did_not_do_is_a_completion(act: Act, text: str, finish_reason: str) -> None:
    found = ask(act)
    assert (found.text, found.finish_reason) == (text, finish_reason)


@pytest.mark.parametrize(
    ("message", "reasoning"),
    [
        ({"reasoning_content": "vLLM"}, "vLLM"),
        ({"reasoning": "OpenRouter"}, "OpenRouter"),
        ({"reasoning": "both", "reasoning_content": "both"}, "both"),
        ({"reasoning": None, "reasoning_content": None}, ""),
        ({"reasoning": {"effort": "high"}}, ""),
    ],
)
def test_reasoning_is_kept_apart(message: dict[str, Any], reasoning: str) -> None:
    assert ask(chat("x", **message)).reasoning == reasoning


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7", "completion_tokens": True}, 3])
def test_tokens_that_nobody_counted_are_unknown(usage: object) -> None:
    found = ask(Act(body={"choices": [{"message": {"content": "x"}}], "usage": usage}))
    assert (found.text, found.usage, found.served_by, found.fingerprint) == ("x", Usage(), None, None)


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (error(429), "HTTP 429"),
        (error(500), "HTTP 500"),
        (error(503, "overloaded"), "HTTP 503"),
        (Act(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"}), "HTTP 502"),
        (Act(body=b'{"choices": [{"mess'), "unreadable answer"),
        (Act(body=b"[" * 100_000), "unreadable answer"),
        (Act(body=b"\xff\xfe"), "unreadable answer"),
        (Act(body=[1, 2]), "unreadable answer"),
        (Act(body={"detail": "an answer, but none of this protocol"}), "unreadable answer"),
        (Act(body=b"<html>Log in</html>", headers={"Content-Type": "text/html"}), "unreadable answer"),
        (Act(body={"error": {"code": 429, "message": "slow down"}}), "HTTP 429"),
        (Act(body={"error": {"message": "upstream broke"}}), "HTTP 502"),
        (Act(body=completion({"error": {"code": 503}, "finish_reason": "error"})), "HTTP 503"),
        (Act(body=b"x" * 1000, how="cut"), "connection lost"),
        (Act(how="refuse"), "connection lost"),
        (Act(how="hang"), "time-out"),
        (Act(body=b"{", how="drip"), "time-out"),
    ],
)
def test_what_the_service_did_not_do_is_an_outage_and_repeated(act: Act, kind: str) -> None:
    with Server(in_order(act)) as server:
        one = model(server, max_retries=1, timeout=0.5)
        assert list(one.complete([request()])) == []
    assert len(server.seen) == 2
    assert one.notes == [f"1 completion is missing: 1 x {kind}; the next run asks again"]


def test_a_server_that_is_not_there_is_an_outage() -> None:
    with Server(in_order(chat("x"))) as server:
        one = model(server, max_retries=1)
    assert list(one.complete([request()])) == []
    assert one.notes == ["1 completion is missing: 1 x no connection; the next run asks again"]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), "Incorrect API key provided: ***; the server does not"),
        (error(403, "not yours"), "HTTP 403: not yours; the API key may not use this model"),
        (error(404, "The model `tiny` does not exist"), "HTTP 404: The model `tiny` does not exist; see to the name"),
        (Act(404, b"404 page not found", {"Content-Type": "text/plain"}), "HTTP 404: 404 page not found; see to"),
        (Act(422, {"detail": "top_k: not a number"}), "HTTP 422"),
        (error(400, "no", param="temperature"), "a model that takes none, write `send_temperature: no`"),
        (error(400, "no", param="seed"), "a model that takes none, write `send_seed: no`"),
        (error(429, "You exceeded your quota", code="insufficient_quota"), "the account has no credit"),
    ],
)
def test_what_the_server_refuses_is_said_in_its_own_words_and_at_once(act: Act, said: str) -> None:
    with Server(in_order(act)) as server, pytest.raises(InputError) as caught:
        list(model(server).complete([request(seed=seed) for seed in range(200)]))
    assert said in str(caught.value)
    assert str(caught.value).startswith("model 'tiny', problem 'p': the server answered with HTTP 4")
    assert KEY not in str(caught.value)
    assert len(server.seen) <= 8


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with Server(in_order(chat("x"))) as server, pytest.raises(InputError, match=r"pip install 'evalfw\[openai\]'"):
        answers(server)


def test_a_request_comes_to_its_system_prompt_too() -> None:
    one = OpenAI(OpenAIOptions(model="m", system="s" * 100))
    assert one.at_most(request(max_tokens=5)) == Usage(64 + (100 + len("the prompt")) // 2, 5)


def test_a_model_without_temperature_makes_one_condition() -> None:
    assert OpenAI(OpenAIOptions(model="m", send_temperature=False)).samples_by_temperature is False
    assert OpenAI(OpenAIOptions(model="m")).samples_by_temperature is True


def test_results_depend_on_what_is_asked_and_where() -> None:
    assert keyed(OpenAIOptions(model="m", concurrency=3, api_key_env="MINE")) == {
        **{"model": "m", "base_url": "https://api.openai.com/v1", "mode": "chat", "system": None},
        **{"parameters": {}, "limit_field": "auto", "send_seed": True, "send_temperature": True},
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"parameters": {"n": 4, "stream": True}}, "n, stream cannot be given here"),
        ({"parameters": {"temperature": 1}}, "temperature cannot be given here"),
        ({"base_url": "localhost:8000/v1"}, "begins with http"),
        ({"base_url": "https://me:secret@host/v1"}, "without user, password"),
        ({"base_url": "https://host/v1?api-key=secret"}, "without user, password"),
        ({"mode": "completion", "system": "x"}, "`system` is for chats"),
        ({"mode": "chats"}, "'chat' or 'completion'"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match="(?s)" + said):
        OpenAIOptions.model_validate({"model": "m", **options})
