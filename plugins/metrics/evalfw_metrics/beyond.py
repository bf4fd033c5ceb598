"""Beyond: how far up a sample is in the range of run times of accepted solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options
from evalfw_metrics.averages import mean, mean_over_problems
from evalfw_metrics.costs import KINDS, CostName, costs_of_references, named
from evalfw_metrics.scores import defined, left_out, score_samples, why_no_draw, why_unscored


def beyond(cost: float, references: Sequence[float]) -> float:
    """Place of a cost in the range of those of the references: 1 at the least or below, 0 at the most or above.

    Source: Du et al., "Mercury: A Code Efficiency Benchmark for Code Large Language Models" (2024), section 3, as
    the BigCode evaluation harness computes it. The references must not all cost the same.
    """
    low, high = min(references), max(references)
    return (high - min(max(cost, low), high)) / (high - low)


def beyond_of_repository(seconds: float, references: Sequence[float]) -> float:
    """What the published script of Mercury computes instead (`src/evaluator.py`), for comparison with its numbers.

    It clips the distance from the slowest reference to 1 second, not the run time to the range. So it is above 1 for
    what is faster than all references, and wrong in scale where these are more than a second apart.
    """
    low, high = min(references), max(references)
    return max(min(high - seconds, 1.0), 0.0) / (high - low)


class BeyondOptions(Options):
    """Options of `beyond`."""

    k: list[Annotated[int, Field(gt=0)]] = Field(
        default=[], description="Also the mean over the first k samples, as published; one column for each."
    )
    variant: Literal["paper", "repository"] = Field(
        default="paper", description="`repository`: as the script of Mercury computes it, which clips another number."
    )
    cost: CostName = Field(default="seconds", description="Which cost is read: `seconds` or `instructions`.")

    @model_validator(mode="after")
    def _seconds(self) -> BeyondOptions:
        if self.variant == "repository" and self.cost != "seconds":
            raise ValueError("the variant `repository` clips to 1 second; it takes `cost: seconds`")
        return self


class Beyond(Metric[BeyondOptions]):
    """Where samples are in the range of the costs of accepted solutions, in [0, 1] (Mercury, Du et al. 2024).

    A sample that is not correct has 0, and so has one that was too slow to be profiled. The problem gets the mean over
    its samples, and that over the first k; the results table the means over problems. Where the accepted solutions do
    not differ, it is undefined.
    """

    def __init__(self, options: BeyondOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self.needs = KINDS[options.cost]

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Samples and the problem."""
        columns = [self._name(), *(self._name(k) for k in self.options.k)]
        references = costs_of_references(cohort)
        why = why_no_draw(cohort) or why_unscored(cohort, least=2)
        if why is None and references and min(references) == max(references):
            why = "all accepted solutions cost the same"
        if why is not None:
            yield Measure(dict.fromkeys(columns), reason=why)
            return
        score = beyond if self.options.variant == "paper" else beyond_of_repository
        samples = score_samples(self._name(), cohort, lambda cost: score(cost, references))
        yield from samples
        values = {self._name(): mean(defined(self._name(), samples))}
        for k in self.options.k:
            first = defined(self._name(), samples[:k])
            values[self._name(k)] = mean(first) if len(first) == k else None
        few = "fewer than k samples with a score" if None in values.values() else None
        yield Measure(values, reason="; ".join(filter(None, (few, left_out(samples, cohort)))) or None)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in (self._name(), *(self._name(k) for k in self.options.k)):
            yield mean_over_problems(name, cohorts)

    def _name(self, k: int | None = None) -> str:
        variant = "" if self.options.variant == "paper" else self.options.variant
        cost = "" if self.options.cost == "seconds" else self.options.cost
        return named("beyond" if k is None else f"beyond@{k}", variant, cost)
