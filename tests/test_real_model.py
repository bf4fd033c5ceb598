"""A real language model on this CPU, end to end: in process, and through its server on loopback.

Outside the default suite: it takes minutes and the weights. docs/how-to/a-real-model-on-this-cpu.md has the command.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
WEIGHTS = os.path.abspath(named) if (named := os.environ.get("EVALFW_SMOLLM2")) else None
RECORDED = ROOT / "examples" / "smollm2" / "completions.jsonl"
N, TEMPERATURES = 4, (0.0, 0.7, 0.95)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(WEIGHTS is None, reason="set EVALFW_SMOLLM2 to the path of SmolLM2-135M-Instruct.Q4_1.gguf"),
]

Record = Mapping[str, Any]


def carried_out(folder: Path, model: Mapping[str, object]) -> tuple[list[Record], list[Record]]:
    """The easy problems put to a model by the command line: the completions and the table of conditions."""
    (folder / "prompt.j2").write_text((ROOT / "examples" / "smollm2" / "prompt.j2").read_text())
    experiment = {
        "name": "real",
        "datasets": [{"use": "starter", "level": "easy"}],
        "models": [{**model, "label": "SmolLM2"}],
        "sampling": {
            "n": N,
            "temperatures": list(TEMPERATURES),
            "top_p": 1.0,
            "max_tokens": 160,
            "prompt": "prompt.j2",
        },
        "profilers": ["tracemalloc_line"],
        "metrics": ["pass_at_k", "dmpd", "npd", "nmv", "mis"],
    }
    (folder / "real.yaml").write_text(json.dumps(experiment))
    evalfw(folder, "run", "real.yaml")
    return records(folder, "completions"), records(folder, "conditions")


def evalfw(folder: Path, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evalfw", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def records(folder: Path, name: str) -> list[Record]:
    evalfw(folder, "export", "real", "--format", "jsonl", "--out", "out")
    return [json.loads(line) for line in (folder / "out" / f"{name}.jsonl").read_text().splitlines()]


def check(completions: list[Record], conditions: list[Record]) -> dict[tuple[str, float], list[str]]:
    """Everything was asked, the answers are a model's, and the table can be made of them."""
    texts = defaultdict(list)
    for record in completions:
        texts[record["problem_id"], record["temperature"]].append(record["completion"])
    assert {temperature for _, temperature in texts} == set(TEMPERATURES)
    assert len(texts) == 6 * len(TEMPERATURES)
    assert {len(samples) for samples in texts.values()} == {N}
    assert all(text.strip() for samples in texts.values() for text in samples)
    assert {record["finish_reason"] for record in completions} <= {"stop", "length"}
    cells = {(row["temperature"], row["metric"]): row["value"] for row in conditions}
    assert all(0 < cells[temperature, "pass@1"] <= 1 for temperature in TEMPERATURES)
    assert all(cells[temperature, "mis_macro"] is not None for temperature in TEMPERATURES)
    assert all(len(set(samples)) > 1 for (_, temperature), samples in texts.items() if temperature > 0)
    # Another processor rounds otherwise; but most of the likeliest answers are the recorded ones, word for word.
    recorded = [json.loads(line) for line in RECORDED.read_text().splitlines()]
    greedy = {record["problem_id"]: record["completion"] for record in recorded if record["temperature"] == 0}
    assert sum(greedy[problem] == texts[problem, 0.0][0] for problem in greedy) >= 4
    return texts


def test_in_process(tmp_path: Path) -> None:
    texts = check(*carried_out(tmp_path, {"use": "llama_cpp", "path": WEIGHTS, "threads": 1}))
    assert all(len(set(samples)) == 1 for (_, temperature), samples in texts.items() if temperature == 0)
    before = (tmp_path / "out" / "completions.jsonl").read_text()
    evalfw(tmp_path, "run", "real.yaml")
    records(tmp_path, "completions")
    assert (tmp_path / "out" / "completions.jsonl").read_text() == before


@contextmanager
def server(log: Path) -> Iterator[str]:
    """llama.cpp's server of OpenAI's protocol on loopback: its address."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(WEIGHTS), "--n_ctx", "4096", "--n_threads", "1"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=output, stderr=subprocess.STDOUT
        )
    try:
        address = f"http://127.0.0.1:{port}/v1"
        for _ in range(240):
            assert process.poll() is None, log.read_text()
            try:
                with urllib.request.urlopen(f"{address}/models", timeout=5):
                    break
            except OSError:
                time.sleep(0.5)
        yield address
    finally:
        process.terminate()
        process.wait()


def test_through_its_server(tmp_path: Path) -> None:
    with server(tmp_path / "server.log") as address:
        model = {
            "use": "openai",
            "model": "smollm2",
            "base_url": address,
            "api_key_env": "none",
            "parameters": {"top_k": 0, "min_p": 0.0, "repeat_penalty": 1.0},
        }
        check(*carried_out(tmp_path, model))
