"""What is stored, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalfw.domain.answer import Solution, Usage, Verdict
from evalfw.domain.problem import Json


@dataclass(frozen=True, slots=True)
class Answer:
    """What the stages after sampling read of a completion."""

    solution: Solution
    form: str
    finish_reason: str
    usage: Usage
    seconds: float | None
    served_by: str | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class StoredCompletion:
    """A completion as it is stored, with what was extracted from it.

    Args:
        free: Whether its model says that answers cost nothing.
        cost: What it cost, at the prices of the day; None where nobody knows.
        extractor: Version of the rules by which `solution` was extracted.
        form: Normal form of the program.
    """

    key: str
    dataset: str
    problem: str
    model: str
    temperature: float | None
    index: int
    prompt: str
    text: str
    finish_reason: str
    extractor: int
    solution: Solution
    form: str = ""
    reasoning: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float | None = None
    served_by: str | None = None
    fingerprint: str | None = None
    sent: Mapping[str, Json] = field(default_factory=dict)
    free: bool = False
    cost: float | None = None

    @property
    def answer(self) -> Answer:
        """What the stages after sampling read of it."""
        return Answer(
            *(self.solution, self.form, self.finish_reason, self.usage),
            *(self.seconds, self.served_by, self.cost),
        )


@dataclass(frozen=True, slots=True)
class StoredSample:
    """One sample that the experiment asks for.

    Args:
        place: Number of the condition and problem it belongs to, in the order of the experiment.
        index: Number of the sample among these.
        dataset: Label.
        problem: Id.
        model: Label.
        temperature: None for a model that has none.
        completion: Key of the completion, whether it is there or not.
        unasked: The limit that kept it from being asked for, if one did.
        answer: What has come; None where nothing has. It is not stored here but in the completion.
    """

    place: int
    index: int
    dataset: str
    problem: str
    model: str
    temperature: float | None
    completion: str
    unasked: str | None = None
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict on one test, with the figures of the execution."""

    key: str
    verdict: Verdict
    stderr: bytes = b""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """A profile as it is stored; without one `kind`, `facts` and `data` are None, and `verdict` says why."""

    key: str
    judged: str
    verdict: Verdict
    kind: str | None = None
    facts: Mapping[str, Json] | None = None
    data: bytes | None = None
