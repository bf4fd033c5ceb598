"""A program among prose, without any mark around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evalfw.extraction.programs import Attempts, State, tidy

_STEPS_BACK = 64
"""How many shorter runs are tried where a run goes wrong."""


def longest_run(lines: Sequence[str], fits: Callable[[str], bool], attempts: Attempts) -> str:
    """The longest run of lines that fits, the last one of several; empty if there is none.

    A run is grown in doubling windows until no further text can mend it, then cut before the line at fault. The
    next run starts there: what compiles up to that line leaves nothing open that could read the line otherwise.
    """
    whole = tidy(lines)
    if fits(whole):
        return whole
    runs = [tidy(lines[start:stop]) for start, stop in _runs(lines, attempts)]
    runs.sort(key=lambda code: code.count("\n"))
    return next((code for code in reversed(runs) if fits(code)), "")


def _runs(lines: Sequence[str], attempts: Attempts) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(lines):
        stop = _end(lines, start, attempts) if _may_start(lines[start]) else start
        if stop > start:
            yield start, stop
        start = max(stop, start + 1)


def _may_start(line: str) -> bool:
    text = line.strip()
    return bool(text) and (text.startswith("#") or line[0] not in " \t")


def _end(lines: Sequence[str], start: int, attempts: Attempts) -> int:
    """Where the longest run from a line on ends; the line itself if none starts there."""
    good, size = start, 1
    while True:
        stop = min(start + size, len(lines))
        code = "\n".join(lines[start:stop]) + "\n"
        state = attempts.state(code)
        if state is State.WHOLE:
            good = stop
        if state is State.WRONG or stop == len(lines):
            break
        size *= 2
    for _ in range(_STEPS_BACK):
        if stop <= good:
            break
        stop = min(stop - 1, start + attempts.fault(code) - 1)
        code = "\n".join(lines[start:stop]) + "\n"
        if stop > good and attempts.state(code) is State.WHOLE:
            good = stop
    return good
