"""How each kind of case is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from tests.cases.api import api
from tests.cases.case import Case, Skip
from tests.cases.config import config
from tests.cases.numbers import aggregation, dtw, passk
from tests.cases.programs import programs
from tests.cases.records import resume, text
from tests.cases.static import static_metrics
from tests.cases.statistics import statistics
from tests.cases.texts import checker, extraction
from tests.cases.timing import timing


def _not_yet(what: str) -> Callable[[Case], list[str]]:
    def skip(_: Case) -> NoReturn:
        raise Skip(f"evalfw has no {what} yet")

    return skip


KINDS: Mapping[str, Callable[[Case], list[str]]] = {
    "aggregation": aggregation,
    "api": api,
    "checker": checker,
    "config": config,
    "dtw": dtw,
    "environment": programs,
    "extraction": extraction,
    "function": programs,
    "passk": passk,
    "process": programs,
    "resume": resume,
    "static_metrics": static_metrics,
    "statistics": statistics,
    "stdin": programs,
    "text": text,
    "timeout": programs,
    "timing": timing,
}
"""Kind -> what runs it and returns the differences."""
