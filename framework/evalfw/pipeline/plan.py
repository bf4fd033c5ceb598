"""What an experiment comes to: its problems with the tests and limits in force, and its conditions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from evalfw.config.experiment import Bounds, Experiment
from evalfw.contracts import Dataset, Model
from evalfw.domain.cohort import Condition
from evalfw.domain.problem import Limits, Problem, TestCase
from evalfw.errors import InputError
from evalfw.pipeline.prompt import prompt_of
from evalfw.registry.setup import Configured, Setup
from evalfw.sandbox.process import definition
from evalfw.store.keys import problem_key

_PROFILE_TIME_FACTOR = 20
_PROFILE_MEMORY_FACTOR = 4


@dataclass(frozen=True, slots=True)
class Bucket:
    """The generated tests of one problem and size.

    Args:
        size: Of every input, exactly.
        tests: As many as the experiment asks for, or those that could be made.
        drawn: How many inputs the generator made or tried to make.
        why: Kind of reason why there are fewer than asked for; empty where there are not.
        detail: Says more about it.
    """

    size: int
    tests: tuple[TestCase, ...]
    drawn: int = 0
    why: str = ""
    detail: str = ""

    @property
    def reason(self) -> str | None:
        """Why there are fewer tests than asked for; None where there are not."""
        return ": ".join(filter(None, (self.why, self.detail))) or None


@dataclass(frozen=True, slots=True)
class Subject:
    """A problem as this experiment uses it.

    Args:
        dataset: Where it comes from.
        problem: The problem, with the tests that are used.
        key: Of the problem.
        public: Tests that filter solutions.
        private: Tests that are judged and, unless there are buckets, profiled.
        limits: Of a plain execution.
        profile_limits: Of a profiled one.
        prompt: What models are asked, before hooks have a say.
        buckets: Generated tests by size, which are profiled; none before they are made, or where none are wanted.
    """

    dataset: Configured[Dataset[Any]]
    problem: Problem
    key: str
    public: tuple[TestCase, ...]
    private: tuple[TestCase, ...]
    limits: Limits
    profile_limits: Limits
    prompt: str
    buckets: tuple[Bucket, ...] = ()

    @property
    def of_buckets(self) -> tuple[TestCase, ...]:
        """The tests of all buckets: a solution that is correct without them is judged on each, too."""
        return tuple(test for bucket in self.buckets for test in bucket.tests)

    @property
    def profiled(self) -> tuple[TestCase, ...]:
        """The tests on which correct solutions are profiled."""
        return self.of_buckets if self.buckets else self.private


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is known before the first completion.

    Args:
        setup: The experiment.
        subjects: Its problems, in the order of their datasets.
        sandbox: Definition of the sandbox, part of every key.
    """

    setup: Setup
    subjects: tuple[Subject, ...]
    sandbox: str

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rows of the results table, in the order of the experiment file."""
        profilers = [profiler.label for profiler in self.setup.profilers] or [""]
        return tuple(
            Condition(dataset.label, model.label, temperature, profiler, size)
            for dataset in self.setup.datasets
            for model in self.setup.models
            for temperature in temperatures(self.setup.experiment, model)
            for profiler in profilers
            for size in self.sizes or (None,)
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size buckets that the experiment asks for; none for profiling private tests as they are."""
        generated = self.setup.experiment.tests.generated
        return generated.sizes if generated else ()

    def of_dataset(self, label: str) -> tuple[Subject, ...]:
        """The problems of one dataset."""
        return tuple(subject for subject in self.subjects if subject.dataset.label == label)


def make_plan(setup: Setup) -> Plan:
    """Load the problems and decide what is run on them.

    Raises:
        InputError: A dataset cannot be loaded, is empty or names a problem twice; or there is a mistake in the
            template of prompts.
    """
    experiment = setup.experiment
    template = experiment.sampling.prompt
    prompt = prompt_of(None if template is None else setup.base / template)
    subjects = [
        _subject(experiment, dataset, problem, prompt(dataset, problem))
        for dataset in setup.datasets
        for problem in problems(dataset)
    ]
    return Plan(setup, tuple(subjects), definition(experiment.sandbox.site_packages))


def temperatures(experiment: Experiment, model: Configured[Model[Any]]) -> tuple[float | None, ...]:
    """The temperatures a model is sampled at; one None for a model that has none."""
    return experiment.sampling.temperatures if model.component.samples_by_temperature else (None,)


def dataset_digest(plan: Plan, label: str) -> str:
    """Digest of the content of a dataset as used here, for the manifest."""
    digest = hashlib.sha256()
    for subject in plan.of_dataset(label):
        digest.update(json.dumps(asdict(subject.problem), sort_keys=True).encode())
    return digest.hexdigest()


def problems(dataset: Configured[Dataset[Any]]) -> Iterator[Problem]:
    """The problems of a dataset, each found fit to be run.

    Raises:
        InputError: The dataset cannot be loaded, is empty or names a problem twice.
    """
    seen: set[str] = set()
    for problem in dataset.component.problems():
        if problem.id in seen:
            raise InputError(f"dataset '{dataset.label}' has two problems with the id '{problem.id}'")
        if not problem.id.isprintable():
            raise InputError(f"dataset '{dataset.label}' has a problem whose id is not printable: {problem.id!a}")
        tests = [test.id for test in problem.tests]
        if len(set(tests)) < len(tests):
            raise InputError(f"problem '{problem.id}' of dataset '{dataset.label}' has two tests with one id")
        seen.add(problem.id)
        yield problem
    if not seen:
        raise InputError(f"dataset '{dataset.label}' has no problems")


def plain_limits(bounds: Bounds, problem: Problem) -> Limits:
    """Limits of a plain execution: those of the experiment, else the problem's own, else the standard ones."""
    standard = Limits()
    return Limits(
        time_seconds=bounds.time or problem.time_seconds or standard.time_seconds,
        memory_bytes=bounds.memory or problem.memory_bytes or standard.memory_bytes,
        output_bytes=bounds.output,
    )


def _subject(experiment: Experiment, dataset: Configured[Dataset[Any]], problem: Problem, prompt: str) -> Subject:
    select = experiment.tests
    pools = (problem.pool(pool) for pool in select.pools)
    private = next((tests for tests in pools if tests), ())
    private = private if select.private == "all" else private[: select.private]
    public = problem.pool("public")
    public = public if select.public == "all" else public[: select.public]
    used = {test.id for test in (*public, *private)}
    problem = replace(problem, tests=tuple(test for test in problem.tests if test.id in used))
    return make_subject(experiment, dataset, problem, problem_key(problem), public, private, prompt)


def make_subject(
    experiment: Experiment,
    dataset: Configured[Dataset[Any]],
    problem: Problem,
    key: str,
    public: tuple[TestCase, ...],
    private: tuple[TestCase, ...],
    prompt: str,
) -> Subject:
    """A problem under the limits of an experiment; for what else is given see `Subject`."""
    limits = plain_limits(experiment.limits, problem)
    profile_limits = Limits(
        time_seconds=experiment.limits.profile_time or limits.time_seconds * _PROFILE_TIME_FACTOR,
        memory_bytes=experiment.limits.profile_memory or limits.memory_bytes * _PROFILE_MEMORY_FACTOR,
        output_bytes=limits.output_bytes,
    )
    return Subject(dataset, problem, key, public, private, limits, profile_limits, prompt)
