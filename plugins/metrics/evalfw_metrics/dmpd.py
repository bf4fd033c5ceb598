"""Divergence in memory profile dynamics: how differently the memory of two solutions rises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import Literal, TypeAlias

from pydantic import Field

from evalfw import Cohort, Measure, Metric, Options, Series
from evalfw_metrics import dtaidistance_warping, warping
from evalfw_metrics.comparison import Compared, compare_pairs

Engine: TypeAlias = Literal["exact", "dtaidistance"]

_WARP = {"exact": warping.warp, "dtaidistance": dtaidistance_warping.warp}


@dataclass(frozen=True, slots=True)
class Divergence:
    """The DMPD of two profiles as the whole numbers that it is made of.

    Args:
        cost: D(n, m) of paper A, equation 2, in units of 1 / `scale`.
        scale: Least common multiple of the two peaks, which makes all unit-peak values whole.
        length: |π*|, the number of cells of the best warping path.
    """

    cost: int
    scale: int
    length: int

    @property
    def value(self) -> float:
        """The divergence in [0, 1] (paper A, equation 3): the float nearest to the exact ratio."""
        return self.cost / (self.scale * self.length)


def dmpd(a: Series, b: Series, engine: Engine = "exact") -> Divergence:
    """Divergence of two memory profiles after scaling both to a peak of 1 (paper A, equations 2 and 3).

    Any other two series are compared in the same way.

    A profile whose peak is 0 stays as it is. Of several cheapest warping paths the shortest counts. Note that
    the divergence sees which levels a profile passes through, not when: two profiles that both jump from 0 to
    their peak at once have divergence 0, however early or late they jump.

    Args:
        a: A profile; the order of the two is without effect.
        b: Another one, possibly of another length.
        engine: `exact` takes monotone profiles of any size. `dtaidistance` takes any profiles within the
            limits of its matrix and its floats. Where both apply, they give the same numbers.

    Raises:
        Incomparable: The engine cannot compare these two; it is a ValueError.
    """
    peaks = a.peak, b.peak
    scale = lcm(*(peak or 1 for peak in peaks))
    scaled = [
        [(value * scale // (peak or 1), count) for value, count in profile.runs]
        for profile, peak in zip((a, b), peaks, strict=True)
    ]
    cost, length = _WARP[engine](*scaled)
    return Divergence(cost, scale, length)


class DmpdOptions(Options):
    """Options of `dmpd`."""

    engine: Engine = Field(
        default="exact",
        description="`exact`: monotone profiles of any size, in integers. `dtaidistance`: any profiles, by "
        "the library of that name, up to 4 million cells. The numbers are the same.",
    )


class Dmpd(Metric[DmpdOptions]):
    """How differently the memory of two solutions rises, in [0, 1] (paper A, equations 2 to 4).

    Pairs get `dmpd` with its exact parts `dmpd_cost / (dmpd_scale * dmpd_length)`, solutions the mean over
    all their pairs and tests, the problem the mean over all pairs and tests (D_p, equation 4) and how many
    these are (w_p). A pair that the engine cannot compare is null; it is never handed to another engine. The
    cells of the results table are made by `mis`.
    """

    needs = Series

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_pairs("dmpd", cohort, Series, self._compare)

    def _compare(self, a: Series, b: Series) -> Compared:
        columns = ("dmpd", "dmpd_cost", "dmpd_scale", "dmpd_length")
        try:
            found = dmpd(a, b, self.options.engine)
        except warping.Incomparable as why:
            return dict.fromkeys(columns), str(why)
        return dict(zip(columns, (found.value, found.cost, found.scale, found.length), strict=True)), None
