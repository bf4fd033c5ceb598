"""The table of sampling: what was asked of each model, what came back, and what it took."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any, get_args

from evalfw.domain.answer import SampleStatus
from evalfw.domain.cohort import Condition
from evalfw.pipeline.drawn import Attempt, Drawn


def sampling(drawn: Sequence[Drawn]) -> list[dict[str, Any]]:
    """One row per dataset, model and temperature, in the order of the experiment."""
    by_condition: dict[Condition, list[Drawn]] = {}
    for one in drawn:
        by_condition.setdefault(one.condition, []).append(one)
    return [_row(condition, members) for condition, members in by_condition.items()]


def _row(condition: Condition, members: Sequence[Drawn]) -> dict[str, Any]:
    attempts = [attempt for one in members for attempt in one.attempts]
    asked, statuses = sum(one.wanted for one in members), Counter(attempt.status for attempt in attempts)
    programs = sum(attempt.solution.status == "ok" for attempt in attempts)
    seconds = [attempt.seconds for attempt in attempts if attempt.seconds is not None]
    costs = [attempt.cost for attempt in attempts if attempt.cost is not None]
    served_by = {attempt.served_by for attempt in attempts if attempt.served_by is not None}
    return {
        "dataset": condition.dataset,
        "model": condition.model,
        "temperature": condition.temperature,
        "asked": asked,
        "completions": len(attempts),
        "missing": asked - len(attempts),
        **{status: statuses[status] for status in get_args(SampleStatus)},
        "distinct": programs - sum(len(one.duplicates) for one in members),
        **_tokens(attempts),
        "cost": math.fsum(costs) if costs else None,
        "median_seconds": median(seconds) if seconds else None,
        "served_by": served_by.pop() if len(served_by) == 1 else None,
    }


def _tokens(attempts: Sequence[Attempt]) -> dict[str, int | None]:
    """Sums of what was counted; None where nobody counted any."""
    sums: dict[str, int | None] = {}
    for kind in ("input_tokens", "output_tokens", "reasoning_tokens"):
        counted = [count for attempt in attempts if (count := getattr(attempt.usage, kind)) is not None]
        sums[kind] = sum(counted) if counted else None
    return sums
