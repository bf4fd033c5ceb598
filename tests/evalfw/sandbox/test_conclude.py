from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw import Call, Execution, Instrument, Job, Limits, Method, Outcome, Sandbox, Stdin
from evalfw.sandbox.conclude import conclude
from evalfw.sandbox.inside import plain
from evalfw.sandbox.output import Output

PROGRAM = Job("", Stdin(), "", Limits())
CALL = Job("", Method("f"), Call(()), Limits())
PROFILE = Job("", Stdin(), "", Limits(), Instrument(Path("instrument.py")))
JOBS = st.sampled_from([PROGRAM, CALL, PROFILE])

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["int", "float", "tuple", "dict"]), inner)
    ),
    max_leaves=30,
)
NAMES = ("ending", "type", "text", "value", "record", "not_plain", "tampered")
CLAIMS = st.dictionaries(
    st.sampled_from(NAMES), JSON | st.sampled_from(["memory", "compile", "error", "exit", "returned"])
)
HONEST = json.dumps(
    {"ending": "returned", "value": {"dict": [[1, {"tuple": [2.5, "x"]}]]}, "record": [1, None]}
).encode()
STATUSES = st.integers(0, 255).map(lambda code: code << 8) | st.integers(1, 64)


def observed(status: int = 0, killed: str | None = None, peak: int = 1 << 20) -> dict[str, object]:
    seen = {"status": status, "killed": killed, "cpu_seconds": 0.1, "wall_seconds": 0.1, "peak_bytes": peak}
    return {**seen, "observed": None, "fault": None}


def parts(job: Job) -> set[str]:
    return {"measure"} if job.instrument else set()


@given(JOBS, st.binary() | st.text().map(str.encode), STATUSES)
def test_random_reports_never_raise(job: Job, report: bytes, status: int) -> None:
    assert isinstance(conclude(job, observed(status), b"", b"", report, False, parts(job)), Execution)


@given(JOBS, CLAIMS, STATUSES, st.sampled_from([None, "cpu", "wall", "memory", "told"]), st.booleans())
def test_forged_reports_never_raise(
    job: Job, claims: dict[str, object], status: int, killed: str | None, over: bool
) -> None:
    execution = conclude(job, observed(status, killed), b"", b"", json.dumps(claims).encode(), over, parts(job))
    if killed or over or status:
        assert execution.outcome is not None
    assert "\n" not in execution.reason
    assert execution.reason.isascii()


@given(JOBS, st.integers(0, len(HONEST)))
def test_truncated_reports_never_raise(job: Job, length: int) -> None:
    execution = conclude(job, observed(), b"", b"", HONEST[:length], False, parts(job))
    if length < len(HONEST) and job is not PROGRAM:
        assert execution.outcome in {Outcome.WRONG_ANSWER, Outcome.INSTRUMENTATION_ERROR}


@given(JOBS, st.binary(min_size=1, max_size=3), st.integers(0, len(HONEST)))
def test_damaged_reports_never_raise(job: Job, noise: bytes, at: int) -> None:
    conclude(job, observed(), b"", b"", HONEST[:at] + noise + HONEST[at + len(noise) :], False, parts(job))


@pytest.mark.parametrize(
    "report",
    [
        b'{"value": ' * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"value": ' + b'{"tuple": [' * 900 + b"]}" * 900 + b"}",
        b'{"value": {"int": "0x' + b"f" * 1_000_000 + b'"}}',
        b'{"value": ' + b"9" * 100_000 + b"}",
        b'{"value": {"dict": [[{"dict": []}, 1]]}}',
        b'{"value": {"dict": [[[1], 1]]}}',
        b'{"value": {"float": "nonsense"}}',
        b'{"value": NaN}',
        b'{"value": 1, "value": 2}',
        b"\xff\xfe\x00",
        b"null",
    ],
    ids=range(12),
)
def test_monstrous_reports_end(report: bytes) -> None:
    for job in (PROGRAM, CALL, PROFILE):
        assert isinstance(conclude(job, observed(), b"", b"", report, False, parts(job)), Execution)


@pytest.mark.parametrize("number", range(1, 65))
def test_every_signal_has_a_reason(number: int) -> None:
    execution = conclude(PROGRAM, observed(status=number), b"", b"", b"", False, parts(PROGRAM))
    assert execution.outcome in {Outcome.RUNTIME_ERROR, Outcome.TIME_LIMIT}


def test_the_kernel_outweighs_every_claim() -> None:
    honest = json.dumps({"ending": "returned", "value": plain.encode(7)}).encode()
    assert conclude(CALL, observed(peak=2 << 30), b"", b"", honest, False, parts(CALL)).outcome is Outcome.MEMORY_LIMIT
    assert conclude(CALL, observed(killed="wall"), b"", b"", honest, False, parts(CALL)).outcome is Outcome.TIME_LIMIT
    assert conclude(CALL, observed(), b"", b"", honest, True, parts(CALL)).outcome is Outcome.OUTPUT_LIMIT
    assert conclude(CALL, observed(), b"", b"", honest, False, parts(CALL)).value == 7


@given(st.lists(st.binary(max_size=300), max_size=20), st.integers(0, 2000))
def test_output_is_kept_up_to_its_cap(parts: list[bytes], cap: int) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    output = Output({reading: cap})
    try:
        for part in parts:
            os.write(writing, part)
            output.read(reading)
    finally:
        os.close(writing)
        output.drain()
        os.close(reading)
    everything = b"".join(parts)
    assert output.text(reading) == everything[:cap]
    assert bool(output.over) is (len(everything) > cap)


def test_what_a_solution_writes_into_its_report_never_raises() -> None:
    forgeries = [
        b"",
        b"\x00" * 100,
        b'{"value": {"dict": 3}}',
        b'{"ending": "memory"',
        b'{"ending": "returned", "value": 7}' * 2,
    ]
    with Sandbox() as sandbox:
        for forgery in forgeries:
            code = (
                f"import os\nclass Solution:\n    def f(self):\n        os.write(3, {forgery!r})\n        os._exit(0)\n"
            )
            assert sandbox.run(Job(code, Method("f"), Call(()), Limits())).outcome is Outcome.WRONG_ANSWER


@pytest.mark.parametrize(
    ("seen", "claims", "reason"),
    [
        ({"observed": None}, {}, "ended without a measurement"),
        ({"observed": {"n": 1}, "fault": "the marks\nwere disturbed"}, {}, "the marks were disturbed"),
        ({"observed": {"n": 1}}, {"record": [1]}, "the process reported no plain data: the measurement is no mapping"),
    ],
)
def test_an_observation_that_is_none(seen: dict[str, object], claims: dict[str, object], reason: str) -> None:
    report = json.dumps({"ending": "returned", **claims}).encode()
    execution = conclude(PROFILE, {**observed(), **seen}, b"", b"", report, False, {"observe"})
    assert (execution.outcome, execution.reason) == (Outcome.INSTRUMENTATION_ERROR, reason)


def test_what_was_observed_stands_whatever_the_process_claims() -> None:
    report = json.dumps({"ending": "returned", "record": {"dict": [["observed", 2], ["own", 3]]}}).encode()
    answer = {**observed(), "observed": {"n": 1}}
    execution = conclude(PROFILE, answer, b"", b"", report, False, {"measure", "observe"})
    assert (execution.outcome, execution.record) == (None, {"observed": {"n": 1}, "own": 3})
