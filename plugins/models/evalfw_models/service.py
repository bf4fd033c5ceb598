"""Options and failures that the services of OpenAI and of Anthropic have in common.

Their SDKs are made by one generator, so that their exceptions have the same names and fields.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, JsonValue

from evalfw import InputError, Outage, http_failure

_CONNECT_SECONDS = 10.0


def _plain_url(url: str) -> str:
    """An URL that may be stored and shown: keys come from the environment, never from here."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("a URL that begins with http:// or https:// is needed")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("a URL without user, password, '?' and '#' is needed: API keys come from the environment")
    return url.rstrip("/")


Url = Annotated[str, AfterValidator(_plain_url)]
"""Where a service is, without the trailing slash."""


def client(sdk: str, kind: str, api_key: str | None, base_url: str, timeout: float) -> Any:  # noqa: ANN401
    """A client of an SDK, which is imported for it.

    Args:
        sdk: Name of the library.
        kind: Name of the class.
        api_key: None where the server needs none.
        base_url: Where the service is.
        timeout: In seconds, of a whole request.

    Raises:
        InputError: The SDK is not installed.
    """
    try:
        library = import_module(sdk)
    except ModuleNotFoundError as error:
        raise InputError(f"the library '{sdk}' is needed: pip install 'evalfw[{sdk}]' ({error})") from error
    return getattr(library, kind)(
        api_key=api_key or "none",
        base_url=base_url,
        timeout=library.Timeout(timeout, connect=_CONNECT_SECONDS),
        max_retries=0,  # requests are repeated, and counted, by `RemoteModel`
    )


def own_parameters(parameters: dict[str, JsonValue], set_elsewhere: Collection[str]) -> dict[str, JsonValue]:
    """The parameters, none of which is one that options or the experiment decide about.

    Raises:
        ValueError: One is.
    """
    taken = sorted(parameters.keys() & set(set_elsewhere))
    if taken:
        raise ValueError(
            f"{', '.join(taken)} cannot be given here: that is decided by `sampling` and by the options of the model"
        )
    return parameters


def failure(error: Exception, sdk: ModuleType) -> Exception:
    """What an exception of an SDK means; itself where it is none that a request can bring about."""
    if isinstance(error, sdk.APITimeoutError):
        return Outage("time-out")
    if isinstance(error, sdk.APIConnectionError):
        never = "Connect" in type(error.__cause__).__name__
        return Outage("no connection" if never else "connection lost")
    if isinstance(error, sdk.APIStatusError):
        return http_failure(error.status_code, _words(error.body) or error.response.text, error.response.headers)
    return error


def _words(body: object) -> str:
    """The message in the body of an error, in either of the usual places."""
    fields = body if isinstance(body, Mapping) else {}
    inner = fields.get("error", fields)
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    return message if isinstance(message, str) else ""
