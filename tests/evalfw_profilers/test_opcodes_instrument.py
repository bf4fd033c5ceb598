from __future__ import annotations

import dis
from collections import Counter
from typing import Any

import pytest

from evalfw import Call, Instrument, Job, Limits, Method, Outcome, Sandbox, Stdin
from evalfw_profilers.opcodes import Opcodes
from tests.evalfw_profilers import programs
from tests.evalfw_profilers.run import THIS, VERSIONS, run

STRAIGHT = "x = 1\ny = [x, x + 2]\nprint(y, len(y))\n"
REMOVED = "the trace function was removed: by the program, or by Python at the recursion limit"


def records(*sources: str, text: str = "", version: str = THIS) -> list[Any]:
    answers = run([(source, text) for source in sources], instrument=Opcodes.instrument_path(), version=version)
    return [answer["record"] for answer in answers]


def test_a_program_without_jumps_executes_every_opcode_once() -> None:
    [record] = records(STRAIGHT)
    written = Counter(instruction.opname for instruction in dis.get_instructions(compile(STRAIGHT, "", "exec")))
    del written["RESUME"]  # which the interpreter executes before it tells anybody
    assert record["counts"] == written


@pytest.mark.parametrize("version", VERSIONS)
def test_a_loop_counted_by_hand(version: str) -> None:
    [record] = records("for i in range(10):\n    x = i\n", version=version)
    counts = record["counts"]
    assert counts["STORE_NAME"] == 20
    assert counts["FOR_ITER"] == 11
    assert counts["JUMP_BACKWARD"] == 10


@pytest.mark.parametrize("version", VERSIONS)
def test_functions_generators_and_classes_count(version: str) -> None:
    source = """
class A:
    def m(self, n):
        for i in range(n):
            yield i ** 2

def f(n):
    return f(n - 1) if n else sum(A().m(5))

f(7)
"""
    [record] = records(source, version=version)
    counts = record["counts"]
    assert counts["BINARY_OP"] == 5 + 7
    assert counts["YIELD_VALUE"] == 5
    assert counts["LOAD_BUILD_CLASS"] == 1


def test_code_of_the_library_does_not_count() -> None:
    short, long = records("import copy\ncopy.deepcopy([1])\n", "import copy\ncopy.deepcopy([1, [2, {3: [4] * 50}]])\n")
    assert sum(short["counts"].values()) + 10 > sum(long["counts"].values())


@pytest.mark.parametrize("version", VERSIONS)
def test_threads_of_the_program_count(version: str) -> None:
    source = """
import threading
def work():
    for i in range(1000):
        x = i ** 2
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
    [record] = records(source, version=version)
    assert record["counts"]["BINARY_OP"] == 3000


@pytest.mark.parametrize("version", VERSIONS)
def test_repeated_runs_agree(version: str) -> None:
    sources = [source for source, _ in programs.OWN.values()]
    text = programs.OWN["two_sum"][1]
    assert records(*sources, text=text, version=version) == records(*sources, text=text, version=version)


def test_a_program_that_raises_is_counted_up_to_there() -> None:
    [answer] = run([("x = 1\nraise KeyError(x)\n", "")], instrument=Opcodes.instrument_path())
    assert answer["ending"] == "KeyError"
    assert answer["record"]["counts"]["RAISE_VARARGS"] == 1


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import sys\nsys.settrace(None)\n", REMOVED),
        ("import sys\nsys.settrace(lambda *a: None)\n", REMOVED),
        ("import threading\nthreading.settrace(None)\n", REMOVED),
        (
            "import sys\nsys._getframe().f_trace_opcodes = False\n",
            "frames or opcodes were hidden from the trace function",
        ),
        ("import sys\nsys._getframe().f_trace = None\n", "frames or opcodes were hidden from the trace function"),
        ("def f():\n    f()\ntry:\n    f()\nexcept RecursionError:\n    pass\n", REMOVED),
    ],
)
def test_a_trace_function_that_was_disturbed_gives_no_counts(source: str, fault: str) -> None:
    assert records(source, version="3.11") == [{"tampered": fault}]


@pytest.mark.parametrize("version", ["3.12", "3.13"])
@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.monitoring.register_callback(4, sys.monitoring.events.INSTRUCTION, None)\n",
        "import sys\nsys.monitoring.set_local_events(4, sys._getframe().f_code, 0)\n",
        "import sys\nsys.monitoring.free_tool_id(4)\n",
    ],
)
def test_monitoring_that_was_ended_gives_no_counts(source: str, version: str) -> None:
    assert records(source, version=version) == [{"tampered": "monitoring of the program was ended"}]


@pytest.mark.parametrize("version", VERSIONS)
def test_threads_that_cannot_be_seen_give_no_counts(version: str) -> None:
    waiting = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    assert records("from _thread import start_new_thread\n", waiting, version=version) == [
        {"tampered": "_thread.start_new_thread is used, whose threads cannot be traced"},
        {"tampered": "threads of the program were still running at its end"},
    ]


def test_in_the_sandbox() -> None:
    program = "class Solution:\n    def add(self, n):\n        return sum(i * i for i in range(n))\n"
    limits = Limits(time_seconds=5)
    instrument = Instrument(Opcodes.instrument_path(), {})
    with Sandbox() as sandbox:
        function = sandbox.run(Job(program, Method("add", args=("n",)), Call((50,)), limits, instrument))
        whole = sandbox.run(Job("print(int(input()) ** 2)\n", Stdin(), "5\n", limits, instrument))
        endless = sandbox.run(Job("while True:\n    pass\n", Stdin(), "", Limits(time_seconds=1), instrument))
    assert (function.outcome, function.value) == (None, sum(i * i for i in range(50)))
    assert function.record is not None
    assert Opcodes.profile(Opcodes.__new__(Opcodes), function.record).facts()["distinct_opcodes"]
    assert dict(function.record)["counts"]["BINARY_OP"] == 50  # type: ignore[index,call-overload]
    assert (whole.outcome, whole.stdout) == (None, b"25\n")
    assert endless.outcome is Outcome.TIME_LIMIT
