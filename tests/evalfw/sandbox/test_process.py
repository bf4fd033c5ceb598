from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evalfw import Call, Execution, Instrument, Json, Limits, Method, Outcome, RunError, RunStyle, Sandbox, Stdin
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.job import Job
from evalfw.sandbox.levels import attempt
from evalfw.sandbox.process import definition

LIMITS = Limits(time_seconds=1.0, memory_bytes=256 << 20, output_bytes=1 << 20)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def run(sandbox: Sandbox, code: str, given: str | Call = "", style: RunStyle = Stdin()) -> Execution:  # noqa: B008
    return sandbox.run(Job(code, style, given, LIMITS))


def call(sandbox: Sandbox, code: str, *args: Json, **style: object) -> Execution:
    return run(sandbox, code, Call(args), Method("f", **style))  # type: ignore[arg-type]


def test_a_program_reads_and_writes(sandbox: Sandbox) -> None:
    execution = run(sandbox, "print(int(input()) ** 2)", "7\n")
    assert (execution.outcome, execution.stdout) == (None, b"49\n")
    assert 0 < execution.cpu_seconds < 1
    assert execution.wall_seconds > 0
    assert execution.peak_bytes > 1 << 20


@pytest.mark.parametrize(
    ("code", "outcome", "reason"),
    [
        ("1/0", Outcome.RUNTIME_ERROR, "ZeroDivisionError"),
        ("import sys; sys.exit(3)", Outcome.RUNTIME_ERROR, "exit code 3"),
        ("import sys; sys.exit('no')", Outcome.RUNTIME_ERROR, "exit code 1"),
        ("import os; os.kill(os.getpid(), 11)", Outcome.RUNTIME_ERROR, "SIGSEGV"),
        ("def f(:", Outcome.COMPILE_ERROR, "SyntaxError"),
        ("print(1)\0", Outcome.COMPILE_ERROR, "null bytes"),
        ("(" * 5000, Outcome.COMPILE_ERROR, ""),
        ("while True: pass", Outcome.TIME_LIMIT, "time"),
        ("while True:\n try:\n  while True: pass\n except BaseException: pass", Outcome.TIME_LIMIT, "time"),
        ("x = [0]\nwhile True: x += x", Outcome.MEMORY_LIMIT, ""),
        ("x = bytearray(200 << 20); y = bytearray(200 << 20)", Outcome.MEMORY_LIMIT, "resident"),
        ("while True: print('x' * 1000)", Outcome.OUTPUT_LIMIT, "1048576 bytes"),
        ("print('\ud835')", Outcome.RUNTIME_ERROR, "UnicodeEncodeError"),
    ],
)
def test_what_ends_a_program(sandbox: Sandbox, code: str, outcome: Outcome, reason: str) -> None:
    execution = run(sandbox, code)
    assert execution.outcome is outcome
    assert reason in execution.reason


def test_waiting_ends_at_the_wall(sandbox: Sandbox) -> None:
    started = time.monotonic()
    execution = run(sandbox, "import time; time.sleep(60)")
    assert execution.outcome is Outcome.TIME_LIMIT
    assert "3 s of wall time, mostly idle" in execution.reason
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("code", ["exit()", "quit(0)", "raise SystemExit", "import sys; sys.exit(False)"])
def test_a_clean_exit_is_no_error(sandbox: Sandbox, code: str) -> None:
    execution = run(sandbox, f"print(1)\n{code}")
    assert (execution.outcome, execution.stdout) == (None, b"1\n")


def test_it_ends_like_an_interpreter(sandbox: Sandbox) -> None:
    code = (
        "import atexit, threading, time\n"
        "atexit.register(lambda: print('exit'))\n"
        "threading.Thread(target=lambda: (time.sleep(.05), print('thread'))).start()\n"
        "print('main')\n"
    )
    assert run(sandbox, code).stdout == b"main\nthread\nexit\n"


@pytest.mark.parametrize("ending", ["", "raise SystemExit(1)", "raise ValueError('why')"])
def test_all_that_was_written_arrives_without_an_end_of_line(sandbox: Sandbox, ending: str) -> None:
    execution = run(sandbox, f"import sys\nsys.stdout.write('out')\nsys.stderr.write('err')\n{ending}")
    assert (execution.stdout, execution.stderr[:3]) == (b"out", b"err")


def test_nothing_passes_from_one_execution_to_the_next(sandbox: Sandbox) -> None:
    run(
        sandbox,
        "import builtins, sys, os\nbuiltins.left = 1\nsys.left = 1\nos.environ['left'] = '1'\nopen('left', 'w')",
    )
    execution = run(
        sandbox,
        "import builtins, os, sys\n"
        "print(hasattr(builtins, 'left'), hasattr(sys, 'left'), 'left' in os.environ, os.listdir())",
    )
    assert execution.stdout == b"False False False []\n"


def test_the_environment_is_fixed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALFW_SECRET", "1")
    code = "import os, sys\nprint(sorted(os.environ), sys.flags.hash_randomization, hash('a'), sys.stdin.encoding)"
    first, second = run(sandbox, code).stdout, run(sandbox, code).stdout
    assert first == second
    assert b"SECRET" not in first


LEAVE_PROCESSES = (
    "import os, time\n"
    "if os.fork() == 0:\n"
    "    os.setsid()\n"
    "    if os.fork() == 0: time.sleep(61)\n"
    "    time.sleep(61)\n"
    "print(os.getpid())\n"
)


@pytest.mark.parametrize("level", ["rlimits", None])
def test_leftovers_are_killed(level: Level | None) -> None:
    with Sandbox(level=level) as sandbox:
        execution = run(sandbox, LEAVE_PROCESSES)
        assert execution.outcome is None
        assert execution.wall_seconds < 2
        if level is not None:  # else it has a number of its own there
            assert not Path(f"/proc/{int(execution.stdout)}").exists()
        assert not children_of_children(1)


@pytest.mark.parametrize("level", ["namespaces", "rlimits"])
def test_a_solution_may_start_python(level: Level) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"no level '{level}' here: {refusal}")
    code = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'print(6 * 7)'])\n"
    with Sandbox(level=level) as sandbox:
        assert run(sandbox, code).stdout == b"42\n"


def test_instruments_may_fork_and_leave_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text("def measure(program, settings):\n    program.run()\n    return {'ending': str(program.ending)}\n")
    execution = sandbox.run(Job(LEAVE_PROCESSES, Stdin(), "", LIMITS, Instrument(path)))
    assert (execution.outcome, execution.record) == (None, {"ending": "None"})
    assert execution.wall_seconds < 2
    assert not children_of_children(1)


def children_of_children(depth: int, pid: int | str = "self") -> list[int]:
    """Descendants of this process that are deeper than `depth`: zygotes are its children."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for thread in threads for child in thread.read_text().split()]
    deeper = [found for child in children for found in children_of_children(depth - 1, child)]
    return deeper if depth > 0 else children + deeper


def test_a_function_is_called_with_its_arguments(sandbox: Sandbox) -> None:
    execution = call(sandbox, "class Solution:\n    def f(self, a: List[int], k): return sorted(a), k", [3, 1], "x")
    assert execution.outcome is None
    assert execution.value == ([1, 3], "x")


def test_a_function_outside_a_class(sandbox: Sandbox) -> None:
    assert call(sandbox, "def f(a): return -a", 2, class_name=None).value == -2


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("None", None),
        ("True", True),
        ("-(2 ** 20000)", -(2**20000)),
        ("float('inf')", float("inf")),
        ("{1: (2, [3])}", {1: (2, [3])}),
        ("'\\ud835'", "\ud835"),
    ],
    ids=["none", "bool", "big", "inf", "nested", "surrogate"],
)
def test_plain_values_come_back(sandbox: Sandbox, expression: str, value: object) -> None:
    execution = call(sandbox, f"class Solution:\n    def f(self): return {expression}")
    assert execution.value == value
    assert type(execution.value) is type(value)


@pytest.mark.parametrize(
    "body",
    [
        "return {1}",
        "return object()",
        "return type('int', (int,), {'__eq__': lambda *_: True})(1)",
        "x = []; x.append(x); return x",
        "import os; os._exit(0)",
        "import sys; sys.exit(0)",
    ],
)
def test_what_is_no_plain_value_is_wrong(sandbox: Sandbox, body: str) -> None:
    execution = call(sandbox, f"class Solution:\n    def f(self):\n        {body}")
    assert execution.outcome is Outcome.WRONG_ANSWER
    assert execution.value is None


def test_arguments_changed_in_place(sandbox: Sandbox) -> None:
    code = "class Solution:\n    def f(self, a): a.sort()"
    assert call(sandbox, code, [2, 1], result_from="arg0").value == [1, 2]


def test_a_solution_cannot_forge_what_the_kernel_says(sandbox: Sandbox) -> None:
    code = 'import os\nos.write(3, b\'{"ending": "returned", "value": 1}\')\nos.kill(os.getpid(), 9)'
    assert run(sandbox, code).outcome is Outcome.RUNTIME_ERROR


def test_the_last_arguments_may_go_by_keyword(sandbox: Sandbox) -> None:
    code = "class Solution:\n def f(self, a, *, b, c): return [a, b, c]"
    assert call(sandbox, code, 1, 2, 3, keywords=("c", "b")).value == [1, 3, 2]
    assert "TypeError" in call(sandbox, code, 1, 2, 3, keywords=("c", "d")).reason
    assert "TypeError" in call(sandbox, code, 1, 2, 3).reason


def test_an_argument_that_is_changed_in_place_may_go_by_keyword(sandbox: Sandbox) -> None:
    code = "class Solution:\n def f(self, n, xs): xs.append(n)"
    assert call(sandbox, code, 1, [0], keywords=("n", "xs"), result_from="arg1").value == [0, 1]


def test_lists_of_nodes_are_built(sandbox: Sandbox) -> None:
    code = "class Solution:\n def f(self, a, b): return [a[0].next.val, a[1], b[0].right.val, type(b[0]) is TreeNode]"
    arrays = ([[1, 2], []], [[1, None, 3]])
    execution = call(sandbox, code, *arrays, args=("List[ListNode]", "List[TreeNode]"), keywords=("a", "b"))
    assert execution.value == [2, None, 3, True]


def test_a_prelude_takes_the_place_of_the_usual_names(sandbox: Sandbox) -> None:
    prelude = "from math import *\nclass ListNode:\n def __init__(self, val, next): self.val, self.next = val, next"
    code = "import sys\nclass Solution:\n def f(self, a): return [type(a) is ListNode, pow(2, 3), line()]\n"
    code += "def line(): return sys._getframe(1).f_lineno"
    assert call(sandbox, code, [1], args=("ListNode",), prelude=prelude).value == [True, 8.0, 3]
    assert "NameError" in call(sandbox, "Counter()\nclass Solution: pass", prelude=prelude).reason
    assert "DatasetCodeFailed" in call(sandbox, code, [1], prelude="import nowhere").reason


def test_an_instrument_measures(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text(
        "prepared = []\n"
        "def prepare(settings): prepared.append(settings['a'])\n"
        "def measure(program, settings):\n"
        "    program.run()\n"
        "    return {'settings': settings, 'prepared': prepared, 'file': program.code.co_filename}\n"
    )
    job = Job("print(1)", Stdin(), "", LIMITS, Instrument(path, {"a": 1}))
    execution = sandbox.run(job)
    assert execution.stdout == b"1\n"
    assert execution.record == {"settings": {"a": 1}, "prepared": [1], "file": "<contestant>"}


def test_a_disturbed_instrument_is_no_measurement(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text("def measure(program, settings):\n    program.run()\n    raise ValueError('odd')\n")
    execution = sandbox.run(Job("print(1)", Stdin(), "", LIMITS, Instrument(path)))
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert "odd" in execution.reason


def test_a_broken_instrument_stops_the_run(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text("import nowhere\n")
    with pytest.raises(RunError, match="nowhere"):
        sandbox.run(Job("print(1)", Stdin(), "", LIMITS, Instrument(path)))


def test_a_failure_of_an_instrument_is_the_reason(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text("def measure(program, settings):\n    raise ValueError('at once')\n")
    job = Job("class Solution:\n    def f(self): return 1", Method("f"), Call(()), LIMITS, Instrument(path))
    execution = sandbox.run(job)
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert "at once" in execution.reason


IMPORTING = """
def prepare(settings):
    import pluggy

def measure(program, settings):
    import pluggy
    program.run()
    try:
        import packaging
    except ImportError as error:
        return {"pluggy": pluggy.__name__, "refused": str(error)}
"""


def test_an_instrument_imports_packages_while_it_is_prepared(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text(IMPORTING)
    job = Job("import sys\nprint(*sys.path)", Stdin(), "", LIMITS, Instrument(path, packages=("pluggy",)))
    execution = sandbox.run(job)
    assert execution.record == {"pluggy": "pluggy", "refused": "No module named 'packaging'"}
    assert b"-packages" not in execution.stdout


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="processors cannot be chosen here")
@pytest.mark.parametrize("level", LEVELS)
def test_programs_can_have_a_processor_of_their_own(level: Level) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"no level '{level}' here: {refusal}")
    usable = os.sched_getaffinity(0)
    with Sandbox(level=level, cpu=max(usable)) as sandbox:
        execution = run(sandbox, "import os\nprint(os.sched_getaffinity(0))")
        (zygote,) = sandbox._zygotes.values()
        supervisor = os.sched_getaffinity(zygote.pid)
    assert execution.stdout.decode() == f"{ {max(usable)} }\n"
    assert supervisor == (usable - {max(usable)} or usable)


def kill_zygotes(sandbox: Sandbox, times: int) -> None:
    for _ in range(times):
        while not (zygotes := list(sandbox._zygotes.values())):
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(zygotes[0].pid, signal.SIGKILL)
        while zygotes[0] in sandbox._zygotes.values():
            time.sleep(0.01)


def test_a_zygote_that_dies_is_replaced_and_the_work_repeated() -> None:
    with Sandbox() as sandbox, ThreadPoolExecutor(1) as pool:
        run(sandbox, "")
        killer = pool.submit(kill_zygotes, sandbox, 1)
        execution = run(sandbox, "import time\ntime.sleep(1)\nprint(1)")
        killer.result()
        assert (execution.outcome, execution.stdout) == (None, b"1\n")


def test_a_zygote_that_always_dies_is_nobodys_verdict() -> None:
    with Sandbox() as sandbox, ThreadPoolExecutor(1) as pool:
        killer = pool.submit(kill_zygotes, sandbox, 3)
        execution = run(sandbox, "import time\ntime.sleep(2.5)")
        killer.result()
        assert execution.outcome is Outcome.SANDBOX_ERROR
        assert run(sandbox, "print(1)").stdout == b"1\n"
        assert not children_of_children(1)


def test_it_can_be_stopped_from_another_thread() -> None:
    sandbox = Sandbox()
    errors: list[Exception] = []

    def work() -> None:
        try:
            sandbox.run(Job("import time; time.sleep(60)", Stdin(), "", Limits(60.0)))
        except RunError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.5)
    sandbox.stop()
    thread.join(timeout=5)
    sandbox.close()
    assert not thread.is_alive()
    assert len(errors) == 1


def test_descriptors_and_directories_are_given_back(sandbox: Sandbox) -> None:
    run(sandbox, "print(1)")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        run(sandbox, "open('x', 'w').write('y')")
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_definition_names_the_interpreter_and_what_is_visible() -> None:
    assert definition().startswith("cpython-3.")
    assert definition(site_packages=True) != definition()


def test_site_packages_are_hidden_unless_asked_for(sandbox: Sandbox) -> None:
    assert "ModuleNotFoundError" in run(sandbox, "import pydantic").reason
    with Sandbox(site_packages=True) as open_sandbox:
        assert run(open_sandbox, "import pydantic; print(1)").stdout == b"1\n"
