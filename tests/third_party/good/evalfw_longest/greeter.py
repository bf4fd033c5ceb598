"""A hook plugin: watches a run, adds to its summary and to the command line."""

import typer

from evalfw import CompletionStored, Judged, Request, RunFinished, Section, hookimpl

seen: list[str] = []


@hookimpl
def evalfw_completion_stored(event: CompletionStored) -> None:
    seen.append(event.completion.text)


@hookimpl
def evalfw_judged(event: Judged) -> None:
    raise RuntimeError("a plugin that fails harms nobody")


@hookimpl
def evalfw_prompt(request: Request) -> str:
    return request.prompt + "Be brief.\n"


@hookimpl
def evalfw_report_section(event: RunFinished) -> Section:
    return Section("Greetings", f"{len(seen)} new completions, {len(event.tables['pairs'])} pairs")


@hookimpl
def evalfw_commands() -> dict[str, typer.Typer]:
    app = typer.Typer()

    @app.command()
    def greet(name: str) -> None:
        """Say hello."""
        typer.echo(f"hello {name}")

    return {"greet": app}
