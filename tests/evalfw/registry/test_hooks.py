from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from evalfw import PluginError, Problem, Request, Section, hookimpl, hookspecs
from evalfw.hookspecs import RunFinished, StageAdvanced
from evalfw.registry.hooks import Listeners

FINISHED = RunFinished(Path("runs/x"), {}, 0, 0, 1.0)


class Good:
    def __init__(self) -> None:
        self.told: list[object] = []

    @hookimpl
    def evalfw_stage_advanced(self, event: StageAdvanced) -> None:
        self.told.append(event)

    @hookimpl
    def evalfw_prompt(self, request: Request) -> str | None:
        return request.prompt.upper() if request.index else None

    @hookimpl
    def evalfw_report_section(self) -> Section:
        return Section("title", "text")


class Bad:
    @hookimpl
    def evalfw_stage_advanced(self, event: StageAdvanced) -> None:
        raise ValueError("no")

    @hookimpl
    def evalfw_report_section(self, event: RunFinished) -> Section:
        raise ValueError("no")


def test_one_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    listeners, good = Listeners(), Good()
    listeners.add(Bad(), "bad")
    listeners.add(good, "good")
    listeners.add(Bad(), "worse")
    event = StageAdvanced("judge", 1, 2)
    listeners.tell(event)
    listeners.tell(event)
    assert good.told == [event, event]
    assert listeners.sections(FINISHED) == [Section("title", "text")]
    assert "plugin 'bad' failed in evalfw_stage_advanced: ValueError: no" in listeners.complaints
    assert len(listeners.complaints) == 4
    assert len(caplog.records) == 4


def test_prompts_are_replaced_only_by_text() -> None:
    listeners = Listeners()
    request = Request(Problem("p", "", ()), "text", None, 0, 0)
    assert listeners.prompt(request) == "text"
    listeners.add(Good(), "good")
    assert listeners.prompt(request) == "text"
    assert listeners.prompt(Request(Problem("p", "", ()), "text", None, 1, 0)) == "TEXT"


class Misspelt:
    @hookimpl
    def evalfw_stage_advansed(self, event: object) -> None: ...


class Greedy:
    @hookimpl
    def evalfw_stage_advanced(self, event: object, more: object) -> None: ...


@pytest.mark.parametrize(("kind", "said"), [(Misspelt, "advansed"), (Greedy, "more"), (object, "no hook")])
def test_what_does_not_fit_is_refused(kind: type, said: str) -> None:
    with pytest.raises(PluginError, match=said):
        Listeners().add(kind(), "odd")


def test_a_name_is_taken_once() -> None:
    listeners = Listeners()
    listeners.add(Good(), "same")
    with pytest.raises(PluginError, match="same"):
        listeners.add(Good(), "same")


def test_every_event_has_its_hook() -> None:
    hooks = {name for name, _ in inspect.getmembers(hookspecs.Hooks, inspect.isfunction) if name.startswith("evalfw_")}
    listeners = Listeners()
    for name in (
        *("RunStarted", "StageStarted", "StageAdvanced", "CompletionStored"),
        *("Judged", "Profiled", "CohortMeasured", "RunFinished"),
    ):
        event = getattr(hookspecs, name)
        listeners.tell(object.__new__(event))
        hooks.discard("evalfw_" + "".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:])
    assert hooks == {"evalfw_prompt", "evalfw_report_section", "evalfw_commands"}
