from __future__ import annotations

import json
import os
import platform
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from evalfw import InputError, Outcome
from evalfw.pipeline.outlook import outlook
from evalfw.report.frames import export
from evalfw.sandbox.levels import best
from evalfw.store.run import RunStore
from tests.evalfw.experiments import (
    BLOCK,
    DOUBLE,
    LISTED,
    WRONG,
    Watcher,
    carry_out,
    estimates,
    lose_zygotes_to,
    plan,
    problem,
    table,
    write,
)

PROBLEMS = [problem("a"), problem("b")]
ANSWERS = {"a": [DOUBLE, LISTED, BLOCK], "b": [DOUBLE, WRONG, LISTED]}


def exported(path: Path) -> dict[str, bytes]:
    out = path.parent / "csv"
    with RunStore.read(path.parent / "run") as store:
        return {file.name: file.read_bytes() for file in export(store, "csv", out)}


def test_from_a_file_to_tables(tmp_path: Path) -> None:
    finished = carry_out(write(tmp_path, PROBLEMS, ANSWERS))
    found = estimates(finished)
    assert list(found) == ["pass@1", "npd", "nmv", "mis_macro", "mis_micro"]
    assert found["pass@1"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["mis_macro"]
    assert 0 < found["mis_macro"] < 1
    verdicts = Counter((row["problem"], row["verdict"]) for row in finished.tables["solutions"])
    assert verdicts == {("a", "accepted"): 3, ("b", "accepted"): 2, ("b", "wrong_answer"): 1}
    assert len(finished.tables["pairs"]) == (3 + 1) * 2
    assert all(
        row["dmpd"] == row["dmpd_cost"] / (row["dmpd_scale"] * row["dmpd_length"]) for row in finished.tables["pairs"]
    )
    rows = {row["problem"]: row for row in finished.tables["problems"]}
    assert (rows["b"]["samples"], rows["b"]["correct"], rows["b"]["tests"], rows["b"]["pool"]) == (3, 2, 2, "private")
    assert {(row["what"], row["why"], row["count"]) for row in finished.tables["excluded"]} == {
        ("solution", "wrong_answer", 1)
    }
    profiles = [row for row in finished.tables["profiles"] if row["problem"] == "a"]
    assert len(profiles) == 3 * 2
    assert all(row["exact"] and row["steps"] > 0 and row["peak_bytes"] % 64 == 0 for row in profiles)
    manifest = json.loads((tmp_path / "run/manifest.json").read_text())
    assert (manifest["faults"], manifest["missing"]) == (0, 0)
    assert (manifest["isolation"]["level"], manifest["isolation"]["requested"]) == (best(), None)
    assert {plugin["name"] for plugin in manifest["plugins"]} >= {"jsonl", "replay", "tracemalloc_line", "mis"}
    assert len(manifest["datasets"][0]["sha256"]) == 64


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    carry_out(path)
    before, watcher = exported(path), Watcher()
    carry_out(path, watcher)
    assert not watcher.judged
    assert not watcher.profiled
    assert all(total == stored for total, stored in watcher.stages.values())
    assert exported(path) == before


def test_the_resolved_experiment_is_the_same_experiment(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    carry_out(path)
    before, watcher = exported(path), Watcher()
    path.write_bytes((tmp_path / "run/experiment.yaml").read_bytes())
    carry_out(path, watcher)
    assert not watcher.judged
    assert exported(path) == before


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    paths = [write(tmp_path / str(n), PROBLEMS, ANSWERS, executor={"workers": n}) for n in (1, 2)]
    for path in paths:
        carry_out(path)
    assert exported(paths[0]) == exported(paths[1])


def test_a_new_metric_or_sample_does_only_the_new_work(tmp_path: Path) -> None:
    carry_out(write(tmp_path, PROBLEMS, ANSWERS, metrics=["pass_at_k"]))
    watcher = Watcher()
    carry_out(write(tmp_path, PROBLEMS, ANSWERS), watcher)
    assert not watcher.judged
    assert watcher.stages["measure"][1] == 2
    watcher = Watcher()
    new = BLOCK + "print(end='')\n"
    carry_out(write(tmp_path, PROBLEMS, ANSWERS | {"b": [*ANSWERS["b"], new]}), watcher)
    assert {event.code for event in watcher.judged} == {new}
    assert watcher.stages["generate"] == (8, 6)


def test_equal_programs_are_run_once(tmp_path: Path) -> None:
    watcher = Watcher()
    finished = carry_out(write(tmp_path, [problem("a")], {"a": [DOUBLE, DOUBLE]}), watcher)
    assert len(watcher.judged) == 3
    assert [row["dmpd"] for row in finished.tables["pairs"]] == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_goes_on_to_the_same_tables(tmp_path: Path, seed: int) -> None:
    undisturbed = write(tmp_path / "undisturbed", PROBLEMS, ANSWERS)
    carry_out(undisturbed)
    path = write(tmp_path / "killed", PROBLEMS, ANSWERS)
    command = [sys.executable, "-m", "evalfw", "run", str(path), "--no-report", "--out", str(tmp_path / "killed/run")]
    chance = random.Random(seed)
    for _ in range(3):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.3, 2.0))
            os.kill(process.pid, signal.SIGKILL)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert exported(path) == exported(undisturbed)


def test_ctrl_c_says_what_is_stored_and_how_to_go_on(tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(1.5)\n" + DOUBLE
    path = write(tmp_path, PROBLEMS, {"a": [DOUBLE, slow], "b": [slow, slow + "\n"]}, limits={"time": "5s"})
    command = [sys.executable, "-m", "evalfw", "run", str(path), "--no-report", "--out", str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "solutions judged" not in process.stderr.readline():
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=10)
        finally:
            process.kill()  # else one that ignores the signal would be waited for
    assert process.returncode == 130
    assert "4 completions" in errors
    assert f"Continue with: evalfw run {path} --out {tmp_path / 'run'}" in errors
    assert "Traceback" not in errors


def test_what_cannot_be_used_is_excluded_and_counted(tmp_path: Path) -> None:
    answers = {"a": [DOUBLE, "while True:\n    pass\n", "def f(:\n", "no code, only words", LISTED]}
    path = write(tmp_path, [problem("a")], answers, limits={"time": "0.5s"})
    finished = carry_out(path)
    outcomes = {row["index"]: row["verdict"] for row in finished.tables["solutions"]}
    assert outcomes == {0: "accepted", 1: "time_limit", 2: "no_code", 3: "no_code", 4: "accepted"}
    assert estimates(finished)["pass@1"] == pytest.approx(2 / 5)


def test_problems_without_private_tests_are_no_success(tmp_path: Path) -> None:
    problems = [problem("a"), problem("b", private=()), problem("c", public=())]
    finished = carry_out(write(tmp_path, problems, {name: [DOUBLE, LISTED] for name in "abc"}))
    assert {row["problem"]: row["correct"] for row in finished.tables["problems"]} == {"a": 2, "b": 0, "c": 2}
    (cell,) = (row for row in finished.tables["conditions"] if row["metric"] == "pass@1")
    assert (cell["value"], cell["n"], cell["left_out"]) == (1.0, 2, 1)
    assert cell["reason"]


def test_missing_completions_are_counted_and_asked_for_again(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, {"a": [DOUBLE, LISTED], "b": [DOUBLE]})
    finished = carry_out(path)
    assert finished.missing == 1
    assert ("completion", "missing", 1) in {(r["what"], r["why"], r["count"]) for r in finished.tables["excluded"]}
    watcher = Watcher()
    finished = carry_out(write(tmp_path, PROBLEMS, {"a": [DOUBLE, LISTED], "b": [DOUBLE, BLOCK]}), watcher)
    assert (finished.missing, watcher.stages["generate"]) == (0, (4, 3))


def test_correct_on_public_tests_only(tmp_path: Path) -> None:
    small = "n = int(input())\nprint(2 * n if n < 50 else 0)\n"
    path = write(tmp_path, [problem("a")], {"a": [DOUBLE, small, LISTED]}, tests={"correct_on": "public"})
    finished = carry_out(path)
    assert [row["correct"] for row in finished.tables["problems"]] == [3]
    assert {row["index"]: row["profiles"] for row in finished.tables["solutions"]} == {0: 2, 1: 1, 2: 2}
    assert len(finished.tables["pairs"]) == 3 + 1


def test_profiles_of_different_interpreters_are_never_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, [problem("a")], {"a": [DOUBLE, LISTED]})
    here = carry_out(path)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version", "3.99.0 (another one)")
        watcher = Watcher()
        there = carry_out(path, watcher)
    assert (len(watcher.judged), len(watcher.profiled)) == (2 * 3, 2 * 2)
    for finished, name in ((here, platform.python_version()), (there, "3.99.0")):
        assert {row["interpreter"] for row in finished.tables["profiles"]} == {f"cpython {name}"}
        assert all(row["instrument"].startswith("evalfw ") for row in finished.tables["profiles"])
    watcher = Watcher()
    assert carry_out(path, watcher).tables == here.tables
    assert (watcher.judged, watcher.profiled) == ([], [])


def test_deep_recursion_is_a_timeout_of_the_profiler_and_counted(tmp_path: Path) -> None:
    # Untraced this takes milliseconds; tracemalloc counts the frames of the whole stack at each allocation.
    deep = "import sys\nsys.setrecursionlimit(10**6)\ndef f(n):\n    return f(n - 1) + 10**9 if n else 0\n"
    deep += "f(15_000)\n" + DOUBLE
    limits = {"time": "1s", "profile_time": "1s"}
    finished = carry_out(write(tmp_path, [problem("a")], {"a": [deep, DOUBLE]}, limits=limits))
    assert [row["correct"] for row in finished.tables["problems"]] == [2]
    assert {row["outcome"] for row in finished.tables["profiles"]} == {"accepted", "profile_timeout"}
    assert [(row["what"], row["why"], row["count"]) for row in finished.tables["excluded"]] == [
        ("profile", "profile_timeout", 2)
    ]


def test_the_profiled_run_never_changes_a_verdict(tmp_path: Path) -> None:
    shy = "import sys\nprint(int(input()) * 2 if sys.gettrace() is None else 'seen')\n"
    slow = "import sys\nn = int(input())\nwhile sys.gettrace():\n    pass\nprint(n * 2)\n"
    rude = "import sys\nsys.settrace(None)\n" + DOUBLE
    limits = {"time": "1s", "profile_time": "1s"}
    finished = carry_out(write(tmp_path, [problem("a")], {"a": [shy, slow, rude, DOUBLE]}, limits=limits))
    assert [row["correct"] for row in finished.tables["problems"]] == [4]
    assert {row["index"]: row["profiles"] for row in finished.tables["solutions"]} == {0: 0, 1: 0, 2: 0, 3: 2}
    reasons = {(r["outcome"], r["reason"]) for r in finished.tables["profiles"] if r["outcome"] != "accepted"}
    assert {outcome for outcome, _ in reasons} == {"instrumentation_error", "profile_timeout"}
    assert all(reason for _, reason in reasons)
    failures = {(r["why"], r["count"]) for r in finished.tables["excluded"] if r["what"] == "profile"}
    assert failures == {("instrumentation_error", 4), ("profile_timeout", 2)}


def test_memory_behind_the_back_of_the_profiler_is_flagged(tmp_path: Path) -> None:
    mapped = "import mmap\nm = mmap.mmap(-1, 96 << 20)\nm.write(b'x' * (96 << 20))\n" + DOUBLE
    finished = carry_out(write(tmp_path, [problem("a")], {"a": [DOUBLE, mapped]}))
    flags = {row["untraced_memory"] for row in finished.tables["profiles"]}
    by_solution = {row["solution"]: row["untraced_memory"] for row in finished.tables["profiles"]}
    assert flags == {False, True}
    assert list(by_solution.values()) == [False, True]


def test_a_failing_sandbox_is_nobodys_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    murder = "print('kills whoever runs it')\n"
    lose_zygotes_to(murder, monkeypatch)
    path = write(tmp_path, [problem("a")], {"a": [murder, DOUBLE]}, metrics=["pass_at_k"], profilers=[])
    finished = carry_out(path)
    assert finished.faults >= 1
    assert {row["index"]: row["verdict"] for row in finished.tables["solutions"]} == {0: "sandbox_error", 1: "accepted"}
    assert estimates(finished)["pass@1"] == 1.0
    watcher = Watcher()
    assert carry_out(path, watcher).faults >= 1
    assert {event.verdict.outcome for event in watcher.judged} == {Outcome.SANDBOX_ERROR}


def test_the_outlook(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    before = outlook(plan(path), tmp_path / "run")
    assert (before.most, before.stored, before.executions_at_most) == (6, 0, 6 * (1 + 2 * 2))
    carry_out(path)
    after = outlook(plan(path), tmp_path / "run")
    # Three different programs on the same two tests: what is equal is run and stored once.
    assert (after.stored, after.profiles_stored) == (6, 6)


def test_a_dataset_without_problems_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    (tmp_path / "problems.jsonl").write_text("")
    with pytest.raises(InputError):
        plan(path)


def test_tables_are_stored(tmp_path: Path) -> None:
    path = write(tmp_path, PROBLEMS, ANSWERS)
    finished = carry_out(path)
    for name in ("conditions", "problems", "solutions", "pairs", "profiles", "excluded"):
        assert table(path, name) == list(finished.tables[name])
