"""The documentation says what the code does: fields, options, columns, hooks, commands, and examples that run."""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel

import evalfw
from evalfw import Outcome, Section, hookspecs
from evalfw.cli.app import app
from evalfw.config.experiment import Experiment, Use, load_experiment
from evalfw.pipeline.plan import Plan, make_plan
from evalfw.pipeline.run import run
from evalfw.registry.catalog import Catalog
from evalfw.registry.hooks import Listeners
from evalfw.registry.setup import assemble
from evalfw.report.figures.catalogue import figures
from evalfw.report.frames import _COLUMNS
from evalfw.report.runs import Run
from evalfw.statistics.intervals import Resampling
from evalfw.store.schema import SCHEMA
from tests.evalfw_models.server import Act, Server, error, in_order

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))

# What examples name and readers have to fetch themselves.
_ROWS = ROOT / "tests" / "evalfw_datasets" / "data"
TO_FETCH = {
    "codecontests.jsonl": _ROWS / "code_contests.jsonl",
    "bigobench.jsonl": _ROWS / "bigobench.jsonl",
    "mercury.jsonl": _ROWS / "mercury.jsonl",
    "leetcode.jsonl": _ROWS / "leetcode.jsonl",
    "space_complexity_test_set.jsonl": _ROWS / "bigobench_answered.jsonl",
    "time_complexity_test_set.jsonl": _ROWS / "bigobench_answered.jsonl",
    "bigobench-completions.jsonl": _ROWS / "bigobench_completions.jsonl",
    "SmolLM2-135M-Instruct.Q4_1.gguf": ROOT / "tests" / "evalfw_models" / "data" / "begins_as_gguf",
    # ... and what is there already.
    "starter-answers.jsonl": ROOT / "examples" / "starter-answers.jsonl",
    "prompt.j2": ROOT / "examples" / "smollm2" / "prompt.j2",
    "smollm2/completions.jsonl": ROOT / "examples" / "smollm2" / "completions.jsonl",
}

_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
# Two ways of including a file. That of a block of Python is the longer one, which formatters do not take for code.
_INCLUDE = re.compile(r'^--8<-- "([^"]+)"$|^--8<--\n(.+)\n--8<--$', re.MULTILINE)

_ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
BUNDLED = {name: target for group in _ENTRY_POINTS.values() for name, target in group.items()}


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level."""
    level = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading {heading!r}"
    return found[1]


def row(text: str, name: str) -> list[str]:
    """The cells of the row of a table that begins with this name."""
    found = re.search(rf"^\| `{re.escape(name)}` \|(.*)\|$", text, re.MULTILINE)
    assert found, f"no table has a row for {name!r}"
    return [cell.strip() for cell in found[1].split("|")]


def written(default: object) -> set[str]:
    """The forms in which a default may be written in a table."""
    if isinstance(default, bool):
        return {"`yes`" if default else "`no`"}
    if isinstance(default, list | tuple):
        return {f"`[{', '.join(map(str, default))}]`"}
    return {f"`{default}`", f"`{default}B`"}


def agree_on_fields(text: str, model: type[BaseModel]) -> None:
    """Every field of a model has a row, with its default where that is a plain value."""
    properties = model.model_json_schema()["properties"]
    for name, info in model.model_fields.items():
        cells = row(text, name)
        default = properties[name].get("default")
        if info.is_required():
            assert cells[1].startswith("required"), name
        elif isinstance(default, dict):
            assert cells[1] == "see below", name
        elif default is not None:
            assert cells[1] in written(default), f"{name}: {cells[1]}, and the default is {default!r}"


@pytest.mark.parametrize(
    ("heading", "model"),
    [("## Top level", Experiment)]
    + [
        (f"## {name}", info.annotation)
        for name, info in Experiment.model_fields.items()
        if inspect.isclass(info.annotation) and issubclass(info.annotation, BaseModel)
    ],
    ids=str,
)
def test_the_experiment_file_is_described(heading: str, model: type[BaseModel]) -> None:
    agree_on_fields(section(page("reference/experiment-file.md"), heading), model)


def test_uses_are_described() -> None:
    text = section(page("reference/experiment-file.md"), "## Uses")
    assert [name for name in Use.model_fields if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_plugin_has_a_page_with_its_options(name: str) -> None:
    text = page(f"reference/plugins/{name}.md")
    assert text.startswith(f"# {name}\n")
    assert f"{name}: reference/plugins/{name}.md" in (ROOT / "mkdocs.yml").read_text()
    module, _, attribute = BUNDLED[name].partition(":")
    options: type[BaseModel] | None = getattr(getattr(import_module(module), attribute), "options_model", None)
    if options is not None and options.model_fields:
        agree_on_fields(text, options)


def test_no_page_describes_a_plugin_that_is_not_there() -> None:
    assert {path.stem for path in (DOCS / "reference" / "plugins").glob("*.md")} == set(BUNDLED)


@pytest.mark.parametrize("hook", [name for name in vars(hookspecs.Hooks) if name.startswith("evalfw_")])
def test_a_hook_is_described_with_its_event(hook: str) -> None:
    text = section(page("reference/hooks.md"), f"### {hook}")
    specification = getattr(hookspecs.Hooks, hook)
    arguments = ", ".join(
        f"{name}: {parameter.annotation}"
        for name, parameter in inspect.signature(specification).parameters.items()
        if name != "self"
    )
    returns = inspect.signature(specification).return_annotation
    assert f"`{hook}({arguments}) -> {returns}`" in text
    if returns == "None":
        event = getattr(hookspecs, arguments.removeprefix("event: "))
        for field in fields(event):
            row(text, field.name)


def test_a_section_is_described() -> None:
    for field in fields(Section):
        row(page("reference/hooks.md"), field.name)


def commands_of(commands: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its whole name: those of groups, not the groups."""
    for name, command in commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command.commands, f"{prefix}{name} ")
        else:
            yield prefix + name, command


def test_every_command_and_option_is_described() -> None:
    text = page("reference/cli.md")
    group: Any = typer.main.get_command(app)
    described = {line.removeprefix("## evalfw ") for line in text.splitlines() if line.startswith("## evalfw ")}
    commands = dict(commands_of(group.commands))
    assert described == set(commands)
    for option in group.params:
        assert f"`{option.opts[0]}`" in text
    for name, command in commands.items():
        part = section(text, f"## evalfw {name}")
        for parameter in command.params:
            own = parameter.metavar or parameter.name.upper()
            shown = parameter.opts[0] if parameter.param_type_name == "option" else own
            assert f"\n| `{shown}" in part, f"{name}: {shown}"


def test_every_figure_is_described() -> None:
    text = page("reference/figures.md")
    groups = figures([Run("r", defaultdict(list), Resampling(100, 0.95, 0), "")])
    assert not any(group.figures for group in groups)
    for absent in (each for group in groups for each in group.absent):  # without any results, that is all of them
        assert absent.source.removeprefix("paper ") in row(text, absent.name)[1]


@pytest.mark.parametrize("table", _COLUMNS)
def test_every_column_is_described(table: str) -> None:
    text = page("reference/tables.md")
    known = section(text, "## Columns of a condition") + section(text, f"## {table}")
    assert set(_COLUMNS[table]) <= set(re.findall("`([^`]+)`", known))


def test_every_table_of_the_database_is_described() -> None:
    text = section(page("reference/run-directory.md"), "## run.db")
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            columns = {column[1] for column in db.execute(f"PRAGMA table_info({table})")}
            assert columns <= set(re.findall(r"`(\w+)`", row(text, table)[1])), table


def test_every_outcome_is_described() -> None:
    text = section(page("reference/errors.md"), "## Outcomes")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [outcome.value for outcome in Outcome]


def test_every_checker_is_described() -> None:
    for name in evalfw.CHECKERS:
        row(page("reference/checkers.md"), name)


def test_every_public_name_is_described() -> None:
    lines = [line for path in (DOCS / "reference").glob("*.md") for line in path.read_text().splitlines()]
    code = " ".join(span for line in lines for pair in re.findall(r"`([^`]+)`|^#+ (.+)", line) for span in pair)
    assert set(evalfw.__all__) - set(re.findall(r"\w+", code)) == set()


def test_every_field_of_a_domain_type_is_described() -> None:
    text = page("reference/contracts.md")
    for name in ("Problem", "TestCase", "Method", "Request", "Completion", "Cohort", "Sample", "Measure", "Estimate"):
        (cell,) = row(text, name)
        assert {field.name for field in fields(getattr(evalfw, name))} <= set(re.findall(r"`(\w+)", cell)), name


def test_every_option_of_a_remote_model_is_described() -> None:
    text = section(page("reference/contracts.md"), "### RemoteModel")
    for name, info in evalfw.RemoteOptions.model_fields.items():
        (default, _) = row(text, name)
        assert default in written(info.default) | {"no limit", "unknown"}, name


def test_every_member_of_a_contract_is_described() -> None:
    text = page("reference/contracts.md")
    for kind in (evalfw.Dataset, evalfw.Model, evalfw.RemoteModel, evalfw.Profiler, evalfw.Metric):
        part = section(text, f"### {kind.__name__}")
        for name in (name for name in {*vars(kind), *kind.__annotations__} if not name.startswith("_")):
            assert re.search(rf"^\| `{name}\b", part, re.MULTILINE), f"{kind.__name__}.{name}"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """Every link and anchor leads somewhere, every page is in the navigation, every included file is there."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {path.parent.name: path.read_text() for path in (tmp_path / "site").rglob("index.html")}
    assert [name for name, text in pages.items() if re.search("--8|8&lt;", text)] == []
    assert "LongestLineOptions" in pages["first-plugin"]
    assert "Unreleased" in pages["changelog"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_of_a_page_outside_the_site_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text())
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def files_of(path: Path) -> dict[str, str]:
    """The files that a page shows whole: its blocks with a title, with what they include."""
    blocks = _BLOCK.findall(path.read_text(encoding="utf-8"))
    return {
        title: _INCLUDE.sub(lambda include: (ROOT / (include[1] or include[2])).read_text().rstrip("\n"), body)
        for _, title, body in blocks
        if title
    }


def planned(experiment: Path) -> Plan:
    loaded, document = load_experiment(experiment)
    return make_plan(assemble(loaded, document, Catalog.scan(), Listeners()))


def with_what_it_needs(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    for name, source in TO_FETCH.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(source, folder / name)


def experiments() -> Iterator[Any]:
    for path in PAGES:
        for title in files_of(path):
            if title.endswith(".yaml"):
                yield pytest.param(path, title, id=f"{path.relative_to(DOCS)}-{title}")


@pytest.mark.parametrize(("path", "title"), list(experiments()))
def test_an_experiment_of_a_page_can_be_planned(path: Path, title: str, tmp_path: Path) -> None:
    with_what_it_needs(tmp_path, files_of(path))
    assert planned(tmp_path / title).subjects


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_can_be_planned(path: Path, tmp_path: Path) -> None:
    with_what_it_needs(tmp_path, {path.name: path.read_text()})
    assert planned(tmp_path / path.name).subjects


def test_the_problems_of_the_how_to_are_solved_by_their_solutions(tmp_path: Path) -> None:
    with_what_it_needs(tmp_path, files_of(DOCS / "how-to" / "your-own-problems.md"))
    tables = run(planned(tmp_path / "experiment.yaml"), tmp_path / "run").tables
    assert [(row["problem"], row["samples"], row["correct"]) for row in tables["problems"]] == [
        ("double", 2, 2),
        ("evens", 2, 2),
    ]
    assert tables["excluded"] == []


def test_the_answers_of_the_how_to_are_correct(tmp_path: Path) -> None:
    with_what_it_needs(tmp_path, files_of(DOCS / "how-to" / "replay-answers.md"))
    tables = run(planned(tmp_path / "experiment.yaml"), tmp_path / "run").tables
    assert [(row["model"], row["temperature"], row["verdict"]) for row in tables["solutions"]] == [
        ("my-model", 0.7, "accepted"),
        ("my-model", 0.7, "accepted"),
    ]


@pytest.mark.slow
def test_the_recorded_answers_of_a_real_model_are_as_often_right_as_the_readme_says(tmp_path: Path) -> None:
    loaded, document = load_experiment(ROOT / "examples" / "smollm2.yaml")
    only = {"profilers": (), "metrics": (Use(use="pass_at_k", options={"k": [1]}),)}
    plan = make_plan(assemble(loaded.model_copy(update=only), document, Catalog.scan(), Listeners()))
    tables = run(plan, tmp_path / "run").tables
    table = re.findall(r"│ SmolLM2-135M │(.*)│", (ROOT / "README.md").read_text())
    printed = [[cell.strip() for cell in line.split("│")] for line in table]
    for temperature, row in zip((0.0, 0.7, 0.95), printed, strict=True):
        problems = [found for found in tables["problems"] if found["temperature"] == temperature]
        samples, correct = (sum(found[name] for found in problems) for name in ("samples", "correct"))
        share = f"{correct / samples:.4f}"
        assert row[:1] + row[2:5] + row[5].split()[:1] == [f"{temperature:g}", "6", str(samples), str(correct), share]


def test_the_profiler_and_the_metric_of_the_tutorial_run(tmp_path: Path) -> None:
    with_what_it_needs(tmp_path, files_of(DOCS / "tutorial" / "first-plugin.md"))
    tables = run(planned(tmp_path / "second.yaml"), tmp_path / "run").tables
    assert all(row["profiles"] == 3 and row["own:executed_lines"] > 10 for row in tables["solutions"])
    (cell,) = (row for row in tables["conditions"] if row["metric"] == "own:executed_lines")
    assert (cell["profiler"], cell["n"]) == ("lines", 2)


def test_the_model_of_the_how_to_answers(tmp_path: Path) -> None:
    """It is asked for two problems of one sample, by a server that is overloaded at first."""
    with_what_it_needs(tmp_path, files_of(DOCS / "how-to" / "add-a-model.md"))
    counts = {"prompt_eval_count": 3, "eval_count": 4}
    answer = Act(body={"model": "m", "response": "no code", "done_reason": "stop", **counts})
    with Server(in_order(error(503), answer), name=lambda body: body["options"]["seed"]) as server:
        path = tmp_path / "experiment.yaml"
        text = path.read_text().replace("concurrency: 2", f'concurrency: 2, url: "{server.url}"')
        path.write_text(text.replace("n: 5", "n: 1").replace("[0.2, 0.8]", "[0.2]"))
        finished = run(planned(path), tmp_path / "run")
    assert finished.missing == 0
    assert [row["verdict"] for row in finished.tables["solutions"]] == ["no_code", "no_code"]
    assert set(server.times().values()) == {2}
    (seen, *_) = server.seen
    assert seen.path == "/api/generate"
    assert seen.body["options"]["num_predict"] == 2000


def test_the_script_of_the_tutorial_runs() -> None:
    command = [sys.executable, str(DOCS / "tutorial" / "profiles.py"), "sort_list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = {line.split()[0]: line.split()[1:3] for line in done.stdout.splitlines()[2:]}
    assert len(shown) == 5
    assert shown["d_insertion_sort"][1] == "0"
    assert int(shown["b_merge_sort_by_halves"][1]) > 0


def claims() -> Iterator[Any]:
    """Blocks of Python in which lines say what they give: `expression  # literal`."""
    for path in PAGES:
        for number, (language, _, body) in enumerate(_BLOCK.findall(path.read_text(encoding="utf-8"))):
            if language == "python" and re.search(r"^\S.*[^,]  +# ", body, re.MULTILINE):
                yield pytest.param(body, id=f"{path.relative_to(DOCS)}-{number}")


@pytest.mark.parametrize("body", list(claims()))
def test_a_line_of_python_gives_what_its_comment_says(body: str) -> None:
    names: dict[str, object] = {}
    checked = 0
    for statement in ast.parse(body).body:
        code = ast.get_source_segment(body, statement) or ""
        comment = re.search(r"  +# (.+)$", body.splitlines()[(statement.end_lineno or 1) - 1])
        if isinstance(statement, ast.Expr) and comment:
            assert eval(code, names) == ast.literal_eval(comment[1])  # our own text
            checked += 1
        else:
            exec(code, names)
    assert checked
