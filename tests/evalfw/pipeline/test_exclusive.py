"""What runs beside what, told by clocks that are read in real executions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evalfw.pipeline.workers import Workers
from evalfw.sandbox.process import Sandbox
from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, Watcher, carry_out, problem, table

CLOCKS = """
import os, time

def measure(program, settings):
    begin = time.monotonic()
    program.run()
    time.sleep(settings["sleep"])
    end = time.monotonic()
    return {"span": [begin, end], "cpus": sorted(os.sched_getaffinity(0))}
"""

PROFILERS = '''
from evalfw import Options, Profiler, Timing


class Settings(Options):
    sleep: float = 0.02


class Beside(Profiler[Settings]):
    """When an execution began and ended."""

    instrument = "clocks.py"
    produces = Timing

    def profile(self, record):
        return Timing(tuple(record["span"]), clock=",".join(map(str, record["cpus"])))


class Alone(Beside):
    """The same, with the machine for itself."""

    exclusive = True
    references = "canonical"
'''

METRIC = '''
from evalfw import Measure, Metric, NoOptions, Timing


class Relative(Metric[NoOptions]):
    """How many canonical profiles there are, and the first moment of each."""

    needs = Timing

    def measure(self, cohort):
        began = [profile.seconds[0] for profile in cohort.canonical.values()]
        yield Measure({"relative": len(began), "began": min(began, default=None)})
'''

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="processors cannot be chosen here")


def write(folder: Path, solutions: Mapping[str, list[str]]) -> Path:
    """Two models at two temperatures on two problems, each with two correct solutions of its own."""
    problems = [
        problem(name, private=(30, 60), solutions=[{"name": str(i), "code": code} for i, code in enumerate(codes)])
        for name, codes in solutions.items()
    ]
    answers = [
        {"problem_id": name, "model": model, "temperature": temperature, "index": index, "code": f"{code}# {model}\n"}
        for name in solutions
        for model in ("m1", "m2")
        for temperature in (1.0, 0.0)
        for index, code in enumerate((LISTED + f"# {temperature} {name}\n", BLOCK + f"# {temperature} {name}\n"))
    ]
    (folder / "clocks.py").write_text(CLOCKS)
    (folder / "own.py").write_text(PROFILERS)
    (folder / "metric.py").write_text(METRIC)
    (folder / "problems.jsonl").write_text("".join(json.dumps(each) + "\n" for each in problems))
    (folder / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in answers))
    content = {
        "name": "test",
        "datasets": [{"use": "jsonl", "path": "problems.jsonl"}],
        "models": [{"use": "replay", "path": "answers.jsonl", "model": model} for model in ("m1", "m2")],
        "sampling": {"n": 2, "temperatures": [1.0, 0.0]},
        "profilers": [
            {"use": "./own.py:Alone", "label": "alone"},
            {"use": "./own.py:Beside", "label": "beside"},
            {"use": "./own.py:Alone", "label": "alone too", "sleep": 0.01},
        ],
        "metrics": [{"use": "./metric.py:Relative", "label": "relative"}],
        "executor": {"workers": 4},
    }
    path = folder / "experiment.yaml"
    path.write_text(json.dumps(content))
    return path


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Watcher]:
    path = write(tmp_path_factory.mktemp("run"), {"a": [DOUBLE], "b": [DOUBLE + "# b\n"]})
    watcher = Watcher()
    assert carry_out(path, watcher).faults == 0
    return path, watcher


def spans(watcher: Watcher, *profilers: str) -> list[tuple[float, float]]:
    found = [event.profile for event in watcher.profiled if event.profiler in profilers]
    return [(profile.seconds[0], profile.seconds[1]) for profile in found]  # type: ignore[union-attr]


def test_exclusive_executions_run_one_by_one_after_all_others(done: tuple[Path, Watcher]) -> None:
    _, watcher = done
    alone, beside = spans(watcher, "alone", "alone too"), spans(watcher, "beside")
    assert len(alone) == 2 * (2 * 2 * 2 * 2 * 2 + 2 * 2 * 2 * 2)  # samples, and the canonical ones
    assert len(beside) == 2 * 2 * 2 * 2 * 2
    assert max(end for _, end in beside) < min(begin for begin, _ in alone)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(alone))
    assert any(begin < end for (_, end), (begin, _) in pairwise(sorted(beside)))  # these do run side by side


def test_they_run_on_one_processor(done: tuple[Path, Watcher]) -> None:
    _, watcher = done
    usable = os.sched_getaffinity(0)
    clocks = {event.profiler: event.profile.clock for event in watcher.profiled}  # type: ignore[union-attr]
    assert clocks["alone"] == str(max(usable))
    assert clocks["beside"] == ",".join(map(str, sorted(usable)))


def test_they_go_by_model_and_temperature_in_the_order_of_the_experiment(done: tuple[Path, Watcher]) -> None:
    _, watcher = done
    told = [event for event in watcher.profiled if event.profiler.startswith("alone")]
    own = [event for event in told if not event.code.startswith(DOUBLE)]
    sessions = list(dict.fromkeys((*event.code.split("# ")[1:], event.profiler) for event in own))
    assert [
        (model.strip(), temperature[:3], profiler) for temperature, model, profiler in sessions if "a" in temperature
    ] == [
        (model, temperature, profiler)
        for model in ("m1", "m2")
        for temperature in ("1.0", "0.0")
        for profiler in ("alone", "alone too")
    ]


def test_the_canonical_solution_comes_first_in_each(done: tuple[Path, Watcher]) -> None:
    _, watcher = done
    told = [(event.problem, event.code) for event in watcher.profiled if event.profiler == "alone"]
    cohorts = [told[start : start + 6] for start in range(0, len(told), 6)]
    assert len(cohorts) == 8
    for cohort in cohorts:
        assert len({name for name, _ in cohort}) == 1
        assert [code.startswith(DOUBLE) for _, code in cohort] == [True, True, False, False, False, False]


def test_the_table_has_a_row_for_each(done: tuple[Path, Watcher]) -> None:
    path, _ = done
    rows = table(path, "canonical")
    assert len(rows) == 2 * 2 * 2 * 2 * 2
    assert {row["outcome"] for row in rows} == {"accepted"}
    assert {row["groups"] for row in rows} == {4}
    assert {row["profiler"] for row in rows} == {"alone", "alone too"}
    mine = [row for row in rows if (row["profiler"], row["problem"], row["test"]) == ("alone", "b", "private-2")]
    medians = [row["median_seconds"] for row in mine]
    middle = sum(medians) / 4
    spread = (sum((each - middle) ** 2 for each in medians) / 3) ** 0.5
    assert [row["cv"] for row in mine] == [pytest.approx(spread / middle, rel=1e-9)] * 4
    assert len(set(medians)) == 4


def test_metrics_are_given_those_of_their_cohort(done: tuple[Path, Watcher]) -> None:
    path, _ = done
    rows = table(path, "problems")
    for row in rows:
        assert row["relative:relative"] == (0 if row["profiler"] == "beside" else 2)
    began = [row["relative:began"] for row in rows if row["profiler"] == "alone"]
    assert len(set(began)) == 8


def test_nothing_is_done_twice(done: tuple[Path, Watcher]) -> None:
    path, _ = done
    again = Watcher()
    carry_out(path, again)
    assert again.profiled == []
    assert again.judged == []


def test_a_canonical_solution_that_fails_is_shown(tmp_path: Path) -> None:
    wrong = "n = int(input())\nprint(2 * n if n < 50 else 0)\n"
    path = write(tmp_path, {"a": [wrong, DOUBLE], "b": []})
    watcher = Watcher()
    carry_out(path, watcher)
    assert not any(event.code == wrong and event.test.id == "private-2" for event in watcher.profiled)
    rows = [row for row in table(path, "canonical") if row["profiler"] == "alone"]
    assert {(row["problem"], row["test"], row["outcome"], row["groups"]) for row in rows} == {
        ("a", "private-1", "accepted", 4),
        ("a", "private-2", "wrong_answer", 0),
    }


def test_this_process_keeps_off_the_processor_and_comes_back() -> None:
    before = os.sched_getaffinity(0)
    seen = []

    def work(sandbox: Sandbox, _: int) -> None:
        seen.append(os.sched_getaffinity(0))

    with Workers(2, site_packages=False) as workers:
        assert list(workers.alone(work, [1, 2])) == [None, None]
    assert seen == [before - {max(before)} or before] * 2
    assert os.sched_getaffinity(0) == before


def test_a_task_begins_when_the_result_before_is_taken_care_of() -> None:
    begun: list[int] = []

    def work(sandbox: Sandbox, task: Any) -> int:  # noqa: ANN401
        begun.append(task)
        return len(begun)

    with Workers(2, site_packages=False) as workers:
        for count in workers.alone(work, iter(range(3))):
            assert len(begun) == count
