"""Filling the size buckets of one problem: drawing inputs, and asking accepted solutions what is expected on them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from evalfw.domain.answer import Outcome, Verdict
from evalfw.domain.problem import Call, Generator, Json, Limits, Method, TestCase
from evalfw.judging import judge
from evalfw.pipeline import draw
from evalfw.pipeline.answers import answers
from evalfw.pipeline.plan import Bucket, Subject
from evalfw.sandbox.inside import plain
from evalfw.sandbox.job import Job
from evalfw.sandbox.process import Sandbox

NO_SOLUTION = "no accepted solution"
NO_SIZE = "no size"
FAILED = "generator failed"
TOO_FEW = "too few inputs of this size"
TOO_FEW_DIFFERENT = "too few different inputs"
TOO_FEW_VALID = "too few valid inputs"
TOO_SLOW = "accepted solutions pass the limits"
FAULT = "sandbox error"

DRAWING = Limits(time_seconds=30.0, memory_bytes=1 << 30, output_bytes=32 << 20)
"""Of one batch of draws. Mercury's own harness allows 30 s for all cases of a problem."""

_BATCH = 250
_DRAWS_PER_TEST = 3_000  # a size that comes once in a thousand draws fills its bucket
_DRAWS_TO_JUDGE_BY = 1_000
_FAR_BELOW = 0.9
_REPEATS = 500
_REJECTED_PER_TEST = 5
_SLOW = 3
_CPU_SECONDS = 120.0
_REFERENCES = 3
_TRIED = 8
_LIMIT = frozenset({Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT})
SOURCE = Path(draw.__file__).read_text(encoding="utf-8")
# Raise it when the same draws would make other tests.
ALGORITHM = 1


@dataclass(frozen=True, slots=True)
class Task:
    """The buckets of one problem that are not stored yet.

    Args:
        subject: The problem.
        keys: Under which each bucket is stored, by size.
        per_size: Tests wanted in each.
        seed: Of the experiment.
    """

    subject: Subject
    keys: Mapping[int, str]
    per_size: int
    seed: int


def bucket_test(size: int, place: int, given: str | list[Json], expected: Json) -> TestCase:
    """The test at this place, from 0, of a bucket."""
    made = given if isinstance(given, str) else Call(tuple(given))
    return TestCase(f"size-{size}-{place + 1}", "generated", made, expected, size)


class _Fault(Exception):
    """An execution failed through no fault of the program."""


class _Slow(Exception):
    """Too few accepted solutions kept within the limits on an input."""


class _Short(Exception):
    """There will be no more tests: `why`, and the detail."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(why, detail)
        self.why, self.detail = why, detail


def fill(sandbox: Sandbox, task: Task) -> tuple[Task, list[Bucket]]:
    """Fill the buckets of one problem; why one is short, it says itself."""
    source = _Source(sandbox, task.subject)
    return task, [_filled(source, size, task) for size in task.keys]


def _filled(source: _Source, size: int, task: Task) -> Bucket:
    """The first so many different inputs of a size that accepted solutions agree on."""
    draws = _Draws(source, size, f"{task.seed}/{task.subject.problem.id}/{size}")
    tests: list[TestCase] = []
    rejected = slow = 0
    try:
        if not source.references:
            raise _Short(NO_SOLUTION, source.no_reference)
        while len(tests) < task.per_size:
            if draws.start >= _DRAWS_PER_TEST * task.per_size:
                raise _Short(TOO_FEW, f"{draws.fitting} of {draws.start} draws")
            for given in draws.next(task.per_size - len(tests)):
                try:
                    expected = source.expected(bucket_test(size, len(tests), given, None))
                except _Slow:
                    slow += 1
                    if slow == _SLOW:
                        raise _Short(TOO_SLOW, f"on {slow} inputs") from None
                    continue
                if expected is not None:
                    tests.append(expected)
                    continue
                rejected += 1
                if rejected >= _REJECTED_PER_TEST * task.per_size:
                    raise _Short(TOO_FEW_VALID, "")
    except _Short as short:
        unusable = f"on {rejected} inputs accepted solutions failed or differed" if rejected else ""
        detail = "; ".join(filter(None, (short.detail, unusable)))
        return Bucket(size, tuple(tests), draws.start, short.why, detail)
    except _Fault as fault:
        return Bucket(size, (), draws.start, FAULT, str(fault))
    return Bucket(size, tuple(tests), draws.start)


@dataclass
class _Draws:
    """The inputs of one size, different from each other, in the order of their draws."""

    source: _Source
    size: int
    seed: str
    start: int = 0
    fitting: int = 0
    repeats: int = 0
    largest: int = 0
    cpu_seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)

    def next(self, wanted: int) -> Iterator[Any]:
        """The new ones of another batch of draws.

        Raises:
            _Short: There is no point in drawing more.
        """
        batch = self.source.draw(self.size, self.seed, self.start, wanted)
        self.start += batch.drawn
        self.fitting += batch.fitting
        self.largest = max(self.largest, batch.largest)
        self.cpu_seconds += batch.cpu_seconds
        self.failures.update(batch.failures)
        new = [text for text in batch.inputs if text not in self.seen]
        self.seen.update(new)
        self.repeats = 0 if new else self.repeats + batch.fitting
        yield from map(json.loads, new)
        self._judge()

    def _judge(self) -> None:
        if self.repeats >= _REPEATS:
            raise _Short(TOO_FEW_DIFFERENT, f"{len(self.seen)} in {self.start} draws")
        if self.cpu_seconds > _CPU_SECONDS:
            raise _Short(TOO_FEW, f"{self.start} draws took more than {_CPU_SECONDS:g} s")
        if self.start < _DRAWS_TO_JUDGE_BY or self.fitting:
            return
        if sum(self.failures.values()) >= _FAR_BELOW * self.start:
            raise _Short(FAILED, _clean(str(self.failures.most_common(1)[0][0])))
        if self.largest < _FAR_BELOW * self.size:
            raise _Short(TOO_FEW, f"the largest of {self.start} draws has size {self.largest}")


@dataclass(frozen=True, slots=True)
class _Batch:
    sized: bool
    drawn: int
    fitting: int
    largest: int
    failures: Mapping[str, int]
    inputs: Sequence[str]
    cpu_seconds: float


@dataclass
class _Source:
    """Where inputs and outputs of a problem come from: its generator and its accepted solutions."""

    sandbox: Sandbox
    subject: Subject

    @property
    def generator(self) -> Generator:
        generator = self.subject.problem.generator
        assert generator is not None  # others have no task
        return generator

    @cached_property
    def calls(self) -> list[Call]:
        """The inputs of the problem's own tests, as far as they are calls of the function in question."""
        tests = self.subject.problem.tests
        chosen = [test for test in tests if test.pool == "public"] or tests
        return [test.input for test in chosen if isinstance(test.input, Call) and test.input.style is None]

    @cached_property
    def arity(self) -> int | None:
        """How many arguments a generated input has; None for a program."""
        style = self.subject.problem.style
        if not isinstance(style, Method):
            return None
        return len(self.calls[0].args) if self.calls else len(style.args)

    @cached_property
    def primary(self) -> int | None:
        """Position of the argument whose length is the size: of those that are always lists or texts, the longest."""
        lengths: dict[int, int] = {}
        for position in range(self.arity or 0):
            column = [call.args[position] for call in self.calls if position < len(call.args)]
            if column and all(isinstance(argument, str | list | tuple) for argument in column):
                lengths[position] = sum(map(len, column))  # type: ignore[arg-type]
        return max(lengths, key=lambda position: (lengths[position], -position), default=None)

    @cached_property
    def references(self) -> list[str]:
        """Accepted solutions that pass the problem's own tests, the first few."""
        problem = self.subject.problem
        tests = (*self.subject.public, *self.subject.private)
        found: list[str] = []
        for solution in problem.solutions[:_TRIED]:
            verdicts = (self._judge(test, solution.code) for test in tests)
            if len(found) < _REFERENCES and all(verdict.accepted for verdict in verdicts):
                found.append(solution.code)
        return found

    @property
    def no_reference(self) -> str:
        """Why there are no references."""
        tried = self.subject.problem.solutions[:_TRIED]
        return f"none of {len(tried)} passes the problem's own tests" if tried else "the problem has none"

    def draw(self, size: int, seed: str, start: int, wanted: int) -> _Batch:
        """One batch of draws.

        Raises:
            _Short: The generator cannot be used, or was stopped.
            _Fault: See there.
        """
        arguments = (self.generator.code, self.arity, self.primary, size, seed, start, _BATCH, wanted)
        execution = self.sandbox.run(Job(SOURCE, Method("draw", class_name=None), Call(arguments), DRAWING))
        if execution.outcome is Outcome.SANDBOX_ERROR:
            raise _Fault(execution.reason)
        if execution.outcome is not None:
            raise _Short(FAILED, execution.reason)
        told = execution.value if isinstance(execution.value, dict) else {}
        if "unusable" in told:
            raise _Short(FAILED, _clean(str(told["unusable"])))
        try:
            batch = self._batch(told, size, wanted, execution.cpu_seconds)
        except (AttributeError, TypeError, ValueError, RecursionError, plain.NotPlain) as error:
            raise _Short(FAILED, f"its process reported no inputs: {_clean(repr(error))}") from error
        if self.arity is not None and self.primary is None and not batch.sized:
            raise _Short(NO_SIZE, "there is no argument that is always a list or a text")
        return batch

    def _batch(self, told: dict[str, Any], size: int, wanted: int, cpu_seconds: float) -> _Batch:
        """What the process says, as far as it can be true."""
        batch = _Batch(**told, cpu_seconds=cpu_seconds)
        numbers = (batch.drawn, batch.fitting, batch.largest, *batch.failures.values())
        if not all(type(number) is int and number >= 0 for number in numbers) or not 0 < batch.drawn <= _BATCH:
            raise ValueError("numbers that cannot be")
        if len(batch.inputs) > min(wanted, batch.fitting) or batch.fitting > batch.drawn:
            raise ValueError("more inputs than were drawn")
        for text in batch.inputs:
            made = json.loads(text)
            plain.encode(made)
            json.dumps(made, allow_nan=False)
            form = isinstance(made, str) if self.arity is None else isinstance(made, list) and len(made) == self.arity
            if not form or not (batch.sized or draw.size_of(made, self.primary) == size):
                raise ValueError("an input of another form or size")
        return batch

    def expected(self, test: TestCase) -> TestCase | None:
        """The test with its expected output; None where accepted solutions fail or do not agree.

        The first of them that keeps within the limits says what is expected, and must say it again; of several, another
        one must agree, and none may disagree.

        Raises:
            _Slow: See there.
            _Fault: See there.
        """
        known: TestCase | None = None
        agreed = 0
        for code in self.references:
            said, verdict = (known, self._judge(known, code)) if known else self._ask(test, code)
            if _is_limit(verdict):
                continue
            if not verdict.accepted:
                return None
            known = said
            agreed += 1
        if agreed < min(2, len(self.references)):
            raise _Slow
        return known

    def _ask(self, test: TestCase, code: str) -> tuple[TestCase, Verdict]:
        """The test as one accepted solution answers it, and how it went when it was judged on that."""
        problem, limits = self.subject.problem, self.subject.limits
        execution = self.sandbox.run(
            Job(code, problem.style, test.input, limits, recursion_limit=problem.recursion_limit)
        )
        if execution.outcome is Outcome.SANDBOX_ERROR:
            raise _Fault(execution.reason)
        verdict = Verdict(execution.outcome or Outcome.WRONG_ANSWER, execution.reason)
        for answer in answers(problem, test, execution):
            answered = replace(test, expected=answer)
            verdict = self._judge(answered, code)
            if verdict.accepted:
                return answered, verdict
        return test, verdict

    def _judge(self, test: TestCase, code: str) -> Verdict:
        verdict, _ = judge(self.sandbox, self.subject.problem, test, code, self.subject.limits)
        if verdict.outcome is Outcome.SANDBOX_ERROR:
            raise _Fault(verdict.reason)
        return verdict


def _is_limit(verdict: Verdict) -> bool:
    """Whether it says that a solution needs more than it may use, and nothing about the input."""
    deep = verdict.outcome is Outcome.RUNTIME_ERROR and verdict.reason.startswith(RecursionError.__name__)
    return deep or verdict.outcome in _LIMIT


def _clean(text: str) -> str:
    """Untrusted text, fit for one line."""
    return text.encode("ascii", "backslashreplace").decode().replace("\n", " ")[:200]
