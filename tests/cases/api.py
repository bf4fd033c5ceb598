"""Cases about models behind an API: whole experiments against a server that does what a case says."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cases.case import Case, differs
from tests.evalfw_models.server import Act, Seen, Server, completion


def api(case: Case) -> list[str]:
    """What a run makes of the responses, and what the next run asks for."""
    script = {row["sample"]: row["responses"] for row in json.loads(case.text_of(case.input["responses_file"]))}
    samples: dict[object, int] = {}

    def act(seen: Seen, before: int) -> Act:
        # One request at a time goes out, so that samples come in their order.
        responses = script[samples.setdefault(seen.name, len(samples))]
        return _act(responses[min(before, len(responses) - 1)])

    with tempfile.TemporaryDirectory() as name, Server(act) as server:
        folder = Path(name)
        _write(folder, case, server.url, len(script))
        _evalfw(folder, "run", "experiment.yaml", "--no-report")
        tables = _tables(folder)
        asked = Counter(samples[name] for name in server.names())
        seen_before = len(server.seen)
        _evalfw(folder, "run", "experiment.yaml", "--no-report")
        asked_again = {samples[seen.name] for seen in server.seen[seen_before:]}
    expected = case.expected
    found = differs("samples", _statuses(tables, list(script)), expected["samples"])
    for sample, count in expected["requests"].items():
        found += differs(f"requests.{sample}", asked[int(sample)], count)
    (problem,) = tables["problems"]
    found += differs("n", problem["samples"], expected["n"])
    found += differs("c", problem["correct"], expected["c"])
    found += differs("missing", len(script) - len(tables["completions"]), expected["missing"])
    (rate,) = (row["value"] for row in tables["conditions"] if row["metric"] == "pass@1")
    found += differs("pass_at_1", rate, expected["pass_at_1"], expected["tol"])
    return found + differs("resume_requests_only", sorted(asked_again), expected["resume_requests_only"])


def _act(response: Mapping[str, Any]) -> Act:
    if response["status"] != 200:
        wait = response.get("retry_after_s")
        return Act(response["status"], {"error": {"message": "?"}}, {} if wait is None else {"Retry-After": str(wait)})
    choices = [
        {"finish_reason": choice["finish_reason"], "message": {k: v for k, v in choice.items() if k != "finish_reason"}}
        for choice in response["choices"]
    ]
    return Act(body=completion(*choices))


def _statuses(tables: Mapping[str, list[dict[str, Any]]], samples: list[int]) -> dict[str, str]:
    """What each sample is worth, in the words of the case."""
    extracted = {row["index"]: row["status"] for row in tables["solutions"]}
    found = dict.fromkeys(map(str, samples), "missing")
    for row in tables["completions"]:
        status = extracted[row["index"]]
        if row["finish_reason"] in {"content_filter", "refusal"}:
            status = "filtered"
        elif not row["completion"].strip():
            status = "empty_answer"
        found[str(row["index"])] = status
    return found


def _write(folder: Path, case: Case, url: str, samples: int) -> None:
    tests = [
        {"input": test["stdin"], "expected": test["expected_stdout"], "pool": "private"} for test in case.input["tests"]
    ]
    (folder / "problems.jsonl").write_text(json.dumps({"id": "P", "statement": "?", "tests": tests}) + "\n")
    model = {"use": "openai", "model": "m", "base_url": url, "api_key_env": "none"}
    experiment = {
        "name": "case",
        "datasets": [{"use": "jsonl", "path": "problems.jsonl"}],
        "models": [model | {"concurrency": 1, "max_retries": case.input["max_retries"]}],
        "sampling": {"n": samples, "temperatures": [0.5]},
        "metrics": [{"use": "pass_at_k", "k": [1]}],
    }
    (folder / "experiment.yaml").write_text(json.dumps(experiment))


def _tables(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of the run, and its completions."""
    _evalfw(folder, "export", "case", "--format", "jsonl", "--out", "exported")
    return {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in (folder / "exported").glob("*.jsonl")
    }


def _evalfw(folder: Path, *arguments: str) -> None:
    """Call the command line; its exit code may say that a completion is missing."""
    command = [sys.executable, "-m", "evalfw", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1} or "Traceback" in done.stderr:
        raise AssertionError(f"evalfw {' '.join(arguments)} exited with {done.returncode}: {done.stderr}")
