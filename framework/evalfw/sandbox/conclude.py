"""From what was observed of an execution to what is known of it.

Kernel figures and our own actions decide first; what the child reported comes last, since it may claim anything.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping, Set
from typing import Any

from evalfw.domain.answer import Outcome
from evalfw.domain.problem import Call
from evalfw.sandbox.inside import nodes, plain
from evalfw.sandbox.job import Execution, Job


def conclude(
    job: Job,
    answer: Mapping[str, Any],
    stdout: bytes,
    stderr: bytes,
    report: bytes,
    over: bool,
    parts: Set[str],
) -> Execution:
    """Weigh the evidence of one execution.

    Args:
        job: What was run.
        answer: What the zygote observed, see `evalfw.sandbox.inside.watch`.
        stdout: Standard output, up to its cap.
        stderr: Head of standard error.
        report: What the child claims, up to its cap.
        over: Whether an output passed its cap, for which the child was killed.
        parts: What the instrument does: `measure` in the child, `observe` from outside.
    """
    claims = _claims(report)
    outcome, reason = _outcome(job, answer, claims, over)
    if outcome is None and (fault := _fault(answer, claims, parts)):
        outcome, reason = Outcome.INSTRUMENTATION_ERROR, fault  # which may be why there is no result
    if outcome is None:
        outcome, reason = _unreturned(job, claims)
    value: Any = None
    record: Any = None
    if outcome is None:
        try:
            value = _value(job, claims.get("value"))
            record = plain.decode(claims.get("record"))
            if record is not None and not isinstance(record, dict):
                raise ValueError("the measurement is no mapping")
            if "observe" in parts:
                record = {**(record or {}), "observed": answer["observed"]}
        except (ValueError, RecursionError) as error:
            broken = Outcome.INSTRUMENTATION_ERROR if job.instrument else Outcome.WRONG_ANSWER
            outcome, reason = broken, f"the process reported no plain data: {error}"
    return Execution(
        outcome=outcome,
        reason=reason,
        stdout=stdout,
        stderr=stderr,
        value=value,
        record=record,
        cpu_seconds=answer["cpu_seconds"],
        wall_seconds=answer["wall_seconds"],
        peak_bytes=answer["peak_bytes"],
    )


def _value(job: Job, claimed: object) -> object:
    """The result of a function. With nodes in it, it stays as it came: they are for another sandbox process."""
    if isinstance(job.input, Call) and getattr(job.input.style or job.style, "result_from", None) == "all":
        nodes.decode(claimed)
        return claimed
    return plain.decode(claimed)


def _claims(report: bytes) -> Mapping[str, Any]:
    try:
        claims = json.loads(report)
    except (ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}


def _outcome(  # noqa: PLR0911
    job: Job, answer: Mapping[str, Any], claims: Mapping[str, Any], over: bool
) -> tuple[Outcome | None, str]:
    limits, killed, status = job.limits, answer["killed"], answer["status"]
    ending = claims.get("ending")
    # The limit we acted on wins; a fixed order over what was seen would change with the load of the machine.
    if over:
        return Outcome.OUTPUT_LIMIT, f"more than {limits.output_bytes} bytes of output"
    if killed == "wall":
        idle = ", mostly idle" if answer["cpu_seconds"] < 0.1 * limits.time_seconds else ""
        return Outcome.TIME_LIMIT, f"more than {limits.wall_seconds:g} s of wall time{idle}"
    xcpu = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
    if killed == "cpu" or xcpu or answer["cpu_seconds"] > limits.time_seconds:
        return Outcome.TIME_LIMIT, f"more than {limits.time_seconds:g} s of CPU time"
    if killed == "memory" or answer["peak_bytes"] > limits.memory_bytes:
        return Outcome.MEMORY_LIMIT, f"more than {limits.memory_bytes >> 20} MiB resident"
    if killed is not None:
        return Outcome.SANDBOX_ERROR, f"killed: {killed}"
    if ending == "memory":
        return Outcome.MEMORY_LIMIT, "MemoryError (as reported by the program)"
    if ending == "compile":
        return Outcome.COMPILE_ERROR, _clean(f"{claims.get('type')}: {claims.get('text')}")
    if os.WIFSIGNALED(status):
        return Outcome.RUNTIME_ERROR, f"signal {_signal_name(os.WTERMSIG(status))}"
    if os.WEXITSTATUS(status) != 0:
        raised = f"{_clean(str(claims['type']))}, " if ending == "error" and "type" in claims else ""
        return Outcome.RUNTIME_ERROR, f"{raised}exit code {os.WEXITSTATUS(status)}"
    return None, ""


def _unreturned(job: Job, claims: Mapping[str, Any]) -> tuple[Outcome | None, str]:
    """Why a function that ended in good order has no result, if it has none."""
    if isinstance(job.input, Call):
        if "not_plain" in claims:
            return Outcome.WRONG_ANSWER, _clean(str(claims["not_plain"]))
        if "value" not in claims:
            return Outcome.WRONG_ANSWER, "ended without returning a result"
    return None, ""


def _fault(answer: Mapping[str, Any], claims: Mapping[str, Any], parts: Set[str]) -> str | None:
    """What disturbed the measurement, if anything."""
    if "measure" in parts and "tampered" in claims:
        return _clean(str(claims["tampered"]))
    if "observe" in parts and answer["fault"]:
        return _clean(str(answer["fault"]))
    unsaid = "measure" in parts and "record" not in claims
    unseen = "observe" in parts and answer["observed"] is None
    return "ended without a measurement" if unsaid or unseen else None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most real-time signals have no name
        return str(number)


def _clean(text: str) -> str:
    """Untrusted text, fit for one line."""
    return text.encode("ascii", "backslashreplace").decode().replace("\n", " ")[:200]
