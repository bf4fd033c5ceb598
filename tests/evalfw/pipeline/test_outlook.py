from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evalfw import InputError
from evalfw.pipeline.outlook import Outlook, outlook
from tests.evalfw.experiments import DOUBLE, WRONG, carry_out, plan
from tests.evalfw.pipeline.test_generate import experiment, scripted


def seen(path: Path) -> Outlook:
    return outlook(plan(path), path.parent / "run")


def test_requests_and_what_they_cost(tmp_path: Path) -> None:
    replayed = {"use": "replay", "path": "answers.jsonl"}
    models = (scripted(price=0.5, missing=[3]), replayed)
    path = experiment(tmp_path, *models)
    paid, free = seen(path).requests
    assert (paid.model, paid.free, paid.stored, paid.least, paid.most) == ("s", False, 0, 4, 4)
    assert (paid.cost_at_most, paid.cost_about) == (4 * 0.5 * 100, None)
    assert (free.free, free.cost_at_most) == (True, None)
    carry_out(path)
    found = seen(experiment(tmp_path, *models, sampling={"n": 6, "temperatures": [0]}))
    assert (found.requests[0].stored, found.requests[0].most) == (3, 3)
    assert (found.requests[0].cost_at_most, found.requests[0].cost_about) == (150, 3 * 5)
    assert (found.requests_stored, found.spent) == (3, 15)


def test_how_far_sampling_may_go(tmp_path: Path) -> None:
    until = {"until": {"correct": 2, "max": 9}, "temperatures": [0]}
    model = scripted(codes=[WRONG, DOUBLE, DOUBLE], log="log")
    carry_out(experiment(tmp_path, model, sampling={"n": 1, "temperatures": [0]}))
    found = seen(experiment(tmp_path, model, sampling=until))
    assert (found.stored, found.least, found.most) == (1, 1, 8)
    carry_out(experiment(tmp_path, model, sampling=until))
    found = seen(experiment(tmp_path, model, sampling=until))
    assert (found.stored, found.least, found.most) == (3, 0, 0)


def test_costs_cannot_be_limited_without_prices(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no prices"):
        seen(experiment(tmp_path, sampling={"n": 1, "max_cost": 1}))


def test_the_command(tmp_path: Path) -> None:
    sampling = {"until": {"correct": 2, "max": 9}, "max_cost": 3.5, "max_requests": 7, "temperatures": [0]}
    path = experiment(tmp_path, scripted(price=0.002), sampling=sampling)
    carry_out(path)
    command = [sys.executable, "-m", "evalfw", "plan", str(path), "--out", str(tmp_path / "run")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "completions  0 to sample, 3 stored" in said
    assert "requests     s: 0 to send, 3 answered" in said
    assert "budget       max_cost 3.50, of which 0.06 is spent; max_requests 7, of which 3 are used" in said
