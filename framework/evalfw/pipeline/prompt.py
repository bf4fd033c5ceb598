"""The prompt of a problem: the dataset's own, or a template of the experiment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evalfw.contracts import Dataset
from evalfw.domain.problem import Problem
from evalfw.errors import InputError
from evalfw.registry.setup import Configured

if TYPE_CHECKING:
    from jinja2 import Template

Prompt: TypeAlias = Callable[[Configured[Dataset[Any]], Problem], str]
"""The text for a model, of a problem of a dataset."""


def prompt_of(template: Path | None) -> Prompt:
    """Where prompts come from: a Jinja2 template, or each dataset by itself.

    A template sees `problem` (an `evalfw.Problem`), `dataset` (its label) and `default` (the prompt that the dataset
    would give). A name that is not there is an error, and the text comes out as it is written: nothing is escaped, no
    newline is taken away.

    Raises:
        InputError: The template cannot be read, or is none; names file and line. So does a prompt, where the template
            cannot be filled in.
    """
    if template is None:
        return lambda dataset, problem: dataset.component.prompt(problem)
    loaded = _load(template)

    def filled(dataset: Configured[Dataset[Any]], problem: Problem) -> str:
        default = dataset.component.prompt(problem)
        try:
            return loaded.render(problem=problem, dataset=dataset.label, default=default)
        except Exception as error:  # filters and tests raise what they like
            raise InputError(
                f"{_place(error, template)}: the prompt of problem '{problem.id}' cannot be made: {error}"
            ) from error

    return filled


def _load(template: Path) -> Template:
    from jinja2 import FileSystemLoader, StrictUndefined, TemplateSyntaxError
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=FileSystemLoader(template.parent), undefined=StrictUndefined, keep_trailing_newline=True
    )
    try:
        template.read_text(encoding="utf-8")
        return environment.get_template(template.name)
    except TemplateSyntaxError as error:
        raise InputError(
            f"{error.filename or template}:{error.lineno}: not a Jinja2 template: {error.message}"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"sampling.prompt: {template} cannot be read: {error}") from error


def _place(error: BaseException, template: Path) -> str:
    """File and line that an error was raised at; Jinja2 makes tracebacks that say so, of included files too."""
    place, trace = f"{template}:1", error.__traceback__
    while trace is not None:
        if "__jinja_exception__" in trace.tb_frame.f_globals:
            place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
