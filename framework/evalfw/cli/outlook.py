"""The command that says what a run would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from evalfw.cli.cautions import warn_of_interpreter
from evalfw.cli.targets import ExperimentFile, Out, load_plan

if TYPE_CHECKING:
    from evalfw.config.experiment import Sampling
    from evalfw.pipeline.outlook import Outlook, Requests


def plan(experiment: ExperimentFile, out: Out = None) -> None:
    """Validate an experiment and print what a run would do, without doing any of it."""
    from evalfw.cli.summary import print_table
    from evalfw.pipeline.outlook import outlook
    from evalfw.registry.hooks import Listeners

    plan_, directory = load_plan(experiment, out, Listeners())
    warn_of_interpreter(plan_, directory)
    coming, sampling = outlook(plan_, directory), plan_.setup.experiment.sampling
    typer.echo(f"{plan_.setup.experiment.name}, in {directory}\n")
    print_table(
        [
            {
                "dataset": condition.dataset,
                "model": condition.model,
                "temperature": condition.temperature,
                "profiler": condition.profiler or None,
                "size": condition.size,
                "problems": len(plan_.of_dataset(condition.dataset)),
                "samples": sampling.n if sampling.until is None else f"{sampling.until.correct}-{sampling.until.max}",
            }
            for condition in plan_.conditions
        ],
        ("dataset", "model", "temperature", "profiler", *(["size"] if plan_.sizes else []), "problems", "samples"),
    )
    tests = [len(s.public) + len(s.private) for s in plan_.subjects]
    typer.echo(f"\ntests        {sum(tests)} over {len(tests)} problems")
    if plan_.setup.experiment.tests.generated:
        generated = plan_.setup.experiment.tests.generated
        having = sum(s.problem.generator is not None for s in plan_.subjects)
        typer.echo(
            f"buckets      {coming.buckets - coming.buckets_stored} to fill, {coming.buckets_stored} stored:"
            f" {generated.per_size} tests of each size; problems with a generator: {having}"
        )
    typer.echo(f"completions  {_range(coming.least, coming.most)} to sample, {coming.stored} stored")
    for requests in coming.requests:
        if not requests.free:
            typer.echo(f"requests     {requests.model}: {_requests(requests)}")
    if sampling.max_cost is not None or sampling.max_requests is not None:
        typer.echo(f"budget       {_budget(sampling, coming)}")
    typer.echo(
        f"executions   at most {coming.executions_at_most} in all, if every completion is a different correct"
        f" program; {coming.verdicts_stored} verdicts and {coming.profiles_stored} profiles are stored"
    )
    typer.echo("plugins      " + ", ".join(str(plugin) for plugin in plan_.setup.loaded()))


def _requests(requests: Requests) -> str:
    parts = [f"{_range(requests.least, requests.most)} to send, {requests.stored} answered"]
    if requests.cost_at_most is not None:
        parts.append(f"at most {_amount(requests.cost_at_most)}")
    if requests.cost_about is not None:
        parts.append(f"about {_amount(requests.cost_about)} at the mean cost of those that are stored")
    return "; ".join(parts)


def _budget(sampling: Sampling, coming: Outlook) -> str:
    parts = []
    if sampling.max_cost is not None:
        parts.append(f"max_cost {_amount(sampling.max_cost)}, of which {_amount(coming.spent)} is spent")
    if sampling.max_requests is not None:
        parts.append(f"max_requests {sampling.max_requests}, of which {coming.requests_stored} are used")
    return "; ".join(parts)


def _range(least: int, most: int) -> str:
    return str(most) if least == most else f"{least} to {most}"


def _amount(cost: float) -> str:
    """An amount of money: two places, or as many as it takes to see anything of a small one."""
    return f"{cost:.2f}" if cost == 0 or cost >= 0.1 else f"{cost:.2g}"
