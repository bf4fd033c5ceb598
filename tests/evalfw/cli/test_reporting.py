from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from evalfw.cli.app import main
from evalfw.report.site import build
from tests.evalfw.experiments import DOUBLE, LISTED, carry_out, problem, write


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reporting")
    return carry_out(write(folder, [problem("a")], {"a": [DOUBLE, LISTED]})).directory


def evalfw(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int | str | None:
    """The exit code of a command in this process."""
    monkeypatch.setattr(sys, "argv", ["evalfw", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_a_report_of_one_run_is_in_its_folder(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evalfw(monkeypatch, "report", run_folder) == 0
    first = run_folder / "report" / "index.html"
    assert capsys.readouterr().out == f"{first}\n"
    assert first.is_file()


def test_a_report_of_several_runs_is_in_the_current_folder(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(run_folder, tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    assert evalfw(monkeypatch, "report", run_folder, "other") == 0
    assert capsys.readouterr().out == "report/index.html\n"
    assert "<td>run</td>" in (tmp_path / "report/index.html").read_text().replace(' data-sort="run"', "")
    assert evalfw(monkeypatch, "report", "other", "--out", tmp_path / "elsewhere") == 0
    assert (tmp_path / "elsewhere/index.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{run}", "{run}"), "is given twice"),
        (("nowhere",), "there is no run 'nowhere'"),
        (("{run}", "--out", "{run}"), "is not empty and holds no report of evalfw"),
        (("{run}", "--out", "{run}/run.db"), "cannot be written"),
    ],
)
def test_bad_input_is_one_message(
    run_folder: Path,
    arguments: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert evalfw(monkeypatch, "report", *(each.format(run=run_folder) for each in arguments)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert (run_folder / "run.db").stat().st_size


def measure(run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What `measure` says to standard error; it has to succeed."""
    assert evalfw(monkeypatch, "measure", run, *options) == 0
    printed = capsys.readouterr()
    assert "mis_macro" in printed.out
    assert "Report:" not in printed.out
    return printed.err


def test_without_a_report_none_is_made(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(run_folder, tmp_path / "run", ignore=shutil.ignore_patterns("report"))
    measure(tmp_path / "run", monkeypatch, capsys, "--no-report")
    assert not (tmp_path / "run/report").exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "evalfw: stopped before the report was made."),
        (ValueError("two\nlines"), "evalfw: the report was not made: ValueError: two lines."),
    ],
)
def test_a_report_that_fails_changes_nothing_of_the_run(
    run_folder: Path,
    error: BaseException,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(build, "read_runs", fail)
    last = measure(run_folder, monkeypatch, capsys).splitlines()[-1]
    assert last == f"{said} Make it with: evalfw report {run_folder}"


def test_a_folder_that_is_in_the_way_is_said(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shutil.copytree(run_folder, tmp_path / "run", ignore=shutil.ignore_patterns("report"))
    (run / "report").mkdir()
    (run / "report/thesis.tex").write_text("years of work")
    assert "is not empty and holds no report of evalfw" in measure(run, monkeypatch, capsys).splitlines()[-1]
