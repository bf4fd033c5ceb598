"""The experiments on the papers' research questions run, and so do the commands that they name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evalfw.cli.app import app

EXAMPLES = Path(__file__).parents[1] / "examples"
PAPERS = sorted(EXAMPLES.glob("paper-*.yaml"))
HOW_TO = EXAMPLES.parent / "docs" / "how-to" / "reproduce-the-papers.md"


def commands(path: Path) -> list[list[str]]:
    """What the comment at the top of an example says to type, without `evalfw`."""
    return [line.split() for line in re.findall(r"^#   evalfw (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)]


def test_there_is_an_experiment_for_each_question() -> None:
    questions = [re.match(r"paper-(a|b)-rq(\d)-", path.name) for path in PAPERS]
    assert [match and match.groups() for match in questions] == [
        *(("a", str(number)) for number in range(1, 6)),
        *(("b", str(number)) for number in range(1, 5)),
    ]


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_the_how_to_names_an_experiment_and_its_analyses(path: Path) -> None:
    (row,) = [line for line in HOW_TO.read_text(encoding="utf-8").splitlines() if f"| `{path.name}` |" in line]
    run, *analyses = commands(path)
    assert run == ["run", f"examples/{path.name}"]
    assert analyses
    for name, target, *_ in analyses:
        assert target == path.stem
        assert f"`evalfw {name} RUN" in row


@pytest.mark.slow
@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_an_experiment_runs_with_its_analyses(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").mkdir()
    for file in (path, EXAMPLES / "starter-answers.jsonl"):
        shutil.copy(file, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for command in commands(path):
        done = CliRunner().invoke(app, command, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert done.stdout.strip()
