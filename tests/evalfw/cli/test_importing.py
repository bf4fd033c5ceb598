from __future__ import annotations

from pathlib import Path

from tests.evalfw.cli.test_app import evalfw

IMPORTER = '''
def convert(path):
    """Ours."""
    for index, code in enumerate(path.read_text().split("---")):
        yield {"problem_id": "a", "model": "m: 1", "index": index, "temperature": 0.5, "code": code}

nothing = 1
'''


def test_answers_are_imported_and_the_entries_printed(tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text(IMPORTER)
    (tmp_path / "answers.txt").write_text("print(1)---print(2)")
    done = evalfw("import", "./ours.py:convert", "answers.txt", "--out", "out.jsonl", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "2 completions of 1 models, in out.jsonl\n\n"
        "models:\n"
        '  - {use: replay, path: "out.jsonl", model: "m: 1"}  # 2 completions\n'
        "sampling: {n: 2, temperatures: [0.5]}\n"
    )
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


def test_wrong_importers(tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text(IMPORTER)
    done = evalfw("import", "./ours.py:nothing", "answers.txt", "--out", "out.jsonl", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a function" in done.stderr
    done = evalfw("import", "no-such-form", "answers.txt", "--out", "out.jsonl", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("evalfw: no importer 'no_such_form' is installed")
