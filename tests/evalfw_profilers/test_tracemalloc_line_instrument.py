from __future__ import annotations

import sys
from typing import Any

import pytest

from evalfw import Call, Execution, Instrument, Job, Limits, MemoryProfile, Method, RunStyle, Sandbox, Stdin
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine
from tests.evalfw_profilers import programs
from tests.evalfw_profilers.run import THIS, VERSIONS, off, peaks, profile, profiles, reference, run

PROFILER = TracemallocLine(LineOptions())
OWN = tuple(programs.OWN.values())
FOREIGN = tuple(programs.FOREIGN.values())
KNOWN_SIZES = """
def main():
    a = bytes(100_000)
    b = bytes(200_000)
    del a
    c = bytes(50_000)
    d = 1

main()
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_equals_a_walk_at_every_line_where_no_foreign_frame_runs(version: str) -> None:
    # With no budget any walk would make the profile inexact, so none is needed here.
    ours = profiles(OWN, version=version, WALK_BUDGET=-1)
    for name, measured, series in zip(programs.OWN, ours, reference(OWN, version), strict=True):
        assert (name, measured.runs) == (name, peaks(series))
        assert measured.exact, name


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("frame_objects", ["count", "subtract"])
def test_foreign_frames_are_left_out_or_the_profile_says_how_far_off_it_may_be(
    frame_objects: str, version: str
) -> None:
    ours = profiles(FOREIGN, version=version, frame_objects=frame_objects)
    right = reference(FOREIGN, version, frame_objects=frame_objects)
    for name, measured, series in zip(programs.FOREIGN, ours, right, strict=True):
        assert measured.uncertainty_bytes is not None
        assert measured.uncertainty_bytes >= off(measured, series), name
        assert measured.uncertainty_bytes <= 4 * 64, name
        assert measured.exact is (measured.uncertainty_bytes == 0), name
    assert sum(measured.exact for measured in ours) >= 3


@pytest.mark.parametrize("budget", [-1, 20_000])
def test_without_enough_walks_the_uncertainty_is_greater_and_still_right(budget: int) -> None:
    ours = profiles(FOREIGN, WALK_BUDGET=budget)
    for name, measured, series in zip(programs.FOREIGN, ours, reference(FOREIGN, THIS), strict=True):
        assert measured.uncertainty_bytes is not None
        assert measured.uncertainty_bytes >= off(measured, series), name
    assert not all(measured.uncertainty_bytes <= 4 * 64 for measured in ours if measured.uncertainty_bytes is not None)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_objects_of_running_frames_can_be_left_out(version: str) -> None:
    ours = profiles(OWN, version=version, frame_objects="subtract", WALK_BUDGET=-1)
    right = reference(OWN, version, frame_objects="subtract")
    for name, measured, series in zip(programs.OWN, ours, right, strict=True):
        assert (name, measured.runs) == (name, peaks(series))
        assert measured.exact, name


def test_recursion_costs_next_to_nothing_without_frame_objects() -> None:
    counted, bare = (profile(*programs.OWN["recursion"], frame_objects=how) for how in ("count", "subtract"))
    assert counted.peak_bytes > 120 * 150
    assert bare.peak_bytes < 2000
    assert counted.length == bare.length


@pytest.mark.parametrize("frame_objects", ["count", "subtract"])
def test_with_scope_inclusive_all_that_is_traced_counts_and_no_walk_is_needed(frame_objects: str) -> None:
    everything = OWN + FOREIGN
    how: dict[str, Any] = {"scope": "inclusive", "frame_objects": frame_objects}
    ours = profiles(everything, WALK_BUDGET=-1, **how)
    right = [series for some in (OWN, FOREIGN) for series in reference(some, THIS, **how)]
    for name, measured, series in zip([*programs.OWN, *programs.FOREIGN], ours, right, strict=True):
        assert (name, measured.runs) == (name, peaks(series))
        assert measured.exact, name
        assert measured.coverage == 1.0, name


def test_a_foreign_object_is_not_the_solutions() -> None:
    measured = profile("import copy\na = [0] * 1000\nb = copy.deepcopy(a)\nc = 1\n")
    assert 8000 < measured.peak_bytes < 9500
    assert measured.coverage is not None
    assert measured.coverage < 0.6


def test_sizes_worked_out_by_hand() -> None:
    measured = profile(KNOWN_SIZES, quantum=1)
    values = list(measured.samples())
    assert len(values) == 7
    assert values[4] - values[3] == sys.getsizeof(bytes(200_000))
    assert values[4] == values[5] == values[6]
    assert measured.exact
    assert measured.coverage == 1.0
    assert measured.end_bytes is not None
    assert measured.end_bytes < 2000


def test_the_value_after_the_last_line_is_no_step() -> None:
    measured = profile("a = 1\nb = bytes(10_000)\n")
    assert measured.length == 2
    assert measured.peak_bytes < 1000
    assert measured.end_bytes is not None
    assert 9000 < measured.end_bytes < 10_500


@pytest.mark.parametrize("stride", [2, 5, 300])
def test_a_stride_samples_the_raw_series(stride: int) -> None:
    for name, measured, series in zip(programs.OWN, profiles(OWN, stride=stride), reference(OWN, THIS), strict=True):
        assert (name, measured.runs) == (name, peaks(series, stride=stride))


@pytest.mark.parametrize("quantum", [1, 128, 1000])
def test_a_quantum_rounds_the_raw_series(quantum: int) -> None:
    for name, measured, series in zip(programs.OWN, profiles(OWN, quantum=quantum), reference(OWN, THIS), strict=True):
        assert (name, measured.runs) == (name, peaks(series, quantum=quantum))


def test_fresh_processes_agree_bit_for_bit() -> None:
    three = [programs.OWN["tuples_in_heap"], programs.OWN["cycles"], programs.FOREIGN["namedtuple"]]
    first, *others = [profiles(three) for _ in range(6)]
    for other in others:
        assert [p.pack() for p in other] == [p.pack() for p in first]


def test_history_does_not_matter() -> None:
    some = list(OWN[:6])
    assert [p.pack() for p in profiles(some)] == [p.pack() for p in profiles(some[::-1])[::-1]]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_way_to_end(version: str) -> None:
    ways = {
        "import sys\na = bytes(5000)\nsys.exit(3)\n": ("SystemExit", 3),
        "a = bytes(5000)\nb = 1 // 0\n": ("ZeroDivisionError", 2),
        "a = bytes(5000)\nraise KeyboardInterrupt\n": ("KeyboardInterrupt", 2),
        "x = 1": ("NoneType", 1),
        "": ("NoneType", 1),
    }
    answers = run([(source, "") for source in ways], version=version)
    for answer, (source, (ending, length)) in zip(answers, ways.items(), strict=True):
        assert answer["ending"] == ending
        assert sum(answer["record"]["runs"][1::2]) == length, source
        assert (sum(answer["record"]["runs"][::2]) >= 5000 // 64) is ("5000" in source)


@pytest.mark.parametrize("version", VERSIONS)
def test_deep_recursion(version: str) -> None:
    limit = "import sys\nsys.setrecursionlimit(5000)\n"
    source = limit + "def f(n):\n    return 1 + f(n - 1) if n else 0\n\nf(1500)\nx = f(500)\n"
    measured = profile(source, version=version)
    assert measured.length == 5 + 1501 + 501
    assert measured.exact


def test_threads_are_traced() -> None:
    source = (
        "import threading\nkept = []\ndef work():\n    for i in range(50):\n        kept.append(bytes(1000))\n"
        "t = threading.Thread(target=work)\nt.start()\nt.join()\nend = 1\n"
    )
    measured = profile(source)
    (series,) = reference(((source, ""),), THIS)
    assert measured.length == 7 + 101
    assert measured.peak_bytes > 50_000
    assert measured.uncertainty_bytes is not None
    assert measured.uncertainty_bytes >= off(measured, series)
    assert not measured.exact


@pytest.mark.parametrize("version", VERSIONS)
def test_without_the_counter_the_profile_is_the_same_and_does_not_claim_to_be_exact(version: str) -> None:
    polled = profiles(OWN, version=version, hide_counter=True)
    for name, measured, series in zip(programs.OWN, polled, reference(OWN, version), strict=True):
        assert (name, measured.runs) == (name, peaks(series))
        assert (measured.exact, measured.uncertainty_bytes) == (False, 128)


def test_walks_become_rare_before_the_budget_is_spent() -> None:
    source = "import random\nkept = []\nfor i in range(2000):\n    kept.append(random.randint(0, 10**9))\n"
    measured = profile(source, WALK_BUDGET=600_000)
    right = sys.getsizeof([0] * 2000)  # the list alone; the numbers, four times as much, are those of `random`
    assert not measured.exact
    assert 0.8 * right < measured.peak_bytes < 1.3 * right
    assert measured.uncertainty_bytes is not None
    assert abs(measured.peak_bytes - right) <= measured.uncertainty_bytes


def test_past_the_budget_for_walks_the_profile_is_not_exact() -> None:
    measured = profile(*programs.FOREIGN["dataclass"], WALK_BUDGET=-1)
    assert not measured.exact
    assert measured.length == 102


WORK = "\nkept = []\nfor i in range(50):\n    kept.append([i])\n"
TRACEMALLOC = "tracemalloc was stopped, restarted or cleared"
REPLACED = "the trace function was removed or replaced"
HIDDEN = "frames or lines were hidden from the trace function"
LIMIT = "the recursion limit was reached, where Python removes the trace function"
ACTS = {
    "remove the tracer": ("import sys\nsys.settrace(None)" + WORK, REPLACED),
    "replace the tracer": ("import sys\nsys.settrace(lambda *a: None)" + WORK, REPLACED),
    "untrace a frame": (
        "import sys\ndef f():\n    sys._getframe().f_trace = None\n    a = [0] * 999\n    return a\nb = f()" + WORK,
        HIDDEN,
    ),
    "hide lines": ("import sys\nsys._getframe().f_trace_lines = False" + WORK, HIDDEN),
    "stop": ("import tracemalloc\ntracemalloc.stop()" + WORK, TRACEMALLOC),
    "restart": ("import tracemalloc\ntracemalloc.stop()\ntracemalloc.start()" + WORK, TRACEMALLOC),
    "clear": ("import tracemalloc\ntracemalloc.clear_traces()" + WORK, TRACEMALLOC),
    "untrace threads": ("import threading\nthreading.settrace(None)" + WORK, REPLACED),
    "untraced thread": (
        "import _thread, time\ndef f():\n    pass\n_thread.start_new_thread(f, ())\ntime.sleep(0.05)" + WORK,
        "_thread.start_new_thread is used, whose threads cannot be traced",
    ),
    "leave a thread running": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(2,), daemon=True).start()" + WORK,
        "threads of the program were still running at its end",
    ),
    "catch a RecursionError": (
        "def f():\n    return f()\ntry:\n    f()\nexcept RecursionError:\n    pass" + WORK,
        LIMIT,
    ),
    "catch a RecursionError and raise the limit": (
        "import sys\ndef f():\n    return f()\ntry:\n    f()\nexcept RecursionError:\n    sys.setrecursionlimit(5000)"
        + WORK,
        LIMIT,
    ),
}
HARMLESS = {
    "start again": "import tracemalloc\ntracemalloc.start(25)",
    "reset the peak": "import tracemalloc\ntracemalloc.reset_peak()",
    "gc off": "import gc\ngc.disable()\ngc.collect()\ngc.freeze()",
    "profile": "import sys\nsys.setprofile(None)",
    "purge": """
import sys
for name in list(sys.modules):
    if "trace" in name or "gc" in name:
        del sys.modules[name]
""",
    "replace functions": """
import os, time, posixpath, sys, _tracemalloc
os._exit = time.sleep = sys.gettrace = _tracemalloc._get_traces = None
a = posixpath.join("a", "b")
""",
    "fork": """
import os
pid = os.fork()
if pid:
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass
""",
}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_tampering_act_is_noticed(version: str) -> None:
    answers = run([(source, "") for source, _ in ACTS.values()], version=version)
    found = {act: answer["record"] for act, answer in zip(ACTS, answers, strict=True)}
    assert found == {act: {"tampered": reason} for act, (_, reason) in ACTS.items()}


def test_harmless_acts_change_nothing() -> None:
    for act, source in HARMLESS.items():
        measured = profile(source + WORK)
        assert measured.peak_bytes > 50 * 56, act


def test_ending_the_process_leaves_no_record() -> None:
    assert run([("import os\nos._exit(0)\n", "")]) == [None]


def test_memory_of_executed_strings_shows_in_the_coverage() -> None:
    measured = profile("exec('kept = [[i] for i in range(10_000)]')\nx = 1\n")
    assert measured.peak_bytes < 4000
    assert measured.coverage is not None
    assert measured.coverage < 0.01


def test_a_long_program_with_foreign_memory_all_the_while() -> None:
    source = """
from functools import lru_cache

@lru_cache(None)
def f(n):
    return [n]

for i in range(3000):
    f(i)
"""
    measured = profile(source)
    assert measured.length >= 3 + 3001 + 3000 + 3000
    assert 3000 * 64 < measured.peak_bytes < 3000 * 400


def in_sandbox(*jobs: tuple[str, RunStyle, str | Call]) -> list[Execution]:
    instrument = Instrument(TracemallocLine.instrument_path(), PROFILER.settings())
    with Sandbox() as sandbox:
        return [sandbox.run(Job(*job, Limits(), instrument)) for job in jobs]


def recorded(execution: Execution) -> MemoryProfile:
    assert isinstance(execution.record, dict), execution
    return PROFILER.profile(execution.record)


def test_programs_in_the_real_sandbox() -> None:
    source, text = programs.OWN["read_lines"]
    tampered = "import sys\nsys.settrace(None)\n"
    foreign = programs.FOREIGN["dataclass"][0]
    plain, disturbed, mixed, again = in_sandbox(
        *((code, Stdin(), text) for code in (source, tampered, foreign, source))
    )
    assert plain.stdout == b"435\n"
    assert recorded(plain).exact
    assert recorded(plain).length == 96 or sys.version_info >= (3, 12)
    assert recorded(plain) == recorded(again)
    assert recorded(mixed).length == 102
    with pytest.raises(ValueError, match="removed or replaced"):
        recorded(disturbed)


def test_a_function_in_the_real_sandbox() -> None:
    source = """
class Solution:
    def rows(self, n):
        out = []
        for i in range(n):
            out.append([i] * 10)
        return len(out)
"""
    (execution,) = in_sandbox((source, Method("rows", args=("int",)), Call((100,))))
    assert execution.value == 100
    measured = recorded(execution)
    assert measured.exact
    assert measured.length == 1 + 101 + 100 + 1
    assert measured.peak_bytes > 100 * 136
