from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from evalfw import InputError
from evalfw.cli.targets import recall_plan
from evalfw.pipeline.recorded import recalled
from evalfw.pipeline.run import run_generate, run_judge, run_measure, run_profile
from evalfw.registry.catalog import Catalog
from evalfw.registry.hooks import Listeners
from evalfw.report.frames import export
from evalfw.store.run import RunStore
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, WRONG, Watcher, carry_out, plan, problem, write

PROBLEMS = [
    problem("a"),
    problem("b", traits={"x": "y"}, generator="def generate(rng, size):\n    return f'{size}\\n'\n"),
]
ANSWERS = {"a": [DOUBLE, LISTED, DOUBLE], "b": [WRONG, BLOCK, LISTED]}


def exported(run: Path) -> dict[str, bytes]:
    with RunStore.read(run) as store:
        return {file.name: file.read_bytes() for file in export(store, "jsonl", run.parent / f"{run.name}-export")}


def recall(run: Path) -> object:
    with RunStore.read(run) as store:
        return recalled(run, store, Catalog.scan(), Listeners())


def evalfw(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evalfw", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"sampling": {"until": {"correct": 2, "max": 3}}, "cohorts": {"distinct": True}},
        {"tests": {"generated": {"sizes": [1], "per_size": 1}, "correct_on": "public", "private": 1}},
    ],
    ids=["plain", "until", "buckets"],
)
def test_stages_one_by_one_elsewhere_come_to_the_same(tmp_path: Path, changes: dict[str, object]) -> None:
    path = write(tmp_path / "here", PROBLEMS, ANSWERS, **changes)
    carry_out(path)
    run_generate(plan(path), tmp_path / "here/apart")
    whole = exported(tmp_path / "here/run")
    there = tmp_path / "there"
    shutil.move(tmp_path / "here/apart", there)
    shutil.rmtree(tmp_path / "here")
    for stage in (run_judge, run_profile, run_measure):
        stage(recall_plan(there, Listeners()), there)
    assert exported(there) == whole
    manifest = json.loads((there / "manifest.json").read_text())
    assert set(manifest["stages"]) == {"generate", "judge", "profile", "measure"}
    assert [dataset["problems"] for dataset in manifest["datasets"]] == [2]


def test_the_commands(tmp_path: Path) -> None:
    path, run = write(tmp_path, PROBLEMS, ANSWERS), tmp_path / "run"
    done = evalfw("generate", path, "--out", run)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"Stored in {run}: 6 completions, 0 verdicts, 0 profiles, 0 measures.\nNext: evalfw judge {run}\n"
    )
    early = evalfw("measure", run)
    assert (early.returncode, early.stderr.splitlines()[-1]) == (
        2,
        f"evalfw: {run}: nothing is judged yet: run `evalfw judge {run}`",
    )
    for name in ("judge", "profile", "measure"):
        done = evalfw(name, run)
        assert done.returncode == 0, done.stderr
    assert "mis_macro" in done.stdout
    assert f"Report: {run / 'report' / 'index.html'}" in done.stdout


def test_a_stage_says_what_has_to_come_before(tmp_path: Path) -> None:
    path, run = write(tmp_path, PROBLEMS, ANSWERS), tmp_path / "run"
    RunStore.create(run).close()
    with pytest.raises(InputError, match="nothing was sampled yet: run `evalfw generate EXPERIMENT"):
        recall(run)
    run_generate(plan(path), run)
    with pytest.raises(InputError, match="nothing is judged yet: run `evalfw judge"):
        run_profile(recall_plan(run, Listeners()), run)
    run_judge(recall_plan(run, Listeners()), run)
    with pytest.raises(InputError, match="nothing is profiled yet: run `evalfw profile"):
        run_measure(recall_plan(run, Listeners()), run)


def test_a_stage_says_what_is_left_undone(tmp_path: Path) -> None:
    run = tmp_path / "run"
    carry_out(write(tmp_path, PROBLEMS, {"a": [DOUBLE], "b": [LISTED]}, profilers=[], metrics=["pass_at_k"]))
    run_generate(plan(write(tmp_path, PROBLEMS, {"a": [DOUBLE, BLOCK], "b": [LISTED]}, metrics=["npd"])), run)
    done = run_profile(recall_plan(run, Listeners()), run)
    assert done.notes == [f"{run}: 1 of 3 are not judged yet: run `evalfw judge {run}`"]
    run_judge(recall_plan(run, Listeners()), run)
    done = run_measure(recall_plan(run, Listeners()), run)
    assert done.notes == [f"{run}: 2 of 6 are not profiled yet: run `evalfw profile {run}`"]


def test_without_a_completion_there_is_nothing_to_judge(tmp_path: Path) -> None:
    path, run = write(tmp_path, PROBLEMS, {"c": [DOUBLE]}), tmp_path / "run"
    assert run_generate(plan(path), run).missing == 2
    with pytest.raises(InputError, match="no completion has come yet: run `evalfw generate"):
        run_judge(recall_plan(run, Listeners()), run)


def test_what_is_measured_may_change_and_what_was_sampled_may_not(tmp_path: Path) -> None:
    run = tmp_path / "run"
    carry_out(write(tmp_path, PROBLEMS, ANSWERS, metrics=["pass_at_k"], profilers=[]))
    yaml = YAML(typ="safe", pure=True)
    content = yaml.load(run / "experiment.yaml")
    yaml.dump(content | {"metrics": [{"use": "pass_at_k", "k": [2]}]}, run / "experiment.yaml")
    watcher, listeners = Watcher(), Listeners()
    listeners.add(watcher, "watcher")
    finished = run_measure(recall_plan(run, listeners), run).finished
    assert finished
    assert {row["metric"] for row in finished.tables["conditions"]} == {"pass@2"}
    assert watcher.stages["measure"] == (2, 0)
    yaml.dump(content | {"seed": 1, "sampling": {"n": 9}}, run / "experiment.yaml")
    with pytest.raises(InputError, match=r"experiment\.yaml: seed, sampling: other than when completions were sampled"):
        recall(run)


def test_a_plugin_of_ones_own_is_looked_for_beside_the_run_where_its_folder_is_not(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    path = write(here, PROBLEMS, ANSWERS, metrics=["./own.py:Own"], profilers=[])
    (here / "own.py").write_text(
        "from evalfw import Estimate, Metric, NoOptions\n\n\n"
        "class Own(Metric[NoOptions]):\n"
        "    def measure(self, cohort):\n        return ()\n\n"
        "    def aggregate(self, cohorts):\n        return [Estimate('own', 1.0, 1)]\n"
    )
    run_generate(plan(path), here / "run")
    recall(here / "run")
    shutil.move(here / "run", there)
    shutil.move(here / "own.py", tmp_path / "own.py")
    shutil.rmtree(here)
    with pytest.raises(InputError, match=r"there is no file .*there/own\.py"):
        recall(there)
    shutil.move(tmp_path / "own.py", there / "own.py")
    recall(there)
