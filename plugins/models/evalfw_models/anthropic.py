"""Model `anthropic`: the models of Anthropic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field, JsonValue

from evalfw import OPERATIONAL, Completion, InputError, Json, Outage, RemoteModel, RemoteOptions, Request, Usage
from evalfw_models.reply import count, part, parts, read, text
from evalfw_models.service import Url, client, failure, own_parameters

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_LAST_VERSION_WITH_SAMPLING = "2023-06-01"
"""Of the API: later ones refuse `temperature` and `top_p`, whatever the model."""

_SET_ELSEWHERE = (
    *("model", "messages", "system", "stream", "temperature", "top_p"),
    *("max_tokens", "stop_sequences"),
)


def _free(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return own_parameters(parameters, _SET_ELSEWHERE)


class AnthropicOptions(RemoteOptions):
    """Options of `anthropic`."""

    model: str = Field(min_length=1, description="Name of the model, such as `claude-sonnet-4-5-20250929`.")
    base_url: Url = Field(default="https://api.anthropic.com", description="Where the service is, without `/v1`.")
    api_key_env: Annotated[str, OPERATIONAL] = Field(
        default="ANTHROPIC_API_KEY",
        pattern="^[A-Za-z_][A-Za-z0-9_]*$",
        description="Name of the environment variable that holds the API key; `none` where the server needs none.",
    )
    system: str | None = Field(default=None, min_length=1, description="System prompt. Default: none.")
    max_tokens: int = Field(
        default=4096, ge=1, description="Longest answer, thinking included, unless `sampling.max_tokens` says another."
    )
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_free)] = Field(
        default_factory=dict, description="Further fields of the request, such as `thinking` or `output_config`."
    )
    send_temperature: bool = Field(
        default=True, description="Whether the model takes a temperature; without, it makes one condition."
    )


class Anthropic(RemoteModel[AnthropicOptions]):
    """Models of Anthropic, through the Messages API.

    Each completion is a request of its own. The API takes no seeds: no two runs give the same answers. A refusal and
    an answer that was cut off are completions; no answer is an outage.
    """

    def __init__(self, options: AnthropicOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self.samples_by_temperature = options.send_temperature

    @property
    def label(self) -> str | None:
        """Name of the model."""
        return self.options.model

    def depends_on(self, request: Request) -> str:
        """Nothing else. It is asked about every request before any is sent, so a wrong one is refused here.

        Raises:
            InputError: The temperature is above 1.
        """
        if request.temperature is not None and request.temperature > 1:
            raise InputError(
                f"model '{self.options.model}': the API takes temperatures from 0 to 1, and `sampling.temperatures` has"
                f" {request.temperature:g}"
            )
        return super().depends_on(request)

    def at_most(self, request: Request) -> Usage | None:
        """As for every model behind an API, with the system prompt and the longest answer of the options."""
        prompt = (self.options.system or "") + request.prompt
        return super().at_most(replace(request, prompt=prompt, max_tokens=self._limit(request)))

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """A client of the SDK, whose import takes seconds.

        Raises:
            InputError: The SDK is not installed.
        """
        options = self.options
        self._client: AsyncAnthropic = client(
            "anthropic", "AsyncAnthropic", self.api_key, options.base_url, options.timeout
        )
        async with self._client:
            yield

    async def answer(self, request: Request) -> Completion:
        """Send one request and read the blocks of its answer."""
        import anthropic

        body = self._body(request)
        sampled = body.keys() & {"temperature", "top_p"}
        headers = {"anthropic-version": _LAST_VERSION_WITH_SAMPLING} if sampled else None
        try:
            answer = await self._client.messages.with_raw_response.create(
                model=self.options.model,
                max_tokens=self._limit(request),
                messages=[{"role": "user", "content": request.prompt}],
                extra_body=body,
                extra_headers=headers,
            )
        except anthropic.AnthropicError as error:
            meant = failure(error, anthropic)
            if isinstance(meant, InputError) and sampled and "temperature" in str(meant):
                meant = InputError(f"{meant}; for a model that takes none, write `send_temperature: no`")
            raise meant from error
        sent = {"model": self.options.model, "max_tokens": self._limit(request), **body, **(headers or {})}
        return _completion(request, read(answer.http_response.content), sent)

    def _limit(self, request: Request) -> int:
        return request.max_tokens or self.options.max_tokens

    def _body(self, request: Request) -> dict[str, Json]:
        """What goes out beside the prompt, the model and the longest answer."""
        chosen: dict[str, Json] = {
            "temperature": request.temperature,
            "top_p": request.top_p,
            "stop_sequences": list(request.stop) or None,
            "system": self.options.system,
        }
        return {name: value for name, value in chosen.items() if value is not None} | self.options.parameters


def _completion(request: Request, found: Mapping[str, object], sent: Mapping[str, Json]) -> Completion:
    """The text blocks of an answer, and apart from them those in which the model thinks.

    Raises:
        Outage: It is no answer.
    """
    if "content" not in found:
        raise Outage("unreadable answer")
    blocks = parts(found["content"])
    usage = part(found.get("usage"))
    prompts = [count(usage.get(f"{kind}input_tokens")) for kind in ("", "cache_creation_", "cache_read_")]
    return Completion(
        request,
        "".join(text(block.get("text")) for block in blocks if block.get("type") == "text"),
        text(found.get("stop_reason")) or "end_turn",
        reasoning="".join(text(block.get("thinking")) for block in blocks if block.get("type") == "thinking"),
        usage=Usage(
            None if prompts[0] is None else sum(filter(None, prompts)),
            count(usage.get("output_tokens")),
            count(part(usage.get("output_tokens_details")).get("thinking_tokens")),
        ),
        served_by=text(found.get("model")) or None,
        sent=sent,
    )
