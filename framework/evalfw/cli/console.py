"""What a person sees while a run goes on. An observer like any other: everything here is told by hooks."""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from evalfw.cli.summary import print_summary
from evalfw.hookspecs import RunFinished, RunStarted, Stage, StageAdvanced, StageStarted, hookimpl

_TITLES: dict[Stage, str] = {
    "scale": "size buckets",
    "generate": "completions",
    "judge": "solutions judged",
    "profile": "profiles",
    "measure": "cohorts measured",
}
_LINE_EVERY_SECONDS = 10.0


class ProgressBars:
    """Bars on a terminal."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description:>16}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
        )
        self._tasks: dict[Stage, TaskID] = {}

    @hookimpl
    def evalfw_run_started(self, event: RunStarted) -> None:
        """Say what runs where, and show bars from now on."""
        self._progress.console.print(_headline(event), highlight=False)
        self._progress.start()

    @hookimpl
    def evalfw_stage_started(self, event: StageStarted) -> None:
        """A bar for each stage."""
        self._progress.start()
        note = f"({event.stored} stored before)" if event.stored else ""
        title = _TITLES[event.stage]
        self._tasks[event.stage] = self._progress.add_task(title, total=event.total, completed=event.stored, note=note)

    @hookimpl
    def evalfw_stage_advanced(self, event: StageAdvanced) -> None:
        """Advance the bar."""
        self._progress.update(self._tasks[event.stage], completed=event.done, total=event.total)

    @hookimpl
    def evalfw_run_finished(self, event: RunFinished) -> None:
        """Leave the bars as they are."""
        self.close()

    def close(self) -> None:
        """Give the terminal back."""
        self._progress.stop()


class ProgressLines:
    """Plain lines where there is no terminal: one when a stage begins, one now and then, one at its end."""

    def __init__(self) -> None:
        self._last = 0.0

    @hookimpl
    def evalfw_run_started(self, event: RunStarted) -> None:
        """Say what runs where."""
        self._say(_headline(event))

    @hookimpl
    def evalfw_stage_started(self, event: StageStarted) -> None:
        """One line a stage."""
        self._say(f"{_TITLES[event.stage]}: {event.total}, of which {event.stored} stored before")

    @hookimpl
    def evalfw_stage_advanced(self, event: StageAdvanced) -> None:
        """One line every few seconds, and the last."""
        if event.done == event.total or time.monotonic() - self._last > _LINE_EVERY_SECONDS:
            self._say(f"{_TITLES[event.stage]}: {event.done} of {event.total}")

    def close(self) -> None:
        """Nothing is held."""

    def _say(self, line: str) -> None:
        self._last = time.monotonic()
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


class Summary:
    """The tables at the end."""

    @hookimpl
    def evalfw_run_finished(self, event: RunFinished) -> None:
        """Print the results of the run."""
        print_summary(event.tables, event.directory)


def _headline(event: RunStarted) -> str:
    count = len(event.conditions)
    return f"evalfw: '{event.name}', {count} condition{'s' * (count != 1)}, in {event.directory}"
