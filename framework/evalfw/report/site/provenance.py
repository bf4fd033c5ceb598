"""Where the numbers of a run come from, as its first page says it: what was run, with what, on what."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalfw.config.document import read
from evalfw.report.runs import Run
from evalfw.report.summary import scores

_LONG = 60  # characters of the value of an option that is shown in a line
_DIGEST = 12


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a page says of a run before its results.

    Args:
        name: Of the run.
        facts: Name and value, the most important first.
        parts: For datasets, models, profilers and metrics: each with what matters of it.
        cautions: What a reader has to know before believing the numbers.
        behind: Name and value of what few will ask for.
        plugins: Kind, name, distribution and version of each plugin.
        stages: Stage, time, interpreter and machine of each.
        experiment: The experiment file as it was run.
    """

    name: str
    facts: Sequence[tuple[str, str]]
    parts: Mapping[str, Sequence[tuple[str, str]]]
    cautions: Sequence[str]
    behind: Sequence[tuple[str, str]]
    plugins: Sequence[tuple[str, ...]]
    stages: Sequence[tuple[str, ...]]
    experiment: str


def provenance(run: Run) -> Provenance:
    """What is known of a run.

    Raises:
        InputError: Its experiment file cannot be read.
    """
    document = read(run.directory / "experiment.yaml")
    manifest, experiment = run.manifest, document.data
    return Provenance(
        run.name,
        _facts(run, experiment),
        {
            "Datasets": [_dataset(each) for each in manifest["datasets"]],
            **{
                kind.capitalize(): [(each["label"], _options(each)) for each in _list(experiment, kind)]
                for kind in ("models", "profilers", "metrics")
            },
        },
        _cautions(manifest),
        [
            ("Sandbox", str(manifest["sandbox"])),
            ("Isolation", _words(_mapping(manifest["isolation"]).get("features", {}))),
            ("Kernel", str(_mapping(manifest["isolation"]).get("kernel", "-"))),
            ("Python", str(manifest["python"])),
            ("Libraries", ", ".join(f"{name} {version}" for name, version in manifest["libraries"].items())),
            ("Workers", str(manifest["workers"])),
        ],
        [
            tuple(str(each[name] or "-") for name in ("kind", "name", "distribution", "version"))
            for each in manifest["plugins"]
        ],
        [
            (name, _moment(each["started"]), each["python"].split()[0], f"{_machine(each)}, evalfw {each['evalfw']}")
            for name, each in manifest["stages"].items()
        ],
        document.text,
    )


def _facts(run: Run, experiment: Mapping[str, Any]) -> list[tuple[str, str]]:
    manifest, tests = run.manifest, run.tables["tests"]
    isolation = manifest["isolation"]
    how = run.resampling
    amounts = [
        (len(run.tables["subjects"]), "problem"),
        (len(tests), "test"),
        (_samples(run), "sample"),
        (len(scores(run.tables)), "condition"),
    ]
    return [
        ("Experiment", str(experiment["name"])),
        ("Finished", _moment(manifest.get("finished") or manifest["started"])),
        ("Size", ", ".join(_count(count, what) for count, what in amounts)),
        ("Sampling", _sampling(experiment["sampling"])),
        ("Intervals", f"{100 * how.confidence:g}%, {how.resamples:,} bootstrap resamples of problems"),
        ("Seed", str(manifest["seed"])),
        ("Isolation", isolation["level"] if isolation else "no program was run by the last command"),
        ("Python", manifest["python"].split()[0]),
        ("evalfw", manifest["evalfw"]),
        ("Machine", _machine(manifest)),
    ]


def _samples(run: Run) -> int:
    of_conditions: dict[tuple[Any, ...], int] = {}
    for row in run.tables["problems"]:
        key = tuple(row[name] for name in ("dataset", "model", "temperature", "problem"))
        of_conditions.setdefault(key, row["samples"])  # the same for every profiler and size
    return sum(of_conditions.values())


def _sampling(how: Mapping[str, Any]) -> str:
    temperatures = ", ".join(f"{each:g}" for each in how["temperatures"])
    until = how.get("until")
    amount = f"until {until['correct']} correct, at most {until['max']}" if until else f"{how['n']} a problem"
    more = {name: how[name] for name in ("top_p", "max_tokens") if how.get(name) is not None}
    return "; ".join(filter(None, (amount, f"temperature {temperatures}", _words(more))))


def _dataset(entry: Mapping[str, Any]) -> tuple[str, str]:
    parts = [_count(entry["problems"], "problem"), *([f"revision {entry['revision']}"] if entry["revision"] else [])]
    options = _options({"use": entry["plugin"], "label": entry["label"], **entry["options"]})
    return entry["label"], "; ".join(filter(None, (*parts, f"sha256 {entry['sha256'][:_DIGEST]}", options)))


def _options(entry: Mapping[str, Any]) -> str:
    """The options of a component, and its plugin where the label does not say it."""
    options = {name: found for name, found in entry.items() if name not in {"use", "label"} and found is not None}
    used = "" if entry["use"] == entry["label"] else str(entry["use"])
    return "; ".join(filter(None, (used, _words(options))))


def _words(options: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name.replace('_', ' ')}: {_short(found)}" for name, found in options.items() if found is not None
    )


def _short(found: Any) -> str:  # noqa: ANN401
    plain = ", ".join(map(str, found)) if isinstance(found, list) else found
    text = plain if isinstance(plain, str) else json.dumps(plain)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _cautions(manifest: Mapping[str, Any]) -> list[str]:
    faults, missing = manifest.get("faults", 0), manifest.get("missing", 0)
    return [
        *([] if "finished" in manifest else ["The run was stopped before its end."]),
        *([f"{_count(faults, 'execution')} failed through no fault of the program."] if faults else []),
        *([f"{_count(missing, 'completion')} asked for did not come."] if missing else []),
        *map(str, manifest.get("complaints", ())),
        *map(str, _mapping(manifest["isolation"]).get("warnings", ())),
    ]


def _machine(manifest: Mapping[str, Any]) -> str:
    return f"{manifest['processor'] or manifest['machine']}, {_count(manifest['cpus'], 'CPU')}, {manifest['platform']}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _moment(iso: str) -> str:
    return f"{iso[:10]} {iso[11:16]} UTC"


def _mapping(found: Any) -> Mapping[str, Any]:  # noqa: ANN401
    return found or {}


def _list(experiment: Mapping[str, Any], kind: str) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = experiment.get(kind) or ()
    return found
