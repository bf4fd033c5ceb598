"""The commands on a real run; their numbers are computed again from the exported tables, by pandas and scipy."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import statistics
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
from tests.evalfw.experiments import carry_out

ANSWERS = Path(__file__).parents[3] / "examples" / "starter-answers.jsonl"
MODELS = ["steady", "curious", "restless"]
EXPERIMENT = f"""\
name: three-models
seed: 5
datasets: [{{use: starter, problems: [run_length, sort_list, prime_sum, grid_ways, sliding_max]}}]
models: [{", ".join(f"{{use: replay, path: {json.dumps(str(ANSWERS))}, model: {name}}}" for name in MODELS)}]
sampling: {{n: 5, temperatures: [0.0, 0.7, 0.95]}}
tests: {{private: 2}}
profilers: [tracemalloc_line]
metrics: [pass_at_k, dmpd, npd, nmv, maintainability, ast_similarity]
statistics: {{resamples: 400, confidence: 0.9}}
"""
PROXIES = ("dmpd", "nmv")
AGAINST = ("cognitive_mean", "maintainability_index", "cyclomatic_mean")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run is, as `run`, and its exported tables, as `out`."""
    folder = tmp_path_factory.mktemp("analysing")
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    carry_out(folder / "experiment.yaml")
    with RunStore.read(folder / "run") as store:
        export(store, "csv", folder / "out")
    return folder


@pytest.fixture(scope="module")
def solutions(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "out/solutions.csv")


@pytest.fixture(scope="module")
def problems(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "out/problems.csv")


def said(*arguments: object) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def printed(*arguments: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(said(*arguments, "--format", "json"))
    return rows


def test_an_association_is_what_the_exported_solutions_say(folder: Path, solutions: pd.DataFrame) -> None:
    rows = printed("associate", folder / "run", "--pool", "temperature")
    assert [(row["model"], row["proxy"], row["against"]) for row in rows] == [
        *itertools.product(MODELS, PROXIES, AGAINST)
    ]
    for row in rows:
        of_model = solutions[solutions["model"] == row["model"]].dropna(subset=[row["proxy"]])
        low, high = of_model[row["proxy"]].quantile([1 / 3, 2 / 3])
        both = of_model.dropna(subset=[row["against"]])
        x, y = both[row["proxy"]], both[row["against"]]
        assert row["n"] == len(both) > 20
        assert row["spearman"] == pytest.approx(stats.spearmanr(x, y).statistic)
        assert row["spearman_p"] == pytest.approx(stats.spearmanr(x, y).pvalue)
        assert row["pearson"] == pytest.approx(x.corr(y))
        assert row["pearson_p"] == pytest.approx(stats.linregress(x, y).pvalue)
        first, third = y[x <= low], y[x > high]
        assert (row["n_1"], row["n_3"]) == (len(first), len(third))
        signs = [(one > other) - (one < other) for one, other in itertools.product(first, third)]
        assert row["cliffs_delta"] == pytest.approx(np.mean(signs))


def test_each_temperature_is_associated_by_itself_unless_pooled(folder: Path) -> None:
    rows = printed("associate", folder / "run", "--proxy", "nmv", "--against", "cyclomatic")
    assert [(row["model"], row["temperature"]) for row in rows] == [*itertools.product(MODELS, (0.0, 0.7, 0.95))]


def test_the_solutions_behind_an_association(folder: Path, solutions: pd.DataFrame) -> None:
    rows = pd.DataFrame(printed("associate", folder / "run", "--pool", "temperature", "--rows"))
    assert len(rows) == (solutions["verdict"] == "accepted").sum()
    for model, mine in rows.groupby("model"):
        low, high = mine["nmv"].quantile([1 / 3, 2 / 3])
        assert list(mine["nmv_tertile"]) == list(1 + (mine["nmv"] > low) + (mine["nmv"] > high)), model


def by_formula(test: str, a: list[float], b: list[float]) -> tuple[float | None, float, float | None]:
    """The two-sided p of a test, the difference that it looks at, and Cohen's d; by the formulas of textbooks."""
    n, m = len(a), len(b)
    var_a, var_b = (statistics.variance(group) for group in (a, b))
    difference = statistics.fmean(a) - statistics.fmean(b)
    pooled = ((n - 1) * var_a + (m - 1) * var_b) / (n + m - 2)
    d = -difference / pooled**0.5 if pooled else None
    if test == "mann-whitney":
        lean = float(np.mean([(x > y) - (x < y) for x, y in itertools.product(a, b)]))
        return None if len({*a, *b}) == 1 else stats.mannwhitneyu(a, b, method="asymptotic").pvalue, lean, d
    if not pooled:
        return None, difference, None
    error = pooled * (1 / n + 1 / m) if test == "student" else var_a / n + var_b / m
    welch = (var_a / n + var_b / m) ** 2 / ((var_a / n) ** 2 / (n - 1) + (var_b / m) ** 2 / (m - 1))
    return 2 * stats.t.sf(abs(difference) / error**0.5, n + m - 2 if test == "student" else welch), difference, d


@pytest.mark.parametrize("test", ["student", "welch", "mann-whitney"])
def test_a_contest_is_what_the_exported_solutions_say(folder: Path, solutions: pd.DataFrame, test: str) -> None:
    options = ("--on", "nmv", "--pool", "temperature", "--test", test, "--more-than", "8")
    rows = printed("contest", folder / "run", *options)
    assert [(row["a"], row["b"]) for row in rows] == [*itertools.combinations(MODELS, 2)]
    values = {
        model: {name: list(of["nmv"].dropna()) for name, of in mine.groupby("problem")}
        for model, mine in solutions.groupby("model")
    }
    for row in rows:
        couples = [(values[row["a"]][name], values[row["b"]][name]) for name in values[row["a"]]]
        eligible = [(a, b) for a, b in couples if min(len(a), len(b)) > 8]
        found = [by_formula(test, a, b) for a, b in eligible]
        significant = [difference for p, difference, _ in found if p is not None and p < 0.05]
        effects = [d for *_, d in found if d is not None]
        assert (row["problems"], row["too_few"]) == (len(eligible), len(couples) - len(eligible))
        assert row["a_lower"] == sum(difference < 0 for difference in significant)
        assert row["b_lower"] == sum(difference > 0 for difference in significant)
        assert row["a_lower_share"] == pytest.approx(row["a_lower"] / len(eligible))
        assert row["undefined"] == sum(p is None for p, *_ in found)
        assert row["cohens_d"] == pytest.approx(np.mean(effects))
        assert row["cohens_d_size"] == pytest.approx(np.mean(np.abs(effects)))
    assert sum(row["a_lower"] + row["b_lower"] for row in rows) > 1


def test_the_matrix_of_a_contest(folder: Path) -> None:
    shown = said("contest", folder / "run", "--on", "nmv", "--pool", "temperature")
    rows = printed("contest", folder / "run", "--on", "nmv", "--pool", "temperature")
    first = rows[0]
    assert re.search(rf"│ steady +│ +│ +{first['a_lower']}/{first['problems']} │", shown)
    assert re.search(rf"│ curious +│ +{first['b_lower']}/{first['problems']} │ +│", shown)
    assert "student test within a problem, p < 0.05, on problems with more than 5 solutions of both" in shown


def test_correlations_within_problems_are_what_the_exported_tables_say(
    folder: Path, solutions: pd.DataFrame, problems: pd.DataFrame
) -> None:
    pool = ("--pool", "temperature", "--pool", "model", "--per", "problem")
    for options, table, y in (
        (("--x", "temperature", "--y", "nmv", "--of", "solutions"), solutions, "nmv"),
        (("--x", "temperature", "--y", "dmpd"), problems, "dmpd"),
    ):
        (row,) = printed("correlate", folder / "run", *options, *pool)
        found = {
            name: group["temperature"].corr(group[y]) for name, group in table.dropna(subset=[y]).groupby("problem")
        }
        each = printed("correlate", folder / "run", *options, *pool, "--rows")
        assert {one["problem"]: one["value"] for one in each} == {n: pytest.approx(v) for n, v in found.items()}
        assert row["median"] == pytest.approx(np.median([*found.values()]))
        assert row["mean"] == pytest.approx(np.mean([*found.values()]))
        bootstrap = stats.bootstrap(
            (np.sort([one["value"] for one in each]),),
            np.median,
            method="percentile",
            n_resamples=400,
            confidence_level=0.9,
            rng=np.random.default_rng(5),
        ).confidence_interval
        assert (row["low"], row["high"]) == (pytest.approx(bootstrap.low), pytest.approx(bootstrap.high))


def test_the_success_of_a_model_is_joined_to_its_solutions(folder: Path, solutions: pd.DataFrame) -> None:
    conditions = pd.read_csv(folder / "out/conditions.csv")
    rates = conditions[conditions["metric"] == "pass@1"].set_index(["model", "temperature"])["value"]
    joined = solutions.join(rates, on=["model", "temperature"]).dropna(subset=["nmv"])
    options = ("--preset", "success-runtime", "--y", "nmv", "--method", "spearman", "--rows")
    for row in printed("correlate", folder / "run", *options):
        mine = joined[joined["problem"] == row["problem"]]
        assert row["value"] == pytest.approx(stats.spearmanr(mine["value"], mine["nmv"]).statistic)
        assert row["n"] == len(mine)


def test_a_heatmap_and_the_share_explained(folder: Path, problems: pd.DataFrame) -> None:
    columns = ["dmpd", "ast_similarity", "cognitive"]
    options = [part for column in columns for part in ("--x", column)]
    rows = printed("correlate", folder / "run", *options, "--pool", "temperature")
    assert len(rows) == 3 * 3
    for row in rows:
        mine = problems[problems["model"] == row["model"]].dropna(subset=[row["x"], row["y"]])
        assert row["value"] == pytest.approx(np.corrcoef(mine[row["x"]], mine[row["y"]])[0, 1])
    shown = said("correlate", folder / "run", *options, "--pool", "temperature", "--pool", "model")
    assert re.search(r"│ dmpd +│ +│ +[+-]0\.\d{3} │ +[+-]0\.\d{3} │", shown)
    for row in printed("correlate", folder / "run", "--preset", "npd"):
        mine = problems[(problems["model"] == row["model"]) & (problems["temperature"] == row["temperature"])]
        mine = mine.dropna(subset=["npd", "dmpd"])
        assert row["r_squared"] == pytest.approx(stats.linregress(mine["npd"], mine["dmpd"]).rvalue ** 2)
        assert row["p"] == pytest.approx(stats.linregress(mine["npd"], mine["dmpd"]).pvalue)
    scattered = printed("correlate", folder / "run", "--preset", "npd", "--rows")
    assert len(scattered) == len(problems.dropna(subset=["npd", "dmpd"]))


def test_a_breakdown_is_what_the_exported_problems_say(folder: Path, problems: pd.DataFrame) -> None:
    traits = pd.read_csv(folder / "out/traits.csv")
    kinds = traits[traits["trait"] == "kind"].set_index("problem")["value"]
    joined = problems.assign(kind=problems["problem"].map(kinds))
    rows = printed("breakdown", folder / "run", "--by", "kind")
    assert len(rows) == 9 * 2
    for row in rows:
        mine = joined[(joined["model"] == row["model"]) & (joined["temperature"] == row["temperature"])]
        values = mine[mine["kind"] == row["kind"]]["pass@1"]
        assert (row["problems"], row["left_out"], row["value"]) == (len(values), 0, pytest.approx(values.mean()))
        if values.nunique() == 1:
            assert row["low"] == row["high"] == pytest.approx(values.iloc[0])
            continue
        bootstrap = stats.bootstrap(
            (np.sort(values.to_numpy()),),
            np.mean,
            method="percentile",
            n_resamples=400,
            confidence_level=0.9,
            rng=np.random.default_rng(5),
        ).confidence_interval
        assert (row["low"], row["high"]) == (pytest.approx(bootstrap.low), pytest.approx(bootstrap.high))
    assert "90% interval" in said("breakdown", folder / "run", "--by", "kind")


@pytest.mark.parametrize(
    "arguments",
    [
        ("associate", "--pool", "temperature"),
        ("associate", "--rows"),
        ("contest", "--on", "nmv"),
        ("contest", "--on", "nmv", "--pool", "temperature", "--rows"),
        ("correlate", "--preset", "npd"),
        ("correlate", "--preset", "npd", "--rows"),
        ("correlate", "--preset", "temperature-variation", "--y", "dmpd"),
        ("correlate", "--preset", "temperature-variation", "--y", "dmpd", "--rows"),
        ("breakdown", "--by", "kind"),
    ],
)
def test_formats_agree(folder: Path, arguments: tuple[str, ...]) -> None:
    command, *options = arguments
    rows = printed(command, folder / "run", *options)
    read = list(csv.DictReader(io.StringIO(said(command, folder / "run", *options, "--format", "csv"))))
    assert read == [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    assert said(command, folder / "run", *options).strip()
    typeset = said(command, folder / "run", *options, "--format", "latex")
    assert typeset.count(r"\begin{tabular}") == typeset.count(r"\end{tabular}") >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("associate", "--proxy", "dpmd"), "did you mean 'dmpd'?"),
        (("associate", "--pool", "temprature"), "did you mean 'temperature'?"),
        (("contest",), "there is no number 'runtime_median'"),
        (("contest", "--on", "nmv", "--test", "t"), "there is no test 't'"),
        (("contest", "--on", "nmv", "--by", "profiler"), "differ in nothing but profiler"),
        (("correlate", "--preset", "similarty"), "did you mean 'similarity'?"),
        (("correlate", "--x", "dmpd"), "between two columns or more, found dmpd"),
        (("correlate", "--x", "dmpd", "--y", "npd", "--per", "model"), "not for each 'model'"),
        (("correlate", "--preset", "npd", "--format", "tex"), "there is no format 'tex'"),
        (("breakdown", "--by", "knd"), "did you mean 'kind'?"),
    ],
)
def test_bad_input_is_one_message(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    command, *options = arguments
    with pytest.raises(InputError, match=re.escape(message)):
        said(command, folder / "run", *options)
