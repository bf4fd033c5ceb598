from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import Field

import evalfw
from evalfw.config.source import load_yaml
from evalfw.errors import ConfigError
from evalfw.options import Options, Seconds

TRAPS = Path(__file__).parent / "data" / "yaml_traps"


class Run(Options):
    samples: int
    temperature: float


class Trap(Options):
    model: str | None = None
    temperature: float = 1.0
    temperatures: list[float] = Field(default_factory=list)
    learning_note: str = ""
    samples: int = 1
    resume: bool = True
    timeout_s: float = 1.0
    price_per_token: float = 1.0
    language: str = ""
    languages: list[str] = Field(default_factory=list)
    version: str = ""
    dataset_version: str = ""
    seed: int = 0
    time_limit: Seconds | None = None
    generation: dict[str, int] = Field(default_factory=dict)
    base: Run | None = None
    runs: list[Run] = Field(default_factory=list)


def test_load_yaml_is_public() -> None:
    assert evalfw.load_yaml is load_yaml


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "ok.yaml",
            Trap(
                model="demo-model",
                temperatures=[0.0, 0.2, 0.7],
                learning_note="no",
                samples=5,
                resume=False,
                timeout_s=10.0,
                price_per_token=0.001,
                language="no",
                version="1.10",
            ),
        ),
        ("country_no.yaml", Trap(model="demo-model", languages=["en", "no", "de"])),
        ("exp_as_text.yaml", Trap(model="demo-model", temperature=0.1)),
        ("octal.yaml", Trap(model="demo-model", seed=10)),
        (
            "merge.yaml",
            Trap(
                base=Run(samples=5, temperature=0.2),
                runs=[Run(samples=5, temperature=0.8), Run(samples=5, temperature=0.2)],
            ),
        ),
    ],
)
def test_what_is_written_is_what_is_read(name: str, expected: Trap) -> None:
    assert load_yaml(TRAPS / name, Trap) == expected


@pytest.mark.parametrize(
    ("name", "position", "field", "part"),
    [
        ("dup_key.yaml", (3, 1), "samples", "the key 'samples' is given twice, in lines 2 and 3"),
        ("clock.yaml", (2, 1), "time_limit", "found '1:30', but a number with a unit is needed"),
        (
            "version.yaml",
            (2, 1),
            "dataset_version",
            'found 1.10, but text is needed; put it in quotes: "1.10"',
        ),
        ("unknown_key.yaml", (2, 1), "temprature", "unknown field 'temprature'; did you mean 'temperature'?"),
        ("tab.yaml", (3, 1), "", "a tab cannot indent; use spaces"),
        ("bool_for_int.yaml", (2, 1), "samples", "found 'yes', but a whole number is needed"),
    ],
)
def test_a_trap_is_refused_with_its_place(name: str, position: tuple[int, int], field: str, part: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_yaml(TRAPS / name, Trap)
    (mistake,) = caught.value.mistakes
    assert (mistake.line, mistake.column, mistake.field) == (*position, field)
    assert part in mistake.message
    assert str(caught.value).startswith(f"{TRAPS / name}:{position[0]}:{position[1]}: ")


def test_no_trap_is_forgotten() -> None:
    assert len(list(TRAPS.glob("*.yaml"))) == 11
