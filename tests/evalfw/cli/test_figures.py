"""`evalfw figures` on a real run; what it draws is read from the run by other means."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evalfw import InputError
from evalfw.cli.app import app
from evalfw.report.figures.runtime import runtime_figures
from evalfw.report.runs import read_runs
from evalfw.store.run import RunStore
from tests.evalfw.experiments import Watcher, carry_out

EXPERIMENT = """\
name: drawn
datasets: [{use: starter, problems: [sliding_max, run_length]}]
models: [accepted]
sampling: {n: 3}
tests: {private: 2}
profilers:
  - {use: tracemalloc_line, label: baseline}
  - {use: tracemalloc_line, label: coarse, stride: 10}
metrics: [pass_at_k, dmpd, npd, mis]
statistics: {resamples: 200}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    (folder / "experiment.yaml").write_text(EXPERIMENT)
    carry_out(folder / "experiment.yaml", Watcher())
    return folder / "run"


def figures(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["figures", *map(str, arguments)], catch_exceptions=False)


def refused(*arguments: object) -> str:
    with pytest.raises(InputError) as caught:
        figures(*arguments)
    return str(caught.value)


def test_every_figure_is_written_and_what_is_missing_is_said(run: Path) -> None:
    done = figures(run, "--format", "svg,pdf")
    assert done.exit_code == 0
    names = ["pass-against-mis", "mis-by-model", "profiles", "alignment", "ablation"]
    names += [f"{name}-{setting}" for name in ("dmpd-against-npd", "similarity") for setting in ("baseline", "coarse")]
    names += ["pass-by-kind"]
    expected = [str(run / "figures" / f"{name}.{kind}") for name in names for kind in ("svg", "pdf", "csv")]
    assert done.stdout.splitlines() == expected
    assert all(Path(path).stat().st_size for path in expected)
    missing = [line.split(": ")[1] for line in done.stderr.splitlines()]
    assert missing[:3] == ["mis-by-temperature", "mis-by-size", "association"]
    assert missing[3:] == [each.name for each in runtime_figures(read_runs([run]))]  # nothing was timed
    with (run / "figures" / "mis-by-model.csv").open(newline="") as file:
        drawn = list(csv.DictReader(file))
    with RunStore.read(run) as store:
        cells = [cell for cell in store.results("conditions") if cell["metric"].startswith("mis_")]
    assert len(cells) == 4
    assert [(row["profiler"], row["metric"], float(row["value"]), float(row["high"])) for row in drawn] == [
        (cell["profiler"], cell["metric"], cell["value"], cell["high"]) for cell in cells
    ]


def test_one_figure_in_another_place_and_style(run: Path, tmp_path: Path) -> None:
    done = figures(run, "--only", "mis-by-model", "--out", tmp_path / "new", "--style", "dark", "--format", "png")
    assert done.stdout.splitlines() == [str(tmp_path / "new" / f"mis-by-model.{kind}") for kind in ("png", "csv")]
    assert done.stderr == ""


def test_what_cannot_be_used_is_refused(run: Path, tmp_path: Path) -> None:
    assert "there is no figure 'mis-by-modle'; did you mean 'mis-by-model'?" in refused(run, "--only", "mis-by-modle")
    assert "there is no style 'drak'; did you mean 'dark'? (allowed: dark, light, paper)" in refused(
        run, "--style", "drak"
    )
    assert "there is no format 'jpg'" in refused(run, "--format", "svg,jpg")
    assert "there is no run 'nothing'" in refused("nothing")
    (tmp_path / "file").touch()
    assert f"{tmp_path / 'file'} cannot be written" in refused(run, "--out", tmp_path / "file")


def test_nothing_to_draw_is_an_error(run: Path) -> None:
    message = refused(run, "--only", "association", "--only", "mis-by-size")
    assert message.startswith("no figure can be drawn from this:\n  mis-by-size: needs the metrics dmpd and mis")
    assert message.endswith("association: needs the metric dmpd or nmv, and the metric maintainability")
