"""Requests for tests of models."""

from __future__ import annotations

from evalfw import Problem, Request


def ask(
    prompt: str = "Hi",
    temperature: float | None = 1.0,
    *,
    seed: int = 0,
    top_p: float | None = None,
    max_tokens: int | None = 20,
    stop: tuple[str, ...] = (),
) -> Request:
    """One request for an answer to a problem named `p`."""
    return Request(Problem("p", "?", ()), prompt, temperature, 0, seed, top_p, max_tokens, stop)
