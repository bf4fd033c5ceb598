from __future__ import annotations

import json
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from evalfw.cli.app import main
from evalfw.domain.isolation import LEVELS
from tests.evalfw.experiments import DOUBLE, LISTED, carry_out, lose_zygotes_to, problem, write

PROBLEMS = [problem("a")]
ANSWERS = {"a": [DOUBLE, LISTED]}


def evalfw(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evalfw", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    carry_out(write(folder, PROBLEMS, ANSWERS))
    return folder


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['evalfw', '--help']\n"
        "try:\n    import evalfw.cli.app as app; app.main()\nexcept SystemExit: pass\n"
        "print([m for m in ('pydantic', 'pandas', 'numpy', 'scipy', 'ruamel.yaml', 'pluggy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Run an experiment" in done.stdout


def test_the_version_is_that_of_the_package() -> None:
    assert evalfw("--version").stdout == f"evalfw {version('evalfw')}\n"


def test_importing_evalfw_loads_nothing_heavy() -> None:
    code = (
        "import sys, evalfw\n"
        "heavy = ('pydantic', 'pandas', 'numpy', 'scipy', 'typer', 'rich', 'dtaidistance', 'ruamel.yaml', 'pluggy')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_run_that_goes_on_under_another_interpreter_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    assert "interpreter" not in evalfw("run", path, "--no-report", "--out", "run", folder=tmp_path).stderr
    manifest = tmp_path / "run" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"sandbox": "cpython-3', '"sandbox": "cpython-2'))
    said = f"was last carried out under cpython-2{platform.python_version()[1:]}"
    assert said in evalfw("plan", path, "--out", "run", folder=tmp_path).stderr
    assert said in evalfw("run", path, "--no-report", "--out", "run", folder=tmp_path).stderr
    assert "interpreter" not in evalfw("plan", path, "--out", "run", folder=tmp_path).stderr


def test_a_plan_shows_size_buckets(tmp_path: Path) -> None:
    made = problem("a", generator="def generate(rng, size): ...")
    tests = {"generated": {"sizes": [1, 10], "per_size": 3}}
    done = evalfw("plan", write(tmp_path, [made, problem("b")], ANSWERS, tests=tests), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [line.split()[3:5] for line in done.stdout.splitlines()[2:5]] == [
        ["profiler", "size"],
        ["tracemalloc_line", "1"],
        ["tracemalloc_line", "10"],
    ]
    assert "buckets      2 to fill, 0 stored: 3 tests of each size; problems with a generator: 1" in done.stdout


def test_a_run_prints_progress_and_a_table(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    done = evalfw("run", path, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "profiles: 4 of 4" in done.stderr
    assert "mis_macro" in done.stdout
    assert "Nothing was excluded." in done.stdout
    assert "evalfw export runs/test" in done.stdout
    assert done.stdout.endswith("\nReport: runs/test/report/index.html\n")
    assert (tmp_path / "runs/test/report/index.html").is_file()
    again = evalfw("run", path, folder=tmp_path)
    assert again.stdout == done.stdout
    assert "profiles: 4, of which 4 stored before" in again.stderr


def test_show_and_export(run_folder: Path, tmp_path: Path) -> None:
    assert "mis_macro" in evalfw("show", run_folder / "run").stdout
    pairs = evalfw("show", run_folder / "run", "--table", "pairs").stdout
    assert pairs.splitlines()[0].split()[:3] == ["dataset", "model", "temperature"]
    assert len(pairs.splitlines()) == 3
    done = evalfw("export", run_folder / "run", "--format", "csv", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert {Path(line).name for line in done.stdout.splitlines()} == {
        *(
            "conditions.csv",
            "problems.csv",
            "solutions.csv",
            "pairs.csv",
            "profiles.csv",
            "canonical.csv",
            "buckets.csv",
            "traits.csv",
            "sampling.csv",
            "excluded.csv",
        ),
    }


def test_runs_are_found_by_name(run_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/mine").symlink_to(run_folder / "run")
    assert "mis_macro" in evalfw("show", "mine", folder=tmp_path).stdout
    assert "did you mean 'mine'?" in evalfw("show", "mien", folder=tmp_path).stderr


def test_a_plan(run_folder: Path) -> None:
    done = evalfw("plan", run_folder / "experiment.yaml", "--out", run_folder / "run")
    assert done.returncode == 0, done.stderr
    assert "completions  0 to sample, 2 stored" in done.stdout
    assert "tests        3 over 1 problems" in done.stdout
    assert "profiler 'tracemalloc_line'" in done.stdout


def test_plugins_and_schema() -> None:
    listed = json.loads(evalfw("plugins", "profilers", "--json").stdout)
    (entry,) = (e for e in listed if e["name"] == "tracemalloc_line")
    assert {option["name"] for option in entry["options"]} >= {"stride", "quantum"}
    assert all(e["kind"] == "profiler" for e in listed)
    text = evalfw("plugins").stdout
    assert "metric dmpd  (evalfw" in text
    assert "engine:" in text
    schema = json.loads(evalfw("schema").stdout)
    assert {"datasets", "models", "metrics"} <= schema["properties"].keys()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "nowhere.yaml"), "nowhere.yaml"),
        (("rum", "x"), "there is no command 'rum'; did you mean 'run'?"),
        (("show", "nowhere"), "there is no run 'nowhere' (allowed: none)"),
        (("show", "."), "is not a run directory: it has no run.db"),
        (("plugins", "metrix"), "there is no kind 'metrix'; did you mean 'metric'?"),
        (("run",), "Missing argument"),
    ],
)
def test_bad_input_is_one_message(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = evalfw(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_bad_tables_and_formats(run_folder: Path, tmp_path: Path) -> None:
    done = evalfw("show", run_folder / "run", "--table", "pear")
    assert (done.returncode, "did you mean 'pairs'" in done.stderr) == (2, True)
    done = evalfw("export", run_folder / "run", "--format", "cvs", "--out", tmp_path)
    assert (done.returncode, "did you mean 'csv'" in done.stderr) == (2, True)
    (tmp_path / "file").write_text("")
    done = evalfw("export", run_folder / "run", "--out", tmp_path / "file" / "out")
    assert (done.returncode, "cannot be written" in done.stderr) == (2, True)


def test_every_mistake_of_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text(
        "name: x\n"
        "datasets: [{use: startr}]\n"
        "models: [{use: accepted, speed: 1}]\n"
        "profilers: [{use: tracemalloc_line, strid: 5}]\n"
        "metrics:\n"
        "  - use: pass_at_k\n"
        "    k: [0]\n"
        "  - mis\n"
    )
    done = evalfw("run", path)
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert [line.partition("experiment.yaml:")[2].partition(":")[0] for line in lines] == ["2", "3", "4", "7"]
    assert "did you mean 'starter'" in lines[0]
    assert "did you mean 'stride'" in lines[2]


def test_metrics_that_nothing_feeds(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS, metrics=["mis", "npd"], profilers=[])
    done = evalfw("plan", path)
    assert done.returncode == 2
    assert "'mis' aggregates the metric 'dmpd', which is not listed" in done.stderr
    assert "'npd' reads series profiles, and no profiler listed produces any; list one that does (" in done.stderr


def test_a_damaged_database_is_one_message(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.db").write_text("no database, however long this text may be " * 100)
    done = evalfw("run", path, "--out", tmp_path / "run")
    assert done.returncode == 1
    assert "run.db: file is not a database; what was stored before stays" in done.stderr
    assert "Traceback" not in done.stderr


def test_failures_of_the_sandbox_end_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    murder = "print('kills whoever runs it')\n"
    lose_zygotes_to(murder, monkeypatch)
    path = write(tmp_path, PROBLEMS, {"a": [murder]}, metrics=["pass_at_k"], profilers=[])
    monkeypatch.setattr(sys, "argv", ["evalfw", "run", str(path), "--no-report", "--out", str(tmp_path / "run")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "through no fault of the program" in capsys.readouterr().err


def test_the_doctor_says_how_programs_are_isolated(tmp_path: Path) -> None:
    done = evalfw("doctor", folder=tmp_path)
    assert done.returncode == 0
    assert any(f"level        {level}" in done.stdout for level in LEVELS)
    assert platform.release() in done.stdout
