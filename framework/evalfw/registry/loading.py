"""From an installed plugin to its class, with one clear message for everything that can be wrong with it."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from evalfw._version import __version__
from evalfw.contracts import Component, Dataset, Metric, Model, Profiler
from evalfw.errors import PluginError, near
from evalfw.registry.catalog import Catalog, Installed, Kind

CONTRACTS: dict[Kind, type[Component[Any]]] = {
    "dataset": Dataset,
    "model": Model,
    "profiler": Profiler,
    "metric": Metric,
}


def locate(catalog: Catalog, kind: Kind, name: str, base: Path) -> Installed:
    """Find what a `use:` names: an installed plugin, or `./file.py:Class` relative to `base`.

    Raises:
        PluginError: There is no such plugin or file.
    """
    path, _, attribute = (name, "", "") if name.endswith(".py") else name.rpartition(":")
    if not path.endswith(".py"):
        return catalog.find(kind, name)
    if not attribute and kind in CONTRACTS:
        raise PluginError(f"{kind} '{name}' does not say which class of the file is meant: write '{name}:Class'")
    file = (base / path).resolve()
    if not file.is_file():
        siblings = [f"./{other.name}" for other in file.parent.glob("*.py")] if file.parent.is_dir() else []
        raise PluginError(f"{kind} '{name}': there is no file {file}{near(path, siblings)}")
    return Installed(kind, attribute or file.stem, f"{file}:{attribute}", "", "")


def load(plugin: Installed) -> Any:
    """Import a plugin and give the object it names, checked against the contract of its kind.

    Raises:
        PluginError: It is built for another evalfw, cannot be imported, names something that is not there, or
            does not fulfil the contract.
    """
    _check_requirement(plugin)
    source, _, attribute = plugin.target.rpartition(":") if ":" in plugin.target else (plugin.target, "", "")
    try:
        module = _load_file(Path(source)) if source.endswith(".py") else importlib.import_module(source)
    except Exception as error:
        raise PluginError(
            f"{plugin} could not be imported from {plugin.target}: {type(error).__name__}: {error}"
        ) from error
    found: Any = module
    for part in attribute.split(".") if attribute else ():
        if not hasattr(found, part):
            names = [name for name, value in vars(module).items() if inspect.isclass(value)]
            raise PluginError(f"{plugin} names {plugin.target}, but {source} has no '{part}'{near(part, names)}")
        found = getattr(found, part)
    if plugin.kind in CONTRACTS:
        _check_contract(plugin, found)
    if plugin.kind == "importer" and not callable(found):
        raise PluginError(f"{plugin}: {plugin.target} is not a function")
    return found


def source_digest(component: type[Component[Any]]) -> str:
    """Digest of the files a component is written in, so that results of a changed one are not reused.

    Those are the modules beside it in its package; of a profiler, whose measuring is all in its instrument and costs
    more to repeat, only its own module and the instrument, with the versions of the packages that measure in it.
    """
    file = Path(inspect.getfile(component))
    versions: list[bytes] = []
    if issubclass(component, Profiler):
        files = [file, component.instrument_path()]
        versions = [f"{name} {importlib.metadata.version(name)}".encode() for name in component.packages]
    else:
        files = sorted(file.parent.glob("*.py")) if (file.parent / "__init__.py").is_file() else [file]
    return hashlib.sha256(b"\0".join([*(path.read_bytes() for path in files), *versions])).hexdigest()


def require_packages(plugin: Installed, component: type[Component[Any]]) -> None:
    """See that what an instrument imports is installed.

    Raises:
        PluginError: Something is missing; says how to install it.
    """
    for name in component.packages if issubclass(component, Profiler) else ():
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            raise PluginError(
                f"{plugin} needs the package {name}, which is not installed: pip install '{_installing(plugin, name)}'"
            ) from None


def _installing(plugin: Installed, package: str) -> str:
    """What to install for a package: the extra of the plugin's distribution that brings it, or the package itself."""
    for requirement in _requirements(plugin):
        if canonicalize_name(requirement.name) == canonicalize_name(package) and requirement.marker is not None:
            extra = re.search(r"""extra == ["']([^"']+)["']""", str(requirement.marker))
            if extra and extra[1] != "dev":
                return f"{plugin.distribution}[{extra[1]}]"
    return package


def _load_file(file: Path) -> ModuleType:
    name = f"evalfw_local_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look their module up by name
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _check_requirement(plugin: Installed) -> None:
    """A plugin says which evalfw it is built for by requiring it; installers can be told to ignore that."""
    for requirement in _requirements(plugin):
        if canonicalize_name(requirement.name) != "evalfw" or requirement.marker is not None:
            continue
        if not requirement.specifier.contains(__version__, prereleases=True):
            raise PluginError(
                f"{plugin} is built for evalfw {requirement.specifier}, and this is evalfw {__version__}:"
                f" install another version of {plugin.distribution}"
            )


def _requirements(plugin: Installed) -> Iterator[Requirement]:
    """What the distribution of a plugin requires, as far as it can be read."""
    if not plugin.distribution:
        return
    try:
        requirements = importlib.metadata.requires(plugin.distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return
    for text in requirements:
        try:
            yield Requirement(text)
        except InvalidRequirement:
            continue


def _check_contract(plugin: Installed, found: Any) -> None:
    contract = CONTRACTS[plugin.kind]
    if not (inspect.isclass(found) and issubclass(found, contract)):
        raise PluginError(f"{plugin}: {plugin.target} is not a subclass of evalfw.{contract.__name__}")
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        raise PluginError(f"{plugin}: {plugin.target} does not implement {', '.join(missing)}")
    if not hasattr(found, "options_model"):
        raise PluginError(
            f"{plugin}: {plugin.target} does not say what its options are; derive from"
            f" evalfw.{contract.__name__}[YourOptions], or [evalfw.NoOptions]"
        )
    taken = {"use", "label"} & found.options_model.model_fields.keys()
    if taken:
        raise PluginError(f"{plugin}: its options may not be named {', '.join(sorted(taken))}: every entry has that")
    if issubclass(found, Profiler) and not (hasattr(found, "instrument") and found.instrument_path().is_file()):
        raise PluginError(f"{plugin}: the file of its instrument is missing; `instrument` is its name")
