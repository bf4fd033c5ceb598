"""The commands on a real run; their numbers are computed again from the exported pairs, by other means."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner

from evalfw import InputError
from evalfw.cli.app import app
from evalfw.report.frames import export
from evalfw.store.run import RunStore
from tests.evalfw.experiments import Watcher, carry_out

EXPERIMENT = """\
name: settings
seed: 5
datasets: [{use: starter, problems: [sliding_max, grid_ways, run_length, sort_list, prime_sum, count_inversions]}]
models: [accepted]
sampling: {n: 3}
tests: {private: 2}
profilers:
  - {use: tracemalloc_line, label: baseline}
  - {use: tracemalloc_line, stride: {sweep: [5, 10]}}
  - {use: tracemalloc_line, quantum: {sweep: [64B, 256B]}}
metrics: [pass_at_k, dmpd, mis]
statistics: {resamples: 400, confidence: 0.9}
"""
SWEPT = ("stride=5", "stride=10", "quantum=64B", "quantum=256B")
SETTINGS = ["baseline", *(f"tracemalloc_line {values}" for values in SWEPT)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run is, as `run`, and its exported tables, as `out`."""
    folder = tmp_path_factory.mktemp("comparing")
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    watcher = Watcher()
    carry_out(folder / "experiment.yaml", watcher)
    # Judged once; and a setting that says the same as another in other words is not measured again.
    assert len(watcher.judged) == len({(each.problem, each.code, each.test.id) for each in watcher.judged})
    assert watcher.stages["profile"] == (4 * 6 * 3 * 2, 0)
    with RunStore.read(folder / "run") as store:
        export(store, "csv", folder / "out")
    return folder


@pytest.fixture(scope="module")
def scores(folder: Path) -> dict[str, pd.Series[float]]:
    """D_p by setting and problem, from the exported pairs."""
    pairs = pd.read_csv(folder / "out/pairs.csv")
    return {setting: pairs[pairs["profiler"] == setting].groupby("problem")["dmpd"].mean() for setting in SETTINGS}


def said(*arguments: object) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def printed(*arguments: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(said(*arguments, "--format", "json"))
    return rows


def by_hand(base: pd.Series[float], other: pd.Series[float]) -> dict[str, Any]:
    """What is said of two series of D_p, by scipy, pandas and counting."""
    common = base.index.intersection(other.index)
    first, second = base[common], other[common]
    differences = second - first
    nonzero = differences[differences != 0]
    bootstrap = stats.bootstrap(
        (np.sort(differences.to_numpy()),),
        np.median,
        method="percentile",
        n_resamples=400,
        confidence_level=0.9,
        rng=np.random.default_rng(5),
    ).confidence_interval
    signs = [(y > x) - (y < x) for x, y in itertools.product(first, second)]
    return {
        "common": len(common),
        "median_a": first.median(),
        "median_b": second.median(),
        "median_difference": differences.median(),
        "difference_iqr": differences.quantile(0.75) - differences.quantile(0.25),
        "difference_low": bootstrap.low,
        "difference_high": bootstrap.high,
        "p": stats.wilcoxon(nonzero, method="exact").pvalue if len(nonzero) else None,
        "n_nonzero": len(nonzero),
        "cliffs_delta": sum(signs) / len(signs),
    }


def agree(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if value is None:
            assert found[name] is None, name
        else:
            assert found[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name


def test_an_ablation_is_what_the_exported_pairs_say(folder: Path, scores: dict[str, pd.Series[float]]) -> None:
    rows = printed("ablation", folder / "run")
    assert [row["profiler"] for row in rows] == SETTINGS
    pairs = pd.read_csv(folder / "out/pairs.csv")
    pooled = {setting: pairs[pairs["profiler"] == setting]["dmpd"].mean() for setting in SETTINGS}
    for row in rows:
        mine, base = scores[row["profiler"]], scores["baseline"]
        expected = {
            "n": 6,
            "mis_macro": mine.mean(),
            "mis_micro": pooled[row["profiler"]],
            "mis_macro_change_percent": 100 * (mine.mean() / base.mean() - 1),
            "mis_micro_change_percent": 100 * (pooled[row["profiler"]] / pooled["baseline"] - 1),
        }
        agree(row, expected | ({} if mine is base else by_hand(base, mine)))
    same = rows[3]
    assert (same["p"], same["n_nonzero"], same["reason"]) == (None, 0, "p: all differences are 0")
    assert any(row["p"] is not None and row["p"] < 0.5 for row in rows)


def test_holm_is_over_the_settings(folder: Path) -> None:
    rows = printed("ablation", folder / "run", "--correction", "holm")
    p_values = sorted(row["p"] for row in rows if row["p"] is not None)
    assert len(p_values) == 3
    stepped = list(itertools.accumulate((min(1.0, p * (3 - i)) for i, p in enumerate(p_values)), max))
    assert sorted(row["p_adjusted"] for row in rows if row["p"] is not None) == pytest.approx(stepped)


def test_conditions_are_compared_as_the_exported_pairs_say(folder: Path, scores: dict[str, pd.Series[float]]) -> None:
    rows = printed("compare", folder / "run", "--by", "profiler")
    assert [(row["a"], row["b"]) for row in rows] == list(itertools.combinations(SETTINGS, 2))
    for row in rows:
        agree(row, by_hand(scores[row["a"]], scores[row["b"]]))


def test_two_runs_are_compared_over_common_problems(folder: Path) -> None:
    changed = EXPERIMENT.replace("sort_list, prime_sum, ", "range_sums, ")
    (folder / "fewer").mkdir()
    (folder / "fewer/experiment.yaml").write_text(re.sub(r"  - .*sweep.*\n", "", changed))
    carry_out(folder / "fewer/experiment.yaml")
    (row,) = printed("compare", folder / "run", folder / "fewer/run")
    assert (row["by"], row["a"], row["b"]) == ("run", str(folder / "run"), str(folder / "fewer/run"))
    assert (row["profiler"], row["common"], row["only_a"], row["only_b"]) == ("baseline", 4, 2, 1)
    assert (row["median_difference"], row["p"], row["n_nonzero"]) == (0.0, None, 0)
    shown = said("compare", folder / "run", folder / "fewer/run")
    assert "dmpd by run; " in shown
    assert re.search(r"│ +4 │ +3 │", shown)


def test_formats_agree(folder: Path) -> None:
    arguments = ("ablation", folder / "run", "--correction", "holm", "--format")
    rows = json.loads(said(*arguments, "json"))
    for read, row in zip(csv.DictReader(io.StringIO(said(*arguments, "csv"))), rows, strict=True):
        assert list(read) == list(row)
        assert {name: "" if value is None else str(value) for name, value in row.items()} == read
    shown, typeset = said(*arguments, "table"), said(*arguments, "latex")
    assert r"tracemalloc\_line stride=5 & 6 & " in typeset
    for row in rows[1:]:
        for cell in (f"{row['mis_macro']:.4f}", f"{row['cliffs_delta']:+.2f}"):
            assert cell in shown
            assert cell.replace("-", "$-$") in typeset
    reason = "tracemalloc_line quantum=64B: p: all differences are 0"
    assert reason in shown
    assert f"% {reason}" in typeset
    assert typeset.count(r" \\") == 1 + len(SETTINGS)
    assert "90% interval" in shown
    assert r"90\% interval" in typeset
    assert "p (holm)" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ablation", "--baseline", "base line"), "did you mean 'baseline'?"),
        (("ablation", "--format", "tex"), "there is no format 'tex'"),
        (("ablation", "--correction", "homl"), "did you mean 'holm'?"),
        (("compare", "--on", "dpmd"), "did you mean 'dmpd'?"),
        (("compare", "--by", "modell"), "did you mean 'model'?"),
        (("compare", "--by", "model"), "differ in nothing but model; there are:"),
        (("compare", "--format", "yaml"), "there is no format 'yaml'"),
    ],
)
def test_bad_input_is_one_message(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    command, *options = arguments
    with pytest.raises(InputError, match=re.escape(message)):
        said(command, folder / "run", *options)


def test_a_run_is_given_once(folder: Path) -> None:
    with pytest.raises(InputError, match="is given twice"):
        said("compare", folder / "run", folder / "out/../run")


def test_a_run_of_an_earlier_evalfw_is_to_be_brought_up_to_date(folder: Path, tmp_path: Path) -> None:
    for file in (folder / "run").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    del manifest["statistics"]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="brings it up to date"):
        said("ablation", tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"manifest.json cannot be read: No such file"):
        said("compare", tmp_path)
