"""The commands about a single dataset."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalfw.errors import InputError, near

if TYPE_CHECKING:
    from evalfw.config.experiment import Bounds
    from evalfw.contracts import Dataset
    from evalfw.domain.problem import Problem
    from evalfw.registry.setup import Configured

app = typer.Typer(name="dataset", help="Look at a dataset, and check it.", no_args_is_help=True, rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of a dataset plugin, or `./file.py:Class`.")]
PathOption = Annotated[str | None, typer.Option("--path", help="The same as `--option path=...`, taken as it is.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the plugin; the value as in YAML. Repeatable."),
]


@app.command()
def show(
    name: Name,
    problem: Annotated[
        str | None, typer.Argument(metavar="ID", help="Id of a problem, or the beginning of one.")
    ] = None,
    path: PathOption = None,
    option: Options = None,
    prompt: Annotated[bool, typer.Option("--prompt", help="Also the prompt, as it is sent.")] = False,
    solutions: Annotated[bool, typer.Option("--solutions", help="Also the accepted solutions.")] = False,
) -> None:
    """Print a problem for a person to read; without ID, list the problems with their flags."""
    from evalfw.cli import problems as view
    from evalfw.pipeline.plan import problems

    dataset = _dataset(name, path, option)
    if problem is None:
        view.print_problems(list(problems(dataset)))
    else:
        found = _find(dataset, problem)
        view.print_problem(found)
        if prompt:
            view.print_text("prompt", dataset.component.prompt(found))
        for solution in found.solutions if solutions else ():
            view.print_text(f"solution {solution.name}", solution.code)
    _print_notes(dataset)


@app.command()
def check(
    name: Name,
    path: PathOption = None,
    option: Options = None,
    out: Annotated[Path | None, typer.Option(help="Write the problems to leave out, for the option `exclude`.")] = None,
    require: Annotated[
        str, typer.Option(help="any or all: the solutions that have to pass for a problem to stay.")
    ] = "any",
    solutions: Annotated[int | None, typer.Option(min=1, help="At most this many solutions a problem.")] = None,
    time: Annotated[str | None, typer.Option(help="Time limit. Default: the problem's own, else 10s.")] = None,
    memory: Annotated[str | None, typer.Option(help="Memory limit. Default: the problem's own, else 1GiB.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes at work. Default: usable CPUs.")] = None,
    site_packages: Annotated[
        bool, typer.Option("--site-packages", help="Let solutions import what is installed beside evalfw.")
    ] = False,
) -> None:
    """Run the accepted solutions over all tests, and print which fail and why."""
    from evalfw.cli import problems as view
    from evalfw.cli.console import ProgressBars, ProgressLines
    from evalfw.hookspecs import StageAdvanced, StageStarted
    from evalfw.pipeline.check import check_solutions, exclusions, write_exclusions
    from evalfw.pipeline.plan import problems
    from evalfw.pipeline.run import usable_cpus
    from evalfw.pipeline.workers import Workers

    if require not in ("any", "all"):
        raise InputError(f"there is no requirement '{require}'{near(require, ('any', 'all'))}")
    bounds = _bounds({"time": time, "memory": memory})
    dataset = _dataset(name, path, option)
    everything = list(problems(dataset))
    progress = ProgressBars() if sys.stderr.isatty() else ProgressLines()

    def advanced(done: int, total: int) -> None:
        if done:
            progress.evalfw_stage_advanced(StageAdvanced("judge", done, total))
        else:
            progress.evalfw_stage_started(StageStarted("judge", total, 0))

    try:
        with Workers(workers or usable_cpus(), site_packages) as pool:
            checked = check_solutions(everything, pool, bounds, solutions, advanced)
    finally:
        progress.close()
    excluded = exclusions(checked, "all" if require == "all" else "any")
    view.print_check(everything, checked, excluded)
    if out is not None:
        write_exclusions(out, excluded)
        typer.echo(
            f"written to {out}: {view.counted(len(excluded), 'problem')}; name it with `exclude:` in an experiment"
        )
    _print_notes(dataset)


def _dataset(name: str, path: str | None, options: list[str] | None) -> Configured[Dataset[Any]]:
    from evalfw.config.document import parse
    from evalfw.registry.catalog import Catalog
    from evalfw.registry.setup import configure

    lines = [] if path is None else [f"path: {json.dumps(path, ensure_ascii=False)}"]
    for option in options or ():
        key, equals, value = option.partition("=")
        if not equals or not re.fullmatch(r"\w+", key):
            raise InputError(f"--option {option}: KEY=VALUE is needed")
        lines.append(f"{key}: {value}")
    document = parse(Path("--option"), "\n".join(lines) or "{}")
    return configure(Catalog.scan(), "dataset", name, document, Path())


def _bounds(given: dict[str, str | None]) -> Bounds:
    from pydantic import ValidationError

    from evalfw.config.experiment import Bounds

    try:
        return Bounds.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        raise InputError(
            f"--{wrong['loc'][0]} {wrong['input']}: {wrong['msg'].removeprefix('Value error, ')}"
        ) from error


def _find(dataset: Configured[Dataset[Any]], name: str) -> Problem:
    from difflib import get_close_matches

    from evalfw.pipeline.plan import problems

    known, alike = [], []
    for problem in problems(dataset):
        if problem.id == name:
            return problem
        known.append(problem.id)
        if problem.id.startswith(name):
            alike.append(problem)
    if len(alike) == 1:
        return alike[0]
    close = [problem.id for problem in alike[:10]] or (
        known if len(known) <= 20 else get_close_matches(name, known, n=5, cutoff=0.3)
    )
    kind = "several problems begin with" if alike else "there is no problem"
    raise InputError(f"dataset '{dataset.label}': {kind} '{name}'{near(name, close)}")


def _print_notes(dataset: Configured[Dataset[Any]]) -> None:
    for note in dataset.component.notes:
        typer.echo(f"dataset '{dataset.label}': {note}", err=True)
