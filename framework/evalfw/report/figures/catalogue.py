"""All figures, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evalfw.report.figures.figure import Absent, Figure
from evalfw.report.figures.forest import ablation_forest
from evalfw.report.figures.lines import mis_by_size, mis_by_temperature
from evalfw.report.figures.mis import mis_by_model
from evalfw.report.figures.passing import pass_against_mis
from evalfw.report.figures.peaks import dmpd_against_npd
from evalfw.report.figures.profiles import profile_figures
from evalfw.report.figures.runtime import runtime_figures
from evalfw.report.figures.similarity import similarity_heatmaps
from evalfw.report.figures.success import pass_by_kind
from evalfw.report.figures.violins import association_violins
from evalfw.report.runs import Run


@dataclass(frozen=True, slots=True)
class Group:
    """Figures that answer one question.

    Args:
        title: What they are about.
        figures: Those that can be drawn.
        absent: Those that cannot.
    """

    title: str
    figures: Sequence[Figure]
    absent: Sequence[Absent]


_GROUPS: Final[Sequence[tuple[str, Sequence[Callable[[Sequence[Run]], Sequence[Figure | Absent]]]]]] = (
    ("Stability of correct solutions", (pass_against_mis, mis_by_model)),
    ("Memory profiles", (profile_figures,)),
    ("Temperature", (mis_by_temperature,)),
    ("Size of inputs", (mis_by_size,)),
    ("Settings of the profiler", (ablation_forest,)),
    ("Stability against other measures", (dmpd_against_npd, association_violins, similarity_heatmaps)),
    ("Correctness by kind of problem", (pass_by_kind,)),
    ("Run time", (runtime_figures,)),
)


def figures(runs: Sequence[Run]) -> list[Group]:
    """Every figure of these runs, group by group, and why the others cannot be drawn."""
    groups = []
    for title, functions in _GROUPS:
        found = [each for function in functions for each in function(runs)]
        groups.append(
            Group(
                title,
                [each for each in found if isinstance(each, Figure)],
                [each for each in found if isinstance(each, Absent)],
            )
        )
    return groups
