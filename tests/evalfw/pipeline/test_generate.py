from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evalfw import InputError, PluginError
from evalfw.hookspecs import CompletionStored, Judged, RunFinished, hookimpl
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
    problem,
    table,
    write,
)

SCRIPTED = Path(__file__).with_name("scripted.py")
SAME = "# the same\n" + DOUBLE


def scripted(label: str = "s", **options: object) -> dict[str, object]:
    return {"use": f"{SCRIPTED}:Scripted", "label": label, "codes": [DOUBLE, WRONG], **options}


def experiment(
    folder: Path, *models: Mapping[str, object], problems: str = "a", sampling: object = None, **changes: object
) -> Path:
    """An experiment on scripted models that measures nothing."""
    return write(
        folder,
        [problem(name) for name in problems],
        {"a": [DOUBLE] * 4},
        models=list(models) or [scripted()],
        sampling=sampling or {"n": 4, "temperatures": [0]},
        **({"profilers": [], "metrics": ["pass_at_k"]} | changes),
    )


def indices(finished: RunFinished) -> list[tuple[str, int]]:
    return [(row["problem"], row["index"]) for row in finished.tables["solutions"]]


def excluded(finished: RunFinished) -> dict[tuple[str, str], int]:
    return {(row["what"], row["why"]): row["count"] for row in finished.tables["excluded"]}


class Order:
    """What is told of completions and verdicts, in turn."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @hookimpl
    def evalfw_completion_stored(self, event: CompletionStored) -> None:
        self.told.append("completion")

    @hookimpl
    def evalfw_judged(self, event: Judged) -> None:
        self.told.append("verdict")


# -- streaming -----------------------------------------------------------------------------------------------------


def test_the_first_are_judged_while_others_are_sampled(tmp_path: Path) -> None:
    order = Order()
    codes = [DOUBLE, LISTED, BLOCK, WRONG]
    carry_out(experiment(tmp_path, scripted(codes=codes, seconds=0.7)), order)
    assert order.told.index("verdict") < len(order.told) - 1 - order.told[::-1].index("completion")


def test_results_do_not_depend_on_when_answers_come(tmp_path: Path) -> None:
    tables = []
    for place, (ahead, others) in enumerate([(1, 1), (3, 50), (50, 2)]):
        models = [scripted("x", ahead=ahead, seconds=0.001 * place), scripted("y", codes=[WRONG, LISTED], ahead=others)]
        path = experiment(tmp_path / str(place), *models, problems="ab", sampling={"n": 3, "temperatures": [0, 0.5]})
        finished = carry_out(path)
        tables.append({name: rows for name, rows in finished.tables.items() if name != "completions"})
    assert [row["model"] for row in tables[0]["solutions"]] == ["x"] * 12 + ["y"] * 12
    # The names of solutions are digests of keys, which hold the options.
    for other in tables[1:]:
        assert [_unnamed(row) for row in other["solutions"]] == [_unnamed(row) for row in tables[0]["solutions"]]
        assert all(other[name] == tables[0][name] for name in ("conditions", "problems", "sampling", "excluded"))


def _unnamed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in {"solution", "duplicate_of"}}


def test_what_two_entries_share_is_asked_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    finished = carry_out(experiment(tmp_path, scripted("x", log="log"), scripted("y", log="log")))
    assert len(log.read_text().splitlines()) == 4
    assert Counter(row["model"] for row in finished.tables["solutions"]) == {"x": 4, "y": 4}
    assert finished.missing == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"error_at": 2}, InputError, "scripted: no such model"),
        ({"foreign": True}, PluginError, "answered a request twice, or one it was not given"),
    ],
)
def test_a_model_that_fails_ends_the_run(
    tmp_path: Path, options: dict[str, object], error: type[Exception], message: str
) -> None:
    path = experiment(tmp_path, scripted("s", **options), scripted("other", hang_at=0, codes=[LISTED]))
    with pytest.raises(error, match=message):
        carry_out(path)
    with RunStore.read(tmp_path / "run") as store:
        assert store.counts()["completion"] == (2 if error is InputError else 0)


# -- everything that came back is kept -------------------------------------------------------------------------------


def test_everything_that_came_back_is_stored_and_counted(tmp_path: Path) -> None:
    codes = [DOUBLE, "!filtered", "!", "words only\n", "def f(:\n", SAME]
    finished = carry_out(experiment(tmp_path, scripted(codes=codes, price=0.25, missing=[6]), sampling={"n": 7}))
    with RunStore.read(tmp_path / "run") as store:
        row = next(store.completions())
    assert (row.reasoning, row.seconds, row.served_by, row.fingerprint) == ("thought", 0.5, "scripted-1", "f1")
    assert (row.usage.input_tokens, row.usage.output_tokens, row.usage.reasoning_tokens) == (5, 10, 3)
    assert (row.sent, row.cost, row.free) == ({"temperature": 0.0}, 2.5, False)
    statuses = [row["status"] for row in finished.tables["solutions"]]
    assert statuses == ["ok", "filtered", "empty_answer", "no_code", "no_code", "ok"]
    assert finished.tables["sampling"] == [
        {
            **{"dataset": "jsonl", "model": "s", "temperature": 0.0, "asked": 7, "completions": 6, "missing": 1},
            **{"ok": 2, "truncated": 0, "filtered": 1, "empty_answer": 1, "no_code": 2, "distinct": 1},
            **{"input_tokens": 30, "output_tokens": 60, "reasoning_tokens": 18, "cost": 15.0},
            **{"median_seconds": 0.5, "served_by": "scripted-1"},
        }
    ]
    assert excluded(finished) == {("completion", "missing"): 1, ("solution", "no_code"): 4}
    # The failures of the model count, the one of the service does not.
    assert estimates(finished)["pass@1"] == pytest.approx(2 / 6)


# -- until there are enough ------------------------------------------------------------------------------------------


def test_sampling_goes_on_until_enough_are_correct(tmp_path: Path) -> None:
    until = {"until": {"correct": 3, "max": 8}}
    log = tmp_path / "log"
    model = scripted(codes=[DOUBLE, WRONG], log="log", ahead=4)
    path = experiment(tmp_path, model, scripted("never", codes=[WRONG]), sampling=until)
    finished = carry_out(path)
    drawn = Counter(row["model"] for row in finished.tables["solutions"])
    assert drawn == {"s": 5, "never": 8}
    assert [row["correct"] for row in finished.tables["problems"]] == [3, 0]
    assert sorted(int(line.split()[-1]) for line in log.read_text().splitlines()) == list(range(5))
    # The last of five was certain to be correct: 2 of 4 is the unbiased estimate, 3 of 5 is not.
    values = {row["model"]: row["value"] for row in finished.tables["conditions"]}
    assert values == {"s": 0.5, "never": 0.0}
    watcher = Watcher()
    again = carry_out(path, watcher)
    assert again.tables == finished.tables
    assert watcher.stages["generate"] == (13, 13)
    assert not watcher.judged


def test_what_n_has_sampled_serves_until_and_the_other_way_round(tmp_path: Path) -> None:
    model = scripted(codes=[WRONG, DOUBLE, DOUBLE])
    carry_out(experiment(tmp_path, model, sampling={"n": 2}))
    watcher = Watcher()
    finished = carry_out(experiment(tmp_path, model, sampling={"until": {"correct": 2, "max": 9}}), watcher)
    assert watcher.stages["generate"] == (3, 2)
    assert len(indices(finished)) == 3
    assert len(indices(carry_out(experiment(tmp_path, model, sampling={"n": 2})))) == 2


def test_a_completion_that_does_not_come_is_waited_for(tmp_path: Path) -> None:
    until = {"until": {"correct": 2, "max": 9}}
    finished = carry_out(experiment(tmp_path, scripted(codes=[DOUBLE], missing=[1]), sampling=until))
    assert (indices(finished), finished.missing) == ([("a", 0)], 1)
    (cell,) = finished.tables["conditions"]
    assert (cell["value"], cell["reason"]) == (None, "1 problem: sampling has not come to its end")


def test_neither_does_a_failing_sandbox_draw_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    murder = "print('kills whoever runs it')\n"
    lose_zygotes_to(murder, monkeypatch)
    path = experiment(tmp_path, scripted(codes=[murder]), sampling={"until": {"correct": 1, "max": 3}})
    finished = carry_out(path)
    assert (len(indices(finished)), finished.faults) == (1, 1)


def test_different_programs_can_be_what_is_wanted(tmp_path: Path) -> None:
    until = {"until": {"correct": 2, "max": 9}}
    model = scripted(codes=[DOUBLE, SAME, DOUBLE, LISTED])
    path = experiment(tmp_path, model, sampling=until, cohorts={"distinct": True})
    finished = carry_out(path)
    assert len(indices(finished)) == 4
    (row,) = finished.tables["problems"]
    assert (row["correct"], row["distinct"], row["pass@1"]) == (4, 2, None)


# -- equal programs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distinct", [False, True])
def test_equal_programs_are_counted_and_may_be_left_out(tmp_path: Path, distinct: bool) -> None:
    codes = [WRONG, DOUBLE, SAME, LISTED, DOUBLE]
    path = write(tmp_path, [problem("a", private=(30,))], {"a": codes}, cohorts={"distinct": distinct})
    finished = carry_out(path)
    (row,) = finished.tables["problems"]
    assert (row["samples"], row["correct"], row["distinct"]) == (5, 4, 2)
    solutions = {row["index"]: row for row in finished.tables["solutions"]}
    first = solutions[1]["solution"]
    assert {i: row["duplicate_of"] for i, row in solutions.items()} == {0: None, 1: None, 2: first, 3: None, 4: first}
    assert {i: row["profiles"] for i, row in solutions.items()} == (
        {0: 0, 1: 1, 2: 0, 3: 1, 4: 0} if distinct else {0: 0, 1: 1, 2: 1, 3: 1, 4: 1}
    )
    assert len(finished.tables["pairs"]) == (1 if distinct else 6)
    assert estimates(finished)["pass@1"] == pytest.approx(4 / 5)
    assert excluded(finished).get(("solution", "duplicate")) == (2 if distinct else None)


def test_leaving_equal_programs_out_executes_nothing_anew(tmp_path: Path) -> None:
    answers = {"a": [DOUBLE, DOUBLE, LISTED]}
    mean = estimates(carry_out(write(tmp_path, [problem("a", private=(30,))], answers)))["mis_macro"]
    watcher = Watcher()
    path = write(tmp_path, [problem("a", private=(30,))], answers, cohorts={"distinct": True})
    distinct = estimates(carry_out(path, watcher))["mis_macro"]
    assert not watcher.judged
    assert not watcher.profiled
    assert mean is not None
    assert distinct == pytest.approx(mean * 3 / 2)


# -- the budget ------------------------------------------------------------------------------------------------------


def test_a_run_stops_at_its_number_of_requests_and_goes_on(tmp_path: Path) -> None:
    replayed = {"use": "replay", "path": "answers.jsonl"}

    def with_limit(limit: int) -> Path:
        return experiment(tmp_path, scripted(missing=[1]), replayed, sampling={"n": 4, "max_requests": limit})

    finished = carry_out(with_limit(2))
    assert Counter(row["model"] for row in finished.tables["solutions"]) == {"s": 1, "m": 4}
    assert excluded(finished)["completion", "max_requests"] == 2
    assert excluded(finished)["completion", "missing"] == 1
    assert finished.missing == 3
    finished = carry_out(with_limit(4))
    assert Counter(row["model"] for row in finished.tables["solutions"]) == {"s": 3, "m": 4}
    assert ("completion", "max_requests") not in excluded(finished)


def test_a_run_stops_before_it_costs_too_much(tmp_path: Path) -> None:
    # An answer costs 1, and may cost 10: the eleventh, in advance, would be 10 + 10.
    sampling = {"n": 20, "max_cost": 19.9}
    finished = carry_out(experiment(tmp_path, scripted(price=0.1), sampling=sampling))
    (row,) = finished.tables["sampling"]
    assert (row["completions"], row["missing"], row["cost"]) == (10, 10, 10.0)
    assert excluded(finished)["completion", "max_cost"] == 10
    again = carry_out(experiment(tmp_path, scripted(price=0.1), sampling=sampling))
    assert again.tables == finished.tables


def test_room_that_comes_of_answers_is_used(tmp_path: Path) -> None:
    # Four fit in advance; when they have cost 1 each, there is room for others.
    sampling = {"n": 20, "max_cost": 40}
    finished = carry_out(experiment(tmp_path, scripted(price=0.1, ahead=8), sampling=sampling))
    assert len(indices(finished)) == 20


def test_costs_cannot_be_limited_without_prices(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sampling\.max_cost: model 's' has no prices"):
        carry_out(experiment(tmp_path, sampling={"n": 1, "max_cost": 1}))
    assert not (tmp_path / "run").exists()


# -- being stopped ---------------------------------------------------------------------------------------------------


def evalfw(path: Path) -> list[str]:
    return [sys.executable, "-m", "evalfw", "run", str(path), "--no-report", "--out", str(path.parent / "run")]


def lines_of(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_a_killed_run_asks_for_nothing_that_it_has_stored(tmp_path: Path) -> None:
    log, chance = tmp_path / "log", random.Random(0)
    model = scripted(log="log", seconds=0.02, ahead=3)
    path = experiment(tmp_path, model, problems="ab", sampling={"n": 40}, metrics=["pass_at_k"])
    for _ in range(3):
        before = len(lines_of(log))
        with subprocess.Popen(evalfw(path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while len(lines_of(log)) < before + 5:
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.1))
            os.kill(process.pid, signal.SIGKILL)
    done = subprocess.run(evalfw(path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    asked = Counter(lines_of(log))
    assert len(asked) == 80
    # What was answered in the moment of a kill, and not yet stored, is all that is asked again.
    assert sum(asked.values()) - 80 <= 3
    assert len(table(path, "solutions")) == 80


def test_ctrl_c_does_not_wait_for_a_model_that_hangs(tmp_path: Path) -> None:
    log = tmp_path / "log"
    path = experiment(tmp_path, scripted(log="log", hang_at=3, hang_in_pool=True), scripted("quick", codes=[LISTED]))
    with subprocess.Popen(evalfw(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while "hangs a 0.0 3" not in lines_of(log):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=30)
        finally:
            process.kill()  # else one that ignores the signal would be waited for
    assert process.returncode == 130
    said = [line for line in errors.splitlines() if "stopped" in line]
    assert len(said) == 1
    assert said[0].endswith(f"Continue with: evalfw run {path} --out {tmp_path / 'run'}")
    assert "Traceback" not in errors
    with RunStore.read(tmp_path / "run") as store:
        assert sum(row.model == "s" for row in store.completions()) == 3
