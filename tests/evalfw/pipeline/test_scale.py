from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evalfw import ConfigError, Execution, InputError, Outcome, Verdict
from evalfw.pipeline import filling
from evalfw.pipeline.outlook import outlook
from evalfw.store.run import RunStore
from tests.evalfw.experiments import DOUBLE, LISTED, WRONG, Watcher, carry_out, plan, problem, table, write

GENERATOR = "def generate(rng, size):\n    return f'{size * 10 + rng.randrange(10)}\\n'\n"
BUCKETS = {"generated": {"sizes": [3, 12], "per_size": 2}}
PICKY = "n = int(input())\nassert n < 100\nprint(2 * n)\n"


def made(name: str, private: Sequence[int] = (30, 60)) -> dict[str, Any]:
    return problem(name, private=private, generator=GENERATOR, solutions=[DOUBLE, LISTED])


def two(folder: Path, **changes: object) -> Path:
    answers = {"a": [DOUBLE, LISTED, PICKY], "b": [DOUBLE, LISTED, WRONG]}
    return write(folder, [made("a"), problem("b")], answers, **({"tests": BUCKETS} | changes))


def test_sizes_are_conditions(tmp_path: Path) -> None:
    finished = carry_out(two(tmp_path))
    cells = {(row["size"], row["metric"]): row for row in finished.tables["conditions"]}
    assert len(cells) == len(finished.tables["conditions"])
    assert list(cells) == [
        (None, "pass@1"),
        *((size, name) for size in (3, 12) for name in ("npd", "nmv", "mis_macro", "mis_micro")),
    ]
    assert cells[None, "pass@1"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    for size in (3, 12):
        cell = cells[size, "mis_macro"]
        assert 0 < cell["value"] < 1
        assert (cell["n"], cell["left_out"]) == (1, 1)
        assert cell["reason"] == "1 problem: no tests; no interval: an interval takes two problems or more"


def test_rows_are_those_of_their_size(tmp_path: Path) -> None:
    finished = carry_out(two(tmp_path))
    rows = {(row["problem"], row["size"]): row for row in finished.tables["problems"]}
    assert list(rows) == [("a", 3), ("a", 12), ("b", 3), ("b", 12)]
    assert [(row["tests"], row["pool"], row["correct"]) for row in rows.values()] == [
        (2, "generated", 3),
        (2, "generated", 3),
        (0, None, 2),
        (0, None, 2),
    ]
    assert {(row["size"], row["test"]) for row in finished.tables["pairs"] if row["test"]} == {
        (size, f"size-{size}-{n}") for size in (3, 12) for n in (1, 2)
    }
    pairs = [
        sum(row["test"] is not None and row["size"] == size for row in finished.tables["pairs"]) for size in (3, 12)
    ]
    assert pairs == [3 * 2, 1 * 2]


def test_a_failure_in_a_bucket_costs_that_test_alone(tmp_path: Path) -> None:
    finished = carry_out(two(tmp_path))
    (name,) = {row["solution"] for row in finished.tables["profiles"] if row["outcome"] != "accepted"}
    picky = [row for row in finished.tables["solutions"] if row["solution"] == name]
    assert [(row["size"], row["verdict"], row["profiles"]) for row in picky] == [
        (3, "accepted", 2),
        (12, "accepted", 0),
    ]
    failed = [row for row in finished.tables["profiles"] if row["outcome"] != "accepted"]
    assert [(row["test"], row["outcome"]) for row in failed] == [
        ("size-12-1", "runtime_error"),
        ("size-12-2", "runtime_error"),
    ]
    assert {
        (row["model"], row["size"], row["what"], row["why"], row["count"]) for row in finished.tables["excluded"]
    } == {
        (None, 3, "test", "no generator", 2),
        (None, 12, "test", "no generator", 2),
        ("m", None, "solution", "wrong_answer", 1),
        ("m", 12, "profile", "runtime_error", 2),
    }


def test_only_correct_solutions_meet_the_tests_of_buckets(tmp_path: Path) -> None:
    watcher = Watcher()
    path = write(tmp_path, [made("a")], {"a": [DOUBLE, WRONG]}, tests=BUCKETS)
    carry_out(path, watcher)
    assert [event.test.pool for event in watcher.judged if event.code == WRONG] == ["public", "private"]
    assert [event.test.pool for event in watcher.judged if event.code == DOUBLE] == [
        *("public", "private", "private"),
        *["generated"] * 4,
    ]
    assert {event.test.id for event in watcher.profiled} == {f"size-{size}-{n}" for size in (3, 12) for n in (1, 2)}


def test_public_tests_are_enough_to_be_correct(tmp_path: Path) -> None:
    finished = carry_out(write(tmp_path, [made("a", private=())], {"a": [DOUBLE, WRONG]}, tests=BUCKETS))
    # 2 + 2 is 2 * 2.
    assert {(row["verdict"], row["profiles"]) for row in finished.tables["solutions"]} == {
        ("accepted", 2),
        ("accepted", 0),
    }
    (cell,) = (row for row in finished.tables["conditions"] if row["metric"] == "pass@1")
    assert cell["value"] == 1.0


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    path = two(tmp_path)
    first, watcher = carry_out(path), Watcher()
    second = carry_out(path, watcher)
    assert watcher.stages["scale"] == (2, 2)
    assert not watcher.judged
    assert not watcher.profiled
    assert second.tables == first.tables
    assert table(path, "buckets") == [
        {"dataset": "jsonl", "problem": "a", "size": 3, "tests": 2, "drawn": 2, "reason": None},
        {"dataset": "jsonl", "problem": "a", "size": 12, "tests": 2, "drawn": 2, "reason": None},
        {"dataset": "jsonl", "problem": "b", "size": 3, "tests": 0, "drawn": 0, "reason": "no generator"},
        {"dataset": "jsonl", "problem": "b", "size": 12, "tests": 0, "drawn": 0, "reason": "no generator"},
    ]


def test_another_size_does_only_the_new_work(tmp_path: Path) -> None:
    carry_out(two(tmp_path))
    watcher = Watcher()
    carry_out(two(tmp_path, tests={"generated": {"sizes": [12, 5, 3], "per_size": 2}}), watcher)
    assert watcher.stages["scale"] == (3, 2)
    assert {event.test.size for event in watcher.judged} == {5}
    other = Watcher()
    carry_out(two(tmp_path, seed=1), other)
    assert other.stages["scale"] == (2, 0)


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    runs = [carry_out(two(tmp_path / str(n), executor={"workers": n})) for n in (1, 2)]
    assert runs[0].tables == runs[1].tables


def test_short_buckets_are_noted(tmp_path: Path) -> None:
    path = two(tmp_path, tests={"generated": {"sizes": [1], "per_size": 20}})
    planned = plan(path)
    from evalfw.pipeline.run import run

    finished = run(planned, tmp_path / "run")
    assert planned.setup.notes() == [
        "dataset 'jsonl': size 1: fewer than 20 tests for 2 of 2 problems (a 10, b 0); the table `buckets` says why"
    ]
    assert {(row["why"], row["count"]) for row in finished.tables["excluded"] if row["what"] == "test"} == {
        ("too few different inputs", 10),
        ("no generator", 20),
    }


def test_a_failing_sandbox_leaves_a_bucket_for_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = two(tmp_path)
    with monkeypatch.context() as patch:
        failed = Verdict(Outcome.SANDBOX_ERROR, "no room"), Execution(Outcome.SANDBOX_ERROR)
        patch.setattr(filling, "judge", lambda *_: failed)
        finished = carry_out(path)
    assert finished.faults == 2
    assert {row["reason"] for row in finished.tables["buckets"]} == {"sandbox error: no room", "no generator"}
    again = carry_out(path)
    assert again.faults == 0
    assert [row["tests"] for row in again.tables["buckets"]] == [2, 2, 0, 0]


def test_a_test_of_a_dataset_may_not_have_the_id_of_a_generated_one(tmp_path: Path) -> None:
    clashing = made("a")
    clashing["tests"][1]["id"] = "size-3-1"
    with pytest.raises(InputError, match=r"problem 'a' .* has a test with the id 'size-3-1'"):
        carry_out(write(tmp_path, [clashing], {"a": [DOUBLE]}, tests=BUCKETS))


def test_buckets_without_a_profiler_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tests\.generated: .*no profiler is listed"):
        plan(two(tmp_path, profilers=[], metrics=["pass_at_k"]))


def test_the_outlook_counts_buckets(tmp_path: Path) -> None:
    path = two(tmp_path)
    before = outlook(plan(path), tmp_path / "run")
    # Of each problem 3 completions on 1 + 2 tests; of the one with a generator also on 4, plainly and profiled.
    assert (before.buckets, before.buckets_stored, before.executions_at_most) == (2, 0, 6 * 3 + 3 * 4 * 2)
    carry_out(path)
    assert outlook(plan(path), tmp_path / "run").buckets_stored == 2


def test_stored_buckets_are_plain_data(tmp_path: Path) -> None:
    path = two(tmp_path)
    carry_out(path)
    with RunStore.read(tmp_path / "run") as store:
        contents = [json.loads(text) for (text,) in store._db.execute("SELECT content FROM bucket")]
    assert sorted(len(given) for content in contents for given, _ in content["tests"]) == [3, 3, 4, 4]
