"""What is installed, read from package metadata. Imports no plugin."""

from __future__ import annotations

import configparser
import sys
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias, get_args

import entrypoints

from evalfw.errors import PluginError, near

Kind: TypeAlias = Literal["dataset", "model", "profiler", "metric", "importer", "plugin"]
"""Kinds of component, `importer` for functions that convert answers, and `plugin` for implementations of hooks."""

KINDS: tuple[Kind, ...] = get_args(Kind)

GROUPS: Mapping[Kind, str] = {
    "dataset": "evalfw.datasets",
    "model": "evalfw.models",
    "profiler": "evalfw.profilers",
    "metric": "evalfw.metrics",
    "importer": "evalfw.importers",
    "plugin": "evalfw",
}
"""Entry-point group of each kind."""


@dataclass(frozen=True, slots=True, order=True)
class Installed:
    """A plugin as its distribution announces it; nothing of it is imported.

    Args:
        kind: What it says it is.
        name: Name in experiment files.
        target: `module:object`.
        distribution: Name of the package that brings it.
        version: Of that package; empty where its metadata has none.
    """

    kind: Kind
    name: str
    target: str
    distribution: str
    version: str

    def __str__(self) -> str:
        """As error messages name it."""
        origin = f"{self.distribution} {self.version}".strip()
        return f"{self.kind} '{self.name}'" + (f" ({origin})" if origin else "")


class Catalog:
    """The installed plugins."""

    def __init__(self, installed: Iterable[Installed], malformed: Iterable[str] = ()) -> None:
        self.installed = tuple(sorted(set(installed)))
        self.malformed = tuple(malformed)
        """Entry points that could not be read, one line each."""

    @classmethod
    def scan(cls, path: Iterable[str] | None = None) -> Self:
        """Read the metadata of everything on the import path.

        Args:
            path: Folders to look in, instead of `sys.path`.

        Raises:
            PluginError: The metadata of some distribution cannot be read; the message says which.
        """
        folders = [str(folder) for folder in (sys.path if path is None else path)]
        found = []
        try:
            with warnings.catch_warnings(record=True) as malformed:
                warnings.simplefilter("always")
                for kind, group in GROUPS.items():
                    found += [_installed(kind, entry) for entry in entrypoints.get_group_all(group, folders)]
        except (configparser.Error, UnicodeDecodeError) as error:
            raise PluginError(
                f"the metadata of an installed package is damaged: {error}; reinstall or remove that package"
            ) from error
        return cls(found, (str(warning.message) for warning in malformed))

    def of_kind(self, kind: Kind) -> tuple[Installed, ...]:
        """The plugins of one kind, by name."""
        return tuple(plugin for plugin in self.installed if plugin.kind == kind)

    def find(self, kind: Kind, name: str) -> Installed:
        """The plugin of this name, or of `distribution/name` where two distributions have it.

        Raises:
            PluginError: There is none, or more than one.
        """
        distribution, _, plain = name.rpartition("/")
        found = [
            plugin
            for plugin in self.of_kind(kind)
            if plugin.name == plain and (not distribution or plugin.distribution == distribution)
        ]
        if not found:
            names = [plugin.name for plugin in self.of_kind(kind)]
            raise PluginError(f"no {kind} '{name}' is installed{near(name, names)}")
        if len(found) > 1:
            origins = ", ".join(f"{plugin.distribution} {plugin.version}".strip() for plugin in found)
            ways = " or ".join(f"'{plugin.distribution}/{plugin.name}'" for plugin in found)
            raise PluginError(f"{kind} '{name}' is installed by several packages: {origins}; write {ways}")
        return found[0]


def _installed(kind: Kind, entry: entrypoints.EntryPoint) -> Installed:
    target = f"{entry.module_name}:{entry.object_name}" if entry.object_name else entry.module_name
    if entry.distro is None:
        return Installed(kind, entry.name, target, "", "")
    # The folder's spelling is all that is known here; packages are written with hyphens everywhere else.
    return Installed(kind, entry.name, target, entry.distro.name.replace("_", "-"), entry.distro.version or "")
