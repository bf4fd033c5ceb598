"""The command that imports answers of models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def import_(
    form: Annotated[
        str, typer.Argument(metavar="FORM", help="Name of an importer; `evalfw plugins importer` lists them.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to convert.")],
    out: Annotated[Path, typer.Option(help="File of completions to write (JSON Lines).")],
) -> None:
    """Convert recorded answers into the form that `replay` reads, and print the entries for an experiment."""
    from evalfw.pipeline.importing import import_completions
    from evalfw.registry.catalog import Catalog
    from evalfw.registry.loading import load, locate

    name = form if form.endswith(".py") or ".py:" in form else form.replace("-", "_")
    imported = import_completions(load(locate(Catalog.scan(), "importer", name, Path())), file, out)
    typer.echo(f"{sum(imported.models.values())} completions of {len(imported.models)} models, in {out}\n")
    typer.echo("models:")
    for model, count in imported.models.items():
        named = "" if model is None else f", model: {json.dumps(model)}"
        typer.echo(f"  - {{use: replay, path: {json.dumps(str(out))}{named}}}  # {count} completions")
    known = ", ".join(str(temperature) for temperature in imported.temperatures if temperature is not None)
    typer.echo(f"sampling: {{n: {imported.samples}" + (f", temperatures: [{known}]" if known else "") + "}")
