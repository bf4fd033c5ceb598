"""Tabulate: what was found, as the rows of the results tables.

Tables are tidy and their order is that of the experiment file, never that in which work was done.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from evalfw.domain.answer import Outcome
from evalfw.domain.cohort import Condition, Measure
from evalfw.pipeline.measure import Estimates, Group, Judgement, column
from evalfw.pipeline.plan import Plan
from evalfw.pipeline.sampled import sampling
from evalfw.pipeline.sources import sources
from evalfw.store.run import RunStore

Rows = list[dict[str, Any]]


def tabulate(plan: Plan, store: RunStore, groups: Sequence[Group], estimates: Estimates) -> Mapping[str, Rows]:
    """The results tables.

    Returns:
        `conditions` (one row per condition and metric), `problems`, `solutions`, `pairs` and `profiles` (one row
        each per condition), `canonical` (one row per condition, problem and test), `buckets` (one row per problem and
        size), `traits` (one row per problem and trait), `sampling` (one row per condition of sampling), `excluded`
        (what takes no part and why, counted), `completions` (keys of what was used), and the rows of `sources`.
    """
    shown = [group for group, _ in _shown(plan, groups)]
    return {
        **sources(plan, shown, {id(group): _of(group.condition) for group in shown}),
        "conditions": list(_conditions(plan, estimates)),
        "problems": [_problem(plan, group, base) for group, base in _shown(plan, groups)],
        "solutions": [row for group, base in _shown(plan, groups) for row in _solutions(plan, group, base)],
        "pairs": [row for group, base in _shown(plan, groups) for row in _pairs(plan, group, base)],
        "profiles": [row for group, base in _shown(plan, groups) for row in _profiles(plan, store, group, base)],
        "canonical": list(_canonical(store, groups)),
        "buckets": list(_buckets(plan)),
        "traits": list(_traits(plan)),
        "sampling": sampling([group.drawn for group in groups if group.profiler is None]),
        "excluded": [*_short(plan), *_excluded(plan, groups)],
        "completions": [
            {"key": judgement.attempt.key}
            for group in groups
            if group.profiler is None
            for judgement in group.judgements
        ],
    }


def _shown(plan: Plan, groups: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    """The groups that are rows, each with the group of the same cohort that holds what needs no profile."""
    base: Group | None = None
    for group in groups:
        if group.profiler is None:
            base = group
            if plan.setup.profilers:
                continue
        assert base is not None  # every cohort begins with the group that has no profiler
        yield group, base


def _of(condition: Condition) -> dict[str, Any]:
    return {
        "dataset": condition.dataset,
        "model": condition.model,
        "temperature": condition.temperature,
        "profiler": condition.profiler or None,
        "size": condition.size,
    }


def _conditions(plan: Plan, estimates: Estimates) -> Iterator[dict[str, Any]]:
    # What needs no profile stands once, before the first profiler and size.
    conditions = [
        condition
        for shown in plan.conditions
        for condition in (Condition(shown.dataset, shown.model, shown.temperature), shown)
    ]
    for condition in dict.fromkeys(conditions):
        for cell in estimates.get(condition, ()):
            yield {
                **_of(condition),
                "metric": cell.metric,
                "value": cell.value,
                "low": cell.low,
                "high": cell.high,
                "n": cell.n,
                "left_out": cell.left_out,
                "reason": cell.reason,
            }


def _measures(plan: Plan, group: Group, base: Group) -> Iterator[tuple[Measure, dict[str, Any]]]:
    """Every measure of a cohort with its values under the names of their columns."""
    for metric in plan.setup.metrics:
        for found in (base.found, group.found) if group is not base else (group.found,):
            for item in found.get(metric.label, ()):
                yield item, {column(metric, name): value for name, value in item.values.items()}


def _problem(plan: Plan, group: Group, base: Group) -> dict[str, Any]:
    row = {
        **_of(group.condition),
        "problem": group.subject.problem.id,
        "samples": len(group.judgements),
        "correct": sum(judgement.verdict.accepted for judgement in group.judgements),
        "distinct": sum(j.verdict.accepted and j.duplicate_of is None for j in group.judgements),
        "tests": len(group.tests),
        "pool": group.tests[0].pool if group.tests else None,
    }
    for item, values in _measures(plan, group, base):
        if not item.solutions:
            row.update(values)
    return row


def _solutions(plan: Plan, group: Group, base: Group) -> Iterator[dict[str, Any]]:
    values: dict[int, dict[str, Any]] = {}
    for item, found in _measures(plan, group, base):
        if len(item.solutions) == 1 and item.test is None:
            values.setdefault(item.solutions[0], {}).update(found)
    names = {judgement.attempt.index: _name(judgement) for judgement in group.judgements}
    same_as = group.drawn.duplicates
    for judgement in group.judgements:
        attempt, verdict = judgement.attempt, judgement.verdict
        yield {
            **_of(group.condition),
            "problem": group.subject.problem.id,
            "solution": _name(judgement),
            "index": attempt.index,
            "status": attempt.status,
            "duplicate_of": names[same_as[attempt.index]] if attempt.index in same_as else None,
            "verdict": verdict.outcome.value,
            "reason": verdict.reason or None,
            "test": verdict.test,
            "profiles": len(judgement.profiles),
            **values.get(attempt.index, {}),
        }


def _pairs(plan: Plan, group: Group, base: Group) -> Iterator[dict[str, Any]]:
    names = {judgement.attempt.index: _name(judgement) for judgement in group.judgements}
    values: dict[tuple[str | None, tuple[int, ...]], dict[str, Any]] = {}
    for item, found in _measures(plan, group, base):
        if len(item.solutions) == 2:
            values.setdefault((item.test, item.solutions), {}).update(found)
    for (test, (a, b)), found in values.items():
        yield {
            **_of(group.condition),
            "problem": group.subject.problem.id,
            "test": test,
            "solution_a": names[a],
            "solution_b": names[b],
            **found,
        }


def _profiles(plan: Plan, store: RunStore, group: Group, base: Group) -> Iterator[dict[str, Any]]:
    values: dict[tuple[int, str | None], dict[str, Any]] = {}
    for item, found in _measures(plan, group, base):
        if len(item.solutions) == 1 and item.test is not None:
            values.setdefault((item.solutions[0], item.test), {}).update(found)
    for judgement in group.judgements:
        for test in group.tests:
            failure = judgement.failures.get(test.id)
            if failure is None and test.id not in judgement.profiles:
                continue
            yield {
                **_of(group.condition),
                "problem": group.subject.problem.id,
                "solution": _name(judgement),
                "test": test.id,
                "pool": test.pool,
                "outcome": failure.outcome.value if failure else Outcome.ACCEPTED.value,
                "reason": failure.reason if failure else None,
                **({} if failure else store.profile_facts(judgement.profiles[test.id])),
                **values.get((judgement.attempt.index, test.id), {}),
            }


def _canonical(store: RunStore, groups: Sequence[Group]) -> Iterator[dict[str, Any]]:
    """Canonical solutions, and how much their run times vary over models and temperatures."""
    known = {(id(group), test): store.profile_facts(key) for group in groups for test, key in group.canonical.items()}
    medians: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for group in groups:
        for test in group.canonical:
            seconds = known[id(group), test].get("median_seconds")
            if isinstance(seconds, float):
                medians[_everywhere(group, test)].append(seconds)
    for group in groups:
        for test in (test.id for test in group.tests if test.id in {*group.canonical, *group.unmeasured}):
            failure = group.unmeasured.get(test)
            found = medians[_everywhere(group, test)]
            yield {
                **_of(group.condition),
                "problem": group.subject.problem.id,
                "test": test,
                "outcome": failure.outcome.value if failure else Outcome.ACCEPTED.value,
                "reason": failure.reason if failure else None,
                "groups": len(found),
                "cv": stdev(found) / fmean(found) if len(found) > 1 and any(found) else None,
                **known.get((id(group), test), {}),
            }


def _everywhere(group: Group, test: str) -> tuple[object, ...]:
    """What is the same for all models and temperatures."""
    condition = group.condition
    return condition.dataset, condition.profiler, condition.size, group.subject.problem.id, test


def _name(judgement: Judgement) -> str:
    """Identifies a solution within the run and over runs: the head of the key of its completion."""
    return judgement.attempt.key[:12]


def _buckets(plan: Plan) -> Iterator[dict[str, Any]]:
    for subject in plan.subjects:
        for bucket in subject.buckets:
            yield {
                "dataset": subject.dataset.label,
                "problem": subject.problem.id,
                "size": bucket.size,
                "tests": len(bucket.tests),
                "drawn": bucket.drawn,
                "reason": bucket.reason,
            }


def _traits(plan: Plan) -> Iterator[dict[str, Any]]:
    for subject in plan.subjects:
        about = {"dataset": subject.dataset.label, "problem": subject.problem.id}
        for trait, value in subject.problem.traits.items():
            yield {**about, "trait": trait, "value": value}


def _short(plan: Plan) -> Iterator[dict[str, Any]]:
    """Tests that size buckets are short of. They are missing for every model."""
    generated = plan.setup.experiment.tests.generated
    counts: Counter[tuple[str, int, str]] = Counter()
    for subject in plan.subjects:
        for bucket in subject.buckets if generated else ():
            assert generated is not None
            counts[subject.dataset.label, bucket.size, bucket.why] += generated.per_size - len(bucket.tests)
    for (dataset, size, why), count in counts.items():
        if count:
            condition = {"dataset": dataset, "model": None, "temperature": None, "profiler": None, "size": size}
            yield {**condition, "what": "test", "why": why, "count": count}


def _excluded(plan: Plan, groups: Sequence[Group]) -> Iterator[dict[str, Any]]:
    distinct = plan.setup.experiment.cohorts.distinct
    counts: Counter[tuple[Condition, str, str]] = Counter()
    for group in groups:
        if group.profiler is None:
            unasked = group.drawn.unasked
            missing = group.drawn.wanted - len(group.judgements) - sum(unasked.values())
            counts[group.condition, "completion", "missing"] += missing
            for limit, count in unasked.items():
                counts[group.condition, "completion", limit] += count
            for judgement in group.judgements:
                if judgement.verdict.outcome is not Outcome.ACCEPTED:
                    counts[group.condition, "solution", judgement.verdict.outcome.value] += 1
                elif distinct and judgement.duplicate_of is not None:
                    counts[group.condition, "solution", "duplicate"] += 1
            correct = sum(
                j.verdict.accepted and not (distinct and j.duplicate_of is not None) for j in group.judgements
            )
            few = f"fewer than two {'different ' if distinct else ''}correct solutions"
            counts[group.condition, "problem", few] += correct < 2
        else:
            for judgement in group.judgements:
                for verdict in judgement.failures.values():
                    counts[group.condition, "profile", verdict.outcome.value] += 1
    for (condition, what, why), count in counts.items():
        if count:
            yield {**_of(condition), "what": what, "why": why, "count": count}
