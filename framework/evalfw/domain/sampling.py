"""From samples that were taken by the clock to a monotonic peak profile over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from evalfw.domain.problem import Json
from evalfw.domain.profile import MemoryOverTime, monotonic_peak


def peaks_over_time(
    times: Json, values: Json, interval: float, quantum: int = 1, peak: int | None = None
) -> MemoryOverTime:
    """The MPP of samples by the clock (paper A, equation 1), one step an interval.

    The first step is the sample before the program. Every other sample belongs to the interval that it was taken in,
    the first interval excepted; of several the largest counts. An interval without a sample holds the value before it.

    Args:
        times: Of the samples, in nanoseconds since the first. The last sample is the one after the program.
        values: Bytes at these times.
        interval: From one step to the next, in seconds.
        quantum: Values are rounded to multiples of it, halves up.
        peak: The greatest value at any time, between samples too, where it is known. It gives the `coverage`.

    Raises:
        ValueError: These cannot be the samples of a run.
    """
    moments, held = _numbers("times", times), _numbers("values", values)
    if len(moments) != len(held) or len(moments) < 2:
        raise ValueError(f"there are {len(moments)} times for {len(held)} values")
    if moments[0] != 0 or any(later < earlier for earlier, later in pairwise(moments)):
        raise ValueError("times do not begin at 0 and rise from there")
    if peak is not None and peak < max(held):
        raise ValueError("a value is greater than the peak")
    steps, gaps = _by_step(moments, held, round(interval * 1e9))
    achieved = sorted(later - earlier for earlier, later in pairwise(moments[:-1]))
    return MemoryOverTime(
        monotonic_peak(steps, quantum).runs,
        exact=not gaps,
        coverage=None if peak is None else (max(held) - held[0]) / (peak - held[0]) if peak > held[0] else 1.0,
        end_bytes=monotonic_peak([held[0], held[-1]], quantum).peak_bytes,
        interval=interval,
        taken=len(moments),
        interval_median=median(achieved) / 1e9 if achieved else None,
        interval_p99=achieved[math.ceil(0.99 * len(achieved)) - 1] / 1e9 if achieved else None,
        interval_longest=achieved[-1] / 1e9 if achieved else None,
    )


def _by_step(times: Sequence[int], values: Sequence[int], interval: int) -> tuple[list[int], int]:
    """The value of each step, and how many of them have no sample of their own."""
    steps, gaps = [values[0]], 0
    for time, value in zip(times[1:], values[1:], strict=True):
        missed = max(1, time // interval) - len(steps)
        if missed < 0:
            steps[-1] = max(steps[-1], value)
        else:
            steps += [steps[-1]] * missed + [value]
            gaps += missed
    return steps, gaps


def _numbers(name: str, found: Json) -> list[int]:
    if not isinstance(found, list):
        raise ValueError(f"{name} is not a list")
    for position, number in enumerate(found):
        if type(number) is not int or number < 0:
            raise ValueError(f"{name}[{position}] is not a whole number from 0: {number!r}")
    return found
