from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from evalfw import InputError, Json
from evalfw.pipeline.importing import Imported, import_completions
from evalfw_models.replay import read_completions

RECORDS: list[Mapping[str, Json]] = [
    {"problem_id": "a", "model": "m", "index": 0, "completion": "x", "temperature": 0.8, "more": [1]},
    {"problem_id": "a", "model": "m", "index": 3, "completion": "ü\n", "temperature": 0.2},
    {"problem_id": "a", "model": "n", "index": 0, "completion": ""},
]


def test_records_become_a_file_that_replay_reads(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.jsonl"
    assert import_completions(lambda path: RECORDS, tmp_path, out) == Imported({"m": 2, "n": 1}, 4, (0.8, 0.2, None))
    assert [json.loads(line) for line in out.read_text().splitlines()] == RECORDS
    assert [record.text for record in read_completions(out).records] == ["x", "ü\n", ""]


def test_what_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    def broken(path: Path) -> Iterator[Mapping[str, Json]]:
        yield RECORDS[0]
        raise InputError("no more")

    out = tmp_path / "out.jsonl"
    out.write_text("before")
    with pytest.raises(InputError, match="no more"):
        import_completions(broken, tmp_path, out)
    with pytest.raises(InputError, match="no completions in it"):
        import_completions(lambda path: [], tmp_path, out)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out.jsonl", "before")]
