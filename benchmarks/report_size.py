"""How large the report of a large run is, how long it takes to make, and how long its pages take to open.

    python benchmarks/report_size.py [PROBLEMS]

Makes a run of 300 problems with 10 solutions each and 10 tests, whose profiles are like those of the bundled problems:
as many runs, of steps as long, by few lines in turns. Numbers of pairs are drawn. Needs a browser for the last lines.
docs/reference/report-problems.md has the results.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from evalfw import MemoryProfile, Outcome, Problem, Solution, TestCase, Verdict
from evalfw.config.experiment import load_experiment
from evalfw.pipeline.plan import make_plan
from evalfw.pipeline.run import run
from evalfw.registry.catalog import Catalog
from evalfw.registry.hooks import Listeners
from evalfw.registry.setup import assemble
from evalfw.report.site.build import build
from evalfw.store.keys import digest, problem_key
from evalfw.store.rows import StoredCompletion, StoredProfile, StoredVerdict
from evalfw.store.run import RunStore

SOLUTIONS, TESTS = 10, 10
EXPERIMENT = {
    "name": "made",
    "datasets": [{"use": "starter", "problems": ["sort_list"]}],
    "models": ["accepted"],
    "sampling": {"n": 2},
    "profilers": ["tracemalloc_line"],
    "metrics": ["dmpd", "npd", "nmv", "mis"],
}
CONDITION = {"dataset": "made", "model": "model", "temperature": 0.8, "profiler": "tracemalloc_line", "size": None}

# Runs and steps of the 700 profiles of examples/quickstart.yaml, in order of size, every twentieth of them.
RUNS = (1, 5, 6, 8, 11, 14, 18, 26, 37, 52, 74, 94, 123, 171, 213, 268, 314, 404, 490, 699, 2969)
STEPS = (
    11,
    199,
    340,
    461,
    608,
    739,
    963,
    1164,
    1365,
    1576,
    1809,
    2048,
    2362,
    2673,
    3034,
    3456,
    4053,
    4808,
    6035,
    10395,
)

LINE = "    values.append(row[index] + {:.6f})\n"


def profile(source: random.Random) -> MemoryProfile:
    """One that rises in jumps and ramps, by a line or two at a time."""
    place = source.randrange(20)
    count = source.randint(RUNS[place], RUNS[place + 1])
    steps = max(count, source.choice(STEPS[place:]))
    raising = source.sample(range(2, 20), source.randint(1, 9))
    runs, lines, value, line = [], [], 0, raising[0]
    for position in range(count):
        if source.random() < 0.05:
            line = source.choice(raising)
        rise = 64 * (source.randint(10, 300) if source.random() < 0.03 else source.randint(1, 3))
        value += rise if position else 0
        runs.append((value, source.randint(1, max(1, 2 * steps // count))))
        lines.append(line if position else 0)
    return MemoryProfile(tuple(runs), lines=tuple(lines))


def pairs(source: random.Random, names: list[str], about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Rows of the table of pairs."""
    for test in range(TESTS):
        for a, b in combinations(names, 2):
            cost, scale, length = source.randint(0, 10**9), source.randint(10**5, 10**8), source.randint(500, 9000)
            numbers = {"dmpd": cost / (scale * length), "dmpd_cost": cost, "dmpd_scale": scale, "dmpd_length": length}
            yield {
                **about,
                "test": f"private-{test}",
                "solution_a": a,
                "solution_b": b,
                **numbers,
                "npd": source.random(),
            }


def make(folder: Path, problems: int) -> None:
    """Write a finished run: one of a single problem, in which made rows take the place of its own."""
    (folder / "experiment.yaml").write_text(json.dumps(EXPERIMENT))
    experiment, document = load_experiment(folder / "experiment.yaml")
    run(make_plan(assemble(experiment, document, Catalog.scan(), Listeners())), folder / "run")
    source = random.Random(1)
    names = ("problems", "solutions", "pairs", "profiles", "subjects", "tests", "executions", "conditions", "traits")
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    known = []
    with RunStore.create(folder / "run") as store:
        store.put_verdict(StoredVerdict("v", Verdict(Outcome.ACCEPTED)))
        for number in range(problems):
            name = f"problem_{number}"
            tests = tuple(TestCase(f"private-{n}", "private", "1 2 3\n" * 40, "6\n") for n in range(TESTS))
            problem = Problem(name, "What is asked of the program, in words.\n" * 40, tests)
            known.append((problem_key(problem), problem))
            tables["subjects"].append({"dataset": "made", "problem": name, "key": problem_key(problem)})
            for test in tests:
                preview = {"input": test.input, "input_length": 240, "expected": "6\n", "expected_length": 2}
                about = {"dataset": "made", "problem": name, "size": None, "test": test.id}
                tables["tests"].append({**about, "pool": "private", "profiled": True, **preview})
            _solutions(store, source, name, tables)
        store.replace_plan({}, known)
        store.replace_results(tables)


def _solutions(store: RunStore, source: random.Random, name: str, tables: dict[str, list[dict[str, Any]]]) -> None:
    about = {**CONDITION, "problem": name}
    counts = {"samples": SOLUTIONS, "correct": SOLUTIONS, "distinct": SOLUTIONS, "tests": TESTS, "pool": "private"}
    tables["problems"].append(
        {**about, **counts, "dmpd": source.random(), "npd": source.random(), "nmv": source.random()}
    )
    keys = [digest("made", name, index) for index in range(SOLUTIONS)]
    for index, key in enumerate(keys):
        code = "def solve(rows):\n    values = []\n" + "".join(LINE.format(source.random()) for _ in range(18))
        completion = StoredCompletion(key, "made", name, "model", 0.8, index, "", code, "stop", 1, Solution("ok", code))
        store.put_completion(completion)
        found = {"dmpd": source.random(), "npd": source.random(), "nmv": source.random()}
        row = {
            **about,
            "solution": key[:12],
            "index": index,
            "status": "ok",
            "duplicate_of": None,
            "verdict": "accepted",
        }
        tables["solutions"].append({**row, "reason": None, "test": None, "profiles": TESTS, **found})
        profiles = {}
        for test in range(TESTS):
            made, place = profile(source), digest("profile", key, test)
            facts = dict(made.facts())
            store.put_profile(StoredProfile(place, "v", Verdict(Outcome.ACCEPTED), made.kind, facts, made.pack()))
            profiles[f"private-{test}"] = place
            row = {**about, "solution": key[:12], "test": f"private-{test}", "pool": "private"}
            tables["profiles"].append({**row, "outcome": "accepted", "reason": None, **facts})
        execution = {**about, "index": index, "completion": key, "verdict": None, "profiles": profiles}
        tables["executions"].append(execution)
    tables["pairs"] += pairs(source, [key[:12] for key in keys], about)


def opening(pages: list[Path]) -> Iterator[tuple[str, float]]:
    """Seconds until a page has its drawing, or else has loaded; the browser is warm."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for page in (pages[0], *pages):
            tab = browser.new_page()
            start = time.perf_counter()
            tab.goto(page.as_uri())
            if page.parent.name == "problems":
                tab.wait_for_selector("#curves svg")
                tab.wait_for_selector("#alignment svg")
            yield page.name, time.perf_counter() - start
            tab.close()
        browser.close()


def main() -> None:
    """Print size, number of files and times."""
    problems = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), problems)
        start = time.perf_counter()
        index = build([Path(folder) / "run"], Path(folder) / "report")
        seconds = time.perf_counter() - start
        files = [path for path in index.parent.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        print(f"{problems} problems x {SOLUTIONS} solutions x {TESTS} tests: {size / 1e6:.1f} MB in {len(files)} files")
        print(f"built in {seconds:.1f} s")
        largest = max((index.parent / "problems").iterdir(), key=lambda path: path.stat().st_size)
        print(f"largest page {largest.stat().st_size / 1e3:.0f} kB, first page {index.stat().st_size / 1e3:.0f} kB")
        for name, took in list(opening([index, largest]))[1:]:
            print(f"{name} opens in {took:.2f} s")


if __name__ == "__main__":
    main()
