"""What a solution may see of the file system: the interpreter with its standard library, and system libraries."""

from __future__ import annotations

import glob
import os
import sys
import sysconfig
from pathlib import Path

from evalfw.sandbox.inside.namespaces import View

_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
_PACKAGES = ("/usr/lib/python3*/*-packages", "/usr/local/lib/python3*/*-packages")


def view(site_packages: str | None, scratch: str | None) -> View:
    """What is shown to solutions.

    Args:
        site_packages: Directory of packages that they may import.
        scratch: Where their working directories are made.
    """
    libraries = [
        path
        for prefix in (sys.base_prefix, sys.base_exec_prefix)
        for path in (f"{prefix}/lib", f"{prefix}/{sys.platlibdir}")
    ]
    stdlib = [sysconfig.get_path("stdlib")]
    shown: dict[str, str] = {}
    for path in (*_SYSTEM, interpreter(), *libraries, *stdlib, *([site_packages] if site_packages else [])):
        if os.path.exists(path):
            real = os.path.realpath(path)
            shown |= {real: real, path: real}
    show = {target: real for target, real in sorted(shown.items()) if not _is_below(target, shown)}
    reals = dict.fromkeys(show.values(), "")
    hide = [path for path in _hidden(stdlib, site_packages) if _is_below(path, reals)]
    return View(show=show, hide=hide, scratch=scratch or "")


def interpreter() -> str:
    """The interpreter itself, behind whatever virtual environment there is."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def _hidden(stdlib: list[str], site_packages: str | None) -> list[str]:
    """Packages beside the standard library: no part of it, and perhaps datasets with their expected outputs."""
    keep = {os.path.realpath(site_packages)} if site_packages else set()
    own = [str(Path(__file__).parents[2])]
    imported = [path for path in sys.path if path and os.path.isdir(path)]
    found = [path for pattern in _PACKAGES for path in glob.glob(pattern)]
    beside = [f"{directory}/site-packages" for directory in stdlib]
    real = {os.path.realpath(path) for path in (*own, *imported, *found, *beside) if os.path.isdir(path)}
    needed = {os.path.realpath(path) for path in stdlib}
    needed |= {f"{path}/lib-dynload" for path in needed}
    return sorted(real - keep - needed)


def _is_below(path: str, others: dict[str, str]) -> bool:
    return any(str(parent) in others for parent in Path(path).parents)
