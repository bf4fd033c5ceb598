"""The moments of a run that anybody may watch, and the few that anybody may add to.

A hook implementation is a function marked with `hookimpl`, in a module or object that an experiment names under
`plugins:`. Every hook gets one frozen event object and is free to ignore it. Events report facts: the order of
implementations is meaningless, what they return is ignored, and one that raises is reported and does no harm.
Two hooks ask for something instead: `evalfw_prompt` and `evalfw_report_section`; `evalfw_commands` extends the
command line. All are called in the framework's own process, never in a sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pluggy

if TYPE_CHECKING:
    import typer

    from evalfw.domain.answer import Completion, Request, Solution, Verdict
    from evalfw.domain.cohort import Cohort, Condition, Measure
    from evalfw.domain.problem import TestCase
    from evalfw.domain.profile import Profile

hookspec = pluggy.HookspecMarker("evalfw")
hookimpl = pluggy.HookimplMarker("evalfw")
"""Marks a function as the implementation of the hook of the same name."""

Stage: TypeAlias = Literal["scale", "generate", "judge", "profile", "measure"]
"""The stages of a run, in order; `scale`, which makes tests by size, only where the experiment asks for some."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins or is continued; everything is validated, no work has been done yet."""

    name: str
    directory: Path
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A stage begins. `total` counts its steps, `stored` how many of them an earlier run has done."""

    stage: Stage
    total: int
    stored: int


@dataclass(frozen=True, slots=True)
class StageAdvanced:
    """One more step of a stage is done and stored."""

    stage: Stage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CompletionStored:
    """A completion arrived and is stored; `solution` is what was extracted from it."""

    condition: Condition
    completion: Completion
    solution: Solution


@dataclass(frozen=True, slots=True)
class Judged:
    """A solution was run on one test."""

    problem: str
    test: TestCase
    code: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Profiled:
    """A correct or canonical solution was profiled on one test; `profile` is None where that failed, see `verdict`."""

    problem: str
    test: TestCase
    code: str
    profiler: str
    profile: Profile | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CohortMeasured:
    """A metric looked at a cohort."""

    metric: str
    cohort: Cohort
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class RunFinished:
    """All stages are done and the tables are stored.

    Args:
        directory: The run.
        tables: Rows of the results tables: conditions, problems, solutions, pairs, profiles, buckets, excluded.
        faults: How many executions failed through no fault of the program (`sandbox_error`).
        missing: How many completions were asked for and did not come.
        seconds: Wall time of this invocation.
    """

    directory: Path
    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    faults: int
    missing: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Section:
    """A titled piece of text that a plugin adds to the summary of a run."""

    title: str
    text: str


class Hooks:
    """The specifications, one method a hook."""

    @hookspec
    def evalfw_run_started(self, event: RunStarted) -> None:
        """A run begins or is continued."""

    @hookspec
    def evalfw_stage_started(self, event: StageStarted) -> None:
        """A stage begins."""

    @hookspec
    def evalfw_stage_advanced(self, event: StageAdvanced) -> None:
        """One more step of a stage is done."""

    @hookspec
    def evalfw_completion_stored(self, event: CompletionStored) -> None:
        """A completion is stored."""

    @hookspec
    def evalfw_judged(self, event: Judged) -> None:
        """A solution was judged on one test."""

    @hookspec
    def evalfw_profiled(self, event: Profiled) -> None:
        """A correct solution was profiled on one test."""

    @hookspec
    def evalfw_cohort_measured(self, event: CohortMeasured) -> None:
        """A metric looked at a cohort."""

    @hookspec
    def evalfw_run_finished(self, event: RunFinished) -> None:
        """The run is complete."""

    @hookspec(firstresult=True)
    def evalfw_prompt(self, request: Request) -> str | None:
        """Replace the prompt of a request before it is sent; None leaves it as it is.

        The text that comes back is what is stored, and a part of the key it is stored under.
        """

    @hookspec
    def evalfw_report_section(self, event: RunFinished) -> Section | None:
        """Add a section to the summary of a finished run, and to its report."""

    @hookspec
    def evalfw_commands(self) -> Mapping[str, typer.Typer] | None:
        """Add commands to `evalfw`, by name. Installed plugins are asked only when an unknown command is typed."""
