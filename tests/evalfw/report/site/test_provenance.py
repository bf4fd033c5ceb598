from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalfw import InputError
from evalfw.report.runs import Run, read_runs
from evalfw.report.site.provenance import provenance
from tests.evalfw.report.site.conftest import INJECTED, LABEL


@pytest.fixture
def run(hostile_run: Path) -> Run:
    (read,) = read_runs([hostile_run])
    return read


def test_the_most_important_is_in_view(run: Run) -> None:
    found = provenance(run)
    facts = dict(found.facts)
    assert facts["Size"] == "3 problems, 9 tests, 19 samples, 4 conditions"
    assert facts["Intervals"] == "95%, 2,000 bootstrap resamples of problems"
    assert facts["Python"] == run.manifest["python"].split()[0]
    assert [label for label, _ in found.parts["Models"]] == [LABEL, "plain"]
    profilers = dict(found.parts["Profilers"])
    assert profilers["tracemalloc_line"].startswith("stride: 8; ")
    assert profilers[f"line {INJECTED}"].startswith("tracemalloc_line; stride: 1; ")
    ((label, said),) = found.parts["Datasets"]
    assert label == "jsonl"
    assert said.startswith(f"3 problems; revision {run.manifest['datasets'][0]['revision']}; sha256 ")
    assert found.cautions == ["5 completions asked for did not come."]
    assert "name: test" in found.experiment
    assert {row[0] for row in found.stages} == {"generate", "judge", "profile", "measure"}


def test_what_went_wrong_is_said_first(run: Run) -> None:
    manifest = {**run.manifest, "faults": 2, "missing": 1, "complaints": ["plugin 'x' failed"]}
    manifest["isolation"] = {**manifest["isolation"], "warnings": ["no namespaces"]}
    del manifest["finished"]
    assert provenance(replace(run, manifest=manifest)).cautions == [
        "The run was stopped before its end.",
        "2 executions failed through no fault of the program.",
        "1 completion asked for did not come.",
        "plugin 'x' failed",
        "no namespaces",
    ]


def test_a_run_whose_last_command_ran_no_program(run: Run) -> None:
    manifest = json.loads(json.dumps({**run.manifest, "isolation": None}))
    found = provenance(replace(run, manifest=manifest))
    assert dict(found.facts)["Isolation"] == "no program was run by the last command"


def test_long_options_are_cut_short(run: Run, tmp_path: Path) -> None:
    text = (run.directory / "experiment.yaml").read_text().replace("path: 0.jsonl", f"path: {'x' * 100}")
    (tmp_path / "experiment.yaml").write_text(text)
    found = provenance(replace(run, directory=tmp_path))
    assert dict(found.parts["Models"])[LABEL] == f"replay; path: {'x' * 60}…"


def test_adaptive_sampling_in_words(run: Run, tmp_path: Path) -> None:
    text = (run.directory / "experiment.yaml").read_text()
    changed = text.replace("n: 4\n  until: null", "until: {correct: 5, max: 20}")
    assert changed != text
    (tmp_path / "experiment.yaml").write_text(changed)
    facts = dict(provenance(replace(run, directory=tmp_path)).facts)
    assert facts["Sampling"] == "until 5 correct, at most 20; temperature 0"


def test_without_its_experiment_file_it_is_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"experiment\.yaml"):
        provenance(replace(run, directory=tmp_path))
