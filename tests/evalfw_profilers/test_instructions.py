from __future__ import annotations

import errno
import fcntl
import math
import os
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalfw import Call, InstructionCount, Json, Program, RunError, Sandbox
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.levels import attempt
from evalfw_profilers import instructions, instructions_instrument
from evalfw_profilers.instructions import Instructions, InstructionsOptions
from tests.evalfw_profilers.executions import profile_of

LOOP = "for i in range(20_000): pass\n"
needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")


def profiler(source: str = "auto") -> Instructions:
    return Instructions(InstructionsOptions.model_validate({"source": source}))


def counts(error: int | None = None) -> Any:  # noqa: ANN401
    """Stands in for the processor's counters: there are some, or there is none for this reason."""

    def open_counter(pid: int) -> int:
        if error is not None:
            raise OSError(error, f"perf_event_open: {os.strerror(error)}")
        return os.open(os.devnull, os.O_RDONLY)

    return open_counter


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def count(sandbox: Sandbox, code: str, given: str | Call = "", source: str = "callgrind") -> int:
    found = profile_of(sandbox, profiler(source), code, given)
    assert isinstance(found, InstructionCount)
    assert found.source == source
    return found.instructions


@needs_valgrind
def test_callgrind_counts_the_same_each_time(sandbox: Sandbox) -> None:
    once = count(sandbox, LOOP)
    assert 20_000 * 5 < once < 20_000 * 500
    assert count(sandbox, LOOP) == once


@needs_valgrind
@pytest.mark.slow
def test_neither_the_start_of_the_interpreter_nor_imports_count(sandbox: Sandbox) -> None:
    assert count(sandbox, "import asyncio\n") < 100_000


@needs_valgrind
def test_of_a_function_the_call_counts_alone(sandbox: Sandbox) -> None:
    code = f"{LOOP * 5}def f(n):\n    return sum(range(n))\n"
    assert 1_000 * 5 < count(sandbox, code, Call((1_000,))) < 5 * 20_000 * 5


@needs_valgrind
@pytest.mark.slow
def test_threads_count(sandbox: Sandbox) -> None:
    code = f"import threading\ndef work():\n    {LOOP}t = threading.Thread(target=work)\nt.start()\nt.join()\n"
    assert count(sandbox, code) > 20_000 * 5


@needs_valgrind
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_callgrind_counts_at_every_level(level: Level) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"no level '{level}' here: {refusal}")
    with Sandbox(level=level) as sandbox:
        assert 20_000 * 5 < count(sandbox, f"print(input())\n{LOOP}", "x") < 20_000 * 500


@needs_valgrind
def test_the_source_and_its_version_are_part_of_the_key() -> None:
    settings = profiler("callgrind").settings()
    assert settings["source"] == "callgrind"
    assert str(settings["version"]).startswith("valgrind 3.")
    assert Path(str(settings["command"])).is_file()


@needs_valgrind
def test_without_counters_valgrind_counts_and_the_reason_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "open_counter", counts(errno.EACCES))
    chosen = profiler()
    assert chosen.settings()["source"] == "callgrind"
    assert chosen.notes == [
        "instructions are counted by callgrind, since perf: [Errno 13] perf_event_open: Permission denied"
    ]


def test_where_there_are_counters_they_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "open_counter", counts())
    chosen = profiler()
    assert chosen.settings() == {"source": "perf", "version": f"Linux {os.uname().release}", "command": ""}
    assert chosen.notes == []
    assert chosen.profile({"observed": {"instructions": 7}}) == InstructionCount(
        7, "perf", f"Linux {os.uname().release}"
    )


def test_with_neither_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "open_counter", counts(errno.ENOENT))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunError, match=r"(?s)perf: .*No such file.*callgrind: there is no valgrind.*install valgrind"):
        profiler().settings()
    with pytest.raises(RunError, match="here:\n  perf: "):
        profiler("perf").settings()


def test_a_program_of_that_name_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "valgrind"
    path.write_text("#!/bin/sh\necho grind\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(RunError, match="does not say its version: 'grind"):
        profiler("callgrind").settings()


def test_a_counter_is_opened_or_the_reason_told() -> None:
    try:
        os.close(instructions_instrument.open_counter(0))
    except OSError as error:
        assert str(error).partition(":")[0].endswith("perf_event_open")


def observe(
    monkeypatch: pytest.MonkeyPatch, content: tuple[int, int, int], tmp_path: Path
) -> tuple[list[int], dict[str, int]]:
    """What the observer asks of a counter that answers this, and what it returns."""
    asked: list[int] = []
    file = tmp_path / "counter"
    file.write_bytes(struct.pack("3Q", *content))

    def open_counter(pid: int) -> int:
        assert pid == 17
        return os.open(file, os.O_RDONLY)

    monkeypatch.setattr(instructions_instrument, "open_counter", open_counter)
    monkeypatch.setattr(fcntl, "ioctl", lambda fd, request: asked.append(request))
    observer = instructions_instrument.observe(lambda: [17, 18], {"source": "perf"})
    assert next(observer) == math.inf
    assert asked == [instructions_instrument._ENABLE]
    with pytest.raises(StopIteration) as end:
        observer.send(True)
    return asked, end.value.value


def test_perf_counts_from_the_first_mark_to_the_second(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked, found = observe(monkeypatch, (1234, 500, 500), tmp_path)
    assert asked == [instructions_instrument._ENABLE, instructions_instrument._DISABLE]
    assert found == {"instructions": 1234}


def test_a_counter_that_did_not_count_all_the_time_is_no_measurement(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(OSError, match="shared with others"):
        observe(monkeypatch, (1234, 500, 400), tmp_path)


def test_perf_counts_for_real(sandbox: Sandbox) -> None:
    try:
        profiler("perf").settings()
    except RunError as error:
        pytest.skip(str(error))
    few, many = (count(sandbox, f"for i in range({n}): pass\n", source="perf") for n in (1_000, 1_001_000))
    assert 5 < (many - few) / 1_000_000 < 500


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="requests to valgrind are machine code of x86_64")
def test_without_valgrind_around_it_nothing_is_counted() -> None:
    program = Program(compile("", "", "exec"), lambda: None)
    with pytest.raises(OSError, match="does not run under valgrind"):
        instructions_instrument.measure(program, {"source": "callgrind"})


@pytest.mark.parametrize("record", [{}, {"instructions": 0}, {"instructions": "7"}, {"instructions": True}])
def test_what_cannot_be_a_measurement_is_refused(record: dict[str, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("callgrind", "perf"):
        monkeypatch.setattr(Instructions, "source", instructions.Source(source, "1"))
        with pytest.raises(ValueError, match="not a number of instructions"):
            profiler().profile(record if source == "callgrind" else {"observed": record, "instructions": 9})
