from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evalfw import PluginError
from evalfw.registry.catalog import Catalog, Installed


def distribution(folder: Path, name: str, entry_points: str | bytes, version: str = "1.0") -> None:
    """What pip leaves of a package: its metadata."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    text = entry_points if isinstance(entry_points, bytes) else entry_points.encode()
    (info / "entry_points.txt").write_bytes(text)


def test_the_bundled_plugins_are_found_like_anybodys() -> None:
    catalog = Catalog.scan()
    assert {"starter", "codecontests", "jsonl"} <= {p.name for p in catalog.of_kind("dataset")}
    assert {"accepted", "replay"} <= {p.name for p in catalog.of_kind("model")}
    assert catalog.find("metric", "dmpd").distribution == "evalfw"
    assert list(catalog.installed) == sorted(catalog.installed)


def test_scanning_imports_no_plugin() -> None:
    code = (
        "import sys\nfrom evalfw.registry.catalog import Catalog\nassert Catalog.scan().of_kind('metric')\n"
        "print([m for m in sys.modules if m.startswith(('evalfw_', 'pandas', 'dtaidistance', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_names_and_versions_come_from_the_metadata(tmp_path: Path) -> None:
    distribution(tmp_path, "evalfw_wall", "[evalfw.profilers]\nwall = evalfw_wall.wall:Wall\n", "2.1")
    (found,) = Catalog.scan([str(tmp_path)]).installed
    assert found == Installed("profiler", "wall", "evalfw_wall.wall:Wall", "evalfw-wall", "2.1")
    assert str(found) == "profiler 'wall' (evalfw-wall 2.1)"


def test_a_folder_twice_on_the_path_counts_once(tmp_path: Path) -> None:
    distribution(tmp_path, "evalfw_wall", "[evalfw.profilers]\nwall = evalfw_wall:Wall\n")
    assert len(Catalog.scan([str(tmp_path), str(tmp_path)]).installed) == 1


def test_unknown_names_get_a_near_match() -> None:
    catalog = Catalog([Installed("profiler", name, "m:C", "d", "1") for name in ("cpu", "wall")])
    with pytest.raises(
        PluginError, match=r"no profiler 'wal' is installed; did you mean 'wall'\? \(allowed: cpu, wall\)"
    ):
        catalog.find("profiler", "wal")
    with pytest.raises(PluginError, match="no metric 'wall' is installed"):
        catalog.find("metric", "wall")


def test_one_name_of_two_packages_is_ambiguous(tmp_path: Path) -> None:
    for name in ("evalfw_one", "evalfw_two"):
        distribution(tmp_path, name, f"[evalfw.metrics]\nsame = {name}:M\n[evalfw.models]\nsame = {name}:N{name}\n")
    catalog = Catalog.scan([str(tmp_path)])
    with pytest.raises(PluginError, match="'evalfw-one/same' or 'evalfw-two/same'"):
        catalog.find("metric", "same")
    assert catalog.find("metric", "evalfw-two/same").target == "evalfw_two:M"


def test_malformed_entries_are_reported_and_harm_nobody(tmp_path: Path) -> None:
    distribution(tmp_path, "evalfw_odd", "[evalfw.metrics]\nodd = not a target!\ngood = evalfw_odd:Good\n")
    catalog = Catalog.scan([str(tmp_path)])
    assert [plugin.name for plugin in catalog.installed] == ["good"]
    assert "not a target!" in catalog.malformed[0]


@pytest.mark.parametrize(
    "text", ["[evalfw.metrics]\na = m:A\na = m:B\n", "no section\n", b"[evalfw.metrics]\na = \xff\n"]
)
def test_damaged_metadata_is_named(tmp_path: Path, text: str | bytes) -> None:
    distribution(tmp_path, "damaged", text)
    with pytest.raises(PluginError, match="reinstall or remove"):
        Catalog.scan([str(tmp_path)])
