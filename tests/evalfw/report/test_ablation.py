from __future__ import annotations

from typing import Any

import pytest

from evalfw import InputError
from evalfw.report.ablation import ablation
from tests.evalfw.report.runs import cell, rows, run

BASE = {"p": 0.1, "q": 0.2, "r": 0.4}
FINE = {"p": 0.2, "q": 0.2, "r": None}


def scores(value: float | None, **condition: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    return [cell("mis_macro", value, **condition), cell("mis_micro", 0.5, **condition)]


SETTINGS = run(
    [*rows("dmpd", BASE), *rows("dmpd", FINE, profiler="fine"), *rows("seconds", BASE, profiler="clock")],
    [*scores(0.2), *scores(0.25, profiler="fine")],
)


def test_a_setting_is_compared_with_the_baseline() -> None:
    base, fine = ablation(SETTINGS)
    assert (base["profiler"], base["baseline"], base["mis_macro"], base["common"]) == ("base", "base", 0.2, None)
    assert base["reason"] == "this is the baseline"
    assert (fine["profiler"], fine["n"], fine["mis_macro"], fine["mis_micro"]) == ("fine", 2, 0.25, 0.5)
    assert (fine["mis_macro_low"], fine["mis_macro_high"]) == (0.24, 0.26)
    assert fine["mis_macro_change_percent"] == pytest.approx(25.0)
    assert fine["mis_micro_change_percent"] == 0.0
    assert (fine["common"], fine["only_a"], fine["only_b"]) == (2, 1, 0)
    assert fine["median_difference"] == pytest.approx(0.05)
    assert (fine["p"], fine["n_nonzero"], fine["reason"]) == (1.0, 1, None)
    assert base.keys() == fine.keys()


def test_another_baseline_turns_the_signs() -> None:
    base, fine = ablation(SETTINGS, "fine")
    assert fine["reason"] == "this is the baseline"
    assert base["median_difference"] == pytest.approx(-0.05)
    assert base["mis_macro_change_percent"] == pytest.approx(-20.0)


def test_each_condition_is_a_block_with_a_family_of_its_own() -> None:
    values = {str(index): float(index) for index in range(1, 7)}
    places = [{"model": model, "profiler": profiler} for model in "ab" for profiler in ("base", "fine", "coarse")]
    blocks = run(
        [
            row
            for shift, place in enumerate(places)
            for row in rows("dmpd", {name: v + shift for name, v in values.items()}, **place)
        ],
        [each for place in places for each in scores(1.0, **place)],
    )
    found = [(row["model"], row["profiler"], row["p_adjusted"]) for row in ablation(blocks, correction="holm")]
    assert found == [
        (model, profiler, p) for model in "ab" for profiler, p in (("base", None), ("fine", 4 / 64), ("coarse", 4 / 64))
    ]


def test_what_is_undefined_says_why() -> None:
    undefined = run(
        [*rows("dmpd", dict.fromkeys(BASE, 0.0)), *rows("dmpd", dict.fromkeys(BASE, 0.0), profiler="fine")],
        [cell("mis_macro", 0.0), cell("mis_micro", None), *scores(None, profiler="fine")],
    )
    _, fine = ablation(undefined)
    assert (fine["mis_macro"], fine["mis_macro_change_percent"], fine["mis_micro_change_percent"]) == (None, None, None)
    assert fine["reason"] == (
        "mis_macro: no problems; change of mis_micro: it is undefined under the baseline; p: all differences are 0"
    )
    _, turned = ablation(undefined, "fine")[::-1]
    assert turned["reason"].startswith(
        "change of mis_macro: it is undefined under the baseline; mis_micro: no problems"
    )
    zero = run(undefined.tables["problems"], [*scores(0.0), *scores(0.1, profiler="fine")])
    assert "change of mis_macro: it is 0 under the baseline" in ablation(zero)[1]["reason"]


def test_bad_requests_are_one_message() -> None:
    with pytest.raises(InputError, match="no profiler setting 'bas'; did you mean 'base'"):
        ablation(SETTINGS, "bas")
    with pytest.raises(InputError, match="one profiler setting, 'base'"):
        ablation(run(rows("dmpd", BASE), scores(0.2)))
    with pytest.raises(InputError, match="needs the metrics dmpd and mis"):
        ablation(run(rows("dmpd", BASE)))
    with pytest.raises(InputError, match="no correction 'bonferroni'"):
        ablation(SETTINGS, correction="bonferroni")
