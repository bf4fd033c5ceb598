"""Cases about measures of program texts."""

from __future__ import annotations

from typing import Any

from evalfw_metrics.apart import apart
from evalfw_metrics.maintainability import complexity
from tests.cases.case import Case, differs


def static_metrics(case: Case) -> list[str]:
    found = []
    for row in case.rows():
        answer = apart(complexity, case.text_of(row["source_file"]))
        measured = _in_their_form(answer.value) if answer.value else {"status": (answer.reason or "").split(":")[0]}
        for field, expected in row["expected"].items():
            tolerance = case.expected["tol"].get(field, 0.0)
            found += differs(f"{row['id']} {field}", measured.get(field), expected, tolerance)
    return found


def _in_their_form(measured: dict[str, Any]) -> dict[str, object]:
    """Methods have their class in one measure and not in the other; what is outside of functions is a function too."""
    functions = dict(measured["cyclomatic_functions"])
    cognitive = {name.rpartition(".")[2]: value for name, value in measured["cognitive_functions"]}
    outside = measured["cognitive"] - sum(cognitive.values())
    return {
        "status": "ok",
        "cyclomatic": functions,
        "cyclomatic_module": measured["cyclomatic"] - sum(functions.values()) + len(functions),
        "cognitive": {**cognitive, "<module>": outside} if outside else cognitive,
        "maintainability_index": measured["maintainability_index"],
        "mean_over_functions": sum(functions.values()) / len(functions) if functions else None,
    }
