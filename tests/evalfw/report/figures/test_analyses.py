"""The figures of analyses: what they are drawn from against scipy and counting, and what they say."""

from __future__ import annotations

from itertools import combinations
from statistics import median

import pytest
from scipy import stats

from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.forest import ablation_forest
from evalfw.report.figures.peaks import dmpd_against_npd
from evalfw.report.figures.similarity import similarity_heatmaps
from evalfw.report.figures.violins import association_violins
from tests.evalfw.report.figures.tables import COLUMNS, X, Y, measured, settings
from tests.evalfw.report.runs import cell, rows, run, solved


def one(found: list[Figure | Absent]) -> Figure:
    (figure,) = found
    assert isinstance(figure, Figure), figure
    return figure


def why(found: list[Figure | Absent]) -> str:
    (absent,) = found
    assert isinstance(absent, Absent)
    return absent.reason


def test_settings_against_the_baseline() -> None:
    figure = one(ablation_forest([settings()]))
    assert (figure.name, figure.source) == ("ablation", "paper A, table 3")
    base, fine, slow = figure.rows
    assert (base["profiler"], base["median_difference"]) == ("base", None)
    # Differences 0.05, 0 and 0.1 of the three problems that both have.
    assert (fine["median_difference"], fine["common"]) == (pytest.approx(0.05), 3)
    assert fine["mis_macro_change_percent"] == pytest.approx(25)
    assert (slow["median_difference"], slow["mis_macro"]) == (None, None)
    drawn = figure.spec["datasets"]["rows"]
    assert [(row["label"], row["change"]) for row in drawn] == [("fine", "+25.0%"), ("slow", "undefined")]
    assert figure.description.startswith("fine 0.05 [")
    assert "Undefined: slow (" in figure.caption
    assert "'base'" in figure.caption


def test_each_temperature_is_a_panel_of_an_ablation() -> None:
    cold, warm = settings(temperature=0.0), settings(temperature=0.7)
    both = run(
        [*cold.tables["problems"], *warm.tables["problems"]], [*cold.tables["conditions"], *warm.tables["conditions"]]
    )
    figure = one(ablation_forest([both]))
    assert [panel["title"]["text"] for panel in figure.spec["vconcat"]] == ["T 0", "T 0.7"]
    assert [row["panel"] for row in figure.spec["datasets"]["rows"]] == [0, 0, 1, 1]


def test_one_setting_is_no_ablation() -> None:
    alone = run(rows("dmpd", {"p": 0.1}), [cell("mis_macro", 0.1), cell("mis_micro", 0.1)])
    assert why(ablation_forest([alone])) == "needs the metrics dmpd and mis under two or more settings of a profiler"


def test_a_measure_where_a_proxy_is_low_and_high() -> None:
    solutions = solved({"dmpd": X, "cognitive_mean": Y, "cyclomatic_mean": [3.0] * 30})
    figure = one(association_violins([run(rows("x", {"p": 1.0}), solutions=solutions)]))
    assert (figure.name, figure.source) == ("association", "paper A, figure 11")
    assert [(row["dmpd"], row["cognitive_mean"], row["dmpd_tertile"]) for row in figure.rows] == [
        (x, y, 1 + (x > 29 / 3) + (x > 58 / 3)) for x, y in zip(X, Y, strict=True)
    ]
    low, high = Y[:10], Y[20:]
    delta = sum((a > b) - (a < b) for a in low for b in high) / 100
    assert figure.description == (
        f"cognitive complexity by DMPD: median {median(low):g} in T1 (n = 10), {median(high):g} in T3 (n = 10),"
        f" Cliff's delta {delta:+.3f}."
        " cyclomatic complexity by DMPD: median 3 in T1 (n = 10), 3 in T3 (n = 10), Cliff's delta +0.000."
    )
    outlines = [mark for mark in figure.spec["datasets"]["outlines"] if mark["third"] == "T1"]
    assert {mark["panel"] for mark in outlines} == {0}  # one value has no density
    density = stats.gaussian_kde(low)
    widest = max(outlines, key=lambda mark: float(mark["x2"] - mark["x"]))
    assert widest["x2"] - widest["x"] == pytest.approx(0.84)
    for mark in outlines:
        assert (mark["x2"] - mark["x"]) / 0.84 == pytest.approx(
            density(mark["y"])[0] / density(widest["y"])[0], abs=1e-3
        )
    assert (outlines[0]["y"], outlines[-1]["y"]) == (min(low), max(low))
    assert "Points, where a tertile has fewer than 10 or one value: cyclomatic complexity by DMPD." in figure.caption


def test_few_solutions_are_points() -> None:
    few = solved({"nmv": X[:6], "maintainability_index": Y[:6]})
    figure = one(association_violins([run(rows("x", {"p": 1.0}), solutions=few)]))
    assert figure.spec["datasets"]["outlines"] == []
    assert [mark["y"] for mark in figure.spec["datasets"]["dots"]] == [0.0, 1.0, 4.0, 5.0]
    assert "maintainability index by NMV" in figure.caption


def test_each_model_has_its_own_violins_and_temperatures_are_thrown_together() -> None:
    solutions = [
        row
        for model in "ab"
        for temperature in (0.0, 0.7)
        for row in solved({"dmpd": X, "cognitive_mean": Y}, model=model, temperature=temperature)
    ]
    problems = [
        row
        for model in "ab"
        for temperature in (0.0, 0.7)
        for row in rows("x", {"p": 1.0}, model=model, temperature=temperature)
    ]
    found = association_violins([run(problems, solutions=solutions)])
    assert [each.name for each in found] == ["association-a", "association-b"]
    assert [len(each.rows) for each in found if isinstance(each, Figure)] == [60, 60]


def test_an_association_needs_both_sides() -> None:
    assert "maintainability" in why(association_violins([run(rows("x", {"p": 1.0}), solutions=solved({"dmpd": X}))]))
    same = solved({"dmpd": [0.0] * 4, "cognitive_mean": [1.0, 2.0, 3.0, 4.0]})
    found = why(association_violins([run(rows("x", {"p": 1.0}), solutions=same)]))
    assert found.startswith("no two tertiles can be compared: ")


def test_every_two_measures_are_correlated() -> None:
    figure = one(similarity_heatmaps([run(measured(COLUMNS))]))
    assert (figure.name, figure.source) == ("similarity", "paper A, figure 8")
    named = ["dmpd", "npd", "tsed", "flat"]
    assert [(row["x"], row["y"]) for row in figure.rows] == list(combinations(named, 2))
    for row in figure.rows:
        pairs = [
            (x, y) for x, y in zip(COLUMNS[row["x"]], COLUMNS[row["y"]], strict=True) if x is not None and y is not None
        ]
        assert row["n"] == len(pairs)
        if "flat" in (row["x"], row["y"]):
            assert (row["value"], row["reason"]) == (None, "one side is constant")
        else:
            assert row["value"] == pytest.approx(stats.pearsonr(*zip(*pairs, strict=True)).statistic)
    cells = figure.spec["datasets"]["cells"]
    assert [each["text"] for each in cells if "flat" in (each["x"], each["y"])] == ["–"] * 3
    assert "Grey, without a number, is undefined: one side is constant (3)." in figure.caption
    strongest = max((row for row in figure.rows if row["value"] is not None), key=lambda row: abs(row["value"]))
    assert figure.description.startswith(
        f"From the strongest to the weakest: {strongest['x']} and {strongest['y']} {strongest['value']:+.2f}"
    )


def test_two_measures_are_no_heatmap() -> None:
    two = {name: COLUMNS[name] for name in ("dmpd", "dmpd_entries", "npd")}
    assert why(similarity_heatmaps([run(measured(two))])).startswith("needs three or more metrics")
    flat: dict[str, list[float | None]] = {name: [1.0, 1.0] for name in "abc"}
    assert why(similarity_heatmaps([run(measured(flat))])) == "no correlation is defined: one side is constant"


def test_peaks_see_something_else_than_profiles() -> None:
    sizes = [row for size in (10, 100) for row in measured(COLUMNS, size=size)]
    figure = one(dmpd_against_npd([run(sizes)]))
    assert (figure.name, figure.source) == ("dmpd-against-npd", "paper A, figure 9")
    expected = [
        (size, x, y)
        for size in (10, 100)
        for x, y in zip(COLUMNS["npd"], COLUMNS["dmpd"], strict=True)
        if x is not None
    ]
    assert [(row["size"], row["npd"], row["dmpd"]) for row in figure.rows] == expected
    found = stats.pearsonr([x for _, x, _ in expected], [y for *_, y in expected])
    assert f"R² = {found.statistic**2:.2f} over all 8 points" in figure.caption
    assert "size 10, 4 problems: NPD from 0.2 to 0.8, median 0.4; DMPD from 0.1 to 0.9, median 0.35." in (
        figure.description
    )
    assert "npd and dmpd" in why(dmpd_against_npd([run(rows("dmpd", {"p": 0.1}))]))
    nothing = measured({"dmpd": [None], "npd": [None], "x": [1.0]})
    assert why(dmpd_against_npd([run(nothing)])) == "no problem has both: fewer than two pairs"
