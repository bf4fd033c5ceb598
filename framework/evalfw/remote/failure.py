"""Why a request was not answered: the service failed, or the request cannot be answered."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz

from evalfw.errors import InputError

_AGAIN = frozenset({408, 409, 425, 429})
_ADVICE = {
    400: "a parameter of the model, of `sampling` or the prompt is not as the server wants it",
    401: "the server does not accept the API key",
    402: "the account has no credit",
    403: "the API key may not use this model",
    404: "see to the name of the model and to the URL",
    413: "the prompt is too long",
    422: "a parameter of the model, of `sampling` or the prompt is not as the server wants it",
}
_LONGEST_WORDS = 500


class Outage(Exception):
    """The service did not answer, through no fault of the request: it is worth asking again.

    Args:
        kind: What happened, in a few words; outages are counted by it: `HTTP 503`, `time-out`.
        retry_after: Seconds that the service asks to wait; None where it says nothing.
    """

    def __init__(self, kind: str, retry_after: float | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.retry_after = retry_after


def http_failure(status: int, words: str = "", headers: Mapping[str, str] | None = None) -> Outage | InputError:
    """What an HTTP status that is no success means: an outage, or a request that the server refuses.

    Args:
        status: The status.
        words: What the server says about it.
        headers: Of the response, in any case; `Retry-After` is read from them.
    """
    if status >= 500 or status in _AGAIN:
        return Outage(f"HTTP {status}", _retry_after(headers or {}))
    said = f": {_printable(words)}" if words.strip() else ""
    advice = f"; {_ADVICE[status]}" if status in _ADVICE else ""
    return InputError(f"the server answered with HTTP {status}{said}{advice}")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from milliseconds, seconds or a date; None where there is nothing that can be read."""
    lower = {name.lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(lower[name]) * unit
        except (KeyError, ValueError):
            continue
        return seconds if 0 <= seconds < float("inf") else None
    date = parsedate_tz(lower.get("retry-after", ""))
    return None if date is None else max(0.0, mktime_tz(date) - time.time())


def _printable(words: str) -> str:
    """Untrusted text on one line, with nothing in it that a terminal would obey."""
    line = " ".join(words.split())[:_LONGEST_WORDS]
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
