"""Rows of a batch, each drawn by itself: its own settings, its own generator of random numbers, its own end.

`transformers` draws all rows of a batch from one generator, so that a sample depends on its neighbours. Here each row
has its own, and uses one number of it for each token: given the same logits, a row comes out the same in any batch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from evalfw import Request
from evalfw_models.stops import stopped

if TYPE_CHECKING:
    import torch


class Row:
    """One answer in the making.

    Args:
        request: With temperature, top_p, stop texts and seed.
        prompt: Tokens of the prompt.
        most: Tokens of the answer at most.

    `answer` grows by a token at a time; `finish_reason` is None until the row is at its end.
    """

    def __init__(self, request: Request, prompt: Sequence[int], most: int) -> None:
        import torch

        self.request = request
        self.prompt = list(prompt)
        self.most = most
        self.temperature = 1.0 if request.temperature is None else request.temperature
        self.top_p = 1.0 if request.top_p is None else request.top_p
        self.answer: list[int] = []
        self.finish_reason: str | None = None
        self._generator = torch.Generator().manual_seed(request.seed)

    def draw(self, logits: torch.Tensor) -> int:
        """The next token, by inverting the cumulative distribution at a uniform random number.

        Args:
            logits: One for each token of the vocabulary.
        """
        import torch

        if self.temperature == 0:
            return int(logits.argmax())
        chances = torch.softmax(logits.double().cpu() / self.temperature, dim=-1)
        if self.top_p < 1:
            chances = _nucleus(chances, self.top_p)
        cumulative = chances.cumsum(0)
        number = torch.rand(1, generator=self._generator, dtype=torch.float64) * cumulative[-1]
        return int(torch.searchsorted(cumulative, number, right=True).clamp(max=int(chances.nonzero()[-1])))


class Draw:
    """A logits processor for greedy decoding: leaves of each row nothing but the token that was drawn for it."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Scores of shape (rows, vocabulary)."""
        import torch

        drawn = torch.full_like(scores, -torch.inf)
        for number, row in enumerate(self._rows):
            drawn[number, 0 if row.finish_reason else row.draw(scores[number])] = 0
        return drawn


class Ended:
    """A stopping criterion: which rows are at their end, and why, and what they came to.

    Args:
        rows: Of the batch.
        ends: Tokens that end an answer.
        text: Turns tokens of an answer into text.
    """

    def __init__(self, rows: Sequence[Row], ends: Collection[int], text: Callable[[Sequence[int]], str]) -> None:
        self._rows, self._ends, self._text = rows, ends, text

    def __call__(self, input_ids: torch.Tensor, scores: object, **_: object) -> torch.Tensor:
        """Tokens of shape (rows, length so far), of which the last of each row is new; one truth value a row."""
        import torch

        for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
            if row.finish_reason is None:
                self._take(row, token)
        return torch.tensor([row.finish_reason is not None for row in self._rows], device=input_ids.device)

    def _take(self, row: Row, token: int) -> None:
        if token in self._ends:
            row.finish_reason = "stop"
            return
        row.answer.append(token)
        if stopped(row.answer, row.request.stop, self._text):
            row.finish_reason = "stop"
        elif len(row.answer) >= row.most:
            row.finish_reason = "length"


def _nucleus(chances: torch.Tensor, top_p: float) -> torch.Tensor:
    """The likeliest tokens that together have a chance of `top_p`, without the others."""
    ordered, order = chances.sort(descending=True, stable=True)
    kept = ordered.cumsum(0) - ordered < top_p
    return chances.where(kept.new_zeros(kept.shape).scatter(0, order, kept), chances.new_zeros(()))
