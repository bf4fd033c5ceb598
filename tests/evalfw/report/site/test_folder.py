from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalfw import InputError
from evalfw.report.site.folder import MARKER, replacing


def put(out: Path, *names: str) -> None:
    with replacing(out) as folder:
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(name)


def files(out: Path) -> set[str]:
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}


def test_a_report_takes_the_place_of_the_former_one_and_nothing_else_is_touched(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "report"
    put(out, "index.html", "problems/a.html", "problems/b.html", "figures/x.csv")
    assert json.loads((out / MARKER).read_text())["files"] == [
        *("figures/x.csv", "index.html", "problems/a.html", "problems/b.html")
    ]
    (out / "notes.txt").write_text("mine")
    (out / "problems/mine.txt").write_text("mine")
    put(out, "index.html", "problems/c.html")
    assert files(out) == {MARKER, "index.html", "problems/c.html", "notes.txt", "problems/mine.txt"}
    assert not (out / "figures").exists()


def test_a_report_that_fails_leaves_the_former_one(tmp_path: Path) -> None:
    put(tmp_path, "index.html", "a.html")
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path) as folder:
        (folder / "index.html").write_text("half")
        raise KeyboardInterrupt
    assert files(tmp_path) == {MARKER, "index.html", "a.html"}
    assert (tmp_path / "index.html").read_text() == "index.html"


def test_what_a_killed_one_has_left_is_in_nobodys_way(tmp_path: Path) -> None:
    work = replacing(tmp_path)
    (work.__enter__() / "half.html").write_text("half")  # and never leaves
    put(tmp_path, "index.html")
    assert files(tmp_path) == {MARKER, "index.html"}


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"is not empty and holds no report of evalfw: name another folder with --out"):
        put(tmp_path, "index.html")
    assert files(tmp_path) == {"thesis.tex"}


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"files": 1}'])
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(InputError, match="cannot be read as the list of the files of a report"):
        put(tmp_path, "index.html")


@pytest.mark.parametrize("name", ["../kept.txt", "link/kept.txt", "{outside}/kept.txt"])
def test_a_list_leads_nowhere_outside(tmp_path: Path, name: str) -> None:
    outside, out = tmp_path / "outside", tmp_path / "outside" / "out"
    out.mkdir(parents=True)
    (outside / "kept.txt").write_text("kept")
    (out / "link").symlink_to(outside)
    (out / MARKER).write_text(json.dumps({"files": [name.format(outside=outside)]}))
    put(out, "index.html")
    assert (outside / "kept.txt").exists()


def test_a_folder_that_cannot_be_made_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        put(tmp_path / "file" / "report", "index.html")
    with pytest.raises(InputError, match="cannot be written"):
        put(tmp_path / "file", "index.html")
