"""Figures of run time: by their data, computed again by numpy and scipy, and by the size they are rendered in."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest
import vl_convert
from scipy import stats

from evalfw.report.figures.distributions import _whole, spread
from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.panels import seconds
from evalfw.report.figures.runtime import runtime_figures
from evalfw.report.figures.style import STYLES
from evalfw.report.figures.success import pass_by_kind
from evalfw.report.runs import Run
from tests.evalfw.report.runs import CONDITION, cell, run

NAMES = [
    "pass-by-kind",
    "runtime-stability",
    "costs",
    "runtime-by-model",
    "speed-by-model",
    "faster-by-model",
    "faster-by-temperature",
    "temperature-correlation",
    "runtime-rank",
    "beyond",
]
MODELS = ("slow", "fast")
SIZES = {
    "pass-by-kind": (316, 371),
    "runtime-stability": (294, 89),
    "costs": (324, 381),
    "runtime-by-model": (315, 163),
    "speed-by-model": (320, 179),
    "faster-by-model": (179, 211),
    "faster-by-temperature": (171, 223),
    "temperature-correlation": (343, 297),
    "runtime-rank": (342, 297),
    "beyond": (342, 297),
}
"""Width and height in pixels. Letters, and so labels, differ a little from machine to machine."""
TEMPERATURES = (0.2, 0.8)
PROBLEMS = {"p": "easy", "q": "hard", "r": "medium"}
HOSTILE = '</script><script>alert("x")</script> | & % {{x}} \\ 日本 ' + "long " * 40


def times(model: str, temperature: float, problem: str) -> list[float]:
    """Run times of four solutions: `slow` takes twice the time of `fast`, except of `r`, and hot ones vary more."""
    base = 1e-3 * (1 + list(PROBLEMS).index(problem)) * (2 if model == "slow" and problem != "r" else 1)
    return [base * (1 + temperature * 0.02 * each) for each in (-2, -1, 1, 3)]


def full(models: Sequence[str] = MODELS, problems: Mapping[str, str] = PROBLEMS, name: str = "run") -> Run:
    """A run with everything that the figures take; `beyond` also has the samples that are not correct."""
    tables: dict[str, list[dict[str, Any]]] = {
        key: [] for key in ("problems", "solutions", "conditions", "traits", "canonical", "profiles")
    }
    tables["traits"] = [
        {"dataset": "d", "problem": problem, "trait": "difficulty", "value": value}
        for problem, value in problems.items()
    ]
    for model in models:
        for temperature in TEMPERATURES:
            who = {"model": model, "temperature": temperature}
            tables["conditions"] += [
                cell("pass@1", 0.8, **who, profiler=None),
                cell("runtime_median", 1e-3, **who, profiler="clock"),
            ]
            for place, problem in enumerate(problems):
                seen = times("fast" if model == models[-1] else "slow", temperature, list(PROBLEMS)[place % 3])
                about = {**CONDITION, **who, "problem": problem}
                counted = {"samples": 5, "correct": 4, "tests": 1, "pass@1": 0.8 if temperature < 0.5 else 0.6}
                tables["problems"] += [
                    {
                        **{**about, "profiler": "clock", **counted},
                        "runtime_median": statistics.fmean(seen),
                        "runtime_cv_solutions": statistics.stdev(seen) / statistics.fmean(seen),
                    },
                    {**about, "profiler": "counter", **counted},
                ]
                for index, value in enumerate(seen):
                    solution = {"solution": f"{problem}{index}", "index": index, "verdict": "accepted"}
                    known = {
                        **{"speed_canonical": 1e-3 / value, "runtime_rank": 25.0 * index},
                        "beyond[instructions]": index / 4,
                    }
                    tables["solutions"] += [
                        {
                            **about,
                            **solution,
                            "profiler": "clock",
                            "runtime_median": value,
                            "speed_canonical": 1e-3 / value,
                        }
                        | known,
                        {**about, **solution, "profiler": "counter"},
                    ]
                    of = {**about, **solution, "test": "1"}
                    tables["profiles"] += [
                        {**of, "profiler": "clock", "median_seconds": value},
                        {**of, "profiler": "counter", "instructions": 1000 + 7 * index * index},
                    ]
                wrong = {"solution": f"{problem}x", "index": 4, "verdict": "wrong_answer"}
                tables["solutions"].append({**about, **wrong, "profiler": "clock", "beyond[instructions]": 0.0})
                canonical = {"test": "1", "groups": 4, "cv": 0.03 * (place + 1)}
                tables["canonical"].append({**about, "profiler": "clock", **canonical})
    found = run([], name=name)
    return replace(found, tables={**found.tables, **tables})


def all_figures(runs: Sequence[Run]) -> list[Figure | Absent]:
    return [*pass_by_kind(runs), *runtime_figures(runs)]


@cache
def usual() -> Mapping[str, Figure | Absent]:
    return {each.name: each for each in all_figures([full()])}


@cache
def many() -> Mapping[str, Figure | Absent]:
    models = [f"model-{place}" for place in range(10)]
    return {each.name: each for each in all_figures([full(models), full(models, name="again")])}


@cache
def hostile() -> Mapping[str, Figure | Absent]:
    problems = {f"{HOSTILE}{place}": difficulty for place, difficulty in enumerate(PROBLEMS.values())}
    found = full([f"{HOSTILE}a", f"{HOSTILE}b"], problems, name=HOSTILE)
    return {each.name: each for each in all_figures([found])}


def drawn(runs: Sequence[Run], name: str) -> Figure:
    return figure_of({each.name: each for each in all_figures(runs)}, name)


def figure_of(figures: Mapping[str, Figure | Absent], name: str) -> Figure:
    figure = figures[name]
    assert isinstance(figure, Figure), figure
    return figure


def absent(found: Run, name: str) -> str:
    figure = {each.name: each for each in all_figures([found])}[name]
    assert isinstance(figure, Absent)
    return figure.reason


def replace_table(found: Run, name: str, rows: Sequence[Mapping[str, Any]]) -> Run:
    return replace(found, tables={**found.tables, name: rows})


def without(found: Run, *columns: str) -> Run:
    """The run as if it had no such columns."""
    tables = {
        name: [{key: value for key, value in row.items() if key not in columns} for row in rows]
        for name, rows in found.tables.items()
    }
    return replace(found, tables=tables)


def svg(figure: Figure, style: str = "light") -> ElementTree.Element:
    return ElementTree.fromstring(vl_convert.vegalite_to_svg(dict(figure.spec), config=dict(STYLES[style])))


def test_the_figures_come_in_a_fixed_order() -> None:
    assert list(usual()) == NAMES
    assert [figure.name for figure in usual().values() if isinstance(figure, Absent)] == []


def test_an_empty_run_has_none_and_says_what_it_takes() -> None:
    found = run([])
    empty = replace(found, tables={**found.tables, "canonical": [], "profiles": []})
    figures = all_figures([empty])
    assert [figure.name for figure in figures] == NAMES
    for figure in figures:
        assert isinstance(figure, Absent)
        assert re.search("list |take ", figure.reason), figure


def test_pass_at_1_by_difficulty() -> None:
    figure = figure_of(usual(), "pass-by-kind")
    rows = {(row["model"], row["temperature"], row["kind"]): row for row in figure.rows}
    assert len(rows) == len(figure.rows) == 2 * 2 * 3
    assert (rows["slow", 0.2, "easy"]["value"], rows["fast", 0.8, "hard"]["value"]) == (0.8, 0.6)
    # From the easy ones to the hard ones, not in the order of the alphabet.
    assert figure.spec["layer"][1]["encoding"]["color"]["scale"]["domain"] == ["easy", "medium", "hard"]
    assert "slow at 0.2, easy: 0.80, 1 problem." in figure.description


def test_pass_at_1_needs_a_trait() -> None:
    reason = "no problem has one of the traits difficulty, level, kind: take a dataset that says one"
    assert reason in absent(replace_table(full(), "traits", []), "pass-by-kind")


def test_pass_at_1_is_also_split_by_subset() -> None:
    subsets = [
        {"dataset": "d", "problem": problem, "trait": "subset", "value": value}
        for problem, value in (("p", "old"), ("q", "new"), ("r", "old"))
    ]
    found = full()
    figure = drawn([replace_table(found, "traits", [*found.tables["traits"], *subsets])], "pass-by-kind")
    assert {(row["kind"], row["subset"]) for row in figure.rows} == {
        ("easy", "old"),
        ("hard", "new"),
        ("medium", "old"),
    }
    assert {panel["title"]["text"] for panel in figure.spec["vconcat"]} == {"subset old", "subset new"}


def test_the_variation_of_canonical_solutions() -> None:
    figure = figure_of(usual(), "runtime-stability")
    values = [0.03, 0.06, 0.09]
    assert [row["cv"] for row in figure.rows] == pytest.approx(values)
    low, middle, high = np.percentile(values, [25, 50, 75])
    assert f"median {middle:.3f}, quartiles {low:.3f} and {high:.3f}, largest 0.090; 3 of 3" in figure.description


def test_undefined_variations_are_counted_with_their_reason() -> None:
    found = full()
    rows = [dict(row) for row in found.tables["canonical"]]
    for row in rows:
        if row["problem"] == "q":
            row.update(cv=None, groups=1)
    figure = drawn([replace_table(found, "canonical", rows)], "runtime-stability")
    assert [row["cv"] for row in figure.rows] == [pytest.approx(0.03), None, pytest.approx(0.09)]
    assert "not drawn: 1 (measured for fewer than two models and temperatures)" in figure.caption


def test_costs_with_their_correlation_within_problems() -> None:
    figure = figure_of(usual(), "costs")
    assert len(figure.rows) == 2 * 2 * 3 * 4
    of = {problem: [row for row in figure.rows if row["problem"] == problem] for problem in PROBLEMS}
    r = [stats.pearsonr([row["x"] for row in rows], [row["y"] for row in rows])[0] for rows in of.values()]
    assert f"r within problems {np.median(r):+.2f} ({min(r):+.2f} to {max(r):+.2f}), n = 3" in figure.description
    scales = [figure.spec["encoding"][side]["scale"]["type"] for side in "xy"]
    assert scales == ["log", "log"]


def test_an_axis_with_a_cost_of_0_is_not_logarithmic() -> None:
    found = full()
    rows = [{**row, **({"instructions": 0} if "instructions" in row else {})} for row in found.tables["profiles"]]
    figure = drawn([replace_table(found, "profiles", rows)], "costs")
    assert "type" not in figure.spec["encoding"]["y"]["scale"]
    assert "r within problems is undefined" in figure.description


@pytest.mark.parametrize(
    ("name", "column"), [("runtime-by-model", "runtime_median"), ("speed-by-model", "speed_canonical")]
)
def test_distributions_by_model(name: str, column: str) -> None:
    figure = figure_of(usual(), name)
    assert {row["column"] for row in figure.rows} == {column}
    values = [row["value"] for row in figure.rows if (row["model"], row["temperature"]) == ("slow", 0.2)]
    expected = [value for problem in PROBLEMS for value in times("slow", 0.2, problem)]
    assert values == pytest.approx(expected if column == "runtime_median" else [1e-3 / each for each in expected])
    low, middle, high = np.percentile(values, [25, 50, 75])
    said = seconds if column == "runtime_median" else "{:.3g}".format
    shown = f"slow at 0.2: median {said(middle)}, quartiles {said(low)} and {said(high)}, 12 solutions."
    assert shown in figure.description
    assert figure.spec["layer"][1]["encoding"]["x"]["scale"]["type"] == "log"


@pytest.mark.parametrize(
    ("name", "column"),
    [("runtime-by-model", "runtime_median"), ("runtime-rank", "runtime_rank"), ("beyond", "beyond[instructions]")],
)
def test_a_solution_without_a_number_is_a_row_and_is_counted(name: str, column: str) -> None:
    found = full()
    rows = [
        {**row, column: None} if row["solution"] == "q1" and column in row else row for row in found.tables["solutions"]
    ]
    figure = drawn([replace_table(found, "solutions", rows)], name)
    assert len(figure.rows) == len(figure_of(usual(), name).rows)
    assert sum(row["value"] is None for row in figure.rows) == 2 * 2
    assert "Undefined, and not drawn: 4." in figure.caption


def test_who_is_faster_by_the_test_of_scipy() -> None:
    figure = figure_of(usual(), "faster-by-model")
    fast, slow = [
        {problem: [value for t in TEMPERATURES for value in times(model, t, problem)] for problem in PROBLEMS}
        for model in ("fast", "slow")
    ]
    wins = sum(stats.ttest_ind(fast[problem], slow[problem]).pvalue < 0.05 for problem in PROBLEMS)
    assert wins == 2
    rows = {(row["row"], row["column"]): row for row in figure.rows}
    assert rows.keys() == {("fast", "slow"), ("slow", "fast")}
    there, back = rows["fast", "slow"], rows["slow", "fast"]
    assert (there["faster"], there["problems"], there["share"]) == (2, 3, pytest.approx(2 / 3))
    assert (back["faster"], back["problems"], back["share"]) == (0, 3, 0)
    assert there["cohens_d"] == -back["cohens_d"] != 0
    assert "fast is faster than slow on 2 of 3 problems." in figure.description


def test_a_contest_without_enough_solutions_is_absent() -> None:
    found = full()
    few = [row for row in found.tables["solutions"] if row["index"] < 2]
    assert "no problem has more than 5" in absent(replace_table(found, "solutions", few), "faster-by-model")
    assert "nothing but model" in absent(full(models=["only"]), "faster-by-model")


def test_the_correlation_with_temperature_by_problem() -> None:
    figure = figure_of(usual(), "temperature-correlation")
    found = {(row["what"], row["problem"]): row["value"] for row in figure.rows}
    assert len(found) == len(figure.rows) == 2 * 3
    spread_of = [
        (t, statistics.stdev(values) / statistics.fmean(values))
        for model in MODELS
        for t in TEMPERATURES
        for values in [times(model, t, "p")]
    ]
    assert found["variation of run time", "p"] == pytest.approx(stats.pearsonr(*zip(*spread_of, strict=True))[0])
    each = [(t, value) for model in MODELS for t in TEMPERATURES for value in times(model, t, "p")]
    assert found["run time", "p"] == pytest.approx(stats.pearsonr(*zip(*each, strict=True))[0])
    middle = np.median([value for (what, _), value in found.items() if what == "run time"])
    assert f"run time: median {middle:.3g}, n = 3" in figure.description


def test_ranks_are_of_correct_solutions() -> None:
    rank, place = figure_of(usual(), "runtime-rank"), figure_of(usual(), "beyond")
    assert [row["value"] for row in rank.rows][:4] == [0.0, 25.0, 50.0, 75.0]
    assert len(rank.rows) == len(place.rows) == 2 * 2 * 3 * 4  # a wrong answer has 0 by definition, and no rank
    assert {row["column"] for row in place.rows} == {"beyond[instructions]"}
    assert "slow: mean 37.5, n = 24, from 0 to 75." in rank.description
    assert "slow: mean 37.5, n = 24, from 0 to 75." in place.description


def test_several_runs_stand_in_panels_and_say_who_is_missing() -> None:
    other = without(full(name="other"), "runtime_median", "runtime_cv_solutions")
    figure = drawn([full(), full(name="second"), other], "temperature-correlation")
    assert {row["run"] for row in figure.rows} == {"run", "second"}
    assert "Without runs: other: the run has no runtime_median, runtime_cv_solutions: list a profiler" in figure.caption
    assert len(figure.spec["facet"]["sort"]) == 4


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_valid_and_has_a_size_that_suits_a_page(name: str) -> None:
    figure = figure_of(usual(), name)
    alt.Chart.from_dict(dict(figure.spec), validate=True)
    assert "config" not in figure.spec
    for style in STYLES:
        image = svg(figure, style)
        assert [float(image.attrib[side]) for side in ("width", "height")] == pytest.approx(SIZES[name], rel=0.2)


@pytest.mark.parametrize("name", NAMES)
def test_forty_conditions_of_two_runs_are_still_drawn(name: str) -> None:
    figure = figure_of(many(), name)
    image = svg(figure)
    assert float(image.attrib["width"]) < 560
    assert len(figure.description) < 2500


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_are_only_text(name: str) -> None:
    figure = figure_of(hostile(), name)
    alt.Chart.from_dict(dict(figure.spec), validate=True)
    image = svg(figure)
    assert not [each for each in image.iter() if each.tag.endswith("script")]
    assert float(image.attrib["width"]) < 900
    assert any(HOSTILE in str(value) for row in figure.rows for value in row.values())


def test_quartiles_are_those_of_numpy() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
    found = spread(values)
    assert [found.low, found.middle, found.high] == pytest.approx(list(np.percentile(values, [25, 50, 75])))
    assert spread([2.0]) == type(found)(1, 2.0, 2.0, 2.0)


@pytest.mark.parametrize(("most", "marks"), [(1, [0, 1]), (3, [0, 1, 2, 3]), (7, [0, 2, 4, 6, 8]), (90, [0, 50, 100])])
def test_an_axis_of_counts_has_whole_marks(most: int, marks: list[int]) -> None:
    assert _whole(most) == marks


@pytest.mark.parametrize(
    ("value", "text"), [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (4e-6, "4 µs"), (3e-9, "3 ns"), (0.0, "0 ns")]
)
def test_times_have_a_unit_that_suits_them(value: float, text: str) -> None:
    assert seconds(value) == text
