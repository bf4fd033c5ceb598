"""Cases about statistical tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evalfw.statistics.correlation import spearman
from evalfw.statistics.effects import cliffs_delta, cohens_d
from evalfw.statistics.groups import student_t
from evalfw.statistics.paired import signed_rank
from tests.cases.case import Case, differs

_LEVEL = 0.05


def statistics(case: Case) -> list[str]:
    found = []
    for row in case.rows():
        result = _OPERATIONS[row["op"]](row["input"])
        known = {key: result.get(key) for key in row["expected"]}
        if known not in row.get("also_accepted", ()):
            found += differs(row["id"], known, row["expected"], row["tol"])
        if None in known.values() and not result["reason"]:
            found.append(f"{row['id']} is undefined without a reason")
    return found


def _student(given: Mapping[str, Any]) -> dict[str, Any]:
    test = student_t(given["a"], given["b"])
    return {"t": test.statistic, "p": test.p, "df": test.df, "significant": _small(test.p), "reason": test.reason}


def _wilcoxon(given: Mapping[str, Any]) -> dict[str, Any]:
    test = signed_rank([b - a for a, b in zip(given["a"], given["b"], strict=True)])
    return {"p": test.p, "n_nonzero": test.n_nonzero, "significant": _small(test.p), "reason": test.reason}


def _cohen(given: Mapping[str, Any]) -> dict[str, Any]:
    effect = cohens_d(given["a"], given["b"])
    return {"d": effect.value, "reason": effect.reason}


def _cliff(given: Mapping[str, Any]) -> dict[str, Any]:
    effect = cliffs_delta(given["a"], given["b"])
    return {"delta": effect.value, "reason": effect.reason}


def _spearman(given: Mapping[str, Any]) -> dict[str, Any]:
    found = [spearman(problem["x"], problem["y"]) for problem in given["problems"]]
    defined = [each.value for each in found if each.value is not None]
    return {
        "per_problem": [each.value for each in found],
        "mean": sum(defined) / len(defined) if defined else None,
        "used": len(defined),
        "undefined": len(found) - len(defined),
        "reason": "; ".join(each.reason for each in found if each.reason),
    }


def _small(p: float | None) -> bool:
    return p is not None and p < _LEVEL


_OPERATIONS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "student_t_equal_var": _student,
    "cohens_d": _cohen,
    "wilcoxon_signed_rank": _wilcoxon,
    "cliffs_delta": _cliff,
    "spearman_mean_over_problems": _spearman,
}
