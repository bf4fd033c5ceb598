"""The events of a run, told to whoever listens. pluggy lives here and nowhere else."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pluggy
import typer

from evalfw import hookspecs
from evalfw.domain.answer import Request
from evalfw.errors import PluginError
from evalfw.hookspecs import RunFinished, Section

_log = logging.getLogger("evalfw")


class Listeners:
    """Implementations of hooks, called one at a time so that one that fails harms nobody else."""

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager("evalfw")
        self._manager.add_hookspecs(hookspecs.Hooks)
        self.complaints: list[str] = []
        """What went wrong in implementations, one line each."""

    def add(self, implementation: object, name: str) -> None:
        """Register an object or module with hook implementations.

        Raises:
            PluginError: It implements a hook that does not exist, or asks for an argument that does not.
        """
        try:
            self._manager.register(implementation, name=name)
            self._manager.check_pending()
        except (pluggy.PluginValidationError, ValueError) as error:
            raise PluginError(f"plugin '{name}' does not fit the hooks of evalfw: {error}") from error
        if not self._manager.get_hookcallers(implementation):
            raise PluginError(f"plugin '{name}' implements no hook; mark its functions with evalfw.hookimpl")

    def tell(self, event: object) -> None:
        """Announce a fact: an event `RunStarted` goes to the hook `evalfw_run_started`."""
        deque(self._call(_hook_of(type(event)), {"event": event}), maxlen=0)

    def prompt(self, request: Request) -> str:
        """The prompt to send: what an implementation makes of it, else as it is."""
        for text in self._call("evalfw_prompt", {"request": request}):
            if text is not None:
                return str(text)
        return request.prompt

    def sections(self, event: RunFinished) -> list[Section]:
        """What implementations add to the summary."""
        return [s for s in self._call("evalfw_report_section", {"event": event}) if isinstance(s, Section)]

    def commands(self) -> dict[str, typer.Typer]:
        """The commands that implementations add to the command line."""
        commands: dict[str, typer.Typer] = {}
        for more in self._call("evalfw_commands", {}):
            commands.update(more or {})
        return commands

    def _call(self, hook: str, arguments: dict[str, Any]) -> Iterator[Any]:
        """What implementations return, the one registered last first; each is called when its turn comes."""
        for implementation in reversed(getattr(self._manager.hook, hook).get_hookimpls()):
            function: Callable[..., Any] = implementation.function
            try:
                result = function(*(arguments[name] for name in implementation.argnames))
            except Exception as error:
                complaint = f"plugin '{implementation.plugin_name}' failed in {hook}: {type(error).__name__}: {error}"
                if complaint not in self.complaints:
                    self.complaints.append(complaint)
                    _log.warning(complaint)
            else:
                yield result


def _hook_of(event: type) -> str:
    return "evalfw_" + "".join(f"_{c.lower()}" if c.isupper() else c for c in event.__name__).lstrip("_")
