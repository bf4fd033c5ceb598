from __future__ import annotations

import os
from pathlib import Path

from evalfw.sandbox.inside.scratch import Scratch


def test_each_run_finds_an_empty_directory_and_leaves_none(tmp_path: Path) -> None:
    scratch = Scratch(str(tmp_path / "base"))
    os.mkdir(scratch.path)
    for _ in range(2):
        directory = Path(scratch.fresh(None))
        assert list(directory.iterdir()) == []
        (directory / "file").write_text("x")
        (directory / "link").symlink_to("/usr")
        (directory / "closed" / "inner").mkdir(parents=True)
        (directory / "closed" / "inner" / "file").write_text("x")
        (directory / "closed" / "inner").chmod(0)
        (directory / "closed").chmod(0)
        scratch.clear()
        assert list(Path(scratch.path).iterdir()) == []
    scratch.close()
    scratch.close()
    assert not os.path.exists(scratch.path)
    assert os.path.isdir("/usr/lib")


def test_no_path_is_too_long(tmp_path: Path) -> None:
    scratch = Scratch(str(tmp_path / "base"))
    os.mkdir(scratch.path)
    at = os.open(scratch.fresh(None), os.O_RDONLY)
    for _ in range(100):
        os.mkdir("d" * 200, dir_fd=at)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = deeper
    os.close(at)
    scratch.close()
    assert not os.path.exists(scratch.path)
