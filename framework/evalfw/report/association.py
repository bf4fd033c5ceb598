"""Measures of stability against measures of maintainability, solution by solution: table 4 of paper A."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from evalfw.report.conditions import CONDITION
from evalfw.report.observations import Observation, blocks, observe, pairs
from evalfw.report.runs import Run
from evalfw.statistics.correlation import pearson, spearman
from evalfw.statistics.effects import cliffs_delta
from evalfw.statistics.tertiles import Tertiles, tertiles

PROXIES = ("dmpd", "nmv")
"""What paper A takes for stability."""

AGAINST = ("cognitive_mean", "maintainability_index", "cyclomatic_mean")
"""What it holds against that, in the order of its table."""


def associate(
    run: Run, proxies: Sequence[str] = PROXIES, against: Sequence[str] = AGAINST, pool: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """How proxies and other columns go together over the solutions of each condition (paper A, section 5.5).

    Args:
        run: The run.
        proxies: Columns of solutions. Each is cut in three over the solutions of a condition that have it.
        against: The columns that they are held against.
        pool: Dimensions of a condition that are thrown together.

    Returns:
        One row a condition, proxy and other column: Spearman's and Pearson's coefficients over the solutions that have
        both, and Cliff's delta of the column in the first third of the proxy against that in the third one. It is
        below 0 where the column is larger in the third.

    Raises:
        InputError: Something named is not there.
    """
    observations = observe(run, "solutions", [*proxies, *against], pool)
    joined = {(proxy, other): blocks(observations, proxy, other) for proxy, other in product(proxies, against)}
    return [
        {
            **dict(zip(CONDITION, block, strict=True)),
            "proxy": proxy,
            "against": other,
            **_row(found[block], proxy, other),
        }
        for block in blocks(observations)
        for (proxy, other), found in joined.items()
        if block in found
    ]


def thirds(
    run: Run, proxies: Sequence[str] = PROXIES, against: Sequence[str] = AGAINST, pool: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The solutions behind an association, with the third that each proxy puts them in: the data of figure 11.

    Returns:
        One row a solution that has any of the columns, with null where one is undefined.

    Raises:
        InputError: Something named is not there.
    """
    columns = [*proxies, *against]
    rows = []
    for solutions in blocks(observe(run, "solutions", columns, pool)).values():
        cuts = {proxy: _cuts(solutions, proxy) for proxy in proxies}
        for each in solutions:
            if any(value is not None for value in each.values.values()):
                values = {column: each.values.get(column) for column in columns}
                places = {f"{proxy}_tertile": _third(cuts[proxy], values[proxy]) for proxy in proxies}
                rows.append({**each.condition, "problem": each.problem, "solution": each.solution, **values, **places})
    return rows


def _row(solutions: Sequence[Observation], proxy: str, against: str) -> dict[str, Any]:
    xs, ys = pairs(solutions, proxy, against)
    cuts = _cuts(solutions, proxy)
    parts: dict[int | None, list[float]] = {1: [], 2: [], 3: []}
    for x, y in zip(xs, ys, strict=True):
        parts[_third(cuts, x)].append(y)
    ranks, line, effect = spearman(xs, ys), pearson(xs, ys), cliffs_delta(parts[1], parts[3])
    reasons = {"spearman": ranks.reason, "pearson": line.reason, "delta": _why(parts[1], parts[3])}
    return {
        "n": len(xs),
        "spearman": ranks.value,
        "spearman_p": ranks.p,
        "pearson": line.value,
        "pearson_p": line.p,
        "tertile_1": cuts.first if cuts else None,
        "tertile_2": cuts.second if cuts else None,
        "n_1": len(parts[1]),
        "n_2": len(parts[2]),
        "n_3": len(parts[3]),
        "cliffs_delta": effect.value,
        "reason": "; ".join(f"{name}: {reason}" for name, reason in reasons.items() if reason) or None,
    }


def _why(low: Sequence[float], high: Sequence[float]) -> str | None:
    empty = [name for name, third in (("first", low), ("third", high)) if not third]
    return f"no solution in the {' and the '.join(empty)} third" if empty else None


def _cuts(solutions: Sequence[Observation], proxy: str) -> Tertiles | None:
    values = [value for each in solutions if (value := each.values.get(proxy)) is not None]
    return tertiles(values) if values else None


def _third(cuts: Tertiles | None, value: float | None) -> int | None:
    return None if cuts is None or value is None else cuts.place(value)
