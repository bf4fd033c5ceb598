"""Cases about stored answers: whole experiments that replay them."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from evalfw_models.replay import read_completions
from tests.cases.case import Case, differs
from tests.cases.programs import VERDICTS


def resume(case: Case) -> list[str]:
    """A file of answers after interrupted runs: what is read of it, and what a run makes of it."""
    ours = case.text_of(case.input["file"]).replace('"problem":', '"problem_id":').replace('"sample":', '"index":')
    expected, wanted = case.expected, case.input["wanted"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "answers.jsonl"
        file.write_text(ours, encoding="utf-8", newline="")
        read = read_completions(file)
        kept = {(record.problem_id, record.index): record for record in read.records}
        tests = [{"input": "", "expected": "", "pool": "private"}]
        problems = [{"id": problem, "statement": "?", "tests": tests} for problem in wanted]
        exported = _run(folder, problems, file, max(wanted.values()))
    present = {problem: sorted(i for p, i in kept if p == problem) for problem in wanted}
    to_generate = {p: [i for i in range(n) if i not in present[p]] for p, n in wanted.items()}
    found = differs("present", present, expected["present"])
    found += differs("to_generate", to_generate, expected["to_generate"])
    found += differs("duplicates", read.duplicates, expected["duplicates_reported"])
    conflicts = [f"{key[0]}/{key[-1]}" for key in read.conflicts]
    found += differs("conflicts", conflicts, expected["conflicts_reported"])
    found += differs("broken lines", len(read.broken_lines), expected["broken_lines_reported"])
    keys = [(row["problem_id"], row["index"]) for row in exported]
    found += differs("records after the run", sorted(keys), sorted(kept))
    codes = {f"{row['problem_id']}/{row['index']}": row["code"] for row in exported}
    return found + differs("kept", {key: codes.get(key) for key in expected["kept"]}, expected["kept"])


def text(case: Case) -> list[str]:
    """Answers with text that no file can hold as it is."""
    answers = json.loads(case.text_of(case.input["answers_file"]))
    tests = [
        {"input": test["stdin"], "expected": test["expected_stdout"], "pool": "private"} for test in case.input["tests"]
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "answers.jsonl"
        records = [
            {"problem_id": "P", "model": "m", "temperature": None, "index": index, "completion": answer}
            for index, answer in enumerate(answers)
        ]
        file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        exported = _run(folder, [{"id": "P", "statement": "?", "tests": tests}], file, len(answers))
        solutions = _lines(folder / "export" / "solutions.jsonl")
    found = differs("records_written", len(exported), case.expected["records_written"])
    texts = [row["completion"] for row in sorted(exported, key=lambda row: row["index"])]
    found += differs("round trip", texts, answers)
    verdicts = {str(row["index"]): VERDICTS[row["verdict"]] for row in solutions}
    return found + differs("verdicts", verdicts, case.expected["verdicts"])


def _run(folder: Path, problems: list[dict[str, Any]], answers: Path, samples: int) -> list[dict[str, Any]]:
    """Run an experiment on these problems and answers with the command line, and export what it stored."""
    (folder / "problems.jsonl").write_text("".join(json.dumps(problem) + "\n" for problem in problems))
    experiment = {
        "name": "case",
        "datasets": [{"use": "jsonl", "path": "problems.jsonl"}],
        "models": [{"use": "replay", "path": answers.name}],
        "sampling": {"n": samples},
        "metrics": ["pass_at_k"],
    }
    (folder / "experiment.yaml").write_text(json.dumps(experiment))
    evalfw = [sys.executable, "-m", "evalfw"]
    run = [*evalfw, "run", str(folder / "experiment.yaml"), "--no-report", "--out", str(folder / "run")]
    export = [*evalfw, "export", str(folder / "run"), "--format", "jsonl", "--out", str(folder / "export")]
    for command in (run, export):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{' '.join(command)} exited with {done.returncode}: {done.stderr}")
    return _lines(folder / "export" / "completions.jsonl")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
