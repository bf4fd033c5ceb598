"""What came back from a service, read without trust in its form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from evalfw import Outage


def read(content: bytes) -> Mapping[str, object]:
    """The JSON object in the body of a response.

    Raises:
        Outage: There is none.
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Outage("unreadable answer") from error
    if not isinstance(found, dict):
        raise Outage("unreadable answer")
    return found


def part(value: object) -> Mapping[str, object]:
    """An object; an empty one where there is something else."""
    return value if isinstance(value, Mapping) else {}


def parts(value: object) -> Sequence[Mapping[str, object]]:
    """The objects in a list; none where there is something else."""
    return [part(item) for item in value] if isinstance(value, list) else []


def text(value: object) -> str:
    """A text; the empty one where there is something else."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """A number of things; None where there is something else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
