"""Cases about configuration files. Their keys are examples, so the model here has those keys."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field, create_model

from evalfw import ConfigError, Options, load_yaml
from tests.cases.case import Case, differs


class Run(Options):
    samples: int = 1
    temperature: float = 0.0


class Example(Options):
    """The keys of the cases, typed as their values are meant."""

    model: str | None = None
    samples: int = 1
    temperature: float = 0.0
    temperatures: list[float] = Field(default_factory=list)
    learning_note: str | None = None
    resume: bool = True
    timeout_s: float = 1.0
    time_limit: float = 1.0
    price_per_token: float = 0.0
    language: str | None = None
    languages: list[str] = Field(default_factory=list)
    version: str | None = None
    dataset_version: str | None = None
    seed: int = 0
    generation: Run = Run()
    base: Run = Run()
    runs: list[Run] = Field(default_factory=list)


_TOP_LEVEL_KEY = re.compile(r"^(\w+):", re.MULTILINE)


def config(case: Case) -> list[str]:
    found = []
    for name, expected in case.expected.items():
        model = _with_keys_of(case.text_of(name), expected)
        try:
            loaded: Example | None = load_yaml(case.folder / name, model)
            problem = ""
        except ConfigError as error:
            loaded, problem = None, str(error)
        found += [f"{name}: {difference}" for difference in _compare(loaded, problem, expected)]
    return found


def _with_keys_of(text: str, expected: dict[str, Any]) -> type[Example]:
    """The model with the keys of a file that it does not know, typed as the values that are expected of them.

    A key that is the point of an error stays unknown.
    """
    detail, values = expected.get("detail"), expected.get("value", {})
    if "value" not in expected["outcome"]:
        return Example
    unknown = [key for key in _TOP_LEVEL_KEY.findall(text) if key not in Example.model_fields]
    fields: dict[str, Any] = {key: (type(values.get(key, detail)), ...) for key in unknown}
    return create_model("ExampleOfCase", __base__=Example, **fields)


def _compare(loaded: Example | None, problem: str, expected: dict[str, Any]) -> list[str]:  # noqa: PLR0911
    allowed = expected["outcome"]
    detail = expected.get("detail")
    if loaded is None:
        if "error" not in allowed and not isinstance(detail, float):
            return [f"refused: {problem}"]
        named = str(detail).replace("line ", ":") if isinstance(detail, str) else ""
        return [] if named in problem else [f"the message does not name {detail!r}: {problem}"]
    if allowed == "error":
        return [f"accepted as {loaded.model_dump(exclude_unset=True)}"]
    values = loaded.model_dump(exclude_unset=True)
    if "value" in expected:
        return differs("value", values, expected["value"])
    if isinstance(detail, dict):
        return [d for key, want in detail.items() for d in differs(key, values.get(key), want)]
    if detail in values:  # the key is named, and its texts have to be those of the file
        return [] if False not in values[detail] and True not in values[detail] else [f"{detail} is {values[detail]}"]
    return [] if detail in values.values() else [f"{detail!r} is not among {values}"]
