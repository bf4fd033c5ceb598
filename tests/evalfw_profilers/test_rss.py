from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from evalfw import Call, Json, MemoryOverTime, Outcome, Sandbox
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox.levels import attempt
from evalfw_profilers import rss_instrument
from evalfw_profilers.rss import Rss, RssOptions
from tests.evalfw_profilers.executions import execute, profile_of

MIB = 1 << 20
RISE_AND_FALL = f"import time\nx = b'x' * {20 * MIB}\ntime.sleep(0.4)\ndel x\ny = b'y' * {8 * MIB}\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def rss(**options: Any) -> Rss:  # noqa: ANN401
    return Rss(RssOptions.model_validate(options))


def about(mib: int) -> float:
    """A number that equals all within a MiB: the kernel's figure is exact to some pages per processor only."""
    near: Any = pytest.approx(mib * MIB, abs=MIB)
    number: float = near
    return number


def measured(sandbox: Sandbox, code: str, given: str | Call = "", **options: Any) -> MemoryOverTime:  # noqa: ANN401
    found = profile_of(sandbox, rss(**options), code, given)
    assert isinstance(found, MemoryOverTime)
    return found


def test_options() -> None:
    assert rss().settings() == {"interval": 0.001, "quantum": 4096, "count": "rss"}
    assert rss(interval="2ms", quantum="64B", count="pss").options.interval == 0.002
    for wrong in ({"interval": "10us"}, {"interval": 0}, {"count": "uss"}, {"quantum": 0}):
        with pytest.raises(ValidationError):
            rss(**wrong)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("count", ["rss", "pss"])
def test_memory_that_was_used_was_seen(count: str, level: Level) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"no level '{level}' here: {refusal}")
    with Sandbox(level=level) as sandbox:
        profile = measured(sandbox, RISE_AND_FALL, count=count)
    assert profile.monotone
    assert about(20) == profile.peak_bytes
    assert about(8) == profile.end_bytes
    assert profile.length >= 100
    assert 2 < profile.taken <= profile.length + 1
    assert profile.interval_median is not None


def test_what_the_interpreter_holds_is_not_in_the_profile(sandbox: Sandbox) -> None:
    assert measured(sandbox, "pass").peak_bytes < MIB


def test_of_a_function_the_call_counts_alone(sandbox: Sandbox) -> None:
    code = f"kept = b'x' * {30 * MIB}\ndef f(n):\n    global more\n    more = b'y' * n\n    return n\n"
    assert about(10) == measured(sandbox, code, Call((10 * MIB,))).peak_bytes


def test_memory_behind_the_back_of_python_counts(sandbox: Sandbox) -> None:
    code = f"import mmap\nm = mmap.mmap(-1, {16 * MIB})\nfor i in range(0, len(m), 4096): m[i] = 1\n"
    assert about(16) == measured(sandbox, code).peak_bytes


SHARED = (
    f"import os, time\nx = b'x' * {32 * MIB}\nif os.fork() == 0:\n"
    "    sum(x[::4096])\n    time.sleep(0.5)\n    os._exit(0)\nos.wait()\n"
)


def test_pages_of_several_processes_count_for_each_or_are_shared_out() -> None:
    if attempt("namespaces").refusal:
        pytest.skip("elsewhere programs that are only observed may start none")
    with Sandbox(level="namespaces") as sandbox:
        assert measured(sandbox, SHARED, count="rss").peak_bytes > 60 * MIB
        assert 30 * MIB < measured(sandbox, SHARED, count="pss").peak_bytes < 48 * MIB


def test_a_process_that_hides_its_pages_gets_no_profile() -> None:
    code = "import ctypes, time\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\ntime.sleep(0.1)\n"
    if attempt("namespaces").refusal or attempt("namespaces").features["uid"] == 0:
        pytest.skip("nobody can hide from root")
    with Sandbox(level="namespaces") as sandbox:
        execution = execute(sandbox, rss(count="pss"), code)
    assert execution.outcome in {None, Outcome.INSTRUMENTATION_ERROR}
    if execution.outcome is not None:
        assert "PermissionError" in execution.reason


def test_there_is_an_end_to_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rss_instrument, "CAPACITY", 3)
    observer = rss_instrument.observe(lambda: [os.getpid()], {"count": "rss", "interval": 0.001})
    next(observer)
    observer.send(False)
    with pytest.raises(OverflowError, match="3 samples were not enough; a larger interval"):
        observer.send(False)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"observed": None},
        {"observed": {"times": [0, 1]}},
        {"observed": {"times": [0, 1], "values": [1, "2"]}},
        {"times": [0, 1], "values": [1, 2]},
    ],
)
def test_what_cannot_be_a_measurement_is_refused(record: dict[str, Json]) -> None:
    with pytest.raises(ValueError, match=r"not a record|whole number"):
        rss().profile(record)
