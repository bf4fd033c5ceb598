"""Model instability score: how much the correct solutions of a model differ, over all problems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pydantic import Field

from evalfw import Estimate, InputError, Measure, Measured, Metric, Options
from evalfw_metrics.averages import estimate, mean, tally

_PAPERS_SOURCE = "dmpd"


class MisOptions(Options):
    """Options of `mis`."""

    over: str = Field(
        default=_PAPERS_SOURCE, min_length=1, description="Label of the pairwise metric that is averaged."
    )


class Mis(Metric[MisOptions]):
    """How much the correct solutions of a model differ, over all problems (paper A, equations 4 to 6).

    `mis_macro` is the unweighted mean of the problem scores D_p, `mis_micro` weighs each by the number of its
    evaluated pairs and tests, which makes it the mean of all entries pooled. Algorithm B of the paper remarks
    that the pooled mean is the macro score; by equation 5 it is not, unless all weights are equal, and the
    equations stand.

    Problems with fewer than two correct solutions have no pair and take no part. Scores made of another
    metric than `dmpd` do not carry the paper's bare names: `mis_macro(npd)`.
    """

    @property
    def over(self) -> str:
        """Label of the metric whose pairs are averaged."""
        return self.options.over

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The macro and the micro score."""
        column = _own_column([pair for cohort in cohorts for pair in _pairs(cohort)], self.over)
        problems: list[list[float]] = []
        without_pairs: list[str | None] = []
        undefined: list[str | None] = []
        for cohort in cohorts:
            pairs = _pairs(cohort)
            entries = [value for pair in pairs if (value := pair.values[column]) is not None]
            undefined += [pair.reason for pair in pairs if pair.values[column] is None]
            if entries:
                problems.append(entries)
            else:
                without_pairs.append(_why(cohort))
        scores = [math.fsum(entries) / len(entries) for entries in problems]
        pooled = [entry for entries in problems for entry in entries]
        also = tally("pair", undefined)
        macro = mean(scores), [(score, 1) for score in scores]
        micro = mean(pooled), [(math.fsum(entries), len(entries)) for entries in problems]
        for name, (value, terms) in (("mis_macro", macro), ("mis_micro", micro)):
            yield estimate(self._named(name, column), value, terms, without_pairs, also)

    def _named(self, name: str, column: str) -> str:
        source = column if self.over == _PAPERS_SOURCE else self.over
        return name if source == _PAPERS_SOURCE else f"{name}({source})"


def _pairs(cohort: Measured) -> list[Measure]:
    return [measure for measure in cohort.measures if len(measure.solutions) == 2]


def _own_column(pairs: Sequence[Measure], label: str) -> str:
    """The column that holds the value of the metric that goes by this label.

    A metric's columns begin with its own name (`dmpd`, `dmpd_cost`), which may differ from its label.
    """
    columns = sorted({column for pair in pairs for column in pair.values})
    if label in columns or not columns:
        return label
    own = [name for name in columns if all(each == name or each.startswith(f"{name}_") for each in columns)]
    if not own:
        raise InputError(f"mis: which column of {label!r} is its value? Pairs have: {', '.join(columns)}")
    return own[0]


def _why(cohort: Measured) -> str:
    """Why a problem has no score, in the words of the metric that looked for pairs."""
    reasons = [measure.reason for measure in cohort.measures if not measure.solutions and measure.reason]
    return reasons[0] if reasons else "no pairs of solutions were measured"
