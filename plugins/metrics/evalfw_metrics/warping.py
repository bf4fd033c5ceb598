"""Dynamic time warping of two series that never fall: exact, in integers, without a matrix.

**What is computed.** A warping path leads from cell (1, 1) to cell (n, m) by steps (1, 0), (0, 1) and (1, 1).
It costs |a_i - b_j| for every cell (i, j) that it visits (paper A, equation 2). Of all paths the cheapest
count, and of these the shortest: its cost and its number of cells are the D(n, m) and the |π*| of equation 3.
The paper finds its path by walking back through the matrix and leaves ties open. On series that never fall, a
walk that takes the diagonal on equal costs finds a path of exactly this length, whichever of the other two
moves comes next. So the definition agrees with the usual implementations, but depends neither on rounding nor
on the order of arguments.

With M = n + m, more than any path has cells, let a cell weigh M |a_i - b_j| + 1. The least weight W of a path
holds both numbers: cost, length = divmod(W, M). From here on, all values are meant to be multiplied by M.

**Why no matrix is needed.** Line up the runs of both series by value, and cut that line wherever it changes
from one series to the other. The pieces are the *groups*: they alternate between the series, and their values
rise.

1. A best path visits only cells whose row and column lie in neighbouring groups. A piece of a path that
   strays further can be replaced by one that waits for the other series to catch up, and that weighs less.
2. So a best path is a chain through the rectangles `low` x `high` of neighbouring groups. In a rectangle all
   high values are above all low ones, and |a_i - b_j| loses its bars: each cell pays a high value and is
   refunded a low one. Say that a path enters with d low samples still to come, and that u high samples later
   it is at the last low one. Each of these samples occurs at least once; the side that has fewer must repeat
   some, and best repeats the cheapest: the first high value h where u < d, the last low value l where u > d.
   The least weight is therefore

       (sum of the u high values) - (sum of the d low values) + d + ψ(u - d),

   where ψ(x) is -h x for x < 0 and (1 - l) x for x >= 0.
3. Let F(v) be the least weight of being at the v-th sample of `low` (v = 0: still before it) and just before
   `high`. The same function for the next rectangle, whose lower group is `high`, is then

       (sum of the first u high values) + min over d of (e(d) + ψ(u - d)),
       e(d) = F(V - d) - (sum of the last d low values) + d,   V = number of low samples.

   Everything here is convex, because values never fall and l <= h. Minimising e(d) + ψ(u - d) over d, with a
   convex e and with two slopes in ψ, clips the slopes of e to [-h, 1 - l] and continues it with these slopes
   at its ends.

F is kept as a list of slopes together with its value at the right end. A rectangle then means: turn the list
round, subtract the low values, clip, add the high values. The numbers are Python's integers, so nothing
overflows.

**What it costs.** The list has at most as many slopes as the group has samples, and in practice two or three.
So the time is proportional to the number of runs plus the slopes met, and to n + m at worst.

The argument is this project's own derivation. It rests on values that never fall: for other series the
warping takes time in proportion to n m (see `dtaidistance_warping`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

Run: TypeAlias = tuple[int, int]
"""A value and for how many samples it holds, or a slope and for how many steps it holds."""


class Incomparable(ValueError):
    """Two series that an engine cannot compare exactly; the message says why, and what can."""


def warp(a: Sequence[Run], b: Sequence[Run]) -> tuple[int, int]:
    """Cost and length of the shortest of the cheapest warping paths of two series that never fall.

    Args:
        a: The runs of the first series, in order; at least one.
        b: The runs of the second.

    Returns:
        The cost, in the unit of the values, and the number of cells of the path.

    Raises:
        Incomparable: A series falls.
    """
    for runs in (a, b):
        if any(later < earlier for (earlier, _), (later, _) in pairwise(runs)):
            raise Incomparable(
                "a profile falls, and engine 'exact' compares monotone profiles (MPPs) only; "
                "engine 'dtaidistance' takes any"
            )
    unit = _length(a) + _length(b)
    groups = _groups([(value * unit, count) for value, count in a], [(value * unit, count) for value, count in b])
    weight, slopes = _first_rectangle(groups[0], groups[1])
    for low, high in pairwise(groups[1:]):
        weight, slopes = _next_rectangle(weight, slopes, low, high)
    return divmod(weight, unit)


def _groups(a: list[Run], b: list[Run]) -> list[list[Run]]:
    """The runs of both in order of value, cut wherever the series changes.

    On equal values the group goes on that is already open: the first step of the argument depends on it.
    """
    mine, theirs = (a[::-1], b[::-1]) if a[0][0] <= b[0][0] else (b[::-1], a[::-1])
    groups = []
    while mine:
        group = []
        while mine and (not theirs or mine[-1][0] <= theirs[-1][0]):
            group.append(mine.pop())
        groups.append(group)
        mine, theirs = theirs, mine
    return groups


def _first_rectangle(low: list[Run], high: list[Run]) -> tuple[int, list[Run]]:
    """F beyond the first rectangle, which every path enters before its first low sample."""
    width, first_high = _length(low), high[0][0]
    # Here e has the one point d = V. What lies left of it has the slope -h of ψ.
    weight = sum((1 - value) * count for value, count in low) + first_high * width
    return _climb(weight, [(-first_high, width)], 1 - low[-1][0], high)


def _next_rectangle(weight: int, slopes: list[Run], low: list[Run], high: list[Run]) -> tuple[int, list[Run]]:
    """From F on the low samples to F on the high ones.

    Args:
        weight: F at the last low sample, which is e(0).
        slopes: Slopes of F from right to left.
        low: The lower group.
        high: The higher group.

    Returns:
        The same two for the high samples.
    """
    steepest, flattest = -high[0][0], 1 - low[-1][0]
    clipped, kept = 0, []
    for slope, value, count in _side_by_side(slopes, reversed(low)):
        turned = 1 - slope - value
        if turned >= flattest:
            break
        if turned < steepest:
            weight += (turned - steepest) * count
            clipped += count
        else:
            kept.append((turned, count))
    # Where slopes are clipped at the left, what stands for u = 0 is less than F(0). It is never looked at: the step
    # from u = 0 to 1 has slope -h + h = 0, is turned into 1 - h >= 1 - l, and ends the loop above.
    return _climb(weight, [(steepest, clipped), *kept] if clipped else kept, flattest, high)


def _climb(weight: int, slopes: list[Run], last_slope: int, high: list[Run]) -> tuple[int, list[Run]]:
    """Add the high values, left to right, to a function that starts at `weight` and goes on with `last_slope`."""
    climbed = []
    for slope, value, count in _side_by_side([*slopes, (last_slope, _length(high))], high):
        weight += (slope + value) * count
        climbed.append((slope + value, count))
    climbed.reverse()
    return weight, climbed


def _side_by_side(left: Iterable[Run], right: Iterable[Run]) -> Iterator[tuple[int, int, int]]:
    """The values of two lists of runs with the number of steps for which both hold, until one list ends."""
    lefts, rights = iter(left), iter(right)
    x = y = left_count = right_count = 0
    while True:
        if not left_count:
            x, left_count = next(lefts, (0, 0))
        if not right_count:
            y, right_count = next(rights, (0, 0))
        count = min(left_count, right_count)
        if not count:
            return
        yield x, y, count
        left_count -= count
        right_count -= count


def _length(runs: Iterable[Run]) -> int:
    return sum(count for _, count in runs)
