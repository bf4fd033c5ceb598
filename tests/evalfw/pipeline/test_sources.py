"""Keys lead from the rows of tables to what they are about, in a real run."""

from __future__ import annotations

from pathlib import Path

from evalfw import MemoryProfile
from evalfw.pipeline.sources import PREVIEW
from evalfw.store.run import RunStore
from tests.evalfw.experiments import BLOCK, DOUBLE, carry_out, problem, table, write

FAILING = "import sys\nsys.stderr.write('no idea')\nraise SystemExit(1)\n"


def test_rows_lead_to_what_they_are_about(tmp_path: Path) -> None:
    path = write(tmp_path, [problem("a"), problem("b")], {"a": [DOUBLE, FAILING, BLOCK], "b": ["no code", DOUBLE]})
    carry_out(path)
    solutions = {(row["problem"], row["index"]): row for row in table(path, "solutions")}
    profiles = {(row["problem"], row["solution"], row["test"]): row for row in table(path, "profiles")}
    with RunStore.read(tmp_path / "run") as store:
        for row in store.results("subjects"):
            found = store.problem(row["key"])
            assert found is not None
            assert found.id == row["problem"]
        seen = 0
        for row in store.results("executions"):
            solution = solutions.pop((row["problem"], row["index"]))
            completion = store.completion(row["completion"])
            assert completion is not None
            assert completion.key.startswith(solution["solution"])
            if solution["verdict"] == "accepted":
                assert row["verdict"] is None
            if row["verdict"]:
                verdict = store.verdict(row["verdict"])
                assert verdict is not None
                assert (verdict.outcome.value, store.stderr(row["verdict"])) == ("runtime_error", b"no idea")
            for test, key in row["profiles"].items():
                packed = store.packed_profile(key)
                assert packed is not None
                peak = profiles[row["problem"], solution["solution"], test]["peak_bytes"]
                assert (packed[0], MemoryProfile.unpack(packed[1]).peak_bytes) == ("memory", peak)
                seen += 1
        assert seen == len(profiles) == 3 * 2
    assert not solutions


def test_long_inputs_are_kept_by_their_beginning(tmp_path: Path) -> None:
    long = problem("a")
    long["tests"][1]["input"] = "30\n" + "x" * 5000
    path = write(tmp_path, [long], {"a": [DOUBLE]})
    carry_out(path)
    rows = {row["test"]: row for row in table(path, "tests")}
    assert [(row["pool"], row["profiled"]) for row in rows.values()] == [("public", False), *[("private", True)] * 2]
    row = list(rows.values())[1]
    assert (row["input"], row["input_length"]) == (("30\n" + "x" * 5000)[:PREVIEW], 5003)
    assert (row["expected"], row["expected_length"]) == ("60\n", 3)
