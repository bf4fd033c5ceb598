"""How often the bootstrap interval of a mean holds the true mean, by the number of problems.

    python benchmarks/intervals.py

Draws problems from two populations whose mean is known, D_p that are log-normal with 15 % zeros and pass@1 from five
samples, and prints the share of intervals that hold it. docs/explanation/uncertainty.md has the numbers.
"""

from __future__ import annotations

import math

import numpy as np

from evalfw.statistics.intervals import Resampling, ratio_interval

PROBLEMS = (5, 14, 50, 165, 318)
REPETITIONS = 600
HOW = Resampling(resamples=2000, confidence=0.95, seed=1)

ZEROS, MEDIAN, SIGMA = 0.15, math.exp(-4), 1.2
PASSED = {0.0: 0.25, 0.2: 0.05, 0.4: 0.1, 0.6: 0.1, 0.8: 0.1, 1.0: 0.4}


def divergences(draw: np.random.Generator, n: int) -> list[float]:
    """D_p of problems."""
    values = MEDIAN * np.exp(draw.normal(0, SIGMA, n))
    return [float(value) for value in np.where(draw.random(n) < ZEROS, 0.0, values)]


def shares(draw: np.random.Generator, n: int) -> list[float]:
    """pass@1 of problems."""
    return [float(value) for value in draw.choice(list(PASSED), n, p=list(PASSED.values()))]


def main() -> None:
    """Print one line for each number of problems."""
    draw = np.random.default_rng(0)
    populations = (
        (divergences, (1 - ZEROS) * MEDIAN * math.exp(SIGMA**2 / 2)),
        (shares, sum(value * share for value, share in PASSED.items())),
    )
    print(f"{'problems':>8} {'D_p':>8} {'pass@1':>8}")
    for n in PROBLEMS:
        held = []
        for population, mean in populations:
            found = [ratio_interval([(v, 1.0) for v in population(draw, n)], HOW) for _ in range(REPETITIONS)]
            held.append(sum((each.low or 0) <= mean <= (each.high or 0) for each in found) / REPETITIONS)
        print(f"{n:>8} {held[0]:>8.0%} {held[1]:>8.0%}", flush=True)


if __name__ == "__main__":
    main()
