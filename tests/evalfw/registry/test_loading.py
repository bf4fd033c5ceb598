from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import pytest

from evalfw import Metric, PluginError, Profiler
from evalfw.registry.catalog import Catalog, Installed
from evalfw.registry.loading import load, locate, require_packages, source_digest

METRIC = '''
from evalfw import Metric, NoOptions

class Mine(Metric[NoOptions]):
    """Mine."""
'''


def local(folder: Path, text: str, name: str = "mine.py") -> Installed:
    (folder / name).write_text(text)
    return locate(Catalog([]), "metric", f"./{name}:Mine", folder)


def test_a_class_in_a_file_of_ones_own(tmp_path: Path) -> None:
    found = load(local(tmp_path, METRIC))
    assert issubclass(found, Metric)
    assert load(local(tmp_path, METRIC)) is found
    before = source_digest(found)
    local(tmp_path, METRIC + "# changed\n")
    assert source_digest(found) != before


def test_only_the_named_file_is_on_the_path(tmp_path: Path) -> None:
    before = list(sys.path)
    load(local(tmp_path, METRIC))
    assert sys.path == before


def test_a_file_of_hooks_needs_no_class(tmp_path: Path) -> None:
    (tmp_path / "watch.py").write_text("seen = 1\n")
    assert load(locate(Catalog([]), "plugin", "./watch.py", tmp_path)).seen == 1
    with pytest.raises(PluginError, match=r"write '\./watch\.py:Class'"):
        locate(Catalog([]), "metric", "./watch.py", tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1/0", "ZeroDivisionError"),
        ("import nowhere_at_all", "No module named 'nowhere_at_all'"),
        (METRIC.replace("Mine", "Main"), "did you mean 'Main'"),
        ("class Mine: pass", "is not a subclass of evalfw.Metric"),
        ("from evalfw import Metric\nclass Mine(Metric): pass", "does not say what its options are"),
        (
            "from evalfw import Metric, Options\nclass O(Options):\n    label: str\nclass Mine(Metric[O]): pass",
            "may not be named label",
        ),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PluginError, match=r"metric 'Mine'") as caught:
        load(local(tmp_path, text))
    assert said in str(caught.value)


def test_verbs_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("from evalfw import Model, NoOptions\nclass Mine(Model[NoOptions]): pass\n")
    with pytest.raises(PluginError, match="does not implement complete"):
        load(locate(Catalog([]), "model", "./model.py:Mine", tmp_path))


def test_a_profiler_needs_its_instrument(tmp_path: Path) -> None:
    text = (
        "from evalfw import NoOptions, Profiler, Timing\n"
        "class Mine(Profiler[NoOptions]):\n"
        "    instrument = 'gone.py'\n"
        "    def profile(self, record): return Timing((1.0,))\n"
    )
    (tmp_path / "profiler.py").write_text(text)
    with pytest.raises(PluginError, match="file of its instrument is missing"):
        load(locate(Catalog([]), "profiler", "./profiler.py:Mine", tmp_path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    with pytest.raises(PluginError, match=r"there is no file .*mime\.py; did you mean '\./mine\.py'"):
        locate(Catalog([]), "metric", "./mime.py:Mine", tmp_path)


NEEDY = """
from evalfw import MemoryProfile, NoOptions, Profiler


class Needy(Profiler[NoOptions]):
    instrument = "needy.py"
    packages = (%r,)

    def profile(self, record):
        return MemoryProfile(((0, 1),))
"""


def needy(folder: Path, package: str) -> type[Profiler[Any]]:
    folder.mkdir()
    (folder / "needy.py").write_text(NEEDY % package)
    found: type[Profiler[Any]] = load(locate(Catalog([]), "profiler", "./needy.py:Needy", folder))
    return found


def test_a_missing_package_is_named_with_what_to_install(tmp_path: Path) -> None:
    own = Installed("profiler", "needy", "evalfw_needy:Needy", "evalfw", "1")
    require_packages(own, needy(tmp_path / "there", "packaging"))
    with pytest.raises(PluginError, match=r"needs the package no-such-thing, .*: pip install 'no-such-thing'"):
        require_packages(own, needy(tmp_path / "nowhere", "no-such-thing"))


@pytest.mark.parametrize(("package", "extra"), [("pytest-benchmark", "timing"), ("memray", "memray")])
def test_a_missing_package_of_an_extra_is_installed_by_that(
    package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = Catalog.scan().find("profiler", {"timing": "pytest_benchmark"}.get(extra, extra))

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(PluginError, match=rf"pip install 'evalfw\[{extra}\]'"):
        require_packages(plugin, needy(tmp_path / "needy", package))


def test_results_depend_on_the_version_of_what_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    component = needy(tmp_path / "needy", "packaging")
    before = source_digest(component)
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.0.1")
    assert source_digest(component) != before
