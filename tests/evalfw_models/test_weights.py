from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evalfw import InputError
from evalfw_models.weights import digest, weights_file, weights_folder


def test_the_digest_of_a_file_is_that_of_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF and more")
    assert digest(path) == "sha256:" + hashlib.sha256(b"GGUF and more").hexdigest()


def test_the_digest_of_a_folder_is_that_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"1")
    first = digest(tmp_path)
    (tmp_path / "README.md").write_text("words")
    (tmp_path / ".lock").touch()
    (tmp_path / "below").mkdir()
    assert digest(tmp_path) == first
    (tmp_path / "model.safetensors").write_bytes(b"2")
    second = digest(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "other.safetensors")
    assert len({first, second, digest(tmp_path)}) == 3


def test_a_file_of_the_kind_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF...")
    assert weights_file(path, b"GGUF") == path


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.gguf: no GGUF file: it begins with b'"):
        weights_file(path, b"GGUF")


def test_a_missing_file_is_refused_with_a_near_name(tmp_path: Path) -> None:
    (tmp_path / "small.gguf").touch()
    with pytest.raises(InputError, match=r"smal\.gguf: there is no such file; did you mean 'small\.gguf'\?"):
        weights_file(tmp_path / "smal.gguf", b"GGUF")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        weights_file(tmp_path, b"GGUF")


def test_a_folder_needs_its_file(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(
        InputError, match=r"no folder with weights: there is no config\.json in it \(found: notes\.txt\)"
    ):
        weights_folder(tmp_path, "config.json")
    with pytest.raises(InputError, match=r"notes\.txt: it is no folder"):
        weights_folder(tmp_path / "notes.txt", "config.json")
    with pytest.raises(InputError, match="there is no such file"):
        weights_folder(tmp_path / "weights", "config.json")
    (tmp_path / "config.json").touch()
    assert weights_folder(tmp_path, "config.json") == tmp_path
