"""Two conditions compared within each problem, by their solutions: figure 6 of paper B."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice
from statistics import fmean
from typing import Any

from evalfw.errors import InputError, near
from evalfw.report.conditions import CONDITION
from evalfw.report.observations import Block, Observation, blocks, observe
from evalfw.report.runs import Run
from evalfw.statistics.correction import CORRECTIONS
from evalfw.statistics.effects import cohens_d
from evalfw.statistics.groups import GroupTest, mann_whitney, student_t, welch_t

DIMENSIONS = ("model", "temperature", "profiler", "size")
"""What two conditions may differ in."""

TESTS: Mapping[str, Callable[[Sequence[float], Sequence[float]], GroupTest]] = {
    "student": student_t,
    "welch": welch_t,
    "mann-whitney": mann_whitney,
}
"""By name, as on the command line. The first is that of the paper."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a contest is held.

    Args:
        on: Column of solutions.
        by: Dimension in which two conditions differ, all else being equal.
        pool: Dimensions that are thrown together.
        more_than: A problem takes part if both conditions have more solutions than this with the number.
        test: Name of the test.
        level: A difference counts if its p is below this.
        correction: Of the p-values, for all the tests that are made.
    """

    on: str
    by: str = "model"
    pool: tuple[str, ...] = ()
    more_than: int = 5
    test: str = "student"
    level: float = 0.05
    correction: str = "none"


@dataclass(frozen=True, slots=True)
class Bout:
    """One problem in one contest.

    Args:
        problem: Its id.
        n_a: Solutions of the first condition with the number.
        n_b: Of the second.
        mean_a: Mean over those of the first.
        mean_b: The same of the second.
        statistic: Of the test; as it is defined there, of the first less the second.
        df: Degrees of freedom, where the test has any.
        p: Two-sided.
        p_adjusted: The same after the correction.
        method: Which test, in full.
        cohens_d: Positive where the second has the larger numbers.
        lower: `a` or `b`: which is significantly lower; None for neither.
        reason: Why something is null.
    """

    problem: str
    n_a: int
    n_b: int
    mean_a: float
    mean_b: float
    statistic: float | None
    df: float | None
    p: float | None
    p_adjusted: float | None
    method: str
    cohens_d: float | None
    lower: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Contest:
    """Two conditions, problem by problem.

    Args:
        about: Columns that say what is compared: `on`, `by`, `a`, `b`, and the condition they share.
        too_few: Problems that both have solutions for, but too few of them.
        bouts: The problems that take part, in the order of the tables.
    """

    about: Mapping[str, Any]
    too_few: int
    bouts: tuple[Bout, ...]


def contests(run: Run, rules: Rules) -> list[Contest]:
    """Every pair of conditions that differ in one dimension, compared within each problem (paper B, section 4.2).

    Raises:
        InputError: Something named is not there, or no two conditions differ in just that.
    """
    for kind, name, known in (("dimension", rules.by, DIMENSIONS), ("test", rules.test, TESTS)):
        if name not in known:
            raise InputError(f"there is no {kind} '{name}'{near(name, known)}")
    if rules.correction not in CORRECTIONS:
        raise InputError(f"there is no correction '{rules.correction}'{near(rules.correction, CORRECTIONS)}")
    if rules.by in rules.pool:
        raise InputError(f"conditions that are compared by '{rules.by}' cannot have it pooled")
    place = CONDITION.index(rules.by)
    groups = {
        block: _by_problem(solutions, rules.on)
        for block, solutions in blocks(observe(run, "solutions", [rules.on], rules.pool), rules.on).items()
    }
    couples = [(a, b) for a, b in combinations(groups, 2) if _apart(a, b) == [place]]
    if not couples:
        raise InputError(f"no two conditions differ in nothing but {rules.by}: there is nothing to compare")
    return _adjusted([_contest(rules, place, (a, groups[a]), (b, groups[b])) for a, b in couples], rules)


def totals(found: Sequence[Contest], rules: Rules) -> list[dict[str, Any]]:
    """One row a contest: on how many problems each side is significantly lower, and how large the differences are."""
    return [{**each.about, **_total(each), **_made(rules)} for each in found]


def by_problem(found: Sequence[Contest], rules: Rules) -> list[dict[str, Any]]:
    """One row a contest and problem."""
    return [{**each.about, **asdict(bout), **_made(rules)} for each in found for bout in each.bouts]


def _contest(
    rules: Rules, place: int, a: tuple[Block, dict[str, list[float]]], b: tuple[Block, dict[str, list[float]]]
) -> Contest:
    (block_a, values_a), (block_b, values_b) = a, b
    common = [problem for problem in values_a if problem in values_b]
    enough = [p for p in common if min(len(values_a[p]), len(values_b[p])) > rules.more_than]
    shared = {name: None if name == rules.by else value for name, value in zip(CONDITION, block_a, strict=True)}
    about = {"on": rules.on, "by": rules.by, "a": block_a[place], "b": block_b[place], **shared}
    bouts = tuple(_bout(problem, values_a[problem], values_b[problem], rules) for problem in enough)
    return Contest(about, len(common) - len(enough), bouts)


def _bout(problem: str, a: Sequence[float], b: Sequence[float], rules: Rules) -> Bout:
    test, effect = TESTS[rules.test](a, b), cohens_d(b, a)
    reasons = [f"p: {test.reason}" if test.reason else "", f"d: {effect.reason}" if effect.reason else ""]
    return Bout(
        problem=problem,
        n_a=len(a),
        n_b=len(b),
        mean_a=fmean(a),
        mean_b=fmean(b),
        statistic=test.statistic,
        df=test.df,
        p=test.p,
        p_adjusted=test.p,
        method=test.method,
        cohens_d=effect.value,
        lower=None,
        reason="; ".join(filter(None, reasons)) or None,
    )


def _adjusted(found: Sequence[Contest], rules: Rules) -> list[Contest]:
    """The contests with corrected p-values, and who is lower by them."""
    family = [bout.p for contest in found for bout in contest.bouts]
    corrected = iter(CORRECTIONS[rules.correction](family))
    return [
        replace(
            contest,
            bouts=tuple(
                _decided(bout, p, rules)
                for bout, p in zip(contest.bouts, islice(corrected, len(contest.bouts)), strict=True)
            ),
        )
        for contest in found
    ]


def _decided(bout: Bout, p: float | None, rules: Rules) -> Bout:
    lean = bout.statistic or 0.0
    if rules.test == "mann-whitney":  # U is half of all pairs where neither is lower
        lean -= bout.n_a * bout.n_b / 2
    significant = p is not None and p < rules.level and lean != 0
    return replace(bout, p_adjusted=p, lower=("a" if lean < 0 else "b") if significant else None)


def _total(contest: Contest) -> dict[str, Any]:
    bouts = contest.bouts
    lower = {side: sum(bout.lower == side for bout in bouts) for side in "ab"}
    effects = [bout.cohens_d for bout in bouts if bout.cohens_d is not None]
    undefined = sum(bout.p is None for bout in bouts)
    reasons = ["" if bouts else "no problem with enough solutions of both"]
    reasons.append(f"p undefined on {undefined} of {len(bouts)} problems" if undefined else "")
    return {
        "problems": len(bouts),
        "too_few": contest.too_few,
        "undefined": undefined,
        "a_lower": lower["a"],
        "b_lower": lower["b"],
        "a_lower_share": lower["a"] / len(bouts) if bouts else None,
        "b_lower_share": lower["b"] / len(bouts) if bouts else None,
        "cohens_d": _mean(effects),
        "cohens_d_size": _mean([abs(effect) for effect in effects]),
        "reason": "; ".join(filter(None, reasons)) or None,
    }


def _made(rules: Rules) -> dict[str, Any]:
    return {
        "test": rules.test,
        "more_than": rules.more_than,
        "level": rules.level,
        "correction": rules.correction,
        "pooled": ", ".join(rules.pool) or None,
    }


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _apart(a: Block, b: Block) -> list[int]:
    return [place for place, (one, other) in enumerate(zip(a, b, strict=True)) if one != other]


def _by_problem(solutions: Sequence[Observation], column: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for each in solutions:
        if (value := each.values[column]) is not None:
            found.setdefault(each.problem, []).append(value)
    return found
