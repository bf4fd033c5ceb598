from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalfw import InputError
from evalfw_datasets.bigobench_generations import convert

FILE = Path(__file__).parent / "data" / "bigobench_generations.json"


def test_answers_of_each_model_are_numbered_within_a_problem() -> None:
    records = list(convert(FILE))
    assert [(r["problem_id"], r["model"], r["index"], r["complexity"], r["marked"]) for r in records] == [
        ("9000_B. Synthetic Odd", "model one", 0, "O(1)", "incorrect"),
        ("9000_A. Synthetic Sum", "model one", 0, "O(1)", "correct"),
        ("9000_A. Synthetic Sum", "model one", 1, "O(1)", "incorrect"),
        ("9000_A. Synthetic Sum", "model one", 2, "O(n)", "correct"),
        ("9000_A. Synthetic Sum", "model two", 0, "O(n)", "correct"),
    ]
    assert records[2]["completion"] == "no idea"
    assert {record["task"] for record in records} == {"time", "space"}
    assert not any("temperature" in record for record in records)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "not JSON: "),
        ("{}", "not the generations of BigOBench: time: "),
        (
            json.dumps({"time": {"generation": {"p": {"O(1)": {"m": {}}}}}, "space": {"generation": {}}}),
            "not the generations of BigOBench: time.generation.p.O(1).m.model_output_correct: ",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "file.json").write_text(content)
    with pytest.raises(InputError) as raised:
        list(convert(tmp_path / "file.json"))
    assert str(raised.value).startswith(f"{tmp_path / 'file.json'}: {message}")


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        list(convert(tmp_path / "file.json"))
