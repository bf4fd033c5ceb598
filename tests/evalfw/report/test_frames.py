from __future__ import annotations

import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from evalfw import InputError
from evalfw.report.frames import TABLES, export, frame, read_tables
from evalfw.store.run import RunStore
from tests.evalfw.experiments import DOUBLE, LISTED, carry_out, problem, write

ANSWERS = {"a": [DOUBLE, LISTED, "words"], "b": [LISTED, DOUBLE, "words"]}


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frames")
    carry_out(write(folder, [problem("a"), problem("b")], ANSWERS))
    return folder


def test_numbers_survive_csv(run_folder: Path, tmp_path: Path) -> None:
    with RunStore.read(run_folder / "run") as store:
        export(store, "csv", tmp_path)
        tables = read_tables(store)
    for name in TABLES:
        with (tmp_path / f"{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(tables[name])
        for found, stored in zip(rows, tables[name], strict=True):
            for column, value in stored.items():
                text = found[column]
                read = text == "True" if isinstance(value, bool) else text and type(value)(text)
                assert read == ("" if value is None else value), (name, column)


def test_conditions_are_tidy(run_folder: Path) -> None:
    with RunStore.read(run_folder / "run") as store:
        rows = read_tables(store)["conditions"]
    assert [row["metric"] for row in rows] == ["pass@1", "npd", "nmv", "mis_macro", "mis_micro"]
    assert [row["profiler"] for row in rows] == [None] + ["tracemalloc_line"] * 4


def test_whole_numbers_of_any_size_stay_whole(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"problem": "p", "x": 1, "big": 2**70},
        {"problem": "q", "x": None, "big": 3},
        {"problem": "r"},
    ]
    table = frame("problems", rows)
    assert str(table["x"].dtype) == "Int64"
    assert list(table["big"][:2]) == [2**70, 3]
    assert list(table.columns[-2:]) == ["x", "big"]
    assert table["size"].isna().all()


def test_an_empty_table_has_its_columns() -> None:
    assert "solution_a" in frame("pairs", []).columns


def test_parquet(run_folder: Path, tmp_path: Path) -> None:
    with RunStore.read(run_folder / "run") as store:
        export(store, "parquet", tmp_path)
        stored = read_tables(store)["pairs"]
    read = pd.read_parquet(tmp_path / "pairs.parquet")
    assert list(read["dmpd"]) == [row["dmpd"] for row in stored]
    assert [int(scale) for scale in read["dmpd_scale"]] == [row["dmpd_scale"] for row in stored]


def test_exported_completions_can_be_replayed(run_folder: Path, tmp_path: Path) -> None:
    with RunStore.read(run_folder / "run") as store:
        export(store, "jsonl", tmp_path / "out")
        before = read_tables(store)["pairs"]
    records = [json.loads(line) for line in (tmp_path / "out/completions.jsonl").read_text().splitlines()]
    assert len(records) == 6
    assert {"problem_id", "model", "temperature", "index", "completion", "code"} <= records[0].keys()
    path = write(tmp_path, [problem("a"), problem("b")], ANSWERS)
    (tmp_path / "answers.jsonl").write_bytes((tmp_path / "out/completions.jsonl").read_bytes())
    after = carry_out(path).tables["pairs"]
    names = {"solution_a", "solution_b"}
    assert [{k: v for k, v in row.items() if k not in names} for row in after] == [
        {k: v for k, v in row.items() if k not in names} for row in before
    ]


def test_a_run_that_has_not_finished_says_so(tmp_path: Path) -> None:
    RunStore.create(tmp_path).close()
    with RunStore.read(tmp_path) as store, pytest.raises(InputError, match="0 completions"):
        read_tables(store)
