"""The plan in the run directory: what the stages after sampling need, where neither datasets nor models are at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalfw.config.experiment import Experiment, load_experiment
from evalfw.contracts import Dataset, Model
from evalfw.domain.answer import Completion, Request
from evalfw.domain.problem import Json, Problem
from evalfw.errors import InputError
from evalfw.options import NoOptions
from evalfw.pipeline.plan import Plan, Subject, make_subject
from evalfw.registry.catalog import Catalog, Installed
from evalfw.registry.hooks import Listeners
from evalfw.registry.setup import Configured, Sources, assemble
from evalfw.sandbox.process import definition
from evalfw.store.run import RunStore

FILE = "experiment.yaml"
"""The experiment as it was sampled, in the run directory."""


def record(plan: Plan, store: RunStore) -> None:
    """Store the plan, so that `recalled` finds it."""
    setup = plan.setup
    position = {id(dataset): place for place, dataset in enumerate(setup.datasets)}
    content: dict[str, Json] = {
        "sampled": _sampled(setup.experiment, [d.label for d in setup.datasets], [m.label for m in setup.models]),
        "base": str(setup.base),
        "datasets": [_source(dataset, revision=dataset.component.revision()) for dataset in setup.datasets],
        "models": [_source(model, by_temperature=model.component.samples_by_temperature) for model in setup.models],
        "subjects": [
            [
                *(position[id(subject.dataset)], subject.key, subject.prompt),
                *([test.id for test in tests] for tests in (subject.public, subject.private)),
            ]
            for subject in plan.subjects
        ],
    }
    store.replace_plan(content, ((subject.key, subject.problem) for subject in plan.subjects))


def recalled(directory: Path, store: RunStore, catalog: Catalog, listeners: Listeners) -> Plan:
    """The plan of a run, from its directory alone.

    Profilers, metrics, limits and how work is done are those of its experiment file now; what was sampled is what it
    was.

    Raises:
        InputError: Nothing was sampled there, or the file asks for other samples.
        ConfigError: A profiler or metric cannot be used.
    """
    content = store.plan()
    if content is None:
        raise InputError(f"{directory}: nothing was sampled yet: run `evalfw generate EXPERIMENT --out {directory}`")
    experiment, document = load_experiment(directory / FILE)
    labels = ([use.name for use in uses] for uses in (experiment.datasets, experiment.models))
    now = _sampled(experiment, *labels)
    changed = [name for name in now if now[name] != content["sampled"][name]]
    if changed:
        raise InputError(
            f"{directory / FILE}: {', '.join(changed)}: other than when completions were sampled; here only profilers,"
            " metrics, limits, cohorts, executor and sandbox may change"
        )
    home = Path(content["base"])
    sources = Sources(
        # A plugin in a file of one's own lies beside the experiment file or, on another machine, in the run directory.
        base=home if home.is_dir() else directory.resolve(),
        datasets=tuple(_configured(each, _Stored(each["revision"])) for each in content["datasets"]),
        models=tuple(_configured(each, _Asked(each["by_temperature"])) for each in content["models"]),
    )
    setup = assemble(experiment, document, catalog, listeners, sources)
    subjects = _subjects(directory, store, experiment, sources, content["subjects"])
    return Plan(setup, tuple(subjects), definition(experiment.sandbox.site_packages))


def _sampled(experiment: Experiment, datasets: list[str], models: list[str]) -> dict[str, Json]:
    """The part of an experiment on which samples depend, and labels in tables."""
    part: dict[str, Json] = experiment.model_dump(mode="json", include={"seed", "sampling", "tests"})
    return {**part, "datasets": datasets, "models": models}


def _source(part: Configured[Any], **more: Json) -> dict[str, Json]:
    return {"label": part.label, "plugin": asdict(part.plugin), "options": part.options, "keyed": part.keyed, **more}


def _configured(source: Mapping[str, Any], component: Any) -> Configured[Any]:  # noqa: ANN401
    plugin = Installed(**source["plugin"])
    return Configured(source["label"], component, plugin, source["options"], source["keyed"], source="")


def _subjects(
    directory: Path, store: RunStore, experiment: Experiment, sources: Sources, rows: Iterable[Any]
) -> Iterator[Subject]:
    for dataset, key, prompt, *ids in rows:
        problem = store.problem(key)
        if problem is None:
            raise InputError(f"{directory}/run.db is damaged: a problem is missing")
        by_id = {test.id: test for test in problem.tests}
        public, private = (tuple(by_id[test] for test in chosen) for chosen in ids)
        yield make_subject(experiment, sources.datasets[dataset], problem, key, public, private, prompt)


class _Stored(Dataset[NoOptions]):
    """A dataset whose problems are in the run directory."""

    def __init__(self, revision: str | None) -> None:
        super().__init__(NoOptions())
        self._revision = revision

    def problems(self) -> Iterable[Problem]:
        """None: they are subjects of the plan already."""
        return ()

    def revision(self) -> str | None:
        """What the dataset said of itself."""
        return self._revision


class _Asked(Model[NoOptions]):
    """A model whose completions are in the run directory."""

    free = True

    def __init__(self, by_temperature: bool) -> None:
        super().__init__(NoOptions())
        self.samples_by_temperature = by_temperature

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Nothing: whoever is to answer is elsewhere."""
        return iter(())
