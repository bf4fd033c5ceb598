"""Profile: correct solutions to profiles. Judged once, plainly; repeated here under each instrument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from evalfw.contracts import Profiler
from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import Json, Limits, Stdin, TestCase
from evalfw.domain.profile import MemoryProfile, Profile
from evalfw.errors import RunError
from evalfw.hookspecs import Profiled, StageAdvanced, StageStarted
from evalfw.judging import verdict_of
from evalfw.pipeline.canonical import reference_keys, references
from evalfw.pipeline.drawn import Attempt, Drawn, duplicates
from evalfw.pipeline.judge import overall, stored_verdicts, verdict_keys
from evalfw.pipeline.plan import Plan, Subject
from evalfw.pipeline.workers import Workers
from evalfw.registry.setup import Configured, Setup
from evalfw.sandbox.job import Execution, Instrument, Job
from evalfw.sandbox.process import Sandbox, interpreter
from evalfw.store.keys import profile_key
from evalfw.store.rows import StoredProfile
from evalfw.store.run import RunStore

_UNTRACED_MARGIN = 48 << 20
_SMALL_PROGRAM = "kept = [0]\nprint(kept)\n"
_AMPLE = Limits(time_seconds=60.0, memory_bytes=4 << 30)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One program to be profiled on one test by one instrument.

    Args:
        key: Of the profile.
        judged: Key of the verdict.
        attempt: A completion that the program is the solution of, or beside which it is measured.
        test: The test.
        code: The program.
        profiler: The instrument.
    """

    key: str
    judged: str
    attempt: Attempt
    test: TestCase
    code: str
    profiler: Configured[Profiler[Any]]

    @property
    def subject(self) -> Subject:
        """The problem."""
        return self.attempt.subject


def rehearse(setup: Setup, workers: Workers) -> None:
    """Run a small program under every instrument, so that one that does not work here is known before any work is done.

    Raises:
        RunError: One does not.
    """
    for _ in workers.map(_rehearse, setup.profilers):
        pass


def _rehearse(sandbox: Sandbox, profiler: Configured[Profiler[Any]]) -> None:
    component = profiler.component
    instrument = Instrument(component.instrument_path(), component.settings(), component.packages)
    execution = sandbox.run(Job(_SMALL_PROGRAM, Stdin(), "", _AMPLE, instrument))
    if execution.outcome is not None:
        raise RunError(f"profiler '{profiler.label}' does not work on this machine: {execution.reason}")


def profile_keys(
    plan: Plan, subject: Subject, judged: Mapping[str, str], profiler: Configured[Profiler[Any]]
) -> Mapping[str, str]:
    """Key of the profile on each test of a problem that is profiled, by test id.

    Args:
        plan: The experiment.
        subject: The problem.
        judged: Keys of the verdicts.
        profiler: The instrument and its settings.
    """
    name, settings = profiler.plugin.name, profiler.component.settings()
    return {
        test.id: profile_key(judged[test.id], subject.profile_limits, name, settings, profiler.source)
        for test in subject.profiled
    }


def profile(plan: Plan, store: RunStore, workers: Workers, drawn: Sequence[Drawn]) -> int:
    """Profile every distinct program that is correct on the private tests it was accepted on.

    What has to run alone comes last, when nothing else is under way.

    Returns:
        How many executions failed through no fault of the program.
    """
    tell = plan.setup.listeners.tell
    everything: dict[str, Measurement] = {}
    for wanted in measurements(plan, store, drawn):
        everything.setdefault(wanted.key, wanted)
    todo = [m for m in everything.values() if store.profile_verdict(m.key) is None]
    total, done, faults = len(everything), len(everything) - len(todo), 0
    tell(StageStarted("profile", total, done))
    beside = [m for m in todo if not m.profiler.component.exclusive]
    alone = _in_sequence(plan, [m for m in todo if m.profiler.component.exclusive])
    for task, row, found in chain(workers.map(_measure, beside), workers.alone(_measure, alone)):
        if row.verdict.outcome is Outcome.SANDBOX_ERROR:
            faults += 1
        else:
            store.put_profile(row)
        store.commit()
        done += 1
        label = task.profiler.label
        tell(Profiled(task.subject.problem.id, task.test, task.code, label, found, row.verdict))
        tell(StageAdvanced("profile", done, total))
    return faults


def _in_sequence(plan: Plan, tasks: list[Measurement]) -> list[Measurement]:
    """Model by model, temperature by temperature, instrument by instrument; in each, problem by problem."""
    sessions = list(dict.fromkeys((condition.model, condition.temperature) for condition in plan.conditions))
    profilers = [profiler.label for profiler in plan.setup.profilers]

    def place(task: Measurement) -> tuple[int, int]:
        condition = task.attempt.condition
        return sessions.index((condition.model, condition.temperature)), profilers.index(task.profiler.label)

    return sorted(tasks, key=place)


def measurements(plan: Plan, store: RunStore, drawn: Sequence[Drawn]) -> Iterator[Measurement]:
    """Everything that is to be profiled, whether it is stored or not."""
    for one in drawn:
        correct = []
        for attempt in one.attempts:
            if attempt.solution.status == "ok":
                judged = verdict_keys(plan, attempt.subject, attempt.solution.code)
                verdicts = stored_verdicts(store, judged)
                if overall(plan, attempt, verdicts).accepted:
                    correct.append((attempt, judged, verdicts))
        if correct:
            yield from _beside(plan, store, correct[0][0])
        apart = duplicates((attempt.index, attempt.form) for attempt, _, _ in correct)
        for attempt, judged, verdicts in correct:
            if not (plan.setup.experiment.cohorts.distinct and attempt.index in apart):
                yield from _of_program(plan, attempt, judged, verdicts)


def _beside(plan: Plan, store: RunStore, attempt: Attempt) -> Iterator[Measurement]:
    """The references of a problem, for the profilers that measure them beside the solutions of every model."""
    subject = attempt.subject
    for profiler in plan.setup.profilers:
        for code in references(subject, profiler):
            judged = verdict_keys(plan, subject, code)
            verdicts = stored_verdicts(store, judged)
            keys = reference_keys(plan, attempt.condition, profiler, profile_keys(plan, subject, judged, profiler))
            for test in subject.profiled:
                if test.id in verdicts and verdicts[test.id].accepted:
                    yield Measurement(keys[test.id], judged[test.id], attempt, test, code, profiler)


def _of_program(
    plan: Plan, attempt: Attempt, judged: Mapping[str, str], verdicts: Mapping[str, Verdict]
) -> Iterator[Measurement]:
    subject = attempt.subject
    for profiler in plan.setup.profilers:
        keys = profile_keys(plan, subject, judged, profiler)
        for test in subject.profiled:
            if test.id in verdicts and verdicts[test.id].accepted:
                yield Measurement(keys[test.id], judged[test.id], attempt, test, attempt.solution.code, profiler)


def _measure(sandbox: Sandbox, task: Measurement) -> tuple[Measurement, StoredProfile, Profile | None]:
    profiler, problem = task.profiler.component, task.subject.problem
    instrument = Instrument(profiler.instrument_path(), profiler.settings(), profiler.packages)
    limits = task.subject.profile_limits
    job = Job(task.code, problem.style, task.test.input, limits, instrument, problem.recursion_limit)
    execution = sandbox.run(job)
    verdict, found = _conclude(sandbox, task, execution)
    stored = StoredProfile(task.key, task.judged, verdict)
    if found is not None:
        facts = {**found.facts(), **_weighed(found, execution), **_made_by(task.profiler)}
        stored = replace(stored, kind=found.kind, facts=facts, data=found.pack())
    return task, stored, found


def _weighed(profile: Profile, execution: Execution) -> Mapping[str, Json]:
    """Whether the kernel saw far more memory than the profile accounts for.

    No error: mapped files, buffers of C libraries and stacks are honest reasons. Tracing itself takes up to about three
    times what it traces, and the interpreter with its modules about 16 MiB; the margin covers the rest.
    """
    if not isinstance(profile, MemoryProfile):
        return {}
    traced = profile.peak_bytes / (profile.coverage or 1.0)
    return {"untraced_memory": execution.peak_bytes > 4 * traced + _UNTRACED_MARGIN}


def _made_by(profiler: Configured[Profiler[Any]]) -> Mapping[str, Json]:
    """Under which interpreter a profile was made, and by which instrument: version of its package, digest of source."""
    plugin = profiler.plugin
    return {
        "interpreter": interpreter(),
        "instrument": " ".join(filter(None, (plugin.distribution, plugin.version, profiler.source[:12]))),
    }


def _conclude(sandbox: Sandbox, task: Measurement, execution: Execution) -> tuple[Verdict, Profile | None]:
    """The profile, or why there is none. The verdict of the plain execution stands in any case."""
    verdict = verdict_of(sandbox, task.subject.problem, task.test, execution)
    outcome = verdict.outcome
    if outcome is Outcome.TIME_LIMIT:
        return Verdict(Outcome.PROFILE_TIMEOUT, verdict.reason), None
    if outcome in {Outcome.SANDBOX_ERROR, Outcome.INSTRUMENTATION_ERROR}:
        return verdict, None
    if not verdict.accepted:
        reason = f"accepted plainly, but under the instrument: {outcome}: {verdict.reason}"
        return Verdict(Outcome.INSTRUMENTATION_ERROR, reason), None
    try:
        return verdict, task.profiler.component.profile(execution.record or {})
    except ValueError as error:
        return Verdict(Outcome.INSTRUMENTATION_ERROR, str(error)), None
