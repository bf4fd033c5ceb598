"""Accepted solutions are measured beside others: all of them, once or for each temperature, for metrics to read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.evalfw.experiments import BLOCK, DOUBLE, LISTED, Watcher, carry_out, problem, table, write

PROFILER = '''
from pathlib import Path

from evalfw import InstructionCount, Profiler, NoOptions


class Steps(Profiler[NoOptions]):
    """Something that costs the same at all times."""

    instrument = "steps.py"
    produces = InstructionCount
    references = "all"

    def profile(self, record):
        return InstructionCount(record["steps"])


class Alone(Steps):
    """The same, with the machine for itself."""

    exclusive = True
'''

INSTRUMENT = """
def measure(program, settings):
    program.run()
    return {"steps": len(program.code.co_code)}
"""

METRIC = '''
from evalfw import Cost, Measure, Metric, NoOptions


class Known(Metric[NoOptions]):
    """How many references there are, and on how many tests they were measured."""

    needs = Cost

    def measure(self, cohort):
        yield Measure({
            "asked": len(cohort.references),
            "measured": sum(map(len, cohort.references)),
            "canonical": len(cohort.canonical),
        })
'''

WRONG_ON_60 = "n = int(input())\nprint(2 * n if n < 60 else 0)\n"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Watcher]:
    folder = tmp_path_factory.mktemp("run")
    (folder / "own.py").write_text(PROFILER)
    (folder / "steps.py").write_text(INSTRUMENT)
    (folder / "metric.py").write_text(METRIC)
    solutions = [{"name": str(i), "code": code} for i, code in enumerate((LISTED, WRONG_ON_60, BLOCK))]
    path = write(
        folder,
        [problem("a", solutions=solutions), problem("b")],
        {"a": [DOUBLE, BLOCK], "b": [DOUBLE]},
        models=[{"use": "replay", "path": "answers.jsonl", "model": model} for model in ("m", "n")],
        profilers=[{"use": "./own.py:Steps", "label": "steps"}, {"use": "./own.py:Alone", "label": "alone"}],
        metrics=[{"use": "./metric.py:Known", "label": "known"}],
    )
    answers = folder / "answers.jsonl"
    answers.write_text(answers.read_text() + answers.read_text().replace('"model": "m"', '"model": "n"'))
    watcher = Watcher()
    assert carry_out(path, watcher).faults == 0
    return path, watcher


def test_metrics_are_given_all_of_them_in_order(done: tuple[Path, Watcher]) -> None:
    path, _ = done
    found = {(row["problem"], row["profiler"], row["model"]): row for row in table(path, "problems")}
    for profiler in ("steps", "alone"):
        for model in ("m", "n"):
            a, b = (found[name, profiler, model] for name in "ab")
            assert (a["known:asked"], a["known:measured"], a["known:canonical"]) == (3, 2 + 1 + 2, 2)
            assert (b["known:asked"], b["known:measured"], b["known:canonical"]) == (0, 0, 0)


def test_what_need_not_be_alone_is_measured_once(done: tuple[Path, Watcher]) -> None:
    _, watcher = done
    told = Counter((event.profiler, event.code, event.test.id) for event in watcher.profiled if event.problem == "a")
    assert told["steps", LISTED, "private-1"] == 1
    assert told["steps", BLOCK, "private-1"] == 1  # a sample and a reference at once
    assert told["alone", LISTED, "private-1"] == 2  # once for each model
    assert told["alone", BLOCK, "private-1"] == 2 + 1


def test_nothing_is_done_twice(done: tuple[Path, Watcher]) -> None:
    path, _ = done
    again = Watcher()
    carry_out(path, again)
    assert again.profiled == []


def test_run_times_from_the_experiment_to_the_tables(tmp_path: Path) -> None:
    turns = "n = int(input())\nfor _ in range({}): pass\nprint(2 * n)\n"
    solutions = [{"name": "quick", "code": LISTED}, {"name": "slow", "code": turns.format(100_000)}]
    path = write(
        tmp_path,
        [problem("a", private=(30,), solutions=solutions)],
        {"a": [DOUBLE, turns.format(10_000_000), "print(1)\n"]},
        profilers=[
            {"use": "pytest_benchmark", "min_time": 0.01, "max_time": 0.1, "references": "all", "min_rounds": 20}
        ],
        metrics=["runtime", "beyond", "eff_at_k", "effibench"],
        limits={"time": "2s", "memory": "512MiB", "profile_time": "1s"},
    )
    assert carry_out(path, Watcher()).faults == 0
    [row] = table(path, "problems")
    first, too_slow, wrong = table(path, "solutions")
    assert row["runtime_known"] == 2
    assert first["runtime_median"] == row["runtime_median"] == row["et"]
    assert first["speed_canonical"] == pytest.approx(row["et_canonical"] / first["et"])
    assert first["net"] == pytest.approx(1 / first["speed_canonical"])
    assert (first["beyond"] >= 0.5, too_slow["beyond"], wrong["beyond"]) == (True, 0.0, 0.0)
    assert too_slow["runtime_median"] is None
    assert row["beyond"] == pytest.approx(first["beyond"] / 3)
    assert row["eff@1"] == pytest.approx(first["eff"] / 3)
