from __future__ import annotations

from pathlib import Path

import pytest
import vl_convert

from evalfw.report.site.library import library


@pytest.fixture(autouse=True)
def _forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda: "bundled")


def test_it_is_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library()
    assert first.startswith(f"/* Vega {vl_convert.get_vega_version()}, bundled by vl-convert ")
    assert first.endswith("\nbundled")
    library.cache_clear()
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda: "bundled anew")
    assert library() == first
    assert [path.suffix for path in (tmp_path / "cache/evalfw").iterdir()] == [".js"]


def test_what_is_kept_of_something_else_is_not_used(tmp_path: Path) -> None:
    made = library()
    library.cache_clear()
    (kept,) = (tmp_path / "cache/evalfw").iterdir()
    kept.write_text("something else")
    assert library() == made
    assert kept.read_text() == made


def test_where_nothing_can_be_kept_it_is_made_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert library().endswith("\nbundled")


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert library().endswith("\nbundled")
