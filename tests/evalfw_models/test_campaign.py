"""Long campaigns against a server that misbehaves: nothing is lost, nothing is paid for twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evalfw import InputError, Problem, Request
from evalfw.remote import asking
from evalfw_models.openai import OpenAI, OpenAIOptions
from tests.cases.api import api
from tests.cases.case import Case
from tests.evalfw.experiments import carry_out, plan
from tests.evalfw_models.server import KEY, Act, Script, Seen, Server, chat, completion, error, in_order

AT_ONCE = 8
THINKS = 0.01
TIMEOUT_SECONDS = 3.0
"""Far longer than an honest answer takes on a busy machine: one that came too late would be paid for twice."""

TROUBLE: Mapping[int, Act] = {
    1: error(429, headers={"Retry-After": "0.2"}),
    2: error(429),
    3: error(500),
    4: Act(body=b"x" * 1000, how="cut"),
    5: Act(body=b'{"choices": [{"mess'),
    6: Act(how="refuse"),
    27: Act(how="hang"),
    47: Act(body=b"{", how="drip"),
}
"""What befalls a request first: by its number modulo 20, or by its number."""


def first_trouble(number: int) -> Act | None:
    return TROUBLE.get(number) or TROUBLE.get(number % 20)


def times_of(trouble: Act) -> int:
    return 1 if trouble.how in {"hang", "drip"} else 2


def last_word(number: int, code: str) -> tuple[Act, tuple[str, str]]:
    """What a request is answered in the end: what is sent, and the text and the finish reason to be found in it."""
    text = f"```python\n{code}# {number}\n```\n"
    special: Mapping[int, tuple[Act, tuple[str, str]]] = {
        10: (Act(body=completion()), ("", "no_choices")),
        11: (chat(None), ("", "stop")),
        12: (chat(None, "content_filter"), ("", "content_filter")),
        13: (chat(text[:15], "length"), (text[:15], "length")),
    }
    return special.get(number % 20) or (chat(text), (text, "stop"))


def act(number: int, before: int, code: str) -> Act:
    """A request that is in trouble meets it twice; once where that takes the whole time that it has."""
    trouble = first_trouble(number)
    doing = trouble if trouble is not None and before < times_of(trouble) else last_word(number, code)[0]
    return Act(doing.status, doing.body, doing.headers, doing.how, THINKS)


def test_two_hundred_completions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "FIRST_BACKOFF_SECONDS", 0.05)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    lost = 199
    problem = Problem("p", "?", ())
    asked = [Request(problem, "the prompt", 0.5, index, seed=index) for index in range(200)]

    def script(seen: Seen, before: int) -> Act:
        number = seen.body["seed"]
        return error(503) if number == lost else act(number, before, "pass\n")

    with Server(script) as server:
        options = {"concurrency": AT_ONCE, "max_retries": 3, "timeout": TIMEOUT_SECONDS}
        model = OpenAI(OpenAIOptions.model_validate({"model": "m", "base_url": server.url, **options}))
        found = {done.request.index: (done.text, done.finish_reason) for done in model.complete(asked)}
    assert found == {number: last_word(number, "pass\n")[1] for number in range(199)}
    assert server.answered == Counter(dict.fromkeys(range(199), 1)) + Counter()
    troubles = {number: first_trouble(number) for number in range(199)}
    sent = {number: 1 + (times_of(trouble) if trouble else 0) for number, trouble in troubles.items()}
    assert server.times() == {**sent, lost: 4}
    assert 1 < server.most_at_once <= AT_ONCE
    assert model.notes == ["1 completion is missing: 1 x HTTP 503; the next run asks again"]


def test_the_server_sees_no_more_requests_a_minute_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    asked = [Request(Problem("p", "?", ()), "the prompt", 0.5, index, seed=index) for index in range(20)]
    with Server(in_order(chat("x"))) as server:
        options = OpenAIOptions(model="m", base_url=server.url, requests_per_minute=1200)
        started = time.monotonic()
        assert len(list(OpenAI(options).complete(asked))) == 20
    arrivals = [seen.at - started for seen in server.seen]
    assert all(arrival >= place * 60 / 1200 for place, arrival in enumerate(arrivals))


class Campaign:
    """An experiment in a folder, and a server that answers it.

    Args:
        folder: For the files.
        problems: How many there are, all alike.
        n: Samples of each.
        code: What the model answers.
        script: What the server does. Default: it misbehaves first, and then answers.
        options: Of the model, beside the usual ones.
    """

    def __init__(
        self, folder: Path, problems: int, n: int, code: str, script: Script | None = None, **options: object
    ) -> None:
        self.folder = folder
        self.code = code
        self.numbers: dict[object, int] = {}
        tests = [{"pool": "private", "input": "2\n", "expected": "4\n"}]
        rows = [{"id": f"p{index}", "statement": f"Double it ({index}).", "tests": tests} for index in range(problems)]
        (folder / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.server = Server(script or self._script)
        model = {
            **{"use": "openai", "model": "tiny", "base_url": self.server.url, "api_key_env": "CAMPAIGN_KEY"},
            **{"concurrency": AT_ONCE, "timeout": TIMEOUT_SECONDS, **options},
        }
        experiment = {
            "name": "campaign",
            "datasets": [{"use": "jsonl", "path": "problems.jsonl"}],
            "models": [model],
            "sampling": {"n": n, "temperatures": [0.5]},
            "metrics": [{"use": "pass_at_k", "k": [1]}],
        }
        (folder / "experiment.yaml").write_text(json.dumps(experiment))

    def _script(self, seen: Seen, before: int) -> Act:
        """Requests are numbered as they come."""
        return act(self.numbers.setdefault(seen.name, len(self.numbers)), before, self.code)

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """`evalfw` with these arguments, with the key that the server accepts."""
        return subprocess.Popen(
            [sys.executable, "-m", "evalfw", *arguments],
            cwd=self.folder,
            env={**os.environ, "CAMPAIGN_KEY": KEY, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def evalfw(self, *arguments: str, **environment: str) -> tuple[int, str]:
        """The exit code of a command, and all that it printed."""
        with self.start(*arguments, **environment) as process:
            out, err = process.communicate()
        return process.returncode, out + err

    def rows(self, table: str) -> list[dict[str, Any]]:
        """A table of the run, as it is exported."""
        out = self.folder / "exported"
        if not out.exists():
            code, said = self.evalfw("export", "campaign", "--format", "jsonl", "--out", str(out))
            assert code == 0, said
        return [json.loads(line) for line in (out / f"{table}.jsonl").read_text().splitlines()]

    def files_with_the_key(self) -> list[Path]:
        """Every file below the folder that holds the key."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.slow
def test_a_campaign_that_is_killed_three_times_ends_with_the_right_records(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, problems=20, n=10, code="print(int(input()) * 2)\n")
    with campaign.server as server:
        for answers in (40, 90, 140):
            with campaign.start("run", "experiment.yaml") as process:
                while server.answered.total() < answers:
                    assert process.poll() is None, process.communicate()
                    time.sleep(0.005)
                os.kill(process.pid, signal.SIGKILL)
        code, said = campaign.evalfw("run", "experiment.yaml", "--no-report")
        assert code == 0, said
    assert len(campaign.numbers) == 200
    expected = Counter(last_word(number, campaign.code)[1] for number in range(200))
    completions = campaign.rows("completions")
    assert Counter((row["completion"], row["finish_reason"]) for row in completions) == expected
    assert Counter(row["problem_id"] for row in completions) == {f"p{index}": 10 for index in range(20)}
    assert server.most_at_once <= AT_ONCE
    again = {name: times for name, times in server.answered.items() if times > 1}
    assert sum(times - 1 for times in again.values()) <= 3 * AT_ONCE
    verdicts = Counter(row["verdict"] for row in campaign.rows("solutions"))
    assert verdicts["accepted"] == sum(text.endswith("```\n") for text, _ in expected.elements())
    assert campaign.files_with_the_key() == []
    before = len(server.seen)
    assert (
        campaign.evalfw("run", "experiment.yaml", "--no-report")[0] == 0
    )  # the server is gone: nothing is asked any more
    assert len(server.seen) == before


LOOKS_FOR_THE_KEY = f"""
import glob, os
found = "".join(map(str, os.environ.items()))
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        found += open(path, errors="replace").read()
    except OSError:
        pass
print(9 if {KEY[:6]!r} + {KEY[6:]!r} in found else int(input()) * 2)
"""


def test_the_key_reaches_no_sandbox_no_file_and_no_terminal(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, problems=1, n=1, code=LOOKS_FOR_THE_KEY)
    with campaign.server:
        code, said = campaign.evalfw("run", "experiment.yaml", "--no-report", OPENAI_LOG="debug")
    assert code == 0, said
    assert [row["verdict"] for row in campaign.rows("solutions")] == ["accepted"]
    assert KEY not in said
    assert campaign.files_with_the_key() == []


def test_a_key_is_needed_by_what_samples_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = Campaign(tmp_path, problems=1, n=1, code="pass\n")
    path = tmp_path / "experiment.yaml"
    with campaign.server as server:
        monkeypatch.delenv("CAMPAIGN_KEY", raising=False)
        assert plan(path).subjects
        with pytest.raises(InputError, match=r"'tiny': the environment variable CAMPAIGN_KEY \(`api_key_env`\)"):
            carry_out(path)
        monkeypatch.setenv("CAMPAIGN_KEY", "sk-other-key")
        with pytest.raises(InputError, match=r"HTTP 401: Incorrect API key provided: \*\*\*; the server"):
            carry_out(path)
        assert server.answered.total() == 0
        monkeypatch.setenv("CAMPAIGN_KEY", KEY)
        assert carry_out(path).missing == 0
    monkeypatch.delenv("CAMPAIGN_KEY")
    assert carry_out(path).missing == 0  # everything is there


def test_ctrl_c_does_not_wait_for_a_request_that_hangs(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, problems=1, n=1, code="pass\n", script=in_order(Act(how="hang")), timeout="1h")
    with campaign.server as server, campaign.start("run", "experiment.yaml") as process:
        while not server.seen:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Continue with: evalfw run experiment.yaml" in err
    assert "Traceback" not in err


def test_failures_of_a_model_count_and_outages_do_not() -> None:
    assert api(Case.read(Path(__file__).parent / "data/api_failures/case.json")) == []
