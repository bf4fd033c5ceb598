"""The bundled problems, with accepted solutions whose memory behaviour differs.

Each problem is a folder of `problems/`: `statement.md`, `problem.py` (its `Recipe`) and `solutions/*.py`. The
recipes are ours and run here; the solutions are only read as text, as those of any other dataset. For tests by size
the text of a recipe is its generator, which runs in the sandbox as any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from evalfw import AcceptedSolution, Dataset, InputError, Options, Problem, RunStyle, Stdin, near
from evalfw_datasets.starter.generating import generator

if TYPE_CHECKING:
    from evalfw_datasets.starter.recipe import Recipe

_PROBLEMS = files(__name__) / "problems"


class StarterOptions(Options):
    """Which of the bundled problems, and which private tests."""

    level: Literal["medium", "easy"] = Field(default="medium", description="Which set: `easy` is for small models.")
    problems: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None, description="Ids of the problems to use; all of the level if not given."
    )
    seed: int = Field(default=0, description="Decides the inputs of the private tests.")


class Starter(Dataset[StarterOptions]):
    """Small problems, each with three public and ten private tests of growing size: fourteen, and six easy ones.

    Of the fourteen, seven read standard input, seven are a method of `class Solution`; the easy ones are functions.
    Needs no network and no download.
    """

    def problems(self) -> Iterable[Problem]:
        """The chosen problems by id, each with its accepted solutions in order of their file names.

        Raises:
            InputError: The option `problems` names one that the level does not have.
        """
        level = self.options.level
        names = sorted(entry.name for entry in _PROBLEMS.iterdir() if (entry / "statement.md").is_file())
        known = [name for name in names if _recipe(name).level == level]
        chosen = known if self.options.problems is None else self.options.problems
        for name in chosen:
            if name not in known:
                raise InputError(f"level '{level}' of the starter dataset has no problem {name!r}{near(name, known)}")
        return (self._problem(name) for name in known if name in chosen)

    def _problem(self, name: str) -> Problem:
        recipe = _recipe(name)
        folder = _PROBLEMS / name
        sources = sorted(
            (entry for entry in (folder / "solutions").iterdir() if entry.name.endswith(".py")),
            key=lambda entry: entry.name,
        )
        return Problem(
            id=name,
            statement=(folder / "statement.md").read_text(encoding="utf-8"),
            tests=tuple(recipe.tests(f"{self.options.seed}/{name}")),
            style=recipe.style,
            checker=recipe.checker,
            solutions=tuple(
                AcceptedSolution(entry.name.removesuffix(".py"), entry.read_text(encoding="utf-8")) for entry in sources
            ),
            starter_code=recipe.starter_code,
            traits={"title": recipe.title, "topic": recipe.topic, "kind": _kind(recipe.style)},
            generator=generator((folder / "problem.py").read_text(encoding="utf-8")),
        )


def _recipe(name: str) -> Recipe[object]:
    recipe: Recipe[object] = import_module(f"{__name__}.problems.{name}.problem").RECIPE
    return recipe


def _kind(style: RunStyle) -> str:
    return "program" if isinstance(style, Stdin) else "method"
