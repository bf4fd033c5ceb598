"""Sources: where the things behind the rows of the results tables are, for who shows them.

Tables say what was found of a problem, a solution and a profile. These rows say under which keys the store has the
problem, the completion, the verdict that decided and the profiles themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evalfw.domain.problem import Call, Json, TestCase
from evalfw.pipeline.judge import verdict_keys
from evalfw.pipeline.measure import Group, Judgement
from evalfw.pipeline.plan import Plan

Rows = list[dict[str, Any]]

PREVIEW = 1000
"""Characters of inputs and outputs of tests that are kept for reading."""


def sources(plan: Plan, groups: Sequence[Group], condition: Mapping[int, Mapping[str, Any]]) -> Mapping[str, Rows]:
    """Rows that say where things are.

    Args:
        plan: The experiment.
        groups: Those that are rows of the tables.
        condition: The columns of the condition of each group, by its identity.

    Returns:
        `subjects` (one row a problem), `tests` (one row a problem and test: the beginning of its input and expected
        output), `executions` (one row a condition and solution: keys of its completion, of the verdict that decided,
        where it is not correct, and of its profiles by test).
    """
    return {
        "subjects": [
            {"dataset": subject.dataset.label, "problem": subject.problem.id, "key": subject.key}
            for subject in plan.subjects
        ],
        "tests": list(_tests(plan)),
        "executions": [
            {
                **condition[id(group)],
                "problem": group.subject.problem.id,
                "index": judgement.attempt.index,
                "completion": judgement.attempt.key,
                "verdict": _verdict(plan, group, judgement),
                "profiles": dict(judgement.profiles),
            }
            for group in groups
            for judgement in group.judgements
        ],
    }


def _tests(plan: Plan) -> Iterable[dict[str, Any]]:
    for subject in plan.subjects:
        about = {"dataset": subject.dataset.label, "problem": subject.problem.id}
        profiled = {test.id for test in subject.profiled}
        for size, tests in (
            (None, (*subject.public, *subject.private)),
            *((bucket.size, bucket.tests) for bucket in subject.buckets),
        ):
            for test in tests:
                yield {
                    **about,
                    "size": size,
                    "test": test.id,
                    "pool": test.pool,
                    "profiled": test.id in profiled,
                    **_preview("input", _given(test)),
                    **_preview("expected", test.expected),
                }


def _given(test: TestCase) -> Json:
    return list(asdict(test.input)["args"]) if isinstance(test.input, Call) else test.input


def _preview(name: str, value: Json) -> dict[str, Any]:
    text = value if isinstance(value, str) else json.dumps(value)
    return {name: text[:PREVIEW], f"{name}_length": len(text)}


def _verdict(plan: Plan, group: Group, judgement: Judgement) -> str | None:
    test, code = judgement.verdict.test, judgement.attempt.solution.code
    if judgement.verdict.accepted or test is None:
        return None
    return verdict_keys(plan, group.subject, code)[test]
