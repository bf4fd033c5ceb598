"""Cases about numbers: DMPD, pass@k and aggregation."""

from __future__ import annotations

from typing import Any

from evalfw import (
    Cohort,
    Condition,
    Measure,
    Measured,
    MemoryProfile,
    Outcome,
    Problem,
    Sample,
    Solution,
    TestCase,
    Verdict,
    monotonic_peak,
)
from evalfw_metrics.dmpd import dmpd
from evalfw_metrics.mis import Mis, MisOptions
from evalfw_metrics.pass_at_k import PassAtK, PassAtKOptions, pass_at_k
from tests.cases.case import Case, differs


def dtw(case: Case) -> list[str]:
    found = []
    for row in case.rows():
        try:
            given = row["input"]
            if "samples" in given:
                a, b = (monotonic_peak(series) for series in given["samples"])
            else:
                a, b = (MemoryProfile.from_samples(series) for series in given["mpp"])
            result = dmpd(a, b)
        except ValueError:
            found += differs(row["id"], "error", row["expected"])
            continue
        found += differs(row["id"], result.value, row["expected"], row.get("tol", 0.0))
        if "cost" in row:
            found += differs(f"{row['id']} cost", result.cost / result.scale, row["cost"], row["tol"])
            found += differs(f"{row['id']} path_len", result.length, row["path_len"])
    return found


def passk(case: Case) -> list[str]:
    found = []
    for row in case.rows():
        if row["op"] == "pass_at_k":
            value = pass_at_k(row["n"], row["c"], row["k"])
            if value not in row.get("also_accepted", ()):
                found += differs(row["id"], value, row["expected"], row["tol"])
        else:
            cohorts = [_cohort(f"p{i}", [s < p["c"] for s in range(p["n"])]) for i, p in enumerate(row["problems"])]
            value, used, left_out = _mean_pass_at_k(cohorts, row["k"])
            result = {"value": value, "problems_used": used, "problems_left_out": left_out}
            found += differs(row["id"], result, row["expected"], row.get("tol", 0.0))
    return found


def aggregation(case: Case) -> list[str]:
    return _pools_of_tests(case) if isinstance(case.input["problems"][0], dict) else _mis(case)


def _mis(case: Case) -> list[str]:
    import json

    lines = case.text_of(case.input["files"]["table"]).splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    measured = []
    for problem in case.input["problems"]:
        mine = [row for row in rows if row["problem"] == problem]
        names = sorted({name for row in mine for name in row["pair"]})
        measures = [
            Measure({"dmpd": row["dmpd"]}, tuple(names.index(name) for name in row["pair"]), row["test"])
            for row in mine
        ]
        measured.append(Measured(problem, tuple(measures)))
    expected = case.expected
    found = []
    for name, problem_measures in (("table", measured), ("empty_table", [])):
        want = expected if name == "table" else expected["empty_table"]
        values = {e.metric: e for e in Mis(MisOptions()).aggregate(problem_measures)}
        for metric in ("mis_macro", "mis_micro"):
            value = values[metric].value if metric in values else None
            found += differs(f"{name} {metric}", value, want[metric], expected["tol"])
        if name == "table":
            found += differs("left out", values["mis_macro"].left_out, len(expected["left_out"]))
    for problem, want in expected["per_problem"].items():
        one = [item for item in measured if item.problem == problem]
        (score,) = (e.value for e in Mis(MisOptions()).aggregate(one) if e.metric == "mis_macro")
        found += differs(f"{problem}.D", score, want["D"], expected["tol"])
        found += differs(f"{problem}.weight", len(one[0].measures), want["weight"])
    return found


def _pools_of_tests(case: Case) -> list[str]:
    """Whether solutions are correct by their private tests, and what pass@k makes of problems without any."""
    found, cohorts = [], []
    for problem in case.input["problems"]:
        outcomes = list(problem["private_results"].values())
        cohort = _cohort(problem["id"], [all(results) for results in outcomes], tests=len(outcomes[0]))
        cohorts.append(cohort)
        name = problem["id"]
        status = "ok" if cohort.judged else "no_tests"
        found += differs(f"{name}.status", status, case.expected["status"][name])
        passed = [list(problem["private_results"])[sample.index] for sample in cohort.correct]
        found += differs(f"{name}.passed", passed, case.expected["passed"][name])
        value, _, _ = _mean_pass_at_k([cohort], case.input["k"][0])
        found += differs(f"{name}.pass@1", value, case.expected["pass_at_1"][name])
    value, used, left_out = _mean_pass_at_k(cohorts, case.input["k"][0])
    found += differs("mean_pass_at_1", value, case.expected["mean_pass_at_1"])
    found += differs("problems_used", used, case.expected["problems_used"])
    return found + differs("problems_left_out", left_out, case.expected["problems_left_out"])


def _cohort(problem: str, correct: list[bool], tests: int = 1) -> Cohort:
    cases = tuple(TestCase(f"private-{i}", "private", "", "") for i in range(tests))
    right = Verdict(Outcome.ACCEPTED if tests else Outcome.NO_TESTS)
    samples = tuple(
        Sample(index, Solution("ok", "pass\n"), right if ok else Verdict(Outcome.WRONG_ANSWER))
        for index, ok in enumerate(correct)
    )
    return Cohort(Condition("d", "m"), Problem(problem, "", cases), cases, samples, len(samples))


def _mean_pass_at_k(cohorts: list[Cohort], k: int) -> tuple[float | None, int, int]:
    metric = PassAtK(PassAtKOptions(k=[k]))
    measured = [Measured(cohort.problem.id, tuple(metric.measure(cohort))) for cohort in cohorts]
    cells: list[Any] = list(metric.aggregate(measured))
    return (cells[0].value, cells[0].n, cells[0].left_out) if cells else (None, 0, 0)
