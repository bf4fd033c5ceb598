"""Times rounds of a program with pytest-benchmark, in a pytest that runs inside of this process.

pytest, with no plugin but those that it needs itself and pytest-benchmark, runs one test. That uses the fixture
`benchmark` in pedantic mode: `setup` makes a round ready and `teardown` looks at what came of it, both outside of the
clock. Pedantic mode wants to know the number of rounds beforehand. So some rounds are timed first and left out, as
pytest-benchmark does in its other mode; the fastest of them says how many are needed to fill the time.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
from math import ceil, inf
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypedDict

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    import pytest
    from pytest_benchmark.fixture import BenchmarkFixture

_CLOCK = "perf_counter"
_CALIBRATING_ROUNDS = 5
_CALIBRATING_SHARE = 0.1

_NOT_NEEDED = ("cacheprovider", "doctest", "faulthandler", "junitxml", "logging", "pastebin", "recwarn")
_DISTURBING = ("threadexception", "tmpdir", "unittest", "unraisableexception", "warnings")
_ARGUMENTS = (
    *(
        "-c",
        os.devnull,
        "--rootdir=.",
        "--noconftest",
        "--disable-plugin-autoload",
        "--assert=plain",
        "--capture=no",
        "-qq",
    ),
    *(f"-pno:{name}" for name in (*_NOT_NEEDED, *_DISTURBING)),
    *(
        f"--benchmark-json={os.devnull}",
        "--benchmark-storage=file:///",
        f"--benchmark-timer=time.{_CLOCK}",
        "--benchmark-warmup=off",
    ),
)

_pytest: ModuleType
_plugin: ModuleType
_machine: object = None


class Repeatable(Protocol):
    """What is needed of `evalfw.Program`."""

    def renew(self) -> None:
        """Make the next round ready."""

    def run(self) -> None:
        """The round."""

    def agrees(self) -> bool:
        """Whether it went as the first one."""


class Settings(TypedDict):
    """The options of `pytest_benchmark`; times in seconds."""

    min_rounds: int
    min_time: float
    max_time: float
    warmup_rounds: int
    disable_gc: bool


class Differs(Exception):
    """A round did not go as the first one."""


def prepare(settings: Settings) -> None:
    """Import pytest with all that a run of it uses, and ask what machine this is while that can be seen."""
    global _pytest, _plugin, _machine  # noqa: PLW0603
    import pytest
    import pytest_benchmark.plugin

    _pytest, _plugin = pytest, pytest_benchmark.plugin
    _machine = _plugin.pytest_benchmark_generate_machine_info()
    _benchmark(_Nothing(), {**settings, "min_rounds": 2, "min_time": 1e-6})


def measure(program: Repeatable, settings: Settings) -> dict[str, object]:
    """The rounds of one program, and what pytest-benchmark writes about them beside."""
    report = _benchmark(program, settings)
    (benchmark,) = report["benchmarks"]
    return {"seconds": benchmark["stats"].pop("data"), "clock": _CLOCK, "report": report}


class _Nothing:
    def renew(self) -> None:
        pass

    def run(self) -> None:
        pass

    def agrees(self) -> bool:
        return True


def _benchmark(program: Repeatable, settings: Settings) -> dict[str, Any]:
    """The document that pytest-benchmark writes with `--benchmark-json`.

    Raises:
        Differs: A round did not go as the first one.
        RuntimeError: pytest failed.
    """
    test = _Test(program, settings)
    options = ["--benchmark-disable-gc"] if settings["disable_gc"] else []
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        status = _pytest.main([*_ARGUMENTS, *options], plugins=[_plugin, test])
    if test.failure is not None:
        raise test.failure
    if status or test.document is None:
        raise RuntimeError(f"pytest ended with status {status}")
    return test.document


class _Test:
    """The one test, and the plugin of pytest that brings it and takes the document."""

    def __init__(self, program: Repeatable, settings: Settings) -> None:
        self._program, self._settings = program, settings
        self.failure: Exception | None = None
        self.document: dict[str, Any] | None = None

    def pytest_collection(self, session: pytest.Session) -> bool:
        test = _pytest.Function.from_parent(session, name="rounds", callobj=self._rounds)
        session.items, session.testscollected = [test], 1
        return True

    def pytest_benchmark_generate_machine_info(self) -> object:
        return _machine

    def pytest_benchmark_generate_commit_info(self) -> dict[str, object]:
        return {}

    def pytest_benchmark_update_json(self, output_json: object) -> None:
        self.document = json.loads(json.dumps(output_json, default=float))  # it holds decimal numbers

    def _rounds(self, benchmark: BenchmarkFixture) -> None:
        try:
            gc.collect()
            gc.freeze()
            benchmark.pedantic(  # type: ignore[no-untyped-call]
                self._program.run,
                setup=self._program.renew,
                teardown=self._look,
                rounds=self._how_many(),
                warmup_rounds=self._settings["warmup_rounds"],
            )
        except Exception as error:
            self.failure = error
            raise

    def _how_many(self) -> int:
        """Rounds that fill `min_time` and fit into `max_time`, but `min_rounds` at least."""
        settings = self._settings
        fastest, timed, count, begin = inf, 0.0, 0, perf_counter()
        while True:
            self._program.renew()
            before = perf_counter()
            self._program.run()
            after = perf_counter()
            self._look()
            passed = perf_counter() - begin
            fastest, timed, count = min(fastest, after - before), timed + after - before, count + 1
            enough = timed >= _CALIBRATING_SHARE * settings["min_time"]
            if (enough and count >= _CALIBRATING_ROUNDS) or passed >= _CALIBRATING_SHARE * settings["max_time"]:
                break
        filling = ceil(settings["min_time"] / max(fastest, 1e-9))
        fitting = int(settings["max_time"] / passed * count)
        return max(settings["min_rounds"], min(filling, fitting))

    def _look(self) -> None:
        if not self._program.agrees():
            raise Differs("a round gave another result or output, or ended differently, than the first one")
