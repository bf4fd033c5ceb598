"""What pairwise metrics share: compare all pairs of a cohort, then average per solution and per problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias, TypeVar

from evalfw import Cohort, Measure, Profile, Sample, TestCase
from evalfw_metrics.averages import mean

Compared: TypeAlias = tuple[Mapping[str, int | float | None], str | None]
"""Columns of a pair, the metric's own name among them, and why they are null if they are."""


ProfileT = TypeVar("ProfileT", bound=Profile)


def compare_pairs(
    metric: str, cohort: Cohort, kind: type[ProfileT], compare: Callable[[ProfileT, ProfileT], Compared]
) -> Iterator[Measure]:
    """Compare every pair of correct solutions on every test that both have a profile for; then `summarise`."""
    pairs = []
    for test, a, b in cohort.pairs():
        values, reason = compare(profile_of(a, test, kind), profile_of(b, test, kind))
        pairs.append(Measure(values, (a.index, b.index), test.id, reason))
    return summarise(metric, cohort, pairs)


def compare_programs(metric: str, cohort: Cohort, compare: Callable[[str, str], Compared]) -> Iterator[Measure]:
    """Compare the texts of every pair of correct solutions; then `summarise`.

    The two texts are handed over in alphabetical order, equal pairs of texts only once.
    """
    known: dict[tuple[str, str], Compared] = {}
    pairs = []
    for a, b in combinations(cohort.correct, 2):
        first, second = sorted((a.solution.code, b.solution.code))
        if (first, second) not in known:
            known[first, second] = compare(first, second)
        values, reason = known[first, second]
        pairs.append(Measure(values, (a.index, b.index), reason=reason))
    return summarise(metric, cohort, pairs)


def summarise(metric: str, cohort: Cohort, pairs: Sequence[Measure]) -> Iterator[Measure]:
    """What was found about pairs, and the means of it.

    Yields:
        The pairs; then for each correct solution the mean over its pairs and tests; then for the problem the mean
        over all of them (paper A, equation 4) with how many values it rests on.
    """
    yield from pairs
    for sample in cohort.correct:
        own = [pair for pair in pairs if sample.index in pair.solutions]
        value = mean(_defined(metric, own))
        yield Measure({metric: value}, (sample.index,), reason=_why_null(metric, own, cohort))
    entries = _defined(metric, pairs)
    columns = {metric: mean(entries), f"{metric}_entries": len(entries)}
    yield Measure(columns, reason=_why_null(metric, pairs, cohort))


def profile_of(sample: Sample, test: TestCase, kind: type[ProfileT]) -> ProfileT:
    """The profile of a sample on a test that it has one for.

    Raises:
        TypeError: It is a profile of another kind, which a metric that says what it needs is never given.
    """
    profile = sample.profiles[test.id]
    if not isinstance(profile, kind):
        raise TypeError(f"a profile of kind {kind.kind!r} is needed, found one of kind {profile.kind!r}")
    return profile


def _defined(metric: str, pairs: Sequence[Measure]) -> list[float]:
    return [value for pair in pairs if (value := pair.values[metric]) is not None]


def _why_null(metric: str, pairs: Sequence[Measure], cohort: Cohort) -> str | None:
    """Why a mean over pairs is null or does not rest on all of them."""
    undefined = [pair for pair in pairs if pair.values[metric] is None]
    if undefined:
        return f"{len(undefined)} of {len(pairs)} pairs undefined, such as: {undefined[0].reason}"
    if pairs:
        return None
    if not cohort.judged:
        return "no tests"
    if len(cohort.correct) < 2:
        return "fewer than two correct solutions"
    return "no two correct solutions have a profile on the same test"
