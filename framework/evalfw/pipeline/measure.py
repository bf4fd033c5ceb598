"""Measure: cohorts to measures, and measures to the cells of the results table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, TypeVar

from evalfw.contracts import Metric, Profiler
from evalfw.domain.answer import Verdict
from evalfw.domain.cohort import Cohort, Condition, Estimate, Measure, Measured, Sample
from evalfw.domain.problem import Json, TestCase
from evalfw.domain.profile import Profile
from evalfw.hookspecs import CohortMeasured, StageAdvanced, StageStarted
from evalfw.pipeline.canonical import reference_keys, references
from evalfw.pipeline.drawn import Attempt, Drawn, duplicates, until
from evalfw.pipeline.judge import overall, stored_verdicts, verdict_keys
from evalfw.pipeline.plan import Plan, Subject
from evalfw.pipeline.profile import profile_keys
from evalfw.registry.setup import Configured
from evalfw.statistics.intervals import Resampling, ratio_interval
from evalfw.store.keys import code_key, measure_key
from evalfw.store.run import RunStore

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A solution with its verdict and what is known of its profiles.

    Args:
        attempt: The solution.
        verdict: Over the tests that decide.
        profiles: Key of the stored profile by test id.
        failures: Why there is no profile, by test id: the plain execution failed, or the profiled one.
        duplicate_of: Index of an earlier correct sample that is the same program.
    """

    attempt: Attempt
    verdict: Verdict
    profiles: Mapping[str, str]
    failures: Mapping[str, Verdict]
    duplicate_of: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """A cohort before its profiles are read.

    Args:
        condition: With profiler and size; its profiler is empty and its size None for metrics that need no profile.
        drawn: The samples it is made of.
        subject: The problem.
        profiler: Whose profiles are meant; None for the same.
        tests: Those that are profiled.
        judgements: By index of the sample.
        found: Measures by label of the metric.
        references: Keys of the stored profiles of the references by test id, the canonical solution first.
        unmeasured: Why there is none of the canonical solution, by test id.
    """

    condition: Condition
    drawn: Drawn
    subject: Subject
    profiler: Configured[Profiler[Any]] | None
    tests: tuple[TestCase, ...]
    judgements: tuple[Judgement, ...]
    found: dict[str, tuple[Measure, ...]]
    references: tuple[Mapping[str, str], ...] = ()
    unmeasured: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def canonical(self) -> Mapping[str, str]:
        """Keys of the stored profiles of the canonical solution, by test id."""
        return self.references[0] if self.references else {}


@dataclass(frozen=True, slots=True)
class _Tried:
    """A solution with its verdicts, which are the same for every profiler.

    Args:
        attempt: The solution.
        keys: Of its verdicts, by test id.
        verdicts: Those that are stored, by test id.
        verdict: Over the tests that decide.
        duplicate_of: As in `Judgement`.
    """

    attempt: Attempt
    keys: Mapping[str, str]
    verdicts: Mapping[str, Verdict]
    verdict: Verdict
    duplicate_of: int | None = None

    @classmethod
    def recall(cls, plan: Plan, store: RunStore, attempt: Attempt) -> Self:
        """What the store knows of a solution."""
        keys = verdict_keys(plan, attempt.subject, attempt.solution.code)
        verdicts = stored_verdicts(store, keys)
        return cls(attempt, keys, verdicts, overall(plan, attempt, verdicts))


Estimates = dict[Condition, tuple[Estimate, ...]]


def measure(plan: Plan, store: RunStore, drawn: Sequence[Drawn]) -> tuple[list[Group], Estimates]:
    """Apply every metric to every cohort it can read, then to every condition.

    Returns:
        The cohorts with what was found in each, and the cells of the results table by condition.
    """
    tell = plan.setup.listeners.tell
    groups = list(_groups(plan, store, drawn))
    steps = [(group, metric) for group in groups for metric in plan.setup.metrics if _reads(metric, group)]
    contents = {id(group): _content(plan, group) for group in groups}
    keys = [_key(metric, group.condition, contents[id(group)]) for group, metric in steps]
    known = [store.measures(key) for key in keys]
    done = sum(measures is not None for measures in known)
    tell(StageStarted("measure", len(steps), done))
    cohorts: dict[int, Cohort] = {}
    for (group, metric), key, measures in zip(steps, keys, known, strict=True):
        if measures is None:
            if id(group) not in cohorts:
                cohorts = {id(group): _cohort(plan, store, group)}  # one at a time in memory
            measures = tuple(metric.component.measure(cohorts[id(group)]))  # noqa: PLW2901
            store.put_measures(key, measures)
            store.commit()
            done += 1
            tell(CohortMeasured(metric.label, cohorts[id(group)], measures))
            tell(StageAdvanced("measure", done, len(steps)))
        group.found[metric.label] = measures
    return groups, _estimates(plan, groups)


def column(metric: Configured[Metric[Any]], name: str) -> str:
    """Name of a number in tables: the metric's own, behind the label where the experiment gives one."""
    return name if metric.label == metric.plugin.name else f"{metric.label}:{name}"


def _reads(metric: Configured[Metric[Any]], group: Group) -> bool:
    needs = metric.component.needs
    if metric.component.over is not None:
        return False
    if needs is None:
        return group.profiler is None
    return group.profiler is not None and issubclass(group.profiler.component.produces, needs)


def _groups(plan: Plan, store: RunStore, drawn: Sequence[Drawn]) -> Iterator[Group]:
    for one in drawn:
        subject = one.subject
        tried = [_Tried.recall(plan, store, attempt) for attempt in one.attempts]
        correct = ((each.attempt.index, each.attempt.form) for each in tried if each.verdict.accepted)
        apart = duplicates(correct)
        tried = [replace(each, duplicate_of=apart.get(each.attempt.index)) for each in tried]
        plain = tuple(Judgement(each.attempt, each.verdict, {}, {}, each.duplicate_of) for each in tried)
        yield Group(one.condition, one, subject, None, _judged_on(subject), plain, {})
        for profiler in plan.setup.profilers:
            judgements = tuple(_judgement(plan, store, each, profiler) for each in tried)
            of_profiler = replace(one.condition, profiler=profiler.label)
            known, unknown = _references(plan, store, subject, of_profiler, profiler)
            for size, tests in _profiled(subject):
                within = tuple(_within(judgement, tests) for judgement in judgements)
                beside = (tuple(_on(tests, each) for each in known), _on(tests, unknown))
                yield Group(replace(of_profiler, size=size), one, subject, profiler, tests, within, {}, *beside)


def _judged_on(subject: Subject) -> tuple[TestCase, ...]:
    """Tests of the cohort for metrics that need no profile."""
    return (*subject.public, *subject.private) if subject.buckets else subject.private


def _profiled(subject: Subject) -> Iterator[tuple[int | None, tuple[TestCase, ...]]]:
    """Tests that are profiled, size by size."""
    yield from ((bucket.size, bucket.tests) for bucket in subject.buckets)
    if not subject.buckets:
        yield None, subject.private


def _within(judgement: Judgement, tests: Sequence[TestCase]) -> Judgement:
    """What is known on these tests alone."""
    return replace(judgement, profiles=_on(tests, judgement.profiles), failures=_on(tests, judgement.failures))


def _on(tests: Sequence[TestCase], known: Mapping[str, T]) -> dict[str, T]:
    ids = {test.id for test in tests}
    return {test: what for test, what in known.items() if test in ids}


def _references(
    plan: Plan, store: RunStore, subject: Subject, condition: Condition, profiler: Configured[Profiler[Any]]
) -> tuple[list[Mapping[str, str]], Mapping[str, Verdict]]:
    """Keys of the profiles of the references beside the solutions of a condition, and why the first has none."""
    found = []
    for code in references(subject, profiler):
        judged = verdict_keys(plan, subject, code)
        keys = reference_keys(plan, condition, profiler, profile_keys(plan, subject, judged, profiler))
        found.append(_sorted_out(store, keys, stored_verdicts(store, judged)))
    return [known for known, _ in found], found[0][1] if found else {}


def _judgement(plan: Plan, store: RunStore, tried: _Tried, profiler: Configured[Profiler[Any]]) -> Judgement:
    stands_for_itself = not (plan.setup.experiment.cohorts.distinct and tried.duplicate_of is not None)
    profiled = tried.verdict.accepted and stands_for_itself
    keys = profile_keys(plan, tried.attempt.subject, tried.keys, profiler) if profiled else {}
    return Judgement(
        tried.attempt, tried.verdict, *_sorted_out(store, keys, tried.verdicts), duplicate_of=tried.duplicate_of
    )


def _sorted_out(
    store: RunStore, keys: Mapping[str, str], verdicts: Mapping[str, Verdict]
) -> tuple[dict[str, str], dict[str, Verdict]]:
    """The keys under which there is a profile, and why there is none under the others, by test id."""
    profiles: dict[str, str] = {}
    failures: dict[str, Verdict] = {}
    for test, key in keys.items():
        how = store.profile_verdict(key)
        if how is not None and how.accepted:
            profiles[test] = key
        elif how is not None:
            failures[test] = how
        elif test in verdicts and not verdicts[test].accepted:
            failures[test] = verdicts[test]
    return profiles, failures


def _key(metric: Configured[Metric[Any]], condition: Condition, content: Json) -> str:
    return measure_key(metric.plugin.name, metric.keyed, metric.source, condition, content)


def _content(plan: Plan, group: Group) -> Json:
    """What a cohort consists of, as plain data."""
    rule = until(plan)
    cohort: list[Json] = [group.subject.key, group.drawn.wanted, [dict(each) for each in group.references]]
    cohort += [] if rule is None else [asdict(rule)]
    if plan.setup.experiment.cohorts.distinct:
        cohort += [[judgement.attempt.index, judgement.duplicate_of] for judgement in group.judgements]
    # Those of a bucket are no part of the problem.
    cohort += [test.id if group.condition.size is None else asdict(test) for test in group.tests]
    for judgement in group.judgements:
        solution, verdict = judgement.attempt.solution, judgement.verdict
        cohort.append(
            [
                judgement.attempt.index,
                code_key(solution.code),
                [solution.status, verdict.outcome, verdict.reason, verdict.test],
                dict(judgement.profiles),
                {test: [failure.outcome, failure.reason] for test, failure in judgement.failures.items()},
            ]
        )
    return cohort


def _cohort(plan: Plan, store: RunStore, group: Group) -> Cohort:
    distinct = plan.setup.experiment.cohorts.distinct
    samples = [
        Sample(
            *(each.attempt.index, each.attempt.solution, each.verdict, _read(store, group, each.profiles)),
            failures=each.failures,
            duplicate_of=each.duplicate_of if distinct else None,
        )
        for each in group.judgements
    ]
    return Cohort(
        condition=group.condition,
        problem=group.subject.problem,
        tests=group.tests,
        samples=tuple(samples),
        wanted=group.drawn.wanted,
        until=until(plan),
        references=tuple(_read(store, group, each) for each in group.references),
    )


def _read(store: RunStore, group: Group, keys: Mapping[str, str]) -> dict[str, Profile]:
    """Stored profiles, by test id."""
    if group.profiler is None:
        return {}
    unpack = group.profiler.component.produces.unpack
    packed = {test: store.packed_profile(key) for test, key in keys.items()}
    return {test: unpack(found[1]) for test, found in packed.items() if found is not None}


def _estimates(plan: Plan, groups: Sequence[Group]) -> Estimates:
    by_condition: dict[Condition, list[Group]] = defaultdict(list)
    for group in groups:
        by_condition[group.condition].append(group)
    estimates: Estimates = {}
    how = Resampling(**plan.setup.experiment.statistics.model_dump(), seed=plan.setup.experiment.seed)
    for condition, members in by_condition.items():
        cells: list[Estimate] = []
        for metric in plan.setup.metrics:
            label = metric.component.over or metric.label
            measured = [Measured(g.subject.problem.id, g.found[label]) for g in members if label in g.found]
            if measured:
                found = metric.component.aggregate(measured)
                cells.extend(_with_interval(replace(e, metric=column(metric, e.metric)), how) for e in found)
        if cells:
            estimates[condition] = tuple(cells)
    return estimates


def _with_interval(estimate: Estimate, how: Resampling) -> Estimate:
    """The estimate with the interval that its terms give, or with the reason why there is none."""
    if estimate.value is None or estimate.low is not None or estimate.high is not None:
        return estimate
    if not estimate.terms:
        why = "no interval: the metric does not say what each problem contributes"
    else:
        interval = ratio_interval(estimate.terms, how)
        if interval.reason is None:
            return replace(estimate, low=interval.low, high=interval.high)
        why = f"no interval: {interval.reason}"
    return replace(estimate, reason="; ".join(filter(None, (estimate.reason, why))))
