from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import evalfw
from evalfw.sandbox.view import view


def covered(path: str, by: list[str]) -> bool:
    return any(path == other or path.startswith(f"{other}/") for other in by)


def test_the_standard_library_is_shown_and_what_lies_beside_it_is_not() -> None:
    seen = view(None, None)
    shown = list(seen["show"].values())
    assert covered(os.path.realpath(sysconfig.get_path("stdlib")), shown)
    assert all(os.path.exists(path) for path in shown)
    packages = [path for path in sys.path if path.endswith("-packages") and os.path.isdir(path)]
    for path in (str(Path(evalfw.__file__).parent), *packages):
        real = os.path.realpath(path)
        assert not covered(real, shown) or covered(real, seen["hide"])
    assert not covered(os.path.realpath(sysconfig.get_path("stdlib")), seen["hide"])


def test_site_packages_are_shown_where_asked_for() -> None:
    packages = os.path.realpath(sysconfig.get_path("purelib"))
    seen = view(packages, None)
    assert covered(packages, list(seen["show"].values()))
    assert not covered(packages, seen["hide"])


def test_no_path_is_shown_twice() -> None:
    shown = view(None, None)["show"]
    for target in shown:
        assert not any(str(parent) in shown for parent in Path(target).parents)
