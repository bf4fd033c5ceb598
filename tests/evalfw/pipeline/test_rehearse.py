"""Instruments are tried before any work is done, and profilers of every kind go through a whole run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalfw import ConfigError, RunError
from tests.evalfw.experiments import BLOCK, LISTED, carry_out, problem, write

BROKEN = """
from evalfw import MemoryProfile, NoOptions, Profiler


class Broken(Profiler[NoOptions]):
    instrument = "broken_instrument.py"

    def profile(self, record):
        return MemoryProfile.from_samples([0])
"""


def broken(folder: Path, instrument: str) -> Path:
    path = write(folder, [problem("p")], {"p": [LISTED]}, profilers=[{"use": "./broken.py:Broken", "label": "mine"}])
    (folder / "broken.py").write_text(BROKEN)
    (folder / "broken_instrument.py").write_text(instrument)
    return path


@pytest.mark.parametrize(
    ("instrument", "message"),
    [
        (
            "def measure(program, settings):\n    raise OSError('no counter')\n",
            "profiler 'mine' does not work on this machine: the instrument failed: OSError: no counter",
        ),
        ("def prepare(settings):\n    1/0\ndef measure(program, settings):\n    pass\n", "could not be prepared"),
        ("def observe(processes, settings):\n    yield 1\n    raise OSError('dark')\n", "does not work.*dark"),
    ],
)
def test_an_instrument_that_does_not_work_stops_the_run_before_it_begins(
    instrument: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_: object) -> None:
        raise AssertionError("a model was asked")

    monkeypatch.setattr("evalfw.pipeline.run.generate", ask)
    with pytest.raises(RunError, match=message):
        carry_out(broken(tmp_path, instrument))


def test_an_instrument_that_imports_its_packages_is_tried_with_them(tmp_path: Path) -> None:
    instrument = "import pluggy\n\n\ndef measure(program, settings):\n    program.run()\n    return {}\n"
    path = broken(tmp_path, instrument)
    (tmp_path / "broken.py").write_text(BROKEN + '\n    packages = ("pluggy",)\n')
    assert [row["profiles"] for row in carry_out(path).tables["solutions"]] == [2]


def test_profilers_by_the_clock_take_the_place_of_that_by_lines(tmp_path: Path) -> None:
    """One line of the experiment file is another, and all metrics of memory are there."""
    path = write(tmp_path, [problem("p")], {"p": [LISTED, BLOCK]}, profilers=["rss", "tracemalloc_time"])
    finished = carry_out(path)
    rows = finished.tables["conditions"]
    for label in ("rss", "tracemalloc_time"):
        found = {row["metric"] for row in rows if row["profiler"] == label}
        assert found == {"npd", "nmv", "mis_macro", "mis_micro"}
    for row in finished.tables["profiles"]:
        assert row["outcome"] == "accepted"
        assert row["taken"] >= 2
        assert {"interval_median", "interval_p99", "interval_longest"} <= row.keys()
    assert all(row["dmpd"] is not None for row in finished.tables["pairs"])


def test_an_instrument_is_tried_with_its_packages(tmp_path: Path) -> None:
    profiler = {"use": "pytest_benchmark", "min_rounds": 2, "min_time": "1ms"}
    changes = {"profilers": [profiler], "metrics": ["pass_at_k"]}
    finished = carry_out(write(tmp_path, [problem("p", private=(30,))], {"p": [LISTED]}, **changes))
    assert [row["outcome"] for row in finished.tables["profiles"]] == ["accepted"]


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.slow
def test_instructions_are_compared_by_their_own_metric(tmp_path: Path) -> None:
    profiler = {"use": "instructions", "source": "callgrind"}
    changes = {"profilers": [profiler], "metrics": ["ncd"]}
    finished = carry_out(write(tmp_path, [problem("p", private=(30,))], {"p": [LISTED, BLOCK]}, **changes))
    (cell,) = finished.tables["conditions"]
    assert cell["metric"] == "ncd"
    assert 0 < cell["value"] < 1
    assert all(row["instructions"] > 0 and row["source"] == "callgrind" for row in finished.tables["profiles"])


def test_metrics_of_memory_do_not_read_instructions(tmp_path: Path) -> None:
    path = write(tmp_path, [problem("p")], {"p": [LISTED]}, profilers=["instructions"])
    with pytest.raises(ConfigError, match="'npd' reads series profiles, and no profiler listed produces any"):
        carry_out(path)
