"""Differential performance score: which share of the accepted solutions a sample is as efficient as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import sqrt
from pathlib import Path
from typing import TypeAlias

from pydantic import Field

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options
from evalfw_metrics.averages import mean, mean_over_problems
from evalfw_metrics.costs import KINDS, CostName, costs_of_references, named
from evalfw_metrics.scores import defined, left_out, score_samples, why_unscored

# The authors' constants: two neighbours in the order of costs are in different clusters where the gap between them is
# more than a tenth of the larger one, and more still where costs are so small that they are uncertain.
_GAP = 0.1
_UNCERTAIN = {"seconds": 0.002, "instructions": 10_000}

Levels: TypeAlias = Sequence[tuple[float, float]]
"""From slow to fast: the cost of the slowest solution of a cluster, and the share, in percent, of those in it and in
slower ones."""


def clusters(costs: Sequence[float], unit: CostName) -> list[list[float]]:
    """Costs in groups of such as are alike, from slow to fast. All costs are above 0.

    Source: `adaptive_seg1d` of EvalPlus, by which the references of EvalPerf were chosen.
    """
    ordered = sorted(costs, reverse=True)
    found = [ordered[:1]]
    for slower, faster in pairwise(ordered):
        if (slower - faster) / slower > _GAP + sqrt(_UNCERTAIN[unit] / slower):
            found.append([])
        found[-1].append(faster)
    return found


def levels(groups: Sequence[Sequence[float]]) -> Levels:
    """What samples are compared with: the slowest of each cluster."""
    total = sum(map(len, groups))
    shares = (100 * sofar / total for sofar in accumulate(map(len, groups)))
    return [(group[0], share) for group, share in zip(groups, shares, strict=True)]


def dps(cost: float, known: Levels) -> tuple[float, float]:
    """Score and normalised score of a cost, in percent.

    At the fastest level that does not cost less: its share, and its place among the levels. 0 where there is none.
    Source: Liu et al., "Evaluating Language Models for Efficient Code Generation" (EvalPerf, 2024), section 3.
    """
    reached = [(share, 100 * place / len(known)) for place, (level, share) in enumerate(known, 1) if cost <= level]
    return reached[-1] if reached else (0.0, 0.0)


class DpsOptions(Options):
    """Options of `dps`. The defaults are those of EvalPerf."""

    min_correct: int = Field(
        default=10, ge=1, description="Correct samples at least; of more, twice as many are scored, the first ones."
    )
    min_clusters: int = Field(
        default=4, ge=1, description="Groups at least into which the accepted solutions fall by their cost."
    )
    cost: CostName = Field(default="instructions", description="Which cost is read: `instructions` or `seconds`.")


class Dps(Metric[DpsOptions]):
    """Share of the accepted solutions that a correct sample is as efficient as, in percent (EvalPerf, Liu et al. 2024).

    The accepted solutions fall into clusters by their cost. Correct samples get `dps`, the share of accepted solutions
    in the clusters that they reach and in slower ones, and `dps_norm`, the share of the clusters. One that was too slow
    to be profiled has 0. The problem gets the means over its samples, the results table the means over problems.
    """

    def __init__(self, options: DpsOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        self.needs = KINDS[options.cost]
        cost = "" if options.cost == "instructions" else options.cost
        self._columns = named("dps", cost), named("dps_norm", cost)

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Correct samples and the problem."""
        references = costs_of_references(cohort)
        groups = clusters(references, self.options.cost) if references and min(references) > 0 else []
        why = self._why(cohort, references, groups)
        if why is not None:
            yield Measure(dict.fromkeys(self._columns), reason=why)
            return
        known = levels(groups)
        correct = [sample for sample in cohort.samples if sample.verdict.accepted][: 2 * self.options.min_correct]
        within = {sample.index for sample in correct}
        plain, normalised = self._columns
        samples = []
        for score, norm in zip(
            score_samples(plain, cohort, lambda cost: dps(cost, known)[0]),
            score_samples(normalised, cohort, lambda cost: dps(cost, known)[1]),
            strict=True,
        ):
            if score.solutions[0] in within:
                samples.append(Measure({**score.values, **norm.values}, score.solutions, reason=score.reason))
        yield from samples
        means = {name: mean(defined(name, samples)) for name in self._columns}
        yield Measure(means, reason=left_out(samples, cohort))

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in self._columns:
            yield mean_over_problems(name, cohorts)

    def _why(self, cohort: Cohort, references: Sequence[float], groups: Sequence[Sequence[float]]) -> str | None:
        correct = sum(sample.verdict.accepted for sample in cohort.samples)
        why = why_unscored(cohort, least=1)
        if why is not None:
            return why
        if correct < self.options.min_correct:
            return f"fewer than {self.options.min_correct} correct samples"
        if min(references) == 0:
            return "an accepted solution costs nothing"
        if len(groups) < self.options.min_clusters:
            return f"the costs of accepted solutions make fewer than {self.options.min_clusters} clusters"
        return None
