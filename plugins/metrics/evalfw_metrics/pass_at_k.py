"""Probability that one of k samples is correct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Annotated

from pydantic import Field, field_validator

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options, Outcome, Until
from evalfw_metrics.averages import mean_over_problems


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The unbiased estimate 1 - C(n-c, k) / C(n, k) of the probability that one of k samples is correct.

    Computed in integers and rounded once. Source: Chen et al., "Evaluating Large Language Models Trained on
    Code" (2021), equation 1.

    Args:
        n: How many samples were judged.
        c: How many of them are correct.
        k: How many are drawn.

    Returns:
        None where fewer than k samples were judged: nothing can be said.

    Raises:
        ValueError: The numbers do not fit: 0 <= c <= n and k >= 1.
    """
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"pass@k needs 0 <= c <= n and k >= 1, found n = {n}, c = {c}, k = {k}")
    if n < k:
        return None
    draws = comb(n, k)
    return (draws - comb(n - c, k)) / draws


def pass_at_k_until(n: int, c: int, k: int, enough: int, most: int) -> float | None:
    """The unbiased estimate of the same from samples that were drawn until so many were correct.

    c / n would be too high on average: sampling ends on a success. Of all orders in which failures and successes may
    have come, all equally probable, this is the share of those that do not begin with k failures. The order ends on a
    success where there are enough, so that one is left out of n and c; at the most samples it is any order. Source:
    Girshick, Mosteller and Savage, "Unbiased Estimates for Certain Binomial Sampling Problems" (1946).

    Args:
        n: How many samples were drawn, and judged.
        c: How many of them are correct.
        k: As in `pass_at_k`.
        enough: Correct ones that end the sampling.
        most: Samples that end it in any case.

    Returns:
        None where k is more than `most`: k samples are never drawn, so nothing can be said.
    """
    if k > most:
        return None
    if c < enough:
        return pass_at_k(n, c, k)
    return 1.0 if k > n - 1 else pass_at_k(n - 1, c - 1, k)


class PassAtKOptions(Options):
    """Options of `pass_at_k`."""

    k: list[Annotated[int, Field(gt=0)]] = Field(
        default=[1], min_length=1, description="How many samples are drawn; one column for each."
    )

    @field_validator("k")
    @classmethod
    def _distinct(cls, k: list[int]) -> list[int]:
        twice = sorted({each for each in k if k.count(each) > 1})
        if twice:
            raise ValueError(f"each k may be given once, found more than once: {', '.join(map(str, twice))}")
        return k


class PassAtK(Metric[PassAtKOptions]):
    """Probability that one of k samples is correct: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, equation 1).

    Where sampling ended because there were enough correct solutions, the one that ended it is left out of n and c,
    since it was certain to be correct; see `pass_at_k_until`.

    n counts the samples that were judged, those without code included. A sample whose run failed through no
    fault of its own (`sandbox_error`) is neither right nor wrong. A problem without tests, or with fewer than
    k judged samples, is undefined; the results table has the mean over the others.
    """

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """The problem: one column for each k."""
        outcomes = [sample.verdict.outcome for sample in cohort.samples]
        if not cohort.judged or Outcome.NO_TESTS in outcomes:
            yield Measure({_column(k): None for k in self.options.k}, reason="no tests")
            return
        faults = outcomes.count(Outcome.SANDBOX_ERROR)
        n, c = len(outcomes) - faults, outcomes.count(Outcome.ACCEPTED)
        if cohort.until is not None:
            yield self._until(cohort.until, n, c)
            return
        values = {_column(k): pass_at_k(n, c, k) for k in self.options.k}
        reasons = ["fewer judged samples than k"] if None in values.values() else []
        if faults:
            reasons.append(f"sandbox errors, not judged: {faults} of {len(outcomes)} samples")
        yield Measure(values, reason="; ".join(reasons) or None)

    def _until(self, until: Until, n: int, c: int) -> Measure:
        if until.distinct or not (c == until.correct or n == until.max):
            why = "sampled until enough are different" if until.distinct else "sampling has not come to its end"
            return Measure({_column(k): None for k in self.options.k}, reason=why)
        values = {_column(k): pass_at_k_until(n, c, k, until.correct, until.max) for k in self.options.k}
        return Measure(values, reason="k is more than until.max" if None in values.values() else None)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems, for each k."""
        for k in self.options.k:
            yield mean_over_problems(_column(k), cohorts)


def _column(k: int) -> str:
    return f"pass@{k}"
