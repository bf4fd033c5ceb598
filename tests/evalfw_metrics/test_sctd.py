from __future__ import annotations

from evalfw import NoOptions
from evalfw_metrics.opcode_divergence import divergence, spread
from evalfw_metrics.sctd import Sctd, static_opcodes
from tests.evalfw_metrics.cohorts import about, measured, problem_measure, programs

METRIC = Sctd(NoOptions())
ONE, TWO, THREE = "x = 1\n", "def f(a):\n    return [b for b in a]\n", "for i in range(3):\n    print(i)\n"


def test_opcodes_of_nested_code_count() -> None:
    assert static_opcodes(ONE)["STORE_NAME"] == 1
    outer = static_opcodes("def f():\n    def g():\n        return x\n    return g\n")
    assert outer["MAKE_FUNCTION"] == 2
    assert outer["LOAD_GLOBAL"] == 1
    assert outer["RESUME"] == 3


def test_measures_and_estimates() -> None:
    counts = [static_opcodes(code) for code in (ONE, TWO, THREE)]
    group = programs(ONE, TWO, THREE)
    found = measured(METRIC, group)
    pairs = [divergence(counts[0], counts[1]), divergence(counts[0], counts[2]), divergence(counts[1], counts[2])]
    assert [measure.values["sctd"] for measure in found.measures[:3]] == pairs
    assert found.measures[3].values == {"sctd": about((pairs[0] + pairs[1]) / 2)}
    assert problem_measure(METRIC, group).values == {
        "sctd": about(sum(pairs) / 3),
        "sctd_entries": 3,
        "sctd_tau": about(spread(counts)),
    }
    cells = list(METRIC.aggregate([found, measured(METRIC, programs(ONE, problem="q"))]))
    assert [(cell.metric, cell.n, cell.left_out) for cell in cells] == [("sctd", 1, 1), ("sctd_tau", 1, 1)]
    assert cells[1].reason == "1 problem: fewer than two correct solutions"


def test_equal_programs_do_not_differ() -> None:
    assert problem_measure(METRIC, programs(TWO, TWO)).values == {
        "sctd": 0.0,
        "sctd_entries": 1,
        "sctd_tau": about(0.0),
    }


def test_a_text_that_cannot_be_compiled_is_null_with_the_reason() -> None:
    found = problem_measure(METRIC, programs(ONE, "x" + ".a" * 45_000 + "\n"))
    assert found.values == {"sctd": None, "sctd_entries": 0, "sctd_tau": None}
    assert found.reason == "1 of 1 pairs undefined, such as: nested too deeply, or too large"
