"""Expected efficiency of the best of k samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, fsum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.costs import KINDS, CostName, costs_of_references, named
from evalfw_metrics.scores import defined, left_out, score_samples, why_no_draw, why_unscored


def efficiency(cost: float, reference: float, tolerance: float = 2.0) -> float:
    """How far below its limit a cost is, over how far the reference is: (T - t) / (T - t*), and 0 above the limit.

    The limit T is `tolerance` times the cost t* of the reference. 1 for what costs as much as the reference, above 1
    for what costs less. Source: Qiu et al., "How Efficient is LLM-Generated Code? A Rigorous & High-Standard
    Benchmark" (ENAMEL, 2024), section 3, for one level of tests. The reference must cost something.
    """
    limit = tolerance * reference
    return max(0.0, limit - cost) / (limit - reference)


def best_of(k: int, values: Sequence[float]) -> float | None:
    """Mean of the largest of k values over all ways to draw them; None of fewer than k.

    With the values in ascending order, sum over r of C(r-1, k-1) / C(n, k) times the r-th (ENAMEL, theorem 1).
    """
    draws = comb(len(values), k)
    if not draws:
        return None
    return fsum(comb(r - 1, k - 1) / draws * value for r, value in enumerate(sorted(values), 1))


class EffAtKOptions(Options):
    """Options of `eff_at_k`."""

    k: list[Annotated[int, Field(gt=0)]] = Field(
        default=[1], min_length=1, description="How many samples are drawn; one column for each."
    )
    tolerance: float = Field(
        default=2.0, gt=1, description="A sample that costs so many times as much as the reference has 0."
    )
    cost: CostName = Field(default="seconds", description="Which cost is read: `seconds` or `instructions`.")


class EffAtK(Metric[EffAtKOptions]):
    """Expected efficiency of the best of k samples, relative to the best accepted solution (ENAMEL, Qiu et al. 2024).

    A sample has `eff`: its largest cost on a test, compared with that of the accepted solution for which this is least.
    One that is not correct has 0, and so has one that was too slow to be profiled: what is known of it, that it is
    beyond its limit, is all that counts. All tests are one level. The results table has the means over problems.
    """

    def __init__(self, options: EffAtKOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self.needs = KINDS[options.cost]

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Samples and the problem."""
        eff = self._name("eff")
        why = why_no_draw(cohort) or why_unscored(cohort, least=1)
        reference = min(costs_of_references(cohort, over=max), default=None)
        if why is None and reference == 0:
            why = "the reference costs nothing"
        if why is not None:
            yield Measure({self._name(f"eff@{k}"): None for k in self.options.k}, reason=why)
            return
        samples = score_samples(eff, cohort, lambda cost: self._efficiency(cost, reference), over=max)
        yield from samples
        values = {self._name(f"eff@{k}"): best_of(k, defined(eff, samples)) for k in self.options.k}
        few = "fewer than k samples with a score" if None in values.values() else None
        yield Measure(values, reason="; ".join(filter(None, (few, left_out(samples, cohort)))) or None)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems, for each k."""
        for k in self.options.k:
            yield mean_over_problems(self._name(f"eff@{k}"), cohorts)

    def _efficiency(self, cost: float, reference: float | None) -> float:
        assert reference is not None  # there are correct samples, so references were measured
        return efficiency(cost, reference, self.options.tolerance)

    def _name(self, name: str) -> str:
        return named(name, "" if self.options.cost == "seconds" else self.options.cost)
