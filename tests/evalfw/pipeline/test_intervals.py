from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, WRONG, carry_out, problem, write

PROBLEMS = [problem("a"), problem("b"), problem("c")]
# Two correct solutions of b, three of the others: the weights of mis_micro differ.
ANSWERS = {"a": [DOUBLE, LISTED, BLOCK], "b": [LISTED, BLOCK, WRONG], "c": [BLOCK, LISTED, DOUBLE]}
WITHOUT_TERMS = """
from evalfw import Estimate, Metric, NoOptions

class Bare(Metric[NoOptions]):
    def aggregate(self, cohorts):
        yield Estimate("bare", 1.0, len(cohorts))

class Own(Metric[NoOptions]):
    def aggregate(self, cohorts):
        yield Estimate("own", 1.0, len(cohorts), low=0.5, high=2.0)

class Summed(Metric[NoOptions]):
    def aggregate(self, cohorts):
        yield Estimate("summed", 4 / 3, 3, terms=((1.0, 1), (2.0, 1), (1.0, 1)))
"""


def by_metric(rows: list[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {row["metric"]: row for row in rows}


def interval(numerators: list[float], denominators: list[int]) -> tuple[float, float]:
    """As scipy makes it: percentiles of 300 resamples of the problems, in the order of their terms."""
    ordered = sorted(zip(numerators, denominators, strict=True))
    found = stats.bootstrap(
        tuple(map(np.array, zip(*ordered, strict=True))),
        lambda n, d, axis: n.sum(axis=axis) / d.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=300,
        confidence_level=0.8,
        rng=np.random.default_rng(11),
    ).confidence_interval
    return float(found.low), float(found.high)


def test_every_score_has_an_interval_over_problems(tmp_path: Path) -> None:
    changes = {"seed": 11, "statistics": {"resamples": 300, "confidence": 0.8}}
    tables = carry_out(write(tmp_path, PROBLEMS, ANSWERS, **changes)).tables
    cells = by_metric(list(tables["conditions"]))
    problems, ones = tables["problems"], [1, 1, 1]
    expected = {metric: ([row[metric] for row in problems], ones) for metric in ("pass@1", "npd", "nmv")}
    expected["mis_macro"] = [row["dmpd"] for row in problems], ones
    entries = [[pair["dmpd"] for pair in tables["pairs"] if pair["problem"] == name] for name in "abc"]
    expected["mis_micro"] = [sum(each) for each in entries], [len(each) for each in entries]
    assert expected["mis_micro"][1] == [6, 2, 6]
    assert cells.keys() == expected.keys()
    for metric, terms in expected.items():
        found = cells[metric]
        assert (found["low"], found["high"]) == pytest.approx(interval(*terms), abs=1e-12), metric
        assert found["reason"] is None
    assert cells["mis_macro"]["low"] != cells["mis_micro"]["low"]


def test_intervals_do_not_depend_on_workers_nor_on_the_order_of_problems(tmp_path: Path) -> None:
    one = carry_out(write(tmp_path / "one", PROBLEMS, ANSWERS, executor={"workers": 1})).tables["conditions"]
    three = carry_out(write(tmp_path / "three", PROBLEMS[::-1], ANSWERS, executor={"workers": 3})).tables["conditions"]
    assert list(one) == list(three)
    assert all(row["low"] is not None for row in one)


def test_one_problem_has_no_interval(tmp_path: Path) -> None:
    cells = by_metric(list(carry_out(write(tmp_path, PROBLEMS[:1], {"a": [DOUBLE, LISTED]})).tables["conditions"]))
    assert {(row["low"], row["high"], row["reason"]) for row in cells.values()} == {
        (None, None, "no interval: an interval takes two problems or more")
    }


def test_an_undefined_score_has_its_own_reason(tmp_path: Path) -> None:
    cells = by_metric(list(carry_out(write(tmp_path, PROBLEMS[:1], {"a": [DOUBLE]})).tables["conditions"]))
    assert cells["mis_macro"]["reason"] == "1 problem: fewer than two correct solutions"
    assert cells["mis_macro"]["low"] is None


def test_metrics_of_others_get_intervals_from_their_terms(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(WITHOUT_TERMS)
    metrics = ["pass_at_k", *({"use": f"./mine.py:{name}"} for name in ("Bare", "Own", "Summed"))]
    cells = by_metric(
        list(carry_out(write(tmp_path, PROBLEMS, ANSWERS, metrics=metrics, profilers=[])).tables["conditions"])
    )
    assert cells["bare"]["reason"] == "no interval: the metric does not say what each problem contributes"
    assert (cells["bare"]["low"], cells["bare"]["high"]) == (None, None)
    assert (cells["own"]["low"], cells["own"]["high"], cells["own"]["reason"]) == (0.5, 2.0, None)
    assert (cells["summed"]["low"], cells["summed"]["high"]) == (1.0, 2.0)
