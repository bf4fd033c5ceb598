"""Cases about texts: extraction of programs, and checkers."""

from __future__ import annotations

from evalfw import Checker, check, extract
from tests.cases.case import Case, differs


def extraction(case: Case) -> list[str]:
    solution = extract(case.input["raw"], case.input.get("entry_point"), case.input.get("finish_reason"))
    found = differs("status", solution.status, case.expected["status"])
    if "code" in case.expected and case.expected["code"] is not None:
        found += differs("code", solution.code, case.expected["code"])
    return found


def checker(case: Case) -> list[str]:
    found = []
    for row in case.rows():
        rule = Checker(row["checker"], **row.get("params", {}))
        reason = check(rule, row["expected"], row["actual"])
        found += differs(row["id"], "accept" if reason is None else "reject", row["verdict"])
    return found
