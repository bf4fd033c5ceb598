from __future__ import annotations

import pytest

from evalfw import NoOptions, OpcodeCounts, Outcome
from evalfw_metrics.dctd import Dctd
from evalfw_metrics.opcode_divergence import divergence, spread
from tests.evalfw_metrics.cohorts import about, cohort, measured, problem_measure, profile, sample

METRIC = Dctd(NoOptions())


def counts(**times: int) -> OpcodeCounts:
    return OpcodeCounts(tuple(sorted(times.items())))


def test_measures_and_estimates() -> None:
    a, b, c = counts(CALL=1, POP_TOP=1), counts(CALL=1, FOR_ITER=9), counts(POP_TOP=4)
    group = cohort(
        sample(0, t1=a, t2=a),
        sample(1, t1=b, t2=b),
        sample(2, Outcome.WRONG_ANSWER),
        sample(3, t1=c),
        tests=("t1", "t2"),
    )
    found = measured(METRIC, group)
    rows = {name: dict(each.counts) for name, each in (("a", a), ("b", b), ("c", c))}
    ab, ac, bc = (divergence(rows[x], rows[y]) for x, y in ("ab", "ac", "bc"))
    assert [(m.solutions, m.test, m.values["dctd"]) for m in found.measures[:4]] == [
        ((0, 1), "t1", ab),
        ((0, 3), "t1", ac),
        ((1, 3), "t1", bc),
        ((0, 1), "t2", ab),
    ]
    assert found.measures[4].values == {"dctd": about((ab + ac + ab) / 3)}
    # Each test counts the same, however many pairs it has.
    assert problem_measure(METRIC, group).values == {
        "dctd": about(((ab + ac + bc) / 3 + ab) / 2),
        "dctd_entries": 4,
        "dctd_tau": about((spread(list(rows.values())) + spread([rows["a"], rows["b"]])) / 2),
    }
    cells = list(METRIC.aggregate([found]))
    assert [(cell.metric, cell.n) for cell in cells] == [("dctd", 1), ("dctd_tau", 1)]


def test_too_few_profiles() -> None:
    found = problem_measure(METRIC, cohort(sample(0, t1=counts(CALL=1)), sample(1)))
    assert found.values == {"dctd": None, "dctd_entries": 0, "dctd_tau": None}
    assert found.reason == "no two correct solutions have a profile on the same test"


def test_another_kind_of_profile_is_refused() -> None:
    with pytest.raises(TypeError, match="found one of kind 'memory'"):
        problem_measure(METRIC, cohort(sample(0, t1=profile(1)), sample(1, t1=profile(2))))
