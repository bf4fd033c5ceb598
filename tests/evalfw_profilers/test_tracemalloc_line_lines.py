"""Which line raised a profile."""

from __future__ import annotations

from typing import Any

import pytest

from evalfw import MemoryProfile
from tests.evalfw_profilers import programs
from tests.evalfw_profilers.run import VERSIONS, profile, profiles

CASES: dict[str, tuple[str, dict[int, int]]] = {
    "a list that grows": ("out = []\nfor i in range(400):\n    out.append([i])\nend = 1\n", {2: 4600, 3: 28_800}),
    "an argument": ("def f(a):\n    b = a\n    return 1\n\nx = f(bytes(100_000))\nend = 1\n", {5: 100_000}),
    "a list that is returned": ("def f(n):\n    return [0] * n\n\nx = f(10_000)\nend = 1\n", {2: 79_000}),
    "what the caller makes of it": ("def f(n):\n    return n * 1000\n\nx = [f(7)] * 10_000\nend = 1\n", {4: 80_000}),
    "a chain of returns": (
        "def f(n):\n    return g(n)[:9000]\n\ndef g(n):\n    return [n] * 20_000\n\nx = f(7)\nend = 1\n",
        {5: 70_000},
    ),
    "a generator": (
        "def g():\n    for i in range(3):\n        yield [i] * 5000\n\n"
        "kept = []\nfor x in g():\n    kept.append(x)\nend = 1\n",
        {3: 120_000},
    ),
    "a generator that goes on in the middle of a line": (
        "def g():\n    a = (yield 1) or bytes(90_000); yield a\n\nit = g()\nx = next(it)\ny = next(it)\nend = 1\n",
        {2: 90_000},
    ),
    "a recursion": (
        "def f(n):\n    a = bytes(20_000)\n    return f(n - 1) if n else 0\n\nf(4)\nend = 1\n",
        {2: 100_000},
    ),
    "an exception": (
        "def f():\n    raise ValueError(bytes(50_000))\n\n"
        "try:\n    f()\nexcept ValueError as error:\n    kept = error\nend = 1\n",
        {2: 50_000},
    ),
    "a comprehension": ("x = 1\nrows = [[i] * 1000 for i in range(20)]\nend = 1\n", {2: 160_000}),
    "a key function": (
        "def key(n):\n    return -n\n\nvalues = [3, 1] * 5000\nend = sorted(values, key=key)\nend = 1\n",
        {4: 80_000, 5: 160_000},
    ),
    "the body of a class": ("class A:\n    table = bytes(30_000)\n    other = 1\n\nend = 1\n", {2: 30_000}),
    "a statement of several lines": (
        "x = [\n    bytes(10_000),\n    bytes(20_000),\n    1,\n]\nend = 1\n",
        {2: 10_000, 3: 20_000},
    ),
    "after a call through code of a library": (
        "from dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int\n    def __post_init__(self):\n"
        "        self.y = 1\n\nkept = [P(1)] * 50_000\nend = 1\n",
        {9: 400_000},
    ),
    "a line past those that have small numbers": ("\n" * 998 + "x = bytes(10_000)\nend = 1\n", {999: 10_000}),
}
"""Programs, and by how much lines of theirs raise the peak; all others together do by less than 4000."""


def raised(measured: MemoryProfile) -> dict[int, int]:
    found = measured.raised_by()
    assert found is not None
    return dict(found)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("how", [{}, {"frame_objects": "subtract"}, {"hide_counter": True}])
def test_the_line_that_took_the_memory_is_named(how: dict[str, Any], version: str) -> None:
    found = profiles([(source, "") for source, _ in CASES.values()], version=version, **how)
    for (name, (_, expected)), measured in zip(CASES.items(), found, strict=True):
        lines = raised(measured)
        for line, amount in expected.items():
            assert 0.95 * amount <= lines.pop(line, 0) <= 1.05 * amount + 1000, (name, line)
        assert sum(lines.values()) < 4000, (name, lines)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_lines_of_every_program_exist_and_add_up_to_its_peak(version: str) -> None:
    everything = programs.OWN | programs.FOREIGN
    found = profiles(everything.values(), version=version)
    for (name, (source, _)), measured in zip(everything.items(), found, strict=True):
        text = source.splitlines()
        assert sum(raised(measured).values()) == measured.peak_bytes, name
        assert all(text[line - 1].strip() for line in raised(measured)), name
        assert measured.lines is not None
        assert measured.lines[0] == 0 < min(measured.lines[1:]), name


def test_of_several_lines_between_two_samples_none_is_named() -> None:
    plain, sparse = (profile(*programs.OWN["bfs"], stride=stride) for stride in (1, 2))
    assert plain.lines is not None
    assert sparse.lines is None
    assert sparse.raised_by() is None
