"""Scale: tests in buckets of one input size each, made by the generators of the problems (paper A, section 4.1).

What is asked of a generator, and when it is given up, depends on what it returned and not on a clock, so that the same
seed gives the same tests on every machine. Only where it passes a limit on time or memory is it otherwise, and then the
bucket is reported as short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from evalfw.checkers import RULES
from evalfw.domain.problem import Json
from evalfw.errors import InputError
from evalfw.hookspecs import StageAdvanced, StageStarted
from evalfw.pipeline.filling import ALGORITHM, DRAWING, FAULT, SOURCE, Task, bucket_test, fill
from evalfw.pipeline.plan import Bucket, Plan, Subject
from evalfw.pipeline.workers import Workers
from evalfw.store.keys import bucket_key, digest
from evalfw.store.run import RunStore

NO_GENERATOR = "no generator"


def scale(plan: Plan, store: RunStore, workers: Workers) -> tuple[Plan, int]:
    """Fill the size buckets of every problem, if the experiment asks for any.

    Returns:
        The plan with the buckets in it, and how many could not be filled through no fault of a program: they are not
        stored, and the next run tries again.

    Raises:
        InputError: A problem's own test has an id that is needed here.
    """
    generated = plan.setup.experiment.tests.generated
    if generated is None:
        return plan, 0
    tell, seed = plan.setup.listeners.tell, plan.setup.experiment.seed
    keys = [_keys(plan, subject) for subject in plan.subjects]
    found = _found(store, keys)
    tasks = []
    for subject, by_size in zip(plan.subjects, keys, strict=True):
        missing = {size: key for size, key in by_size.items() if key not in found}
        if missing:
            tasks.append(Task(subject, missing, generated.per_size, seed))
    total, done, faults = sum(map(len, keys)), len(found), 0
    tell(StageStarted("scale", total, done))
    for task, buckets in workers.map(fill, tasks):
        for bucket in buckets:
            key = task.keys[bucket.size]
            found[key] = bucket
            if bucket.why == FAULT:
                faults += 1
            else:
                store.put_bucket(key, _content(bucket))
            done += 1
            tell(StageAdvanced("scale", done, total))
        store.commit()
    return _with_buckets(plan, keys, found), faults


def scaled(plan: Plan, store: RunStore) -> Plan:
    """The plan with the size buckets that are stored, if the experiment asks for any."""
    if plan.setup.experiment.tests.generated is None:
        return plan
    keys = [_keys(plan, subject) for subject in plan.subjects]
    return _with_buckets(plan, keys, _found(store, keys))


def _found(store: RunStore, keys: Sequence[Mapping[int, str]]) -> dict[str, Bucket]:
    """The buckets that are stored, by key."""
    stored = ((key, _stored(store, size, key)) for by_size in keys for size, key in by_size.items())
    return {key: bucket for key, bucket in stored if bucket is not None}


def _with_buckets(plan: Plan, keys: Sequence[Mapping[int, str]], found: Mapping[str, Bucket]) -> Plan:
    generated = plan.setup.experiment.tests.generated
    assert generated is not None  # nobody asks otherwise
    subjects = [
        replace(subject, buckets=tuple(_bucket(size, found, by_size) for size in generated.sizes))
        for subject, by_size in zip(plan.subjects, keys, strict=True)
    ]
    _refuse_clashes(subjects)
    _note(subjects, generated.per_size)
    return replace(plan, subjects=tuple(subjects))


def buckets_stored(plan: Plan, store: RunStore) -> int:
    """How many of the buckets that the experiment asks for are stored."""
    return sum(store.bucket(key) is not None for subject in plan.subjects for key in _keys(plan, subject).values())


def _bucket(size: int, found: Mapping[str, Bucket], keys: Mapping[int, str]) -> Bucket:
    if size not in keys:
        return Bucket(size, (), why=NO_GENERATOR)
    return found.get(keys[size], Bucket(size, (), why=FAULT))


def _keys(plan: Plan, subject: Subject) -> dict[int, str]:
    """Keys of the buckets of a problem by size; none for a problem without a generator."""
    experiment = plan.setup.experiment
    if subject.problem.generator is None or experiment.tests.generated is None:
        return {}
    per_size = experiment.tests.generated.per_size
    checked = [test.id for test in (*subject.public, *subject.private)]
    asked: list[Json] = [per_size, experiment.seed, checked, ALGORITHM, digest("draw", SOURCE, asdict(DRAWING))]
    return {
        size: bucket_key(subject.problem, size, asked, subject.limits, plan.sandbox, RULES)
        for size in experiment.tests.generated.sizes
    }


# -- stored ----------------------------------------------------------------------------------------------------------


def _stored(store: RunStore, size: int, key: str) -> Bucket | None:
    content = store.bucket(key)
    if content is None:
        return None
    tests = tuple(bucket_test(size, place, given, expected) for place, (given, expected) in enumerate(content["tests"]))
    return Bucket(size, tests, content["drawn"], content["why"], content["detail"])


def _content(bucket: Bucket) -> Mapping[str, Json]:
    tests: list[Json] = [
        [test.input if isinstance(test.input, str) else list(test.input.args), test.expected] for test in bucket.tests
    ]
    return {"tests": tests, "drawn": bucket.drawn, "why": bucket.why, "detail": bucket.detail}


def _refuse_clashes(subjects: Sequence[Subject]) -> None:
    for subject in subjects:
        taken = {test.id for test in subject.problem.tests} & {test.id for test in subject.of_buckets}
        if taken:
            raise InputError(
                f"problem '{subject.problem.id}' of dataset '{subject.dataset.label}' has a test with the id"
                f" '{min(taken)}', which generated tests need; give it another"
            )


def _note(subjects: Sequence[Subject], wanted: int) -> None:
    """Say which buckets are short, in one note for each dataset and size."""
    short: dict[tuple[str, int], list[Subject]] = {}
    for subject in subjects:
        for bucket in subject.buckets:
            if len(bucket.tests) < wanted:
                short.setdefault((subject.dataset.label, bucket.size), []).append(subject)
    for (label, size), concerned in short.items():
        of = sum(subject.dataset.label == label for subject in subjects)
        counts = [
            f"{subject.problem.id} {next(len(bucket.tests) for bucket in subject.buckets if bucket.size == size)}"
            for subject in concerned
        ]
        listed = ", ".join(counts[:5]) + (", ..." if len(counts) > 5 else "")
        concerned[0].dataset.component.notes.append(
            f"size {size}: fewer than {wanted} tests for {len(concerned)} of {of} problems ({listed});"
            " the table `buckets` says why"
        )
