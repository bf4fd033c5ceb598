"""A profiler that counts executed lines."""

from collections.abc import Mapping

from evalfw import Json, NoOptions, Profiler, Timing


class Lines(Profiler[NoOptions]):
    """Executed lines of the solution, as a deterministic stand-in for time: one line counts one second."""

    produces = Timing
    instrument = "lines_instrument.py"

    def profile(self, record: Mapping[str, Json]) -> Timing:
        lines = record.get("lines")
        if not isinstance(lines, int):
            raise ValueError(f"the number of lines is missing: {record!r}")
        return Timing((float(lines),))
