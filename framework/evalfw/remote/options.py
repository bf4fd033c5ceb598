"""Options that every model behind an API has. None of them can change an answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from evalfw.options import OPERATIONAL, Options, Seconds


class Price(Options):
    """Price of a million tokens, in whatever currency the budget is meant in."""

    input: float = Field(ge=0, description="Of a million tokens of prompts.")
    output: float = Field(ge=0, description="Of a million tokens of answers, reasoning included.")


class RemoteOptions(Options):
    """How a service is asked: how much at once, how often again, with which key, at what price."""

    api_key_env: Annotated[str, OPERATIONAL] = Field(
        default="none",
        pattern="^[A-Za-z_][A-Za-z0-9_]*$",
        description="Name of the environment variable that holds the API key; `none` where the server needs none.",
    )
    concurrency: Annotated[int, OPERATIONAL] = Field(default=8, ge=1, description="Requests in flight at most.")
    requests_per_minute: Annotated[float | None, OPERATIONAL] = Field(
        default=None, gt=0, description="Requests sent per minute at most, evenly spaced. Default: no limit."
    )
    tokens_per_minute: Annotated[float | None, OPERATIONAL] = Field(
        default=None, gt=0, description="Tokens per minute at most, of prompts and answers. Default: no limit."
    )
    max_retries: Annotated[int, OPERATIONAL] = Field(
        default=5, ge=0, description="How often a request is repeated that the service did not answer."
    )
    timeout: Annotated[Seconds, OPERATIONAL] = Field(
        default=600.0, description="From sending a request to the last byte of its answer."
    )
    price: Annotated[Price | None, OPERATIONAL] = Field(
        default=None, description="`{input: 0.15, output: 0.60}`, per million tokens. Default: unknown."
    )
