"""Programs that try to fool, hang, crash, rob or outlive the sandbox, at every level that works here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

import evalfw_datasets
from evalfw import Call, Checker, Execution, Job, Limits, Method, Outcome, Problem, Sandbox, Stdin, TestCase, judge
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.levels import attempt

LIMITS = Limits(time_seconds=1.0, memory_bytes=256 << 20, output_bytes=1 << 20)
SLACK_SECONDS = 0.5
WITH_FILTER: tuple[Level, ...] = ("namespaces", "landlock+seccomp", "seccomp+rlimits")
GUARDED: tuple[Level, ...] = ("namespaces", "landlock+seccomp")


@dataclass(frozen=True)
class Attack:
    """A program that prints `held` if its attack fails.

    Args:
        code: The program.
        held_at: Levels at which it has to fail.
        outcome: How it ends then; None for in good order.
        harmless: Whether it can be run where it does not fail.
    """

    code: str
    held_at: tuple[Level, ...] = LEVELS
    outcome: Outcome | None = None
    harmless: bool = True


SYSCALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
number = lambda x86, arm: x86 if os.uname().machine == "x86_64" else arm
call = lambda x86, arm, *words: libc.syscall(number(x86, arm), *map(ctypes.c_long, words))
"""

ATTACKS = {
    "hoards memory in shared segments, which no process has": Attack(
        SYSCALL + "print('held' if call(29, 194, 0, 1 << 30, 0o1600) < 0 else 'taken')", WITH_FILTER
    ),
    "hoards memory in files that are nowhere": Attack(
        "import os\n"
        "try:\n    for i in range(64): os.write(os.memfd_create(str(i)), b'x' * (8 << 20))\n"
        "except OSError: print('held')\n",
        WITH_FILTER,
    ),
    "eats shared memory behind a process that cannot be looked into": Attack(
        "import ctypes, mmap\n"
        "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
        "m = mmap.mmap(-1, 512 << 20)\n"
        "for i in range(0, len(m), 4096): m[i] = 1\n"
        "print('taken')\n",
        outcome=Outcome.MEMORY_LIMIT,
    ),
    "eats memory from many threads": Attack(
        "import threading, time\n"
        "kept = []\n"
        "work = lambda: [kept.append(bytearray(b'x' * (1 << 20))) for _ in range(100)]\n"
        "for t in [threading.Thread(target=work) for _ in range(8)]: t.start()\n"
        "time.sleep(2)\n"
        "print('taken')\n",
        outcome=Outcome.MEMORY_LIMIT,
    ),
    "ignores what announces the end of its time, in threads": Attack(
        "import signal, threading\n"
        "for n in range(1, 65):\n"
        "    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "def spin():\n    while True: pass\n"
        "for _ in range(4): threading.Thread(target=spin).start()\n",
        outcome=Outcome.TIME_LIMIT,
    ),
    "sends every signal to whoever started it, and to everybody": Attack(
        "import os, signal, time\n"
        "for n in [*range(1, 32), 34, 64]:\n"
        "    if n in (signal.SIGKILL, signal.SIGSTOP): continue\n"
        "    for target in (os.getppid(), -1):\n"
        "        try: signal.signal(n, signal.SIG_IGN)\n"
        "        except OSError: pass\n"
        "        try: os.kill(target, n)\n"
        "        except OSError: pass\n"
        "print('held')\n",  # whoever started it is out of reach, or does not care
        WITH_FILTER,
        harmless=False,
    ),
    "lowers the limits of whoever started it": Attack(
        "import os, resource\n"
        "try:\n    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)); print('done')\n"
        "except (OSError, ValueError): print('held')\n",
        WITH_FILTER,
    ),
    "becomes root of namespaces of its own": Attack(
        SYSCALL + "print('held' if libc.unshare(0x10020000) < 0 else os.getuid())", WITH_FILTER
    ),
    "asks for a ring of system calls that nobody filters": Attack(
        SYSCALL + "buffer = ctypes.create_string_buffer(256)\n"
        "print('held' if call(425, 425, 8, ctypes.addressof(buffer)) < 0 else 'opened')\n",
        WITH_FILTER,
    ),
    "looks into the memory of whoever started it": Attack(
        SYSCALL + "import os\n"
        "found = call(101, 117, 16, os.getppid(), 0, 0) >= 0\n"
        "try: found = found or bool(open(f'/proc/{os.getppid()}/maps').read())\n"
        "except OSError: pass\n"
        "print('found' if found else 'held')\n",
        GUARDED,
    ),
    "starts a shell": Attack(
        "import os, subprocess\n"
        "try: subprocess.run(['/bin/sh', '-c', 'echo started']); print('started')\n"
        "except OSError: pass\n"
        "try: os.execv('/bin/sh', ['sh', '-c', 'echo started'])\n"
        "except OSError: print('held')\n",
        WITH_FILTER,
    ),
    "sends a datagram through a socket that it got without asking for one": Attack(
        "import socket\n"
        "try:\n"
        "    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "    one.sendto(b'x', '\\0evalfw-test'); print('sent')\n"
        "except OSError: print('held')\n",
        WITH_FILTER,
    ),
    "opens sockets of every family": Attack(
        "import socket\n"
        "opened = []\n"
        "for family in range(1, 46):\n"
        "    for kind in (1, 2, 3, 5):\n"
        "        try: opened.append(socket.socket(family, kind))\n"
        "        except OSError: pass\n"
        "print(opened or 'held')\n",
        WITH_FILTER,
    ),
    "digs directories too deep to name, closed to everybody": Attack(
        "import os\n"
        "try:\n"
        "    for _ in range(600):\n"
        "        os.mkdir('d' * 200); os.chdir('d' * 200)\n"
        "except OSError: pass\n"
        "os.mkdir('closed', 0)\n"
        "print('held')\n",
    ),
    "makes more files than there is room for": Attack(
        "try:\n"
        "    for i in range(3000): open(str(i), 'w').close()\n"
        "    print('taken')\n"
        "except OSError: print('held')\n",
        ("namespaces",),
    ),
    "writes into the input of the next": Attack(
        "import os\ntry: os.write(0, b'9')\nexcept OSError: print('held')\n",
    ),
    "leaves a message for the next beside its directory": Attack(
        "import os\n"
        "found = os.path.exists('../message') or os.path.exists('/tmp/evalfw-test-message')\n"
        "for path in ('../message', '/tmp/evalfw-test-message'):\n"
        "    try: open(path, 'w').write('x')\n"
        "    except OSError: pass\n"
        "print('found' if found else 'held')\n",
        GUARDED,
    ),
    "changes the rights of a file that it may not write": Attack(
        "import os\n"
        "try: os.chmod('/usr', 0o755); print('done')\n"
        "except OSError: print('held')\n",
    ),
    "reads the dataset": Attack(
        f"try: open({evalfw_datasets.__file__!r}); print('read')\nexcept OSError: print('held')\n", GUARDED
    ),
    "walks through the file system": Attack(
        "import os, sys\n"
        "library = os.path.dirname(os.path.dirname(os.__file__))\n"
        "seen = [os.path.join(folder, file)\n"
        "    for root in ('/home', '/root', '/etc', '/var', '/mnt', '/srv', '/opt', '/run', '/boot', '/sys')\n"
        "    for folder, _, files in os.walk(root) for file in files\n"
        "    if not folder.startswith(library) and file not in ('ld.so.cache', os.path.basename(sys.executable))]\n"
        "print(seen[:3] or 'held')\n",
        ("namespaces",),
    ),
    "dies of a signal without a name": Attack(
        "import os; os.kill(os.getpid(), 40)", outcome=Outcome.RUNTIME_ERROR
    ),
    "replaces the way out, and comes back": Attack(
        "import os, sys, threading\n"
        "os._exit = sys.exit = lambda *a: None\n"
        "threading._shutdown = lambda: 1/0\n"
        "print('held')\n",
    ),
    "closes everything that is open": Attack(
        "import os\nprint('held', flush=True)\nos.closerange(0, 4096)\n", outcome=Outcome.RUNTIME_ERROR
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[dict[Level, Sandbox]]:
    with ExitStack() as stack:
        yield {level: stack.enter_context(Sandbox(level=level)) for level in LEVELS}


def run(sandbox: Sandbox, code: str) -> Execution:
    return sandbox.run(Job(code, Stdin(), "7\n", LIMITS))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_fail_and_the_next_program_runs(sandboxes: dict[Level, Sandbox], level: Level, name: str) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"{level} does not work here: {refusal}")
    sandbox, attack = sandboxes[level], ATTACKS[name]
    if level not in attack.held_at and not attack.harmless:
        pytest.skip("it would do harm to this machine")
    started = time.monotonic()
    execution = run(sandbox, attack.code)
    if level in attack.held_at:
        assert execution.outcome is attack.outcome, execution
        assert attack.outcome or execution.stdout == b"held\n", execution
    assert execution.wall_seconds < LIMITS.wall_seconds + SLACK_SECONDS
    assert execution.cpu_seconds < LIMITS.time_seconds + SLACK_SECONDS
    assert time.monotonic() - started < LIMITS.wall_seconds + 5  # a dead fork server has been replaced
    control = run(sandbox, "import os\nprint(int(input()) * 6, os.listdir())")
    assert control.stdout == b"42 []\n", control
    assert os.path.exists("/tmp/evalfw-test-message") is (level not in GUARDED and "message" in name)
    Path("/tmp/evalfw-test-message").unlink(missing_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_is_left_on_the_machine(level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"{level} does not work here: {refusal}")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Sandbox(level=level) as sandbox:
        for attack in ATTACKS.values():
            if attack.outcome is None and (attack.harmless or level in attack.held_at):
                run(sandbox, attack.code)
        descriptors = len(os.listdir("/proc/self/fd"))
        run(sandbox, "")
        assert len(os.listdir("/proc/self/fd")) == descriptors
    assert list(tmp_path.iterdir()) == []
    Path("/tmp/evalfw-test-message").unlink(missing_ok=True)


ELEVEN = {
    "right": ("return a + b", {Outcome.ACCEPTED}),
    "wrong": ("return a - b", {Outcome.WRONG_ANSWER}),
    "raises": ("raise ValueError", {Outcome.RUNTIME_ERROR}),
    "equal to everything": ("return type('E', (), {'__eq__': lambda *_: True})()", {Outcome.WRONG_ANSWER}),
    "sys.exit(0)": ("import sys; sys.exit(0)", {Outcome.WRONG_ANSWER}),
    "posix._exit(0)": ("import posix; posix._exit(0)", {Outcome.WRONG_ANSWER}),
    "endless loop": ("while True: pass", {Outcome.TIME_LIMIT}),
    "endless loop that catches everything": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        {Outcome.TIME_LIMIT},
    ),
    "writes outside its folder": (
        "for d in ('..', '/tmp', '/var/tmp', '/dev/shm', '/root', '/home'):\n"
        "        try: open(d + '/evalfw-eleven', 'w').close()\n"
        "        except OSError: pass\n"
        "    return a + b",
        {Outcome.ACCEPTED},
    ),
    "starts children that outlive it": (
        "import os, time\n"
        "    for _ in range(10):\n"
        "        if os.fork() == 0:\n"
        "            os.setsid(); time.sleep(15); os._exit(0)\n"
        "    return a + b",
        {Outcome.ACCEPTED, Outcome.RUNTIME_ERROR},
    ),
    "takes 6 GiB": (
        "kept = []\n    for _ in range(96): kept.append(b'\\1' * (64 << 20))\n    return a + b",
        {Outcome.MEMORY_LIMIT},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ELEVEN)
def test_eleven_solutions_are_judged_right(sandboxes: dict[Level, Sandbox], name: str) -> None:
    level = next(level for level in LEVELS if not attempt(level).refusal)
    body, outcomes = ELEVEN[name]
    test = TestCase("1", "private", Call((3, 4)), 7)
    problem = Problem("eleven", "", (test,), Method("add", None), Checker("value"))
    verdict, execution = judge(sandboxes[level], problem, test, f"def add(a, b):\n    {body}\n", LIMITS)
    assert verdict.outcome in outcomes, verdict
    assert execution.cpu_seconds < LIMITS.time_seconds + SLACK_SECONDS
    assert execution.wall_seconds < LIMITS.wall_seconds + SLACK_SECONDS
    if level in GUARDED:
        for directory in ("/tmp", "/var/tmp", "/dev/shm", "/root", "/home"):
            assert not os.path.exists(f"{directory}/evalfw-eleven")
    assert "evalfw_inside" in _commands() and "time.sleep(15)" not in _commands()


def _commands() -> str:
    """Command lines of all processes; a fork has the one of its fork server."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(lines)


CORPUS = os.environ.get("EVALFW_HOSTILE_CORPUS", "")
"""A directory with programs, their manifest and `run_corpus.py`, which drives an adapter over them."""

CORPUS_LEVELS = os.environ.get("EVALFW_HOSTILE_LEVELS", " ".join(LEVELS)).split()
"""The levels at which it is driven, since each takes minutes."""


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="EVALFW_HOSTILE_CORPUS names no directory with a corpus and its driver")
@pytest.mark.parametrize("user", ["root", "ordinary"])
@pytest.mark.parametrize(
    ("level", "name"), [*zip(LEVELS, ("Namespaces", "Landlock", "Seccomp", "Rlimits"), strict=True)]
)
def test_the_corpus(level: Level, name: str, user: str, tmp_path: Path) -> None:
    if level not in CORPUS_LEVELS:
        pytest.skip(f"EVALFW_HOSTILE_LEVELS names other levels: {' '.join(CORPUS_LEVELS)}")
    if refusal := attempt(level).refusal:
        pytest.skip(f"{level} does not work here: {refusal}")
    if user == "root" and os.geteuid() != 0:
        pytest.skip("needs to be run by root")
    other = 65534 if user == "ordinary" and os.geteuid() == 0 else None
    if not _can_import(other):
        pytest.skip("an ordinary user cannot read this interpreter or evalfw")
    adapter = f"{Path(__file__).with_name('hostile_adapter.py')}:{name}"
    weak = ["--weak"] if level not in GUARDED else []
    command = [sys.executable, f"{CORPUS}/run_corpus.py", "--adapter", adapter, "--corpus", CORPUS, *weak]
    driven = subprocess.run(command, user=other, cwd="/", capture_output=True, text=True, check=False)
    # Each program has a wall-clock limit, which a busy machine can make it miss: what is really wrong is so twice.
    failed = re.findall(r"^FAIL (\w+)", driven.stdout, re.MULTILINE)
    if failed:
        command += ["--only", ",".join(failed)]
        driven = subprocess.run(command, user=other, cwd="/", capture_output=True, text=True, check=False)
    assert driven.returncode == 0, driven.stdout + driven.stderr


def _can_import(user: int | None) -> bool:
    command = [sys.executable, "-c", "import evalfw"]
    try:
        return subprocess.run(command, user=user, cwd="/", capture_output=True, check=False).returncode == 0
    except PermissionError:
        return False
