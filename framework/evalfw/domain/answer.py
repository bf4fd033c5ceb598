"""What a model said, the program in it, and how that program fared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from evalfw.domain.problem import Json, Problem


@dataclass(frozen=True, slots=True)
class Request:
    """One completion that is wanted.

    Args:
        problem: What is asked.
        prompt: The exact text for the model.
        temperature: Sampling temperature; None for a model that has none.
        index: 0-based number of the sample within its condition and problem.
        seed: Derived from the experiment's seed and everything above, so that it differs for each request
            and is the same in every run.
        top_p: Nucleus of the distribution to sample from, in (0, 1]; None for the model's own.
        max_tokens: Longest answer, reasoning included; None for the model's own.
        stop: Texts that end an answer, themselves left out.
    """

    problem: Problem
    prompt: str
    temperature: float | None
    index: int
    seed: int
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request; None where nobody counted them.

    Args:
        input_tokens: Of the prompt.
        output_tokens: Of the answer, reasoning included.
        reasoning_tokens: The part of the answer that is reasoning.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """The raw answer of a model, and how it came about; never changed once stored.

    Args:
        request: What it answers.
        text: Exactly what came back. May hold anything, lone surrogates included.
        finish_reason: Why the model stopped, in its own word: `stop`, `length`, `content_filter`, ...
        reasoning: What the model thought before it answered, where that comes apart from the answer.
        usage: Tokens.
        seconds: From sending the request that was answered to its last byte; None where nothing was sent.
        served_by: What the provider says which model answered.
        fingerprint: What the provider says of the state of its system.
        sent: Every parameter that went out beside the prompt. Never a key.
    """

    request: Request
    text: str
    finish_reason: str = "stop"
    reasoning: str = ""
    usage: Usage = Usage()
    seconds: float | None = None
    served_by: str | None = None
    fingerprint: str | None = None
    sent: Mapping[str, Json] = field(default_factory=dict)


ExtractionStatus: TypeAlias = Literal["ok", "truncated", "no_code"]


@dataclass(frozen=True, slots=True)
class Solution:
    """The program extracted from a completion.

    Args:
        status: `ok`; `truncated` where the code breaks off; `no_code` where there is none.
        code: The program, or the part of it that arrived; empty for `no_code`.
        reason: Says more, where status is not `ok`.
    """

    status: ExtractionStatus
    code: str
    reason: str | None = None


SampleStatus: TypeAlias = Literal["ok", "truncated", "filtered", "empty_answer", "no_code"]
"""What a completion is worth as a sample. All are the model's doing and count; an outage leaves no completion."""

_FILTERED = frozenset({"content_filter", "refusal"})


def sample_status(finish_reason: str, solution: Solution) -> SampleStatus:
    """What a completion is worth as a sample.

    Args:
        finish_reason: `content_filter` (OpenAI) and `refusal` (Anthropic) make it `filtered`, whatever came with them.
        solution: What was extracted from it.
    """
    if finish_reason in _FILTERED:
        return "filtered"
    return "empty_answer" if solution.reason == "empty_answer" else solution.status


class Outcome(StrEnum):
    """How one execution ended, or what a solution comes to over all its tests."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    COMPILE_ERROR = "compile_error"
    INSTRUMENTATION_ERROR = "instrumentation_error"
    """The verdict stands, the profile or timing cannot be trusted."""
    PROFILE_TIMEOUT = "profile_timeout"
    """The verdict stands, the profiled run took longer than its own, wider limit."""
    SANDBOX_ERROR = "sandbox_error"
    """Our fault, not the program's: nothing is known about the program, and the next run tries again."""
    NO_TESTS = "no_tests"
    """There was no test to pass; this is no success."""
    NO_CODE = "no_code"
    """The completion holds no program."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome of one solution on one test, or on all of them.

    Args:
        outcome: What happened.
        reason: A short text that says which limit, which exception, what differed.
        test: The test that decided, in the verdict of a solution over its tests.
    """

    outcome: Outcome
    reason: str = ""
    test: str | None = None

    @property
    def accepted(self) -> bool:
        """Whether the outcome is `accepted`."""
        return self.outcome is Outcome.ACCEPTED
