from __future__ import annotations

from evalfw.report.figures.scores import figure_columns, intervals, labels, parts, scores, slugs, undefined
from tests.evalfw.report.runs import cell, run


def test_scores_are_the_cells_of_all_runs_in_their_order() -> None:
    one = run([], [cell("mis_macro", 0.1), cell("other", 0.2), cell("mis_micro", None)], name="one")
    two = run([], [cell("mis_macro", 0.3)], name="two")
    found = scores([one, two], ["mis_macro", "mis_micro"])
    assert [(row["run"], row["metric"], row["value"]) for row in found] == [
        ("one", "mis_macro", 0.1),
        ("one", "mis_micro", None),
        ("two", "mis_macro", 0.3),
    ]
    assert undefined(found, ["a", "b", "c"]) == " Undefined: MIS micro of b (no problems)."


def test_a_label_says_what_differs_and_nothing_else() -> None:
    one = scores([run([], [cell("x", 1.0, size=10), cell("x", 1.0, size=None)])], ["x"])
    assert labels(one) == ["size 10", "m"]
    assert labels(one[:1]) == ["m"]
    several = [run([], [cell("x", 1.0, model="a"), cell("x", 1.0, model="b")], name=name) for name in ("r", "s")]
    assert labels(scores(several, ["x"])) == ["a, r", "b, r", "a, s", "b, s"]


def test_rows_are_cut_by_what_differs_and_named_by_it() -> None:
    cells = [cell("x", 1.0, dataset=dataset, profiler=profiler) for dataset in "de" for profiler in ("line s=1", "rss")]
    found = list(parts(scores([run([], cells)], ["x"]), ["dataset", "profiler", "size"]))
    assert [part.suffix for part in found] == ["-d-line-s-1", "-d-rss", "-e-line-s-1", "-e-rss"]
    assert found[0].about == " (d, line s=1)"
    assert [(part.suffix, part.about) for part in parts(found[0].rows, ["dataset"])] == [("", "")]
    assert list(parts([], ["dataset"])) == []


def test_profilers_share_a_figure_if_nothing_else_differs() -> None:
    settings = [cell("x", 1.0, profiler="a"), cell("x", 1.0, profiler="b")]
    assert figure_columns(scores([run([], settings)], ["x"])) == ("dataset",)
    assert figure_columns(scores([run([], [*settings, cell("x", 1.0, model="n")])], ["x"])) == ("dataset", "profiler")


def test_slugs_are_names_of_files_and_never_the_same() -> None:
    found = slugs(["GPT-4o, T 0.7", "a b", "a-b", "模型", "../..", "x" * 300, "</script>"])
    assert found[0] == "gpt-4o-t-0.7"
    assert len(set(found)) == len(found)
    assert found[-1] == "script"
    assert all(len(slug) < 80 and slug and not slug.startswith(".") and "/" not in slug for slug in found)
    assert slugs(["a b", "a-b"]) == slugs(["a b", "a-b"])


def test_runs_made_differently_are_said_to_be() -> None:
    assert intervals([run([])]) == "90% confidence intervals over problems."
    assert intervals([run([]), run([], sandbox="cpython-3.12")]) == (
        "90% confidence intervals over problems. Profiles were made in different sandboxes: cpython-3.11; cpython-3.12."
    )
