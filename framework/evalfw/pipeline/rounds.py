"""Sampling until there are enough correct solutions: how many further samples are drawn, and when."""

from __future__ import annotations

from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.cohort import Until
from evalfw.pipeline.drawn import Attempt


class Tally:
    """What the samples of one condition for one problem have come to.

    Samples are drawn in rounds. A round is as many as correct solutions are missing, so that there is never one too
    many, and it follows when all before it are judged. So the samples that are drawn are those that one at a time
    would have drawn: they follow from the verdicts alone. One that does not come, or cannot be judged, is waited for.
    """

    def __init__(self) -> None:
        self.drawn = 0
        """How many samples are drawn."""
        self._judged = 0
        self._correct: set[int | str] = set()

    @property
    def settled(self) -> bool:
        """Whether all that are drawn are judged."""
        return self._judged == self.drawn

    def add(self, attempt: Attempt, verdict: Verdict, until: Until) -> None:
        """Count a sample with its verdict; one through no fault of the program is none."""
        self._judged += verdict.outcome is not Outcome.SANDBOX_ERROR
        if verdict.accepted:
            self._correct.add(attempt.form if until.distinct else attempt.index)

    def further(self, until: Until) -> int:
        """How many samples to draw now."""
        return max(0, min(until.correct - len(self._correct), until.max - self.drawn)) if self.settled else 0
