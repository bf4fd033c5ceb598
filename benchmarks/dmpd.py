"""Seconds that one DMPD takes: the exact engine against dtaidistance's C code, same pair, same run.

    python benchmarks/dmpd.py

Both are given whole numbers small enough for floats to be exact, and their results must be equal.
dtaidistance needs 8 bytes for each of n x n cells, so the largest sizes are left to the exact engine.
Best of three, except that dtaidistance has one try from 5000 samples on.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
from dtaidistance import dtw_cc

from evalfw_metrics.warping import Run, warp

SIZES = ((1_000, 100), (2_000, 100), (5_000, 100), (10_000, 100))
LARGE = ((100_000, 1_000), (1_000_000, 1_000), (1_000_000, 5_000))
PEAK = 1 << 20


def staircase(draw: random.Random, samples: int, runs: int) -> list[Run]:
    """A series of `samples` values that rises from 0 to PEAK in `runs` levels of random height and length."""
    ends = [*sorted(draw.sample(range(1, samples), runs - 1)), samples]
    heights = [0, *sorted(draw.sample(range(1, PEAK), runs - 2)), PEAK]
    return [(height, end - start) for height, start, end in zip(heights, [0, *ends], ends, strict=False)]


def by_dtaidistance(a: list[Run], b: list[Run]) -> Callable[[], tuple[int, int]]:
    """The C code with the runs written out beforehand."""
    x, y = (np.repeat(*(np.array(c) for c in zip(*runs, strict=True))).astype(np.float64) for runs in (a, b))

    def run() -> tuple[int, int]:
        path, cost = dtw_cc.warping_path(x, y, include_distance=True, inner_dist="euclidean")
        return int(cost), len(path)

    return run


def best_seconds(run: Callable[[], tuple[int, int]], rounds: int = 3) -> tuple[float, tuple[int, int]]:
    """The least time of some rounds, and the result."""
    best = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        result = run()
        best = min(best, perf_counter() - start)
    return best, result


def main() -> None:
    """Print the table."""
    draw = random.Random(0)
    print(f"{'samples':>9} {'runs':>6} {'exact s':>10} {'dtaidistance s':>15} {'ratio':>9}")
    for samples, runs in (*SIZES, *LARGE):
        a, b = (staircase(draw, samples, runs) for _ in range(2))
        seconds, result = best_seconds(partial(warp, a, b))
        line = f"{samples:>9} {runs:>6} {seconds:>10.5f}"
        if (samples, runs) in LARGE:
            print(f"{line} {'-':>15} {'-':>9}")
            continue
        slow, other = best_seconds(by_dtaidistance(a, b), rounds=1 if samples > 2_000 else 3)
        if result != other:
            sys.exit(f"the engines differ at {samples} samples: {result} and {other}")
        print(f"{line} {slow:>15.5f} {slow / seconds:>9.0f}")


if __name__ == "__main__":
    main()
