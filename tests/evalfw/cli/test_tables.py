"""`evalfw tables` on a real run, in every format."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from evalfw import InputError
from evalfw.cli.app import app
from evalfw.report.frames import export
from evalfw.report.papers import TABLES
from evalfw.store.run import RunStore
from tests.evalfw.experiments import carry_out

ANSWERS = json.dumps(str(Path(__file__).parents[3] / "examples" / "starter-answers.jsonl"))
HOSTILE = "restless & 50% | <b>_x_</b> $\\\\y$"
EXPERIMENT = f"""\
name: tables
seed: 5
datasets: [{{use: starter, problems: [run_length, grid_ways]}}]
models:
  - {{use: replay, path: {ANSWERS}, model: steady}}
  - {{use: replay, path: {ANSWERS}, model: restless, label: "{HOSTILE}"}}
sampling: {{n: 5, temperatures: [0.0, 0.7]}}
tests: {{private: 1}}
profilers:
  - tracemalloc_line
  - {{use: tracemalloc_line, label: coarse, stride: 10}}
  - {{use: pytest_benchmark, min_rounds: 2, min_time: 1ms, max_time: 20ms}}
metrics: [{{use: pass_at_k, k: [1]}}, dmpd, mis, nmv, runtime, maintainability, ngram_overlap]
statistics: {{resamples: 200, confidence: 0.9}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run is, as `run`, and its exported tables, as `out`."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    carry_out(folder / "experiment.yaml")
    with RunStore.read(folder / "run") as store:
        export(store, "csv", folder / "out")
    return folder


def said(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["tables", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(("format", "ending"), [("latex", "tex"), ("markdown", "md"), ("csv", "csv"), ("json", "json")])
def test_every_table_is_a_file_in_every_format(folder: Path, format: str, ending: str) -> None:
    out = folder / format
    paths = said(folder / "run", "--format", format, "--out", out).split()
    assert paths == [str(out / f"{name}.{ending}") for name in TABLES]
    assert all(Path(path).stat().st_size for path in paths)


def test_the_latex_has_a_structure_that_compiles(folder: Path) -> None:
    text = said(folder / "run", "--format", "latex")
    blocks = re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", text, re.DOTALL)
    assert len(blocks) > len(TABLES)
    for block in blocks:
        first, *lines, last = block.splitlines()
        columns = re.fullmatch(r"\\begin\{tabular\}\{(l r*|lr*)\}", first)
        assert columns and last == r"\end{tabular}"
        assert [lines[0], lines[2], lines[-1]] == [r"\toprule", r"\midrule", r"\bottomrule"]
        for row in (lines[1], *lines[3:-1]):
            assert row.endswith(r" \\")
            assert len(re.findall(r"(?<!\\)&", row)) == len(columns[1]) - 1
            assert not re.search(r"(?<!\\)[%#_]", row)
            assert row.count("{") == row.count("}")
            assert len(re.findall(r"(?<!\\)\$", row)) % 2 == 0
    assert r"restless \& 50\% $|$ $<$b$>$\_x\_$<$/b$>$ \$\textbackslash{}y\$ & 0.7" in text


def test_the_markdown_has_as_many_cells_in_every_row(folder: Path) -> None:
    text = said(folder / "run", "--format", "markdown")
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("## ")] == [
        f"## {name}" for name in TABLES
    ]
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(tables) > len(TABLES)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    assert r"restless &amp; 50% \| &lt;b&gt;\_x\_&lt;/b&gt; \$\\y\$" in text
    assert "<b>" not in text


def test_one_table_as_csv_is_nothing_but_its_rows(folder: Path) -> None:
    found = list(csv.DictReader(io.StringIO(said(folder / "run", "--format", "csv", "--only", "conditions"))))
    conditions = pd.read_csv(folder / "out/conditions.csv")
    assert [row["model"] for row in found] == ["steady"] * 4 + [HOSTILE.replace("\\\\", "\\")] * 4
    for row in found:
        of = conditions[
            (conditions["model"] == row["model"]) & (conditions["temperature"] == float(row["temperature"]))
        ]
        (passed,) = of[of["metric"] == "pass@1"]["value"]
        mis = of[(of["metric"] == "mis_macro") & (of["profiler"] == row["profiler"])]
        assert float(row["pass@1"]) == passed
        assert (float(row["mis_macro"]), float(row["mis_macro_low"])) == (*mis["value"], *mis["low"])


def test_json_has_the_rows_by_name(folder: Path) -> None:
    found = json.loads(said(folder / "run", "--format", "json", "--only", "models", "--only", "runtimes"))
    assert list(found) == ["models", "runtimes"]
    first = found["models"][0]
    assert (first["model"], first["plugin"], first["completions"]) == ("steady", "replay", 20)
    assert first["options"] == "path: starter-answers.jsonl, model: steady"  # of a file here only its name
    assert {row["profiler"] for row in found["runtimes"]} == {"pytest_benchmark"}


def test_on_the_terminal_each_table_stands_under_its_name(folder: Path) -> None:
    text = said(folder / "run")
    places = [text.index(f"{name}: ") for name in TABLES]
    assert places == sorted(places)
    assert "ablation: Settings of a profiler (paper A, table 3)" in text
    assert "Settings of a profiler" not in said(folder / "run", "--only", "ablation")


def test_what_cannot_be_made_is_named_with_the_reason(tmp_path: Path) -> None:
    text = EXPERIMENT[: EXPERIMENT.index("profilers:")] + "metrics: [{use: pass_at_k, k: [1]}]\n"
    (tmp_path / "experiment.yaml").write_text(text)
    carry_out(tmp_path / "experiment.yaml")
    done = CliRunner().invoke(app, ["tables", str(tmp_path / "run"), "--format", "csv"], catch_exceptions=False)
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if line.startswith("#")] == [
        "# models: Models (paper A, table 1; paper B, table 1)",
        "# conditions: Correctness and instability by model and temperature (paper A, table 2)",
        "# pass-at-k: Correctness at the best temperature (paper B, table 2)",
    ]
    missing = [line.split(": ")[1] for line in done.stderr.splitlines()]
    assert missing == [f"table {name}" for name in TABLES if name not in {"models", "conditions", "pass-at-k"}]
    with pytest.raises(InputError, match="none of these tables can be made"):
        CliRunner().invoke(app, ["tables", str(tmp_path / "run"), "--only", "ablation"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "latx"], "there is no format 'latx'; did you mean 'latex'?"),
        (["--only", "ablations"], "there is no table 'ablations'; did you mean 'ablation'?"),
        (["--out", "x"], "a table is for the terminal: with --out, --format is one of latex, markdown, csv, json"),
    ],
)
def test_a_mistake_is_named(folder: Path, options: list[str], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        CliRunner().invoke(app, ["tables", str(folder / "run"), *options], catch_exceptions=False)


def test_a_folder_that_cannot_be_written_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file cannot be written: "):
        said(folder / "run", "--format", "csv", "--out", tmp_path / "file")


def test_the_other_commands_have_the_same_formats(folder: Path) -> None:
    done = CliRunner().invoke(
        app,
        ["ablation", str(folder / "run"), "--baseline", "tracemalloc_line", "--format", "markdown"],
        catch_exceptions=False,
    )
    assert done.stdout.startswith("**dataset starter, model steady, temperature 0**\n\n| setting | n |")
