"""Model `openai`: any server that speaks OpenAI's protocol for chats or for completions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, JsonValue, model_validator

from evalfw import (
    OPERATIONAL,
    Completion,
    InputError,
    Json,
    Outage,
    RemoteModel,
    RemoteOptions,
    Request,
    Usage,
    http_failure,
)
from evalfw_models.reply import count, part, parts, read, text
from evalfw_models.service import Url, client, failure, own_parameters

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_SEEDS = 1 << 31
"""Some servers take seeds of 32 bits with a sign."""

_SET_ELSEWHERE = (
    *("model", "messages", "prompt", "n", "stream", "stream_options", "temperature", "top_p", "seed", "stop"),
    *("max_tokens", "max_completion_tokens"),
)
_FILTERED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt"})
"""Codes of errors that say that the prompt, not the request, was found wanting."""


def _free(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return own_parameters(parameters, _SET_ELSEWHERE)


class OpenAIOptions(RemoteOptions):
    """Options of `openai`."""

    model: str = Field(min_length=1, description="Name of the model, as the server knows it.")
    base_url: Url = Field(default="https://api.openai.com/v1", description="Where the server is, up to `/v1`.")
    api_key_env: Annotated[str, OPERATIONAL] = Field(
        default="OPENAI_API_KEY",
        pattern="^[A-Za-z_][A-Za-z0-9_]*$",
        description="Name of the environment variable that holds the API key; `none` where the server needs none.",
    )
    mode: Literal["chat", "completion"] = Field(
        default="chat", description="`chat`: one message of a user. `completion`: the bare prompt, for base models."
    )
    system: str | None = Field(default=None, min_length=1, description="System prompt of a chat. Default: none.")
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_free)] = Field(
        default_factory=dict, description="Further fields of the request, such as `reasoning_effort` or `top_k`."
    )
    limit_field: Literal["auto", "max_tokens", "max_completion_tokens"] = Field(
        default="auto",
        description="Field that carries `sampling.max_tokens`: `max_completion_tokens` for chats at OpenAI and Azure, "
        "else `max_tokens`, unless it is said here.",
    )
    send_seed: bool = Field(default=True, description="Whether each request carries its seed.")
    send_temperature: bool = Field(
        default=True, description="Whether the model takes a temperature; without, it makes one condition."
    )

    @model_validator(mode="after")
    def _system_in_chats_only(self) -> OpenAIOptions:
        if self.mode == "completion" and self.system is not None:
            raise ValueError("`system` is for chats; with `mode: completion` the prompt is all that is sent")
        return self


class OpenAI(RemoteModel[OpenAIOptions]):
    """Models of OpenAI, and of every server with the same protocol: vLLM, Ollama, llama.cpp, TGI, OpenRouter.

    Each completion is a request of its own with a seed of its own. An answer without text, one that was filtered
    and one that was cut off are completions; no answer is an outage.
    """

    def __init__(self, options: OpenAIOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self.samples_by_temperature = options.send_temperature

    @property
    def label(self) -> str | None:
        """Name of the model."""
        return self.options.model

    def at_most(self, request: Request) -> Usage | None:
        """As for every model behind an API, with the system prompt."""
        return super().at_most(replace(request, prompt=(self.options.system or "") + request.prompt))

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """A client of the SDK, whose import takes seconds.

        Raises:
            InputError: The SDK is not installed.
        """
        options = self.options
        self._client: AsyncOpenAI = client("openai", "AsyncOpenAI", self.api_key, options.base_url, options.timeout)
        async with self._client:
            yield

    async def answer(self, request: Request) -> Completion:
        """Send one request and read its first choice."""
        import openai

        body = self._body(request)
        sent = {**body, **({"system": self.options.system} if self.options.system else {})}
        try:
            content = await self._send(request.prompt, body)
        except openai.APIStatusError as error:
            if error.code in _FILTERED:
                return Completion(request, "", "content_filter", sent=sent)
            raise _refusal(error) from error
        except openai.OpenAIError as error:
            raise failure(error, openai) from error
        return _completion(request, read(content), sent)

    def _body(self, request: Request) -> dict[str, Json]:
        """What goes out beside the prompt; what the experiment leaves open is left to the server."""
        options = self.options
        chosen: dict[str, Json] = {
            "temperature": request.temperature,
            "top_p": request.top_p,
            self._limit_field: request.max_tokens,
            "seed": request.seed % _SEEDS if options.send_seed else None,
            "stop": list(request.stop) or None,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        return {"model": options.model, **given, **options.parameters}

    async def _send(self, prompt: str, body: Mapping[str, Json]) -> bytes:
        rest = {name: value for name, value in body.items() if name != "model"}
        if self.options.mode == "completion":
            completions = self._client.completions.with_raw_response
            found = await completions.create(model=self.options.model, prompt=prompt, extra_body=rest)
            return found.http_response.content
        system = self.options.system
        chats = self._client.chat.completions.with_raw_response
        answer = await chats.create(
            model=self.options.model,
            messages=[
                *([{"role": "system", "content": system}] if system else []),  # type: ignore[list-item]
                {"role": "user", "content": prompt},
            ],
            extra_body=rest,
        )
        return answer.http_response.content

    @property
    def _limit_field(self) -> str:
        """Newer models of OpenAI refuse `max_tokens`; most other servers know nothing else."""
        if self.options.limit_field != "auto":
            return self.options.limit_field
        host = f".{urlsplit(self.options.base_url).hostname}"
        by_openai = host.endswith((".openai.com", ".azure.com"))
        return "max_completion_tokens" if by_openai and self.options.mode == "chat" else "max_tokens"


def _refusal(error: APIStatusError) -> Exception:
    """What an error status means; where OpenAI says 429 for an account without credit, waiting is no use."""
    import openai

    if error.code == "insufficient_quota":
        return http_failure(402, error.message)
    meant = failure(error, openai)
    if isinstance(meant, InputError) and error.param in {"temperature", "seed"}:
        return InputError(f"{meant}; for a model that takes none, write `send_{error.param}: no`")
    return meant


def _completion(request: Request, found: Mapping[str, object], sent: Mapping[str, Json]) -> Completion:
    """The first choice of an answer.

    Raises:
        Outage: It is the report of a failure (OpenRouter sends these with status 200), or it has no choices at all.
        InputError: It is the report of a refusal.
    """
    choice = next(iter(parts(found.get("choices"))), None)
    error = part(found.get("error")) or part((choice or {}).get("error"))
    if error:
        raise http_failure(count(error.get("code")) or 502, text(error.get("message")))
    if "choices" not in found:
        raise Outage("unreadable answer")
    usage, details = part(found.get("usage")), part(part(found.get("usage")).get("completion_tokens_details"))
    message = part((choice or {}).get("message"))
    content, refused = _text_of(message.get("content")), text(message.get("refusal"))
    finish_reason = "no_choices" if choice is None else text(choice.get("finish_reason")) or "stop"
    return Completion(
        request,
        content or text((choice or {}).get("text")) or refused,
        finish_reason="refusal" if refused and not content else finish_reason,
        reasoning=text(message.get("reasoning_content")) or text(message.get("reasoning")),
        usage=Usage(
            count(usage.get("prompt_tokens")),
            count(usage.get("completion_tokens")),
            count(details.get("reasoning_tokens")),
        ),
        served_by=text(found.get("model")) or None,
        fingerprint=text(found.get("system_fingerprint")) or None,
        sent=sent,
    )


def _text_of(content: object) -> str:
    """A text, or the texts of a list of parts."""
    return text(content) or "".join(text(piece.get("text")) for piece in parts(content))
