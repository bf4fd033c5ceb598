from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evalfw import Call, Execution, Instrument, Job, Limits, Method, Outcome, Sandbox, Stdin

LIMITS = Limits(time_seconds=10.0)
REPEATING = """
def measure(program, settings):
    agreed, endings = [], []
    for _ in range(settings["rounds"]):
        program.renew()
        program.run()
        agreed.append(program.agrees())
        endings.append(type(program.ending).__name__)
    return {"agreed": agreed, "endings": endings}
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


@pytest.fixture(scope="module")
def instrument(tmp_path_factory: pytest.TempPathFactory) -> Instrument:
    path = tmp_path_factory.mktemp("instrument") / "repeating.py"
    path.write_text(REPEATING)
    return Instrument(path, {"rounds": 3})


def run(sandbox: Sandbox, instrument: Instrument, code: str, text: str = "") -> Execution:
    return sandbox.run(Job(code, Stdin(), text, LIMITS, instrument))


def call(sandbox: Sandbox, instrument: Instrument, code: str, *args: Any, **method: Any) -> Execution:  # noqa: ANN401
    return sandbox.run(Job(code, Method("f", **method), Call(args), LIMITS, instrument))


def agreed(execution: Execution) -> object:
    assert execution.record is not None, execution.reason
    return execution.record["agreed"]


def test_every_round_reads_all_input_and_the_output_comes_once(sandbox: Sandbox, instrument: Instrument) -> None:
    execution = run(sandbox, instrument, "import sys\nprint(sys.stdin.read().upper(), input)", "é one\ntwo")
    assert execution.stdout.decode().startswith("É ONE\nTWO <built-in")
    assert execution.stdout.count(b"TWO") == 1
    assert agreed(execution) == [True] * 3


@pytest.mark.parametrize(
    "code",
    [
        "print('early')\nimport sys\nsys.exit(0)",
        "import atexit\natexit.register(lambda: print('late'))\nprint('early')",
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(.01), print('thread'))).start()\nprint('main')",
        "import os\nos.write(1, b'raw')\nos.close(0)",
        "import random\nprint(random.random())",
        "import sys\nprint('x')\nsys.stdout.close()",
        "import sys\nsys.stdin.close()\nprint(len(sys.modules['__main__'].__dict__))",
    ],
    ids=["exit", "atexit", "thread", "descriptors", "random", "stdout", "module"],
)
def test_rounds_of_a_program_end_as_its_process_does(sandbox: Sandbox, instrument: Instrument, code: str) -> None:
    execution = run(sandbox, instrument, code)
    assert agreed(execution) == [True] * 3
    assert execution.outcome is None
    assert execution.stdout == sandbox.run(Job(code, Stdin(), "", LIMITS)).stdout


@pytest.mark.parametrize(
    "code",
    [
        "import time\nprint(time.perf_counter())",
        "import math\nmath.seen = getattr(math, 'seen', 0) + 1\nprint('xxx'[:math.seen])",
        "import os\nprint(os.path.exists('left'))\nopen('left', 'w').close()",
        "import math, sys\nmath.seen = getattr(math, 'seen', 0) + 1\nsys.exit(math.seen > 1)",
    ],
    ids=["clock", "standard library", "files", "exit code"],
)
def test_a_program_that_varies_is_noticed(sandbox: Sandbox, instrument: Instrument, code: str) -> None:
    execution = run(sandbox, instrument, code)
    assert execution.record is None or agreed(execution) != [True] * 3


def test_every_call_gets_its_own_arguments_and_module(sandbox: Sandbox, instrument: Instrument) -> None:
    code = (
        "from functools import lru_cache\n"
        "calls = []\n"
        "class Solution:\n"
        "    def f(self, a: List[int], node):\n"
        "        print('noise' * 1000)\n"
        "        calls.append(1)\n"
        "        a.append(node.val)\n"
        "        node.val = 7\n"
        "        return len(calls), a\n"
    )
    execution = call(sandbox, instrument, code, [1], [5], args=("", "ListNode"))
    assert agreed(execution) == [True] * 3
    assert execution.value == (1, [1, 5])
    assert execution.stdout == b""


def test_arguments_are_made_by_the_dataset_every_time(sandbox: Sandbox, instrument: Instrument) -> None:
    code = "class Solution:\n    def f(self, a): return a.pop()"
    prepare = "def prepare(args): return [list(range(args[0]))]"
    execution = call(sandbox, instrument, code, 4, prepare=prepare)
    assert (agreed(execution), execution.value) == ([True] * 3, 3)


def test_a_function_that_varies_is_noticed(sandbox: Sandbox, instrument: Instrument) -> None:
    code = "import math\nclass Solution:\n def f(self):\n  math.n = getattr(math, 'n', 0) + 1\n  return math.n"
    assert agreed(call(sandbox, instrument, code)) == [True, False, False]


def test_equality_is_not_for_the_solution_to_say(sandbox: Sandbox, instrument: Instrument) -> None:
    code = (
        "import math\n"
        "class Same(int):\n    __eq__ = lambda *_: True\n    __hash__ = int.__hash__\n"
        "class Solution:\n    def f(self):\n        math.n = getattr(math, 'n', 0) + 1\n        return [Same(math.n)]\n"
    )
    execution = call(sandbox, instrument, code)
    assert execution.outcome is Outcome.WRONG_ANSWER


def test_what_a_round_raises_is_seen(sandbox: Sandbox, instrument: Instrument) -> None:
    execution = run(sandbox, instrument, "print(1)\n1/0")
    assert execution.outcome is Outcome.RUNTIME_ERROR
    assert "ZeroDivisionError" in execution.reason
    assert execution.stdout == b"1\n"
