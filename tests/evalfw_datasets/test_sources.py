from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import ValidationError

from evalfw import InputError
from evalfw_datasets.sources import Source, SourceOptions


def _source(base: Path = Path(), **options: object) -> Source:
    chosen = SourceOptions.model_validate(options)
    return Source(chosen, base, hub="owner/rows", pattern="part*.jsonl", stem="part")


def test_a_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text("{}")
    source = _source(tmp_path, path="other.jsonl")
    assert source.files == [tmp_path / "other.jsonl"]
    assert source.revision().startswith("sha256:")


@pytest.mark.parametrize("folder", [".", "data"])
def test_of_a_folder_the_files_of_the_part(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    for name in ("part-1.jsonl", "part.jsonl.gz", "parts.jsonl", "other.jsonl"):
        (tmp_path / folder / name).write_text("{}")
    assert [file.name for file in _source(path=tmp_path).files] == ["part-1.jsonl", "part.jsonl.gz"]


def test_a_revision_is_of_the_hub() -> None:
    with pytest.raises(ValidationError, match="cannot be given together with 'path'"):
        SourceOptions(path=Path("rows.jsonl"), revision="main")


def test_the_hub_gives_a_folder_named_after_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    def download(repo: str, **options: object) -> str:
        asked.append({"repo": repo} | options)
        (tmp_path / "c0ffee").mkdir()
        (tmp_path / "c0ffee" / "part.jsonl").write_text("{}")
        return str(tmp_path / "c0ffee")

    module = ModuleType("huggingface_hub")
    module.__dict__["snapshot_download"] = download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    source = _source(revision="main")
    assert source.files == [tmp_path / "c0ffee" / "part.jsonl"]
    assert source.revision() == "owner/rows@c0ffee"
    assert asked == [
        {"repo": "owner/rows", "repo_type": "dataset", "revision": "main", "allow_patterns": "part*.jsonl"}
    ]


def test_without_the_hub_it_says_what_to_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(InputError) as raised:
        _ = _source().files
    assert str(raised.value) == (
        "owner/rows cannot be had from the Hugging Face hub: its package is not installed: pip install 'evalfw[hub]'\n"
        "Or download part*.jsonl from https://huggingface.co/datasets/owner/rows by hand and name the file or its "
        "folder with `path:`."
    )
