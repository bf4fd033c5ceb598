"""What scores of efficiency share: a number for each sample that was judged, 0 for one that is not correct."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from evalfw import Cohort, Measure, Outcome
from evalfw_metrics.averages import tally
from evalfw_metrics.costs import Over, cost_of_sample, costs_of_references, unmeasured


def score_samples(name: str, cohort: Cohort, score: Callable[[float], float], over: Over = math.fsum) -> list[Measure]:
    """The scores of the samples that were judged, by index.

    Args:
        name: Of the column.
        cohort: The samples.
        score: From the cost of a correct sample.
        over: What the costs on the tests come to.
    """
    found = []
    for sample in cohort.samples:
        if sample.verdict.outcome is Outcome.SANDBOX_ERROR:
            continue
        cost = cost_of_sample(sample, cohort.tests, over)
        if cost is None:
            reason = unmeasured(sample.profiles, cohort.tests)
            found.append(Measure({name: None}, (sample.index,), reason=reason))
        else:
            found.append(Measure({name: 0.0 if cost == math.inf else score(cost)}, (sample.index,)))
    return found


def defined(name: str, solutions: Sequence[Measure]) -> list[float]:
    """The values that there are."""
    return [value for solution in solutions if (value := solution.values[name]) is not None]


def why_unscored(cohort: Cohort, least: int) -> str | None:
    """Why nothing can be said of a cohort; None where something can.

    Whether enough accepted solutions are asked for decides alike for all models. They are measured only beside correct
    solutions: without any, all scores are 0 whatever they cost.

    Args:
        cohort: The samples and the references.
        least: How many accepted solutions the score needs.
    """
    if not cohort.judged or any(sample.verdict.outcome is Outcome.NO_TESTS for sample in cohort.samples):
        return "no tests"
    if not any(sample.verdict.outcome is not Outcome.SANDBOX_ERROR for sample in cohort.samples):
        return "no sample was judged"
    if len(cohort.references) < least:
        return f"it takes {least} accepted solutions, and `references` of the profiler gives {len(cohort.references)}"
    if not any(sample.verdict.accepted for sample in cohort.samples):
        return None
    measured = len(costs_of_references(cohort))
    if measured < least:
        return f"it takes {least} accepted solutions, and {measured} were measured on all tests"
    return None


def why_no_draw(cohort: Cohort) -> str | None:
    """Why a mean over correct and other samples says nothing of the model: the last one was certain to be correct."""
    return None if cohort.until is None else "sampled until enough are correct: the samples are no plain draw"


def left_out(solutions: Sequence[Measure], cohort: Cohort) -> str | None:
    """What is said of samples that are not in a mean."""
    faults = sum(sample.verdict.outcome is Outcome.SANDBOX_ERROR for sample in cohort.samples)
    reasons = [solution.reason for solution in solutions if solution.reason]
    return tally("sample", [*reasons, *["sandbox error, not judged"] * faults])
