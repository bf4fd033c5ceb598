from __future__ import annotations

from pathlib import Path

from evalfw_models.missing import missing


def test_a_near_name_is_offered(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").touch()
    assert missing(tmp_path / "answer.jsonl") == (
        f"{tmp_path}/answer.jsonl: there is no such file; did you mean 'answers.jsonl'?"
    )


def test_nothing_is_offered_where_there_is_nothing(tmp_path: Path) -> None:
    assert missing(tmp_path / "no" / "file") == f"{tmp_path}/no/file: there is no such file"
