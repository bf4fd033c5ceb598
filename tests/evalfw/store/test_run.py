from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from evalfw import InputError, Measure, Outcome, Problem, RunError, Solution, Usage, Verdict
from evalfw.store.rows import StoredCompletion, StoredProfile, StoredSample, StoredVerdict
from evalfw.store.run import RunStore


def completion(key: str = "k", text: str = "t", model: str = "m") -> StoredCompletion:
    return StoredCompletion(key, "d", "p", model, None, 0, "prompt", text, "stop", 1, Solution("ok", text))


def test_completions_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [completion("a", "half \ud835 and \0"), completion("b", "ünï"), completion("c", "")]
    with RunStore.create(tmp_path) as store:
        for row in rows:
            store.put_completion(row)
    with RunStore.read(tmp_path) as store:
        assert [store.completion(row.key) for row in rows] == rows
        assert list(store.completions()) == rows
        assert store.completion("other") is None


def test_everything_about_a_completion_comes_back(tmp_path: Path) -> None:
    row = replace(
        completion(),
        reasoning="half \ud835",
        usage=Usage(1, 2, None),
        seconds=0.5,
        served_by="m-1",
        fingerprint="f",
        sent={"stop": ["\ud835"], "top_p": 0.9},
        cost=0.25,
        form="3.11-00",
    )
    with RunStore.create(tmp_path) as store:
        store.put_completion(row)
        store.put_completion(replace(completion("free"), free=True, cost=1.0, served_by="odd \ud835"))
        assert store.completion("k") == row
        assert store.spent() == (1, 0.25)
        odd = store.completion("free")
        assert odd is not None
        assert odd.served_by == "odd \\ud835"


def test_samples_come_in_order_with_what_has_come(tmp_path: Path) -> None:
    def sample(place: int, index: int, key: str, unasked: str | None = None) -> StoredSample:
        return StoredSample(place, index, "d", "p", "m", 0.5, key, unasked)

    with RunStore.create(tmp_path) as store:
        store.put_completion(completion("here"))
        for row in (sample(1, 0, "here"), sample(0, 1, "not"), sample(0, 0, "here")):
            store.put_sample(row)
        store.put_sample(sample(0, 1, "not", "max_cost"))
        found = store.samples()
        assert [replace(row, answer=None) for row in found] == [
            sample(0, 0, "here"),
            sample(0, 1, "not", "max_cost"),
            sample(1, 0, "here"),
        ]
        assert [row.answer for row in found] == [completion().answer, None, completion().answer]
        store.forget_samples()
        assert store.samples() == []


def test_a_plan_is_replaced_and_its_problems_stay(tmp_path: Path) -> None:
    first, second = Problem("a", "?", ()), Problem("b", "?", ())
    with RunStore.create(tmp_path) as store:
        assert store.plan() is None
        store.replace_plan({"x": 1}, [("k1", first), ("k1", first)])
        store.replace_plan({"x": [2, "\ud835"]}, [("k1", first), ("k2", second)])
    with RunStore.read(tmp_path) as store:
        assert store.plan() == {"x": [2, "\ud835"]}
        assert (store.problem("k1"), store.problem("k2"), store.problem("k3")) == (first, second, None)


def test_a_stored_text_never_changes(tmp_path: Path) -> None:
    with RunStore.create(tmp_path) as store:
        store.put_completion(completion("a", "first", "old label"))
        store.put_completion(completion("a", "second", "new label"))
        row = store.completion("a")
        assert row is not None
        assert (row.text, row.model, row.solution.code) == ("first", "new label", "second")
        assert store.counts()["completion"] == 1


def test_verdicts_profiles_and_measures(tmp_path: Path) -> None:
    accepted, late = Verdict(Outcome.ACCEPTED), Verdict(Outcome.PROFILE_TIMEOUT, "slow")
    measures = (Measure({"dmpd": 0.5, "dmpd_scale": 2**70}, (0, 1), "t"), Measure({"dmpd": None}, reason="few"))
    with RunStore.create(tmp_path) as store:
        store.put_verdict(StoredVerdict("v", accepted, b"\xff", 0.1, 0.2, 3))
        store.put_profile(StoredProfile("p", "v", accepted, "memory", {"steps": 3}, b"data"))
        store.put_profile(StoredProfile("q", "v", late))
        store.put_measures("m", measures)
    with RunStore.read(tmp_path) as store:
        assert store.verdict("v") == accepted
        assert store.verdict("w") is None
        assert (store.profile_verdict("p"), store.packed_profile("p")) == (accepted, ("memory", b"data"))
        assert store.profile_facts("p") == {"steps": 3}
        assert (store.profile_verdict("q"), store.packed_profile("q"), store.profile_facts("q")) == (late, None, {})
        assert store.measures("m") == measures
        assert store.measures("n") is None


def test_a_profile_needs_its_verdict(tmp_path: Path) -> None:
    with RunStore.create(tmp_path) as store, pytest.raises(sqlite3.IntegrityError):
        store.put_profile(StoredProfile("p", "nowhere", Verdict(Outcome.ACCEPTED)))


def test_results_are_replaced_as_a_whole(tmp_path: Path) -> None:
    with RunStore.create(tmp_path) as store:
        store.replace_results({"pairs": [{"a": 1}, {"a": 2}]})
        store.replace_results({"pairs": [{"a": None, "b": 2**70}]})
        assert store.results("pairs") == [{"a": None, "b": 2**70}]
        assert store.results("problems") == []


def test_there_is_one_writer(tmp_path: Path) -> None:
    with RunStore.create(tmp_path):
        with pytest.raises(RunError, match="another evalfw process"):
            RunStore.create(tmp_path)
        with RunStore.read(tmp_path) as reader:
            assert reader.counts()["verdict"] == 0
    RunStore.create(tmp_path).close()


def test_readers_see_what_is_committed_while_the_run_goes_on(tmp_path: Path) -> None:
    with RunStore.create(tmp_path) as store, RunStore.read(tmp_path) as reader:
        store.put_completion(completion())
        assert reader.counts()["completion"] == 0
        store.commit()
        assert reader.counts()["completion"] == 1


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no run\.db"):
        RunStore.read(tmp_path)
    (tmp_path / "run.db").write_text("this is no database, however long the text may be " * 100)
    with pytest.raises(InputError, match="cannot be read"):
        RunStore.read(tmp_path)


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    RunStore.create(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "run.db")) as db:
        db.execute("PRAGMA user_version = 99")
    for opening in (RunStore.create, RunStore.read):
        with pytest.raises(InputError, match="schema version 99"):
            opening(tmp_path)


def test_a_killed_writer_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from evalfw import Outcome, Verdict\n"
        "from evalfw.store.rows import StoredVerdict\n"
        "from evalfw.store.run import RunStore\n"
        "store = RunStore.create(Path(sys.argv[1]))\n"
        "for i in range(10**9):\n"
        "    store.put_verdict(StoredVerdict(str(i), Verdict(Outcome.ACCEPTED)))\n"
        "    store.commit()\n"
        "    print(i, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 20:
            time.sleep(0)
        os.kill(process.pid, signal.SIGKILL)
        reported = [int(line) for line in process.stdout.read().split()]
    with RunStore.create(tmp_path) as store:
        last = max([20, *reported])
        assert all(store.verdict(str(i)) for i in range(last + 1))
        store.put_verdict(StoredVerdict("again", Verdict(Outcome.ACCEPTED)))
