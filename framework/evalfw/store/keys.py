"""Content keys: a row is stored under the hash of everything that produced it.

So a run that is repeated finds its rows, a run whose settings changed does not find them and does the work again, and
nothing has to be invalidated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields

from evalfw.domain.answer import Request
from evalfw.domain.cohort import Condition
from evalfw.domain.problem import Call, Json, Limits, Problem, TestCase

# Raise a number when what it stands for changes the results of unchanged inputs.
_FORMAT = 1


def digest(kind: str, *parts: object) -> str:
    """SHA-256 in hex of plain data; equal data give equal keys on every machine.

    Raises:
        TypeError: A part is not plain data.
    """
    text = json.dumps([_FORMAT, kind, *parts], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def completion_key(request: Request, dataset: str, model: str, options: Mapping[str, Json], depends_on: str) -> str:
    """Key of a completion.

    Args:
        request: With its problem and everything else that is asked.
        dataset: Name of the dataset plugin.
        model: Name of the model plugin.
        options: Those of its options that results depend on.
        depends_on: See `Model.depends_on`.
    """
    asked = {field.name: getattr(request, field.name) for field in fields(request)}
    asked["problem"] = request.problem.id
    return digest("completion", dataset, asked, model, options, depends_on)


def bucket_key(problem: Problem, size: int, asked: Json, limits: Limits, sandbox: str, rules: int) -> str:
    """Key of the generated tests of one problem and size.

    Args:
        problem: With its generator and accepted solutions.
        size: Of the inputs.
        asked: How many, for which seed, checked on which tests, by which version of the algorithm.
        limits: Of an accepted solution that gives the expected outputs.
        sandbox: Definition of the sandbox.
        rules: Version of the checkers.
    """
    return digest("bucket", asdict(problem), size, asked, asdict(limits), sandbox, rules)


def code_key(code: str) -> str:
    """Key of a program text."""
    return digest("code", code)


def problem_key(problem: Problem) -> str:
    """Key of everything a problem consists of."""
    return digest("problem", asdict(problem))


def verdict_key(code: str, problem: Problem, test: TestCase, limits: Limits, sandbox: str, rules: int) -> str:
    """Key of the verdict on one program and one test.

    Args:
        code: The program.
        problem: For how it is run and checked.
        test: The test.
        limits: Of the execution.
        sandbox: Definition of the sandbox.
        rules: Version of the checkers.
    """
    given = asdict(test.input) if isinstance(test.input, Call) else test.input
    asked = [asdict(problem.style), given, test.expected, asdict(problem.checker), problem.recursion_limit]
    return digest("verdict", code, asked, asdict(limits), sandbox, rules)


def profile_key(verdict: str, limits: Limits, profiler: str, settings: Mapping[str, Json], instrument: str) -> str:
    """Key of a profile: the judged execution it repeats, under which instrument.

    Args:
        verdict: Key of the verdict.
        limits: Of the profiled execution.
        profiler: Name of the plugin.
        settings: What the instrument is given.
        instrument: Digest of the profiler's source.
    """
    return digest("profile", verdict, asdict(limits), profiler, settings, instrument)


def canonical_key(profile: str, beside: Json) -> str:
    """Key of the profile of a canonical solution.

    Args:
        profile: Key of its profile as one solution among others.
        beside: The model and the temperature beside whose solutions it is measured.
    """
    return digest("canonical", profile, beside)


def measure_key(metric: str, options: Mapping[str, Json], source: str, condition: Condition, cohort: Json) -> str:
    """Key of what one metric found in one cohort.

    Args:
        metric: Name of the plugin.
        options: Those of its options that results depend on.
        source: Digest of the metric's source.
        condition: Whose cohort it is.
        cohort: Problem, verdicts and keys of the profiles in it.
    """
    return digest("measure", metric, options, source, asdict(condition), cohort)
