"""evalfw measures how LLM-generated code behaves once it is correct.

These names are the public interface, and all that a plugin may import. Everything else is internal.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from evalfw._version import __version__ as __version__
from evalfw.contracts import Dataset, Metric, Model, Profiler
from evalfw.domain.answer import Completion, Outcome, Request, Solution, Usage, Verdict
from evalfw.domain.cohort import Cohort, Condition, Estimate, Measure, Measured, Sample, Until
from evalfw.domain.costs import Cost, InstructionCount, Timing
from evalfw.domain.opcodes import OpcodeCounts
from evalfw.domain.problem import (
    AcceptedSolution,
    Call,
    Checker,
    Generator,
    Json,
    Limits,
    Method,
    Pool,
    Problem,
    RunStyle,
    Stdin,
    TestCase,
)
from evalfw.domain.profile import CpuProfile, MemoryOverTime, MemoryProfile, Profile, Series, monotonic_peak
from evalfw.domain.sampling import peaks_over_time
from evalfw.errors import ConfigError, EvalfwError, InputError, PluginError, RunError, near

if TYPE_CHECKING:
    from evalfw.checkers import CHECKERS, check
    from evalfw.config.source import load_yaml
    from evalfw.extraction import extract
    from evalfw.hookspecs import (
        CohortMeasured,
        CompletionStored,
        Judged,
        Profiled,
        RunFinished,
        RunStarted,
        Section,
        StageAdvanced,
        StageStarted,
        hookimpl,
    )
    from evalfw.judging import judge
    from evalfw.options import OPERATIONAL, Bytes, File, NoOptions, Options, ReferenceOptions, References, Seconds
    from evalfw.remote.failure import Outage, http_failure
    from evalfw.remote.model import RemoteModel
    from evalfw.remote.options import RemoteOptions
    from evalfw.sandbox.inside.program import Program
    from evalfw.sandbox.job import Execution, Instrument, Job
    from evalfw.sandbox.process import Sandbox

__all__ = [
    "CHECKERS",
    "OPERATIONAL",
    "AcceptedSolution",
    "Bytes",
    "Call",
    "Checker",
    "Cohort",
    "CohortMeasured",
    "Completion",
    "CompletionStored",
    "Condition",
    "ConfigError",
    "Cost",
    "CpuProfile",
    "Dataset",
    "Estimate",
    "EvalfwError",
    "Execution",
    "File",
    "Generator",
    "InputError",
    "InstructionCount",
    "Instrument",
    "Job",
    "Json",
    "Judged",
    "Limits",
    "Measure",
    "Measured",
    "MemoryOverTime",
    "MemoryProfile",
    "Method",
    "Metric",
    "Model",
    "NoOptions",
    "OpcodeCounts",
    "Options",
    "Outage",
    "Outcome",
    "PluginError",
    "Pool",
    "Problem",
    "Profile",
    "Profiled",
    "Profiler",
    "Program",
    "ReferenceOptions",
    "References",
    "RemoteModel",
    "RemoteOptions",
    "Request",
    "RunError",
    "RunFinished",
    "RunStarted",
    "RunStyle",
    "Sample",
    "Sandbox",
    "Seconds",
    "Section",
    "Series",
    "Solution",
    "StageAdvanced",
    "StageStarted",
    "Stdin",
    "TestCase",
    "Timing",
    "Until",
    "Usage",
    "Verdict",
    "check",
    "extract",
    "hookimpl",
    "http_failure",
    "judge",
    "load_yaml",
    "monotonic_peak",
    "near",
    "peaks_over_time",
]

_HOOKS = (
    "CohortMeasured",
    "CompletionStored",
    "Judged",
    "Profiled",
    "RunFinished",
    "RunStarted",
    "Section",
    "StageAdvanced",
    "StageStarted",
    "hookimpl",
)

# Names whose modules cost more than a few milliseconds to import are loaded when they are first asked for.
_LAZY = {
    **dict.fromkeys(("CHECKERS", "check"), "evalfw.checkers"),
    **dict.fromkeys(("OPERATIONAL", "Bytes", "File", "NoOptions", "Options", "Seconds"), "evalfw.options"),
    **dict.fromkeys(("ReferenceOptions", "References"), "evalfw.options"),
    **dict.fromkeys(_HOOKS, "evalfw.hookspecs"),
    **dict.fromkeys(("Execution", "Instrument", "Job"), "evalfw.sandbox.job"),
    **dict.fromkeys(("Outage", "http_failure"), "evalfw.remote.failure"),
    "RemoteModel": "evalfw.remote.model",
    "RemoteOptions": "evalfw.remote.options",
    "Sandbox": "evalfw.sandbox.process",
    "Program": "evalfw.sandbox.inside.program",
    "extract": "evalfw.extraction",
    "judge": "evalfw.judging",
    "load_yaml": "evalfw.config.source",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'evalfw' has no attribute '{name}'")
    return getattr(import_module(_LAZY[name]), name)
