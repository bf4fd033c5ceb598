"""Dynamic time warping by the library dtaidistance, within the limits in which its floats are exact.

The library is fed whole numbers, and every sum it can form stays below 2^53, so that no comparison is decided
by rounding. (On unit-peak floats, rounding breaks exact ties and changes the path length in about one pair of
a hundred.)

Of its many routes only these two keep the L1 cost and its exactness:

- for series that never fall, the matrix of `warping_paths_fast` and a walk back that prefers the diagonal
  (`best_path`), which gives the shortest of the cheapest paths (see `warping`);
- for others, where that walk may miss the shortest path, `distance_fast` with a penalty of 1 on every step
  that is not diagonal and values multiplied by n + m. A path of L cells has 2 L - n - m such steps, so both
  the cost and the least L can be read off the one number it returns.

`warping_path_fast` and `warping_path(use_c=True)` drop `inner_dist` and compare squares; `best_path2` breaks
ties another way; pruning ignores penalties and, in the matrix, uses a bound for squares; a
`dtw_cc.warping_path` that runs out of memory ends the process. None of them is used. (dtaidistance 2.5.1)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from evalfw_metrics.warping import Incomparable, Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_CELLS = 4_000_000
"""Largest n m: the matrix takes 8 bytes a cell."""

EXACT = 2**53
"""Below it every whole number is a float."""


def warp(a: Sequence[Run], b: Sequence[Run]) -> tuple[int, int]:
    """Cost and length of the shortest of the cheapest warping paths of any two series.

    Args:
        a: The runs of the first series, in order; at least one.
        b: The runs of the second.

    Returns:
        The cost, in the unit of the values, and the number of cells of the path: the same as `warping.warp`.

    Raises:
        Incomparable: The pair is too large to be compared exactly.
    """
    from dtaidistance import dtw

    n, m = (sum(count for _, count in runs) for runs in (a, b))
    instead = "engine 'exact' has no limit, but takes monotone profiles only"
    if n * m > MAX_CELLS:
        raise Incomparable(f"{n} x {m} samples are over the {MAX_CELLS} cells of engine 'dtaidistance'; {instead}")
    highest = max(value for value, _ in (*a, *b))
    if (n + m) * highest >= EXACT:
        raise Incomparable(
            f"{n} + {m} samples on a scale of {highest} can need sums of 2^53 or more, "
            f"where the floats of engine 'dtaidistance' are not exact; {instead}"
        )
    x, y = _array(a), _array(b)
    if _never_falls(a) and _never_falls(b):
        cost, matrix = dtw.warping_paths_fast(x, y, inner_dist="euclidean", use_pruning=False)
        return int(cost), len(dtw.best_path(matrix))
    both = int(dtw.distance_fast((n + m) * x, (n + m) * y, inner_dist="euclidean", penalty=1, use_pruning=False))
    # Sums grow along a path: one that ends below 2^53 was exact all the way, and so was every cheaper one.
    if both >= EXACT:
        raise Incomparable(
            f"the costs of {n} x {m} samples that rise and fall on a scale of {highest} reach 2^53, "
            "where the floats of engine 'dtaidistance' are not exact"
        )
    cost, sideways = divmod(both, n + m)
    return cost, (sideways + n + m) // 2


def _array(runs: Sequence[Run]) -> NDArray[np.float64]:
    import numpy as np

    values, counts = zip(*runs, strict=True)
    return np.repeat(np.array(values, dtype=np.float64), counts)


def _never_falls(runs: Sequence[Run]) -> bool:
    return all(earlier <= later for (earlier, _), (later, _) in pairwise(runs))
