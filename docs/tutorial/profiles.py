"""Profile five accepted solutions of a bundled problem on its largest test, e.g. `python profiles.py sort_list`."""

import sys

from evalfw import Instrument, Job, Limits, Sandbox
from evalfw_datasets.starter import Starter, StarterOptions
from evalfw_profilers.tracemalloc_line import LineOptions, TracemallocLine

profiler = TracemallocLine(LineOptions())
instrument = Instrument(profiler.instrument_path(), profiler.settings())
(problem,) = Starter(StarterOptions(problems=sys.argv[1:2])).problems()
test = problem.pool("private")[-1]

print(f"{problem.id}, {test.id}")
print(f"{'solution':<27}{'steps':>6}{'peak':>8}{'runs':>6}  first and last runs: (bytes, steps)")
with Sandbox() as sandbox:
    for solution in problem.solutions[:5]:
        execution = sandbox.run(Job(solution.code, problem.style, test.input, Limits(), instrument))
        assert isinstance(execution.record, dict), execution.reason
        profile = profiler.profile(execution.record)  # an evalfw.MemoryProfile
        ends = [*profile.runs[:2], "...", profile.runs[-1]] if len(profile.runs) > 3 else profile.runs
        shown = " ".join(str(run) for run in ends)
        print(f"{solution.name:<27}{profile.length:>6}{profile.peak_bytes:>8}{len(profile.runs):>6}  {shown}")

# ruff: noqa: T201
