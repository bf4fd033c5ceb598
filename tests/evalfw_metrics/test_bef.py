from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evalfw import Estimate, Measure, Measured, NoOptions, OpcodeCounts, Sample, Solution, Verdict
from evalfw.domain.answer import Outcome
from evalfw_metrics.bef import Bef
from evalfw_metrics.opcode_divergence import divergence
from evalfw_metrics.sctd import static_opcodes
from tests.evalfw import experiments
from tests.evalfw_metrics.cohorts import about, cohort, measured, problem_measure

METRIC = Bef(NoOptions())
ONE, TWO = "x = 1\n", "for i in range(3):\n    print(i)\n"


def ran(index: int, code: str, counts: Mapping[str, int]) -> Sample:
    profile = OpcodeCounts(tuple(sorted(counts.items())))
    return Sample(index, Solution("ok", code), Verdict(Outcome.ACCEPTED), {"t1": profile})


def test_the_ratio_of_a_problem() -> None:
    group = cohort(ran(0, ONE, {"CALL": 1}), ran(1, TWO, {"CALL": 1, "POP_TOP": 1}))
    static = divergence(static_opcodes(ONE), static_opcodes(TWO))
    dynamic = divergence({"CALL": 1}, {"CALL": 1, "POP_TOP": 1})
    assert problem_measure(METRIC, group).values == {
        "bef": about(static / dynamic),
        "bef_sctd": about(static),
        "bef_dctd": about(dynamic),
    }


def test_executions_that_do_not_differ_have_no_ratio() -> None:
    group = cohort(ran(0, ONE, {"CALL": 1}), ran(1, TWO, {"CALL": 7}))
    found = problem_measure(METRIC, group)
    assert found.values["bef"] is None
    assert found.values["bef_dctd"] == 0.0
    assert found.reason == "the executions do not differ: DCTD is 0"
    [cell] = METRIC.aggregate([measured(METRIC, group)])
    assert (cell.value, cell.n, cell.reason) == (None, 1, found.reason)


def test_the_ratio_of_means_over_problems() -> None:
    def problem(name: str, sctd: float | None, dctd: float | None) -> Measured:
        values = {"bef": None, "bef_sctd": sctd, "bef_dctd": dctd}
        return Measured(name, (Measure(values, reason=None if sctd else "no tests"),))

    cells = list(METRIC.aggregate([problem("p", 0.25, 0.5), problem("q", 0.75, 0.0), problem("r", None, None)]))
    assert cells == [Estimate("bef", 2.0, n=2, left_out=1, reason="1 problem: no tests")]
    assert list(METRIC.aggregate([])) == [Estimate("bef", None, 0, reason="no problems")]


def test_opcodes_are_a_kind_of_profile_like_any(tmp_path: Path) -> None:
    path = experiments.write(
        tmp_path,
        [experiments.problem("double")],
        {"double": [experiments.DOUBLE, experiments.LISTED, experiments.BLOCK, experiments.LISTED]},
        profilers=["opcodes", "tracemalloc_line"],
        metrics=["dmpd", "sctd", "dctd", "bef", {"use": "mis", "over": "dctd"}],
    )
    tables = experiments.carry_out(path).tables
    cells = {(row["profiler"], row["metric"]): row["value"] for row in tables["conditions"]}
    assert set(cells) == {
        (None, "sctd"),
        (None, "sctd_tau"),
        *(("opcodes", name) for name in ("dctd", "dctd_tau", "bef", "mis_macro(dctd)", "mis_micro(dctd)")),
    }
    assert cells["opcodes", "bef"] == about(cells[None, "sctd"] / cells["opcodes", "dctd"])
    profiles = [row for row in tables["profiles"] if row["profiler"] == "opcodes"]
    assert len(profiles) == 8
    # The loop of the second solution runs 30 times on the one test, 60 times on the other.
    listed = {row["test"]: row["opcodes"] for row in profiles if row["solution"] == profiles[2]["solution"]}
    assert (listed["private-2"] - listed["private-1"]) // 30 > 5
    assert (listed["private-2"] - listed["private-1"]) % 30 == 0
    pairs = [row for row in tables["pairs"] if row["profiler"] == "opcodes"]
    assert [row["test"] is None for row in pairs if "sctd" in row] == [True] * 6
    assert [row["test"] is None for row in pairs if "dctd" in row] == [False] * 12
