"""Instruments that look from outside, and those that start the process of the solution under another program."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalfw import Call, Execution, Instrument, Job, Json, Limits, Method, Outcome, RunError, Sandbox, Stdin
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.levels import attempt

LIMITS = Limits(time_seconds=5.0, memory_bytes=256 << 20)

# Says at each look which files there are in the directory of the solution, and the names of its processes.
LOOK = """
import os

def observe(processes, settings):
    directory = f"/proc/{processes()[0]}/cwd"
    seen = [sorted(os.listdir(directory))]
    while not (yield settings["interval"]):
        seen.append(sorted(os.listdir(directory)))
    seen.append(sorted(os.listdir(directory)))
    return {"seen": seen, "processes": len(processes())}
"""
MEASURE = """
def measure(program, settings):
    program.run()
    return {"own": 1, "observed": "no"}
"""
LAUNCH = """
def launch(settings):
    return ["/usr/bin/env", "LAUNCHED=yes"]

def measure(program, settings):
    import os
    program.run()
    return {"launched": os.environ["LAUNCHED"], "hash": hash("a")}
"""
FILES = "import time\nopen('a', 'w').close()\ntime.sleep(0.4)\nopen('b', 'w').close()\n"


def run(
    folder: Path, instrument: str, code: str, level: Level | None = None, given: str | Call = "", interval: float = 0.01
) -> Execution:
    path = folder / "instrument.py"
    path.write_text(instrument)
    style = Method("f") if isinstance(given, Call) else Stdin()
    with Sandbox(level=level) as sandbox:
        return sandbox.run(Job(code, style, given, LIMITS, Instrument(path, {"interval": interval})))


def observed(execution: Execution) -> dict[str, Json]:
    assert execution.outcome is None, execution.reason
    assert execution.record is not None
    found = execution.record["observed"]
    assert isinstance(found, dict)
    return found


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    if refusal := attempt(chosen).refusal:
        pytest.skip(f"no level '{chosen}' here: {refusal}")
    return chosen


def test_it_looks_before_the_program_begins_while_it_runs_and_after_its_end(level: Level, tmp_path: Path) -> None:
    found = observed(run(tmp_path, LOOK, FILES, level))
    seen = found["seen"]
    assert isinstance(seen, list)
    assert seen[0] == []
    assert ["a"] in seen[1:-1]
    assert seen[-1] == ["a", "b"]
    assert found["processes"] == 1


def test_one_look_before_and_one_after_are_certain(tmp_path: Path) -> None:
    assert observed(run(tmp_path, LOOK, FILES, interval=60.0))["seen"] == [[], ["a", "b"]]


def test_only_the_call_of_a_function_is_observed(tmp_path: Path) -> None:
    make = "open('{}', 'w').close()\n"
    code = make.format("a") + "class Solution:\n    def f(self, x):\n        " + make.format("b") + "        return x\n"
    execution = run(tmp_path, LOOK, code, given=Call((7,)), interval=60.0)
    assert observed(execution)["seen"] == [["a"], ["a", "b"]]
    assert execution.value == 7


def test_a_program_that_raises_is_observed_to_its_end(tmp_path: Path) -> None:
    execution = run(tmp_path, LOOK, "open('a', 'w').close()\nraise SystemExit(0)", interval=60.0)
    assert observed(execution)["seen"] == [[], ["a"]]
    assert run(tmp_path, LOOK, "1/0").outcome is Outcome.RUNTIME_ERROR


def test_measuring_inside_and_observing_go_together(tmp_path: Path) -> None:
    execution = run(tmp_path, LOOK + MEASURE, FILES, interval=60.0)
    assert observed(execution)["seen"] == [[], ["a", "b"]]
    assert execution.record is not None
    assert execution.record["own"] == 1


def test_children_are_among_the_processes(tmp_path: Path) -> None:
    if attempt("namespaces").refusal:
        pytest.skip("elsewhere programs that are only observed may start none")
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nopen('a', 'w').close()\n"
    assert observed(run(tmp_path, LOOK, code, "namespaces"))["processes"] == 2


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os\nos._exit(0)", "ended without a measurement"),
        ("import os\nos.write(4, b')')", "the marks of the measured part were disturbed"),
        ("import os\nos.write(4, b'(')", "the marks of the measured part were disturbed"),
    ],
)
def test_a_disturbed_observation_is_none(code: str, reason: str, tmp_path: Path) -> None:
    execution = run(tmp_path, LOOK, code)
    assert (execution.outcome, execution.reason) == (Outcome.INSTRUMENTATION_ERROR, reason)


def test_closing_the_marks_is_no_way_out(tmp_path: Path) -> None:
    execution = run(tmp_path, LOOK, "import os\nos.close(4)")
    assert execution.outcome is Outcome.RUNTIME_ERROR  # of an instrumented execution: there is no profile


def test_an_observer_that_fails_is_no_measurement(tmp_path: Path) -> None:
    failing = "def observe(processes, settings):\n    yield 0.001\n    raise OSError('nothing to be seen')\n"
    execution = run(tmp_path, failing, FILES)
    assert execution.outcome is Outcome.INSTRUMENTATION_ERROR
    assert execution.reason == "the instrument failed: OSError: nothing to be seen"


def test_limits_hold_while_somebody_observes(tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text(LOOK)
    limits = Limits(time_seconds=0.5, memory_bytes=256 << 20)
    with Sandbox() as sandbox:
        for code, outcome in (
            ("while True: pass", Outcome.TIME_LIMIT),
            ("x = bytearray(300 << 20)", Outcome.MEMORY_LIMIT),
            ("while True: print('x' * 1000)", Outcome.OUTPUT_LIMIT),
        ):
            job = Job(code, Stdin(), "", limits, Instrument(path, {"interval": 0.0001}))
            assert sandbox.run(job).outcome is outcome


def test_an_instrument_does_something(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="neither `measure` nor `observe`"):
        run(tmp_path, "x = 1\n", "pass")


def test_python_is_started_under_the_command(level: Level, tmp_path: Path) -> None:
    execution = run(tmp_path, LAUNCH, "print(int(input()) + 1)", level, "6\n")
    assert (execution.outcome, execution.stdout) == (None, b"7\n")
    record = execution.record
    assert record is not None
    assert record["launched"] == "yes"
    plain = run(tmp_path, "def measure(program, settings):\n    return {'hash': hash('a')}\n", "pass", level).record
    assert plain is not None
    assert record["hash"] == plain["hash"]


def test_what_is_launched_is_confined_as_any(level: Level, tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "status = dict(line.split(':\\t', 1) for line in open('/proc/self/status') if ':\\t' in line)\n"
        "print(os.getuid(), status['Seccomp'].strip(), status['NoNewPrivs'].strip(), 'TMPDIR' in os.environ)\n"
        "print(len(os.listdir('/proc/self/fd')), flush=True)\n"
        "try: os.execv(sys.executable, [sys.executable, '-S', '-c', 'print(1)'])\n"
        "except OSError: print('refused')\n"
    )
    execution = run(tmp_path, LAUNCH, code, level)
    features = attempt(level).features
    executed = b"1" if level in {"namespaces", "rlimits"} else b"refused"
    assert execution.stdout.split() == [
        *(str(features["uid"]).encode(), b"2" if features["seccomp"] else b"0", b"1", b"False"),
        *(b"5", executed),  # descriptors: the standard streams, that of results, and that of the listing
    ]


def test_what_is_launched_can_be_observed(tmp_path: Path) -> None:
    execution = run(tmp_path, LAUNCH + LOOK, FILES, interval=60.0)
    assert observed(execution)["seen"] == [[], ["a", "b"]]
    assert execution.record is not None
    assert execution.record["launched"] == "yes"


def test_a_command_that_is_not_there_is_our_fault(tmp_path: Path) -> None:
    execution = run(tmp_path, LAUNCH.replace("/usr/bin/env", "/usr/bin/nothing"), "pass")
    assert execution.outcome is Outcome.SANDBOX_ERROR
    assert "No such file or directory" in execution.reason
