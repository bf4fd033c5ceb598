"""An experiment with its plugins loaded, configured and checked against each other: all before any work starts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from evalfw.config.document import Document
from evalfw.config.experiment import Experiment, Use, options
from evalfw.config.sweeps import Entry, entries, settings
from evalfw.contracts import Component, Dataset, Metric, Model, Profiler
from evalfw.domain.problem import Json
from evalfw.domain.profile import Profile
from evalfw.errors import ConfigError, InputError, Mistake, PluginError, near
from evalfw.options import keyed
from evalfw.registry.catalog import Catalog, Installed, Kind
from evalfw.registry.hooks import Listeners
from evalfw.registry.loading import load, locate, require_packages, source_digest

ComponentT = TypeVar("ComponentT", bound=Component[Any])


@dataclass(frozen=True, slots=True)
class Configured(Generic[ComponentT]):
    """A component as one entry of the experiment asks for it.

    Args:
        label: Name in results tables.
        component: The instance.
        plugin: Where it comes from.
        options: Its options as plain data, defaults included.
        keyed: Those of them that results depend on.
        source: Digest of the files it is written in.
    """

    label: str
    component: ComponentT
    plugin: Installed
    options: Mapping[str, Json]
    keyed: Mapping[str, Json]
    source: str


@dataclass(frozen=True, slots=True)
class Setup:
    """An experiment that is ready to run."""

    experiment: Experiment
    base: Path
    datasets: tuple[Configured[Dataset[Any]], ...]
    models: tuple[Configured[Model[Any]], ...]
    profilers: tuple[Configured[Profiler[Any]], ...]
    metrics: tuple[Configured[Metric[Any]], ...]
    plugins: tuple[Installed, ...]
    listeners: Listeners

    def notes(self) -> list[str]:
        """What components have to say about their input."""
        parts: tuple[Configured[Any], ...] = (*self.datasets, *self.models, *self.profilers, *self.metrics)
        return [f"{part.plugin.kind} '{part.label}': {note}" for part in parts for note in part.component.notes]

    def loaded(self) -> tuple[Installed, ...]:
        """Every plugin in use, for the manifest."""
        parts: tuple[Configured[Any], ...] = (*self.datasets, *self.models, *self.profilers, *self.metrics)
        return tuple(sorted({*(part.plugin for part in parts), *self.plugins}))


@dataclass(frozen=True, slots=True)
class Sources:
    """What stands for the datasets and models of an experiment that was sampled elsewhere.

    Args:
        base: Folder that relative paths are meant from.
        datasets: In the order of the experiment file.
        models: Likewise.
    """

    base: Path
    datasets: tuple[Configured[Dataset[Any]], ...]
    models: tuple[Configured[Model[Any]], ...]


def assemble(
    experiment: Experiment, document: Document, catalog: Catalog, listeners: Listeners, sources: Sources | None = None
) -> Setup:
    """Load and configure what an experiment names.

    Args:
        experiment: As read from its file.
        document: The file, for positions.
        catalog: What is installed.
        listeners: Where hook plugins are added.
        sources: Taken in place of the datasets and models that the file names.

    Raises:
        ConfigError: A plugin cannot be used or configured, or the parts do not fit each other; holds every
            mistake.
    """
    base = sources.base if sources else Path(document.source).resolve().parent
    wrong: list[Mistake] = []

    def components(kind: Kind, uses: Sequence[Entry]) -> tuple[Configured[Any], ...]:
        found: dict[str, Configured[Any]] = {}
        for entry in uses:
            made = _configure(catalog, base, kind, entry)
            if not isinstance(made, Configured):
                # The settings of a sweep share what is not swept, mistakes included.
                known = {(mistake.field, mistake.message) for mistake in wrong}
                wrong.extend(mistake for mistake in made if (mistake.field, mistake.message) not in known)
            elif found.setdefault(made.label, made) is not made and not wrong:
                message = f"'{made.label}' is the label of another entry too; give one of them a `label`"
                wrong.append(document.mistake(entry.path, message))
        return tuple(found.values())

    def listed(field: str) -> list[Entry]:
        return list(entries(document, field, getattr(experiment, field)))

    swept = [each for use in listed("profilers") for each in settings(use)]
    wrong.extend(each for each in swept if isinstance(each, Mistake))
    profilers = [each for each in swept if isinstance(each, Entry)]
    setup = Setup(
        experiment=experiment.model_copy(update={"profilers": tuple(entry.use for entry in profilers)}),
        base=base,
        datasets=sources.datasets if sources else components("dataset", listed("datasets")),
        models=sources.models if sources else components("model", listed("models")),
        profilers=components("profiler", profilers),
        metrics=components("metric", listed("metrics")),
        plugins=_add_plugins(document, catalog, base, experiment, listeners, wrong),
        listeners=listeners,
    )
    if not wrong:
        wrong = _misfits(setup, document, catalog)
    if wrong:
        raise ConfigError(document.source, sorted(wrong, key=lambda mistake: (mistake.line or 0, mistake.field)))
    return setup


def configure(catalog: Catalog, kind: Kind, name: str, options: Document, base: Path) -> Configured[Any]:
    """One component without an experiment around it.

    Args:
        catalog: What is installed.
        kind: Kind of component.
        name: As in `use:`.
        options: Its options.
        base: Folder that relative paths in them are meant from.

    Raises:
        InputError: There is no such plugin, or an option is wrong; the message names every such option.
    """
    made = _configure(catalog, base, kind, Entry((), options, Use(use=name, options=dict(options.data))))
    if isinstance(made, Configured):
        return made
    lines = [f"option '{wrong.field}': {wrong.message}" if wrong.field != "use" else wrong.message for wrong in made]
    raise InputError("\n".join(lines))


def _configure(catalog: Catalog, base: Path, kind: Kind, entry: Entry) -> Configured[Any] | list[Mistake]:
    document, use = entry.document, entry.use
    try:
        plugin = locate(catalog, kind, use.use, base)
        component_class: type[Component[Any]] = load(plugin)
        require_packages(plugin, component_class)
    except PluginError as error:
        return [document.mistake((*entry.path, "use"), str(error))]
    chosen = options(document, entry.path, use, component_class.options_model)
    if isinstance(chosen, list):
        return chosen
    try:
        component = component_class(chosen, base)
    except InputError as error:
        return [document.mistake((*entry.path, "use"), str(error))]
    own = component.label if isinstance(component, Model) else None
    return Configured(
        label=(use.label or own or plugin.name) + entry.suffix,
        component=component,
        plugin=plugin,
        options=json.loads(chosen.model_dump_json()),
        keyed=keyed(chosen),
        source=source_digest(component_class),
    )


def _add_plugins(
    document: Document,
    catalog: Catalog,
    base: Path,
    experiment: Experiment,
    listeners: Listeners,
    wrong: list[Mistake],
) -> tuple[Installed, ...]:
    added = []
    for index, use in enumerate(experiment.plugins):
        try:
            if use.options:
                raise PluginError(f"plugin '{use.use}' takes no options, found: {', '.join(use.options)}")
            plugin = locate(catalog, "plugin", use.use, base)
            found = load(plugin)
            listeners.add(found() if isinstance(found, type) else found, use.name)
            added.append(plugin)
        except PluginError as error:
            wrong.append(document.mistake(("plugins", index, "use"), str(error)))
    return tuple(added)


def _misfits(setup: Setup, document: Document, catalog: Catalog) -> list[Mistake]:
    """What asks for something that nothing in this experiment gives."""
    wrong = []
    if setup.experiment.tests.generated and not setup.profilers:
        message = "generated tests are for profiling, and no profiler is listed"
        wrong.append(document.mistake(("tests", "generated"), message))
    labels = [metric.label for metric in setup.metrics]
    produced = [profiler.component.produces for profiler in setup.profilers]
    for index, metric in enumerate(setup.metrics):
        over, needs = metric.component.over, metric.component.needs
        if over is not None and over not in labels:
            message = f"'{metric.label}' aggregates the metric '{over}', which is not listed{near(over, labels)}"
            wrong.append(document.mistake(("metrics", index), f"{message}; add `{{use: {over}}}`"))
        if needs is not None and not any(issubclass(kind, needs) for kind in produced):
            message = f"'{metric.label}' reads {needs.kind} profiles, and no profiler listed produces any"
            wrong.append(document.mistake(("metrics", index), f"{message}; {_instead(catalog, needs)}"))
    return wrong


def _instead(catalog: Catalog, needs: type[Profile]) -> str:
    """What to list where a metric has nothing to read."""
    names = []
    for plugin in catalog.of_kind("profiler"):
        try:
            found: type[Profiler[Any]] = load(plugin)
        except PluginError:  # whoever names it is told
            continue
        if issubclass(found.produces, needs):
            names.append(plugin.name)
    return f"list one that does ({', '.join(names)}), or leave the metric out" if names else "leave the metric out"
