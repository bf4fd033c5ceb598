"""Texts that end an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def stopped(answer: Sequence[int], stop: Sequence[str], text: Callable[[Sequence[int]], str]) -> bool:
    """Whether an answer has come to one of the texts that end it; to be asked after every token.

    Args:
        answer: Its tokens so far.
        stop: The texts.
        text: Turns tokens into text.
    """
    if not stop:
        return False
    # A token stands for one byte at least, but for those that stand for nothing; so this is wide enough.
    longest = max(len(one.encode(errors="replace")) for one in stop)
    tail = text(answer[-2 * longest - 8 :])
    return any(one in tail for one in stop)


def cut(text: str, stop: Sequence[str]) -> str:
    """An answer up to the first of the texts that end it."""
    return text[: min((text.index(one) for one in stop if one in text), default=len(text))]
