"""The commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from evalfw._version import __version__
from evalfw.cli import analysing, comparing, dataset, reporting, stages
from evalfw.cli.importing import import_
from evalfw.cli.leaving import leave
from evalfw.cli.outlook import plan
from evalfw.cli.targets import RunDirectory, find_run
from evalfw.errors import EvalfwError, InputError, near

app = typer.Typer(
    name="evalfw",
    help="Measures how LLM-generated code behaves once it is correct.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (stages.run, plan, stages.generate, stages.judge, stages.profile, stages.measure):
    app.command()(command)
app.add_typer(dataset.app)
app.command("import")(import_)
app.command()(reporting.report)
app.command()(reporting.figures)
app.command()(reporting.tables)
app.command()(comparing.ablation)
app.command()(comparing.compare)
app.command()(analysing.contest)
app.command()(analysing.associate)
app.command()(analysing.correlate)
app.command()(analysing.breakdown)
app.command()(analysing.reliability)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evalfw {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
]


@app.callback()
def _root(version: Version = False) -> None:
    pass


@app.command()
def show(
    run: RunDirectory,
    table: Annotated[
        str | None,
        typer.Option(
            help="conditions, problems, solutions, pairs, profiles, canonical, buckets, traits, sampling or excluded."
        ),
    ] = None,
) -> None:
    """Print the results of a run: the summary, or one table whole."""
    from evalfw.cli.summary import print_summary, print_table
    from evalfw.report.frames import TABLES, frame, read_tables
    from evalfw.store.run import RunStore

    directory = find_run(run)
    with RunStore.read(directory) as store:
        tables = read_tables(store)
    if table is None:
        print_summary(tables, directory)
    elif table in TABLES:
        print_table(tables[table], frame(table, tables[table]).columns)
    else:
        raise InputError(f"there is no table '{table}'{near(table, TABLES)}")


@app.command()
def export(
    run: RunDirectory,
    out: Annotated[Path, typer.Option(help="Folder for the files.")],
    format: Annotated[str, typer.Option(help="csv, parquet or jsonl.")] = "csv",
) -> None:
    """Write the tables of a run to files; with jsonl also the completions, as `replay` reads them."""
    from evalfw.report.frames import FORMATS
    from evalfw.report.frames import export as export_tables
    from evalfw.store.run import RunStore

    if format not in FORMATS:
        raise InputError(f"there is no format '{format}'{near(format, FORMATS)}")
    with RunStore.read(find_run(run)) as store:
        for path in export_tables(store, format, out):
            typer.echo(path)


@app.command()
def plugins(
    kind: Annotated[
        str | None, typer.Argument(help="dataset, model, profiler, metric, importer or plugin. Default: all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if a plugin cannot be loaded.")] = False,
) -> None:
    """List installed plugins with their options, and what is wrong with those that cannot be loaded."""
    from evalfw.cli.listing import print_listing
    from evalfw.registry.catalog import KINDS, Catalog
    from evalfw.registry.inventory import inventory

    chosen = [name for name in KINDS if kind in {None, name, f"{name}s"}]
    if not chosen:
        raise InputError(f"there is no kind '{kind}'{near(str(kind), KINDS)}")
    catalog = Catalog.scan()
    entries = [entry for entry in inventory(catalog) if entry["kind"] in chosen]
    if as_json:
        typer.echo(json.dumps(entries, indent=2))
    else:
        print_listing(entries)
    for line in catalog.malformed:
        typer.echo(f"evalfw: {line}", err=True)
    if check and any(entry["error"] for entry in entries):
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Say how well programs can be isolated on this machine, and what would raise that."""
    from evalfw.cli.doctor import print_diagnosis
    from evalfw.domain.isolation import LEVELS
    from evalfw.sandbox.levels import RAISE, attempt, best, isolation

    level = best()
    refused = [attempt(better) for better in LEVELS[: LEVELS.index(level)]]
    print_diagnosis(refused, isolation(level, None), RAISE)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the experiment file, with the options of every installed plugin."""
    from evalfw.registry.catalog import Catalog
    from evalfw.registry.inventory import schema as whole_schema

    typer.echo(json.dumps(whole_schema(Catalog.scan()), indent=2))


def main() -> None:
    """Run the command line; every error that is raised on purpose becomes a message and an exit code."""
    try:
        _dispatch(sys.argv[1:])
    except EvalfwError as error:
        typer.echo(f"evalfw: {error}", err=True)
        leave(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("evalfw: interrupted", err=True)
        leave(130)


def _dispatch(arguments: list[str]) -> None:
    """Call a built-in command or, for a name that is none, ask the installed plugins for it."""
    name = arguments[0] if arguments else ""
    known = list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    if not name or name.startswith("-") or name in known:
        app()
        return
    from evalfw.registry.commands import plugin_commands

    commands = plugin_commands()
    if name not in commands:
        raise InputError(f"there is no command '{name}'{near(name, [*known, *commands])}")
    commands[name](args=arguments[1:], prog_name=f"evalfw {name}")
