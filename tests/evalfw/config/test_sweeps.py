from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalfw import ConfigError
from evalfw.config.document import parse
from evalfw.config.experiment import Use
from evalfw.config.sweeps import Entry, entries, settings
from evalfw.errors import Mistake

FILE = Path("experiment.yaml")


def entry(written: str) -> Entry:
    """The one entry of a list of profilers, as it is written."""
    document = parse(FILE, f"name: x\nprofilers:\n  - {written}\n")
    raw: Any = document.value(("profilers", 0))
    own = {key: raw[key] for key in ("use", "label") if key in raw}
    use = Use(**own, options={key: value for key, value in raw.items() if key not in own})
    (found,) = entries(document, "profilers", [use])
    return found


def expanded(written: str) -> list[tuple[str, dict[str, object]]]:
    found = list(settings(entry(written)))
    return [(each.suffix, each.use.options) for each in found if isinstance(each, Entry)]


def mistakes(written: str) -> list[Mistake]:
    return [each for each in settings(entry(written)) if isinstance(each, Mistake)]


def test_an_entry_without_a_sweep_is_itself() -> None:
    for written in ("{use: p, stride: 5}", "{use: p}"):
        plain = entry(written)
        (found,) = settings(plain)
        assert found is plain


def test_a_value_is_a_setting_and_ends_its_label_as_it_is_written() -> None:
    assert expanded("{use: p, quantum: 64B, interval: {sweep: [100us, 1e-3, 0x10, yes]}}") == [
        (" interval=100us", {"quantum": "64B", "interval": "100us"}),
        (" interval=1e-3", {"quantum": "64B", "interval": 0.001}),
        (" interval=0x10", {"quantum": "64B", "interval": 16}),
        (" interval=yes", {"quantum": "64B", "interval": "yes"}),
    ]


def test_several_sweeps_are_all_combinations() -> None:
    assert [suffix for suffix, _ in expanded("{use: p, a: {sweep: [1, 2]}, b: {sweep: [x, y]}}")] == [
        *(" a=1 b=x", " a=1 b=y"),
        *(" a=2 b=x", " a=2 b=y"),
    ]


def test_a_setting_has_the_place_of_its_value() -> None:
    first, second = (each for each in settings(entry("{use: p, stride: {sweep: [5, 10]}}")) if isinstance(each, Entry))
    path = ("profilers", 0, "stride")
    assert [each.document.position(path) for each in (first, second)] == [(3, 31), (3, 34)]
    assert [each.document.value(path) for each in (first, second)] == [5, 10]
    assert [each.document.literal(path) for each in (first, second)] == ["5", "10"]


@pytest.mark.parametrize(
    ("written", "field", "column", "said"),
    [
        ("{use: p, stride: {sweep: []}}", "stride.sweep", 23, "a list of one or more values is needed"),
        ("{use: p, stride: {sweep: 5}}", "stride.sweep", 23, "a list of one or more values is needed"),
        ("{use: p, stride: {sweep: [1, [2]]}}", "stride.sweep.1", 34, "numbers and one-line texts"),
        ("{use: p, stride: {sweep: [null]}}", "stride.sweep.0", 31, "numbers and one-line texts"),
        (r'{use: p, stride: {sweep: ["a\nb"]}}', "stride.sweep.0", 31, "numbers and one-line texts"),
        ("{use: p, stride: {sweep: [1, 2, 1]}}", "stride.sweep.2", 37, "1 is given again"),
    ],
)
def test_what_is_wrong_with_a_sweep(written: str, field: str, column: int, said: str) -> None:
    (found,) = mistakes(written)
    assert (found.field, found.line, found.column) == (f"profilers.0.{field}", 3, column)
    assert said in found.message


def test_a_mapping_with_more_than_a_sweep_is_none() -> None:
    assert expanded("{use: p, stride: {sweep: [1], step: 2}}") == [("", {"stride": {"sweep": [1], "step": 2}})]


def test_a_mistake_in_a_file_is_still_one() -> None:
    with pytest.raises(ConfigError, match="given twice"):
        entry("{use: p, stride: {sweep: [1], sweep: [2]}}")
