"""Run time of repeated rounds by pytest-benchmark: the measurement of paper B."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from evalfw import Json, Profiler, ReferenceOptions, References, Seconds, Timing


class BenchmarkOptions(ReferenceOptions):
    """How many rounds are timed. The defaults are those of paper B, section 3.3."""

    min_rounds: int = Field(default=10, ge=1, description="Rounds at least.")
    min_time: Seconds = Field(default=1.0, description="Time of all rounds together, at least.")
    max_time: Seconds = Field(
        default=10.0,
        description="Make no more rounds than fit into this, with what lies between them, once there are `min_rounds`.",
    )
    warmup_rounds: int = Field(default=0, ge=0, description="Rounds before the others, which are left out.")
    disable_gc: bool = Field(default=False, description="Switch the garbage collector off in a round.")
    references: References = Field(
        default="canonical",
        description="Accepted solutions that are timed beside the solutions of every model: the first one or `all`.",
    )


class PytestBenchmark(Profiler[BenchmarkOptions]):
    """Run time of repeated rounds, as pytest-benchmark measures it.

    A round is what the program would do in a process of its own: the whole module of a program with standard input
    from its start, or the call of a function with new arguments. Making these ready, and comparing what comes out with
    the first round, is outside of the clock. See paper B, section 3.3.
    """

    instrument = "pytest_benchmark_instrument.py"
    packages = ("pytest", "pytest-benchmark")
    produces = Timing
    exclusive = True

    def profile(self, record: Mapping[str, Json]) -> Timing:
        """The timing, rounded to nanoseconds.

        Raises:
            ValueError: The record cannot be a measurement, or there are fewer rounds than asked for.
        """
        if record.keys() != {"seconds", "clock", "report"}:
            raise ValueError(f"not a record of this instrument: {sorted(record)}")
        seconds, clock, report = record["seconds"], record["clock"], record["report"]
        if not isinstance(clock, str) or not isinstance(report, Mapping):
            raise ValueError("clock and report are not a name and a mapping")
        if not isinstance(seconds, list):
            raise ValueError("seconds is not a list of numbers")
        rounds = []
        for number in seconds:
            if type(number) is not float:
                raise ValueError(f"a round took no number of seconds: {number!r}")
            rounds.append(round(number, 9))
        if len(rounds) < self.options.min_rounds:
            raise ValueError(f"there are {len(rounds)} rounds, and {self.options.min_rounds} were asked for")
        return Timing(tuple(rounds), clock, report)
