"""The figures of scores: what they are drawn from, and what they say."""

from __future__ import annotations

from collections.abc import Sequence

from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.lines import mis_by_size, mis_by_temperature
from evalfw.report.figures.mis import mis_by_model
from evalfw.report.figures.passing import pass_against_mis
from evalfw.report.runs import Run
from tests.evalfw.report.figures.tables import SCORES, scored
from tests.evalfw.report.runs import cell, run

RUN = run([], scored())


def drawn(found: Sequence[Figure | Absent]) -> list[Figure]:
    assert all(isinstance(each, Figure) for each in found), found
    return [each for each in found if isinstance(each, Figure)]


def absent(found: Sequence[Figure | Absent]) -> Absent:
    (only,) = found
    assert isinstance(only, Absent)
    return only


def test_success_against_stability() -> None:
    (figure,) = drawn(pass_against_mis([RUN]))
    assert figure.name == "pass-against-mis"
    assert [
        (row["model"], row["temperature"], row["pass@1"], row["mis_macro"], row["mis_macro_high"])
        for row in figure.rows
    ] == [
        ("a", 0.0, 0.9, 0.0, 0.01),
        ("a", 0.7, 0.8, 0.03, 0.04),
        ("b", 0.7, 0.5, None, None),
        ("b", 0.0, 0.6, 0.02, 0.03),
        ("b", 1.0, 0.4, 0.1, 0.11),
    ]
    assert "Left out, since a number is undefined: r, d, b, T 0.7, base (no problems)." in figure.caption
    assert "a, T 0.7: pass@1 0.8 [0.79, 0.81], n = 2; MIS 0.03 [0.02, 0.04], n = 2." in figure.description
    points = figure.spec["datasets"]["points"]
    # In order of temperature, the lowest of each model hollow; the one without a number is not among them.
    assert [(point["label"], point["x"], point["hollow"]) for point in points] == [
        ("a", 0.0, True),
        ("b", 0.02, True),
        ("a", 0.03, False),
        ("b", 0.1, False),
    ]
    assert [name["text"] for name in figure.spec["datasets"]["names"]] == ["a", "b"]


def test_many_models_have_a_legend_instead_of_names() -> None:
    crowd = [cell(metric, 0.5, model=f"model {n}") for n in range(40) for metric in ("pass@1", "mis_macro")]
    (figure,) = drawn(pass_against_mis([run([], crowd)]))
    assert figure.spec["datasets"]["names"] == []
    assert "legend" in str(figure.spec["layer"])


def test_every_condition_has_its_scores() -> None:
    (figure,) = drawn(mis_by_model([RUN]))
    assert (figure.name, figure.source) == ("mis-by-model", "paper A, figures 5 and 6")
    assert [(row["metric"], row["model"], row["temperature"], row["value"]) for row in figure.rows] == [
        (f"mis_{kind}", model, temperature, value)
        for (model, temperature), (_, *values) in SCORES.items()
        for kind, value in zip(("macro", "micro"), values, strict=True)
    ]
    assert "Undefined: MIS macro of b, T 0.7 (no problems); MIS micro of b, T 0.7 (no problems)." in figure.caption
    assert figure.description.startswith(
        "MIS macro: a, T 0 0 [-0.01, 0.01]; a, T 0.7 0.03 [0.02, 0.04]; b, T 0.7 undef"
    )


def test_datasets_and_runs_are_panels_and_profilers_figures() -> None:
    both = run([], [*scored(), *scored(dataset="e"), *scored(profiler="rss"), *scored(dataset="e", profiler="rss")])
    base, rss = drawn(mis_by_model([both]))
    assert (base.name, rss.name) == ("mis-by-model-base", "mis-by-model-rss")
    assert [panel["title"]["text"] for panel in base.spec["vconcat"]] == ["d", "e"]
    (figure,) = drawn(mis_by_model([RUN, run([], scored(), name="s")]))
    assert [panel["title"]["text"] for panel in figure.spec["vconcat"]] == ["r", "s"]
    assert [row["run"] for row in figure.rows] == ["r"] * 10 + ["s"] * 10


def test_scores_along_temperature() -> None:
    (figure,) = drawn(mis_by_temperature([RUN]))
    assert [(row["metric"], row["model"], row["temperature"]) for row in figure.rows] == [
        (metric, model, temperature) for metric in ("mis_macro", "mis_micro") for model, temperature in SCORES
    ]
    assert figure.description == (
        "MIS macro: a from 0 [-0.01, 0.01] at temperature 0 to 0.03 [0.02, 0.04] at 0.7;"
        " b from 0.02 [0.01, 0.03] at temperature 0 to 0.1 [0.09, 0.11] at 1."
        " MIS micro: a from 0.001 [-0.009, 0.011] at temperature 0 to 0.02 [0.01, 0.03] at 0.7;"
        " b from 0.01 [0, 0.02] at temperature 0 to 0.08 [0.07, 0.09] at 1."
    )
    assert "Undefined: MIS macro of b at 0.7 (no problems)" in figure.caption
    points = figure.spec["datasets"]["points"]
    assert [point["temperature"] for point in points] == sorted(point["temperature"] for point in points)
    # Two series stand 3% of the axis to the left and right of their temperatures.
    assert {(point["label"], round(point["position"], 6)) for point in points if point["temperature"] == 0.7} == {
        ("a", 0.67),
        ("b", 0.73),
    }


def test_a_rise_and_fall_is_told() -> None:
    values = {0.0: 0.01, 0.5: 0.2, 1.0: 0.05}
    cells = [cell("mis_macro", value, temperature=temperature) for temperature, value in values.items()]
    (figure,) = drawn(mis_by_temperature([run([], cells)]))
    assert "to 0.05 [0.04, 0.06] at 1, highest 0.2 at 0.5." in figure.description


def test_scores_along_size() -> None:
    cells = [
        cell(metric, value, size=size, temperature=temperature)
        for size, value in ((100, 0.2), (1, 0.1), (10, 0.15))
        for temperature in (0.0, 0.7)
        for metric in ("mis_macro", "mis_micro")
    ]
    (figure,) = drawn(mis_by_size([run([], cells)]))
    assert (figure.name, figure.source) == ("mis-by-size", "paper A, figure 10")
    assert figure.description.startswith(
        "MIS macro: T 0 from 0.1 [0.09, 0.11] at size 1 to 0.2 [0.19, 0.21] at 100; T 0.7 from 0.1"
    )
    assert {name["text"] for name in figure.spec["datasets"]["names"]} == {"T 0", "T 0.7"}


def test_without_temperatures_it_says_what_is_needed() -> None:
    lacking = run([], [cell("mis_macro", 0.1), cell("mis_macro", 0.1, model="n")])
    assert absent(mis_by_temperature([lacking])) == Absent(
        "mis-by-temperature",
        "MIS by temperature",
        "needs the metrics dmpd and mis, and two or more sampling.temperatures",
        "paper A, figure 7",
    )
    assert "tests.generated" in absent(mis_by_size([lacking])).reason
    assert "pass_at_k" in absent(pass_against_mis([lacking])).reason


def test_what_is_undefined_everywhere_is_not_drawn_and_says_why() -> None:
    nothing = run(
        [], [cell(metric, None, temperature=t) for t in (0.0, 1.0) for metric in ("pass@1", "mis_macro", "mis_micro")]
    )
    reasons: list[str] = [
        absent(function([nothing])).reason for function in (mis_by_temperature, mis_by_model, pass_against_mis)
    ]
    assert all("no problems" in reason for reason in reasons), reasons


def test_no_tables_no_figures() -> None:
    empty: list[Run] = [run([])]
    for function in (mis_by_temperature, mis_by_size, mis_by_model, pass_against_mis):
        assert absent(function(empty)).reason.startswith("needs the metric")
