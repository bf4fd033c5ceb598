"""Ten thousand executions: counts, leaks, throughput."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalfw import Job, Limits, Outcome, Sandbox, Stdin
from evalfw.pipeline.workers import Workers
from evalfw.sandbox.levels import best

EXECUTIONS = 10_000
WORKERS = 2
LIMITS = Limits(time_seconds=2.0, memory_bytes=128 << 20, output_bytes=1 << 16)

# One program in forty misbehaves.
ORDINARY = "print(int(input()) + 1)"
ODD = {
    "while True: print('x' * 1000)": Outcome.OUTPUT_LIMIT,
    "import os\nopen('file', 'w').write('x')\nos.mkdir('d', 0)\nos._exit(3)": Outcome.RUNTIME_ERROR,
    "x = bytearray(200 << 20)\nprint(sum(x[::4096]))": Outcome.MEMORY_LIMIT,
    "import os\nos.kill(os.getpid(), 9)": Outcome.RUNTIME_ERROR,
}


def tasks() -> Iterator[tuple[int, str, Outcome | None]]:
    odd = list(ODD.items())
    for index in range(EXECUTIONS):
        yield (index, *odd[index // 40 % len(odd)]) if index % 40 == 0 else (index, ORDINARY, None)


def execute(sandbox: Sandbox, task: tuple[int, str, Outcome | None]) -> tuple[int, str]:
    index, code, outcome = task
    execution = sandbox.run(Job(code, Stdin(), f"{index}\n", LIMITS))
    right = execution.outcome is outcome and (outcome or execution.stdout == f"{index + 1}\n".encode())
    return index, "right" if right else f"{execution.outcome}: {execution.reason} {execution.stderr!r}"


def resident_bytes(pid: int | str) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def children(pid: int | str) -> list[int]:
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


@pytest.mark.slow
def test_ten_thousand_executions_leak_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    descriptors, before = len(os.listdir("/proc/self/fd")), children("self")
    counts: Counter[str] = Counter()
    seen: set[int] = set()
    memory: dict[str, int] = {}
    level = best()
    with Workers(WORKERS, False, level) as workers:
        started = time.monotonic()
        for index, result in workers.map(execute, tasks()):
            seen.add(index)
            counts[result] += 1
            if len(seen) in {EXECUTIONS // 10, EXECUTIONS}:
                zygotes = [pid for pid in children("self") if children(pid) or "evalfw_inside" in command(pid)]
                memory |= {f"own {len(seen)}": resident_bytes("self")}
                memory |= {f"zygote {len(seen)}": max(map(resident_bytes, zygotes))}
                handles = max(len(os.listdir(f"/proc/{pid}/fd")) for pid in zygotes)
                assert len(zygotes) == WORKERS
                assert handles < 24
        seconds = time.monotonic() - started
    with capsys.disabled():
        print(f"\n{level}: {EXECUTIONS / seconds:.0f} executions per second with {WORKERS} workers; {memory}")  # noqa: T201
    assert counts == {"right": EXECUTIONS}
    assert len(seen) == EXECUTIONS
    assert children("self") == before
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert list(tmp_path.iterdir()) == []
    for who in ("own", "zygote"):
        assert memory[f"{who} {EXECUTIONS}"] - memory[f"{who} {EXECUTIONS // 10}"] < 2 << 20


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
