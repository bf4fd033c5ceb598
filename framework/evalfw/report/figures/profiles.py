"""Profiles as figures: two regimes of memory, and how two profiles are aligned (paper A, figures 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from evalfw.domain.profile import MemoryProfile, Series
from evalfw.report.cells import condition
from evalfw.report.cohorts import CohortRows, cohorts, divergence
from evalfw.report.conditions import CONDITION
from evalfw.report.curves import TOLERANCE, at, read_series, staircase
from evalfw.report.figures.curves import aligned, regimes
from evalfw.report.figures.figure import Absent, Figure, Row, specification
from evalfw.report.runs import Run
from evalfw.store.run import RunStore

SAMPLES: Final = 200
LINKS: Final = 30
SHIFT: Final = 1.25

# In shares of a panel: ends of curves that are so close have no room for two names; names stay so far from its left.
_CLOSE: Final = 0.12
_ASIDE: Final = 0.06

_REGIMES = {"name": "profiles", "title": "Divergent and consistent memory profiles", "source": "paper A, figure 1"}
_ALIGNMENT = {"name": "alignment", "title": "Alignment of two memory profiles", "source": "paper A, figure 2"}
_NEEDED = "It takes correct solutions of one problem with memory profiles and the metric `dmpd`"


@dataclass(frozen=True, slots=True)
class _Regime:
    """A cohort on the test that shows it best: its profiles by index, and the pair of them that differs most."""

    cohort: CohortRows
    column: str
    test: str
    profiles: dict[int, Series]
    pair: tuple[int, int]
    value: float

    @property
    def name(self) -> str:
        about = condition(self.cohort.problem, ("temperature", "profiler", "size"))
        parts = (self.cohort.problem["problem"], self.cohort.problem["model"], about, f"test {self.test}")
        return ", ".join(filter(None, parts))


def profile_figures(runs: Sequence[Run]) -> list[Figure | Absent]:
    """Paper A, figures 1 and 2: the most divergent and the most consistent cohort, and the most divergent pair.

    Args:
        runs: Finished runs, whose directories are there.
    """
    with ExitStack() as stack:
        ranked = _ranked(runs)
        needed = {each.run.name: each.run.directory for each in ranked}
        stores = {name: stack.enter_context(RunStore.read(directory)) for name, directory in needed.items()}
        divergent = next((found for each in ranked if (found := _regime(each, stores, most=True))), None)
        if divergent is None:
            reason = f"No two different memory profiles of correct solutions. {_NEEDED}."
            return [Absent(**_REGIMES, reason=reason), Absent(**_ALIGNMENT, reason=reason)]
        profiler = divergent.cohort.problem["profiler"]
        others = [
            each for each in reversed(ranked) if each.problem["profiler"] == profiler and each is not divergent.cohort
        ]
        consistent = next((found for each in others if (found := _regime(each, stores, most=False))), None)
    if consistent is None:
        reason = f"Only one cohort has memory profiles that rise: there is none to set against it. {_NEEDED}, twice."
        return [Absent(**_REGIMES, reason=reason), _alignment(divergent)]
    return [_regimes(divergent, consistent), _alignment(divergent)]


def _ranked(runs: Sequence[Run]) -> list[CohortRows]:
    """Cohorts whose divergence is known, the largest first; of equals, those with more different programs last."""
    found: list[tuple[float, int, int, CohortRows]] = []
    for cohort in (each for run in runs if run.tables.get("executions") for each in cohorts(run)):
        column = divergence(cohort.compared())
        value = cohort.problem.get(column) if column and column.rpartition(":")[2] == "dmpd" else None
        if value is not None:
            found.append((-value, cohort.problem["distinct"], len(found), cohort))
    return [cohort for *_, cohort in sorted(found, key=lambda each: each[:3])]


def _regime(cohort: CohortRows, stores: dict[str, RunStore], *, most: bool) -> _Regime | None:
    """A cohort on the test where its pairs differ most, or least; None where there is nothing to see.

    Where nothing rises all are alike, which is no consistency to show.
    """
    rising = any if most else all
    column = divergence(cohort.compared())
    assert column is not None  # it is ranked by it
    means = {test: mean for test in cohort.profiles if (mean := cohort.mean(column, test)) is not None}
    for test in sorted(means, key=lambda test: means[test], reverse=most):
        profiles = dict(_profiles(cohort, test, stores[cohort.run.name]))
        index = {row["solution"]: row["index"] for row in cohort.correct}
        values = {
            (index[a], index[b]): row[column]
            for (a, b), row in cohort.pairs[test].items()
            if row.get(column) is not None and {index[a], index[b]} <= profiles.keys()
        }
        if values and rising(profile.peak for profile in profiles.values()):
            pair = max(values, key=lambda pair: values[pair])
            return _Regime(cohort, column, test, profiles, pair, values[pair])
    return None


def _profiles(cohort: CohortRows, test: str, store: RunStore) -> Iterator[tuple[int, Series]]:
    for row in cohort.correct:
        key = cohort.executions[row["index"]]["profiles"].get(test)
        profile = None if key is None else read_series(store, key)
        if isinstance(profile, MemoryProfile) and profile.kind == MemoryProfile.kind:
            yield row["index"], profile


def _regimes(divergent: _Regime, consistent: _Regime) -> Figure:
    rows = [*_curves("divergent", divergent), *_curves("consistent", consistent)]
    numbers = "; ".join(
        f"{name}: {each.name}, {each.column} of the problem {each.cohort.problem[each.column]:.3g},"
        f" largest of a pair {each.value:.3g} (#{each.pair[0]} and #{each.pair[1]})"
        for name, each in (("left", divergent), ("right", consistent))
    )
    return Figure(
        **_REGIMES,
        caption=(
            "Monotonic peak profiles of the correct solutions of two cohorts: that with the largest divergence, on the"
            " test where its pairs differ most, and that with the smallest of those that all rise, on the test where"
            f" they differ least; both by one profiler. {numbers[0].upper()}{numbers[1:]}. The pair that differs most"
            " is picked out: solid and dashed. Divergence is of shapes, each scaled to its peak: consistent ones can"
            " have different peaks. The axes of the two differ. Curves are within "
            f"{100 * TOLERANCE:g} % of the peak and of the length."
        ),
        description=(
            "Two panels of staircases, bytes against executed lines. "
            f"On the left {_peaks(divergent)}; on the right {_peaks(consistent)}."
        ),
        rows=rows,
        spec=specification(regimes(rows, [*_names("divergent", divergent), *_names("consistent", consistent)])),
    )


def _peaks(regime: _Regime) -> str:
    peaks = [profile.peak for profile in regime.profiles.values()]
    problem = regime.cohort.problem["problem"]
    return f"{len(peaks)} solutions of {problem} with peaks from {min(peaks):,} to {max(peaks):,} bytes"


def _about(regime: _Regime) -> dict[str, Any]:
    row = regime.cohort.problem
    return {"run": regime.cohort.run.name, **{name: row[name] for name in (*CONDITION, "problem")}, "test": regime.test}


def _role(regime: _Regime, index: int) -> str:
    return "a" if index == regime.pair[0] else "b" if index == regime.pair[1] else "other"


def _curves(panel: str, regime: _Regime) -> Iterator[Row]:
    for index, profile in regime.profiles.items():
        steps = [(step.start, step.value) for step in staircase(profile)]
        for line, value in (*steps, (profile.length, profile.runs[-1][0])):
            yield {
                **{"panel": panel, **_about(regime), "index": index, "solution": f"#{index}"},
                **{"role": _role(regime, index), "executed_lines": line, "bytes": value},
            }


def _names(panel: str, regime: _Regime) -> Iterator[Row]:
    """Where the names of the picked pair stand: at their ends, or where these are close, at the widest gap."""
    ends = [regime.profiles[index].length for index in regime.pair]
    curves = [staircase(regime.profiles[index]) for index in regime.pair]
    values = [curve[-1].value for curve in curves]
    upper: int | None = None
    width, height = (max(getattr(each, of) for each in regime.profiles.values()) for of in ("length", "peak"))
    if hypot((ends[0] - ends[1]) / width, (values[0] - values[1]) / height) <= _CLOSE:
        places = [min(ends) * part // 60 for part in range(1, 60)]
        best = max(places, key=lambda place: abs(at(curves[0], place).value - at(curves[1], place).value))
        ends, values = [best, best], [at(curve, best).value for curve in curves]
        upper = 0 if values[0] >= values[1] else 1
    ends = [max(end, round(_ASIDE * width)) for end in ends]
    for k, index in enumerate(regime.pair):
        yield {
            **{"panel": panel, "role": _role(regime, index), "text": f"#{index}"},
            **{"place": "above" if upper in (None, k) else "below", "executed_lines": ends[k], "bytes": values[k]},
        }


def _alignment(regime: _Regime) -> Figure:
    from dtaidistance import dtw
    from numpy import array

    a, b = (_samples(regime.profiles[index]) for index in regime.pair)
    one, two = (array([share for _, share in samples]) for samples in (a, b))
    _, costs = dtw.warping_paths_fast(one, two, inner_dist="euclidean", use_pruning=False)
    path = dtw.best_path(costs)
    picked = [path[k * (len(path) - 1) // max(1, LINKS - 1)] for k in range(LINKS)] if len(path) > LINKS else path
    rows: list[Row] = []
    for role, index, samples in zip("ab", regime.pair, (a, b), strict=True):
        about = {"part": "curve", "solution": f"#{index}", "role": role}
        for x, y in (*samples, (1.0, samples[-1][1])):
            rows.append({**about, "share_of_run": x, "share_of_peak": y, "to_run": None, "to_peak": None})
    for i, j in picked:
        link = {"part": "link", "solution": None, "role": None}
        start = {"share_of_run": a[i][0], "share_of_peak": a[i][1]}
        rows.append({**link, **start, "to_run": b[j][0], "to_peak": b[j][1]})
    first, second = (f"#{index}" for index in regime.pair)
    return Figure(
        **_ALIGNMENT,
        caption=(
            f"Dynamic time warping of the unit-peak profiles of {first} (above, shifted up) and {second} (below): "
            f"{regime.name}, {regime.column} {regime.value:.4g}, the largest of this cohort, which differs most. "
            "Links join steps that are matched: one that leans costs nothing, a difference in height does. "
            f"Drawn from at most {SAMPLES} samples of each; the number is exact."
        ),
        description=(
            f"Two staircases from 0 to 1, one above the other, with {len(picked)} links between them. "
            f"{_size(regime, 0)}, {_size(regime, 1)}."
        ),
        rows=rows,
        spec=specification(aligned(rows, SHIFT, (first, second))),
    )


def _size(regime: _Regime, which: int) -> str:
    index = regime.pair[which]
    profile = regime.profiles[index]
    return f"#{index} has {profile.length:,} steps and a peak of {profile.peak:,} bytes"


def _samples(profile: Series) -> list[tuple[float, float]]:
    """Unit-peak samples at even distances, with their places in the run as a share of it."""
    count = min(SAMPLES, profile.length)
    steps = staircase(profile, tolerance=0)
    places = [k * (profile.length - 1) // max(1, count - 1) for k in range(count)]
    return [(place / profile.length, at(steps, place).value / (profile.peak or 1)) for place in places]
