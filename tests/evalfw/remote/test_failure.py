from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from evalfw import InputError, Outage, http_failure


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_the_service_failed_to_do_is_an_outage(status: int) -> None:
    failure = http_failure(status, "words")
    assert isinstance(failure, Outage)
    assert (failure.kind, failure.retry_after) == (f"HTTP {status}", None)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_what_the_server_refuses_is_the_users_to_mend(status: int) -> None:
    failure = http_failure(status, "the server's own words")
    assert isinstance(failure, InputError)
    assert str(failure).startswith(f"the server answered with HTTP {status}: the server's own words; ")


def test_a_status_without_words_and_without_advice_is_named() -> None:
    assert str(http_failure(418)) == "the server answered with HTTP 418"


def test_words_of_a_server_stay_on_their_line() -> None:
    said = str(http_failure(418, "two\nlines \x1b[31mred\u202e " + "x" * 1000))
    assert said.startswith("the server answered with HTTP 418: two lines \\x1b[31mred\\u202e xxx")
    assert len(said) < 600


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": formatdate(0)}, 0.0),
    ],
)
def test_how_long_to_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    failure = http_failure(429, headers=headers)
    assert isinstance(failure, Outage)
    assert failure.retry_after == seconds


def test_how_long_to_wait_may_be_a_date() -> None:
    failure = http_failure(503, headers={"Retry-After": formatdate(time.time() + 100, usegmt=True)})
    assert isinstance(failure, Outage)
    assert failure.retry_after == pytest.approx(100, abs=5)
