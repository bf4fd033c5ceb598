"""Packages of strangers, installed for real into a fresh virtual environment."""

from __future__ import annotations

import json
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

PACKAGES = Path(__file__).with_name("third_party")


class Environment:
    """A virtual environment that sees what is installed here, with more installed into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        self.python = folder / "venv" / "bin" / "python"
        site = self._run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
        Path(site, "outer.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")

    def install(self, *packages: str) -> None:
        for name in packages:
            # Building leaves nothing in the source tree, but pip may: give it a copy.
            source = self.folder / "sources" / name
            subprocess.run(["cp", "-r", PACKAGES / name, source], check=True)
            options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
            self._run("-m", "pip", "install", *options, str(source))

    def evalfw(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.python), "-m", "evalfw", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def experiment(self, **changes: object) -> str:
        content = {
            "name": "strangers",
            "datasets": [{"use": "starter", "problems": ["sliding_max"]}],
            "models": ["accepted"],
            "sampling": {"n": 3},
            "tests": {"private": 2},
            "metrics": ["pass_at_k"],
        }
        path = self.folder / "experiment.yaml"
        path.write_text(json.dumps(content | changes))
        return str(path)

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([self.python, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("strangers"))
    (environment.folder / "sources").mkdir()
    environment.install("good", "broken", "missing", "clashing", "outdated")
    return environment


def test_they_are_listed_with_what_is_wrong(environment: Environment) -> None:
    done = environment.evalfw("plugins", "--json")
    assert done.returncode == 0, done.stderr
    listed = {(e["kind"], e["name"], e["distribution"]): e for e in json.loads(done.stdout)}
    metric = listed["metric", "longest_line", "evalfw-longest"]
    assert metric["version"] == "1.2.3"
    assert metric["summary"] == "Length of the longest line of each correct solution, in columns."
    assert metric["options"][0] == {
        "name": "tab_size",
        "type": "integer",
        "required": False,
        "default": 4,
        "description": "Columns that a tab counts for.",
    }
    errors = {key[1:]: entry["error"] or "" for key, entry in listed.items()}
    assert "not_installed_library" in errors["broken", "evalfw-broken"]
    assert "did you mean 'Present'" in errors["missing", "evalfw-missing"]
    assert "is not a subclass of evalfw.Metric" in errors["present", "evalfw-missing"]
    assert "built for evalfw <0.1,>=0.0.1" in errors["outdated", "evalfw-outdated"]
    assert not errors["dmpd", "evalfw-clashing"]
    assert environment.evalfw("plugins", "--check").returncode == 1
    assert environment.evalfw("plugins", "models", "--check").returncode == 0


def test_an_experiment_uses_them(environment: Environment) -> None:
    path = environment.experiment(
        profilers=["lines"], metrics=["pass_at_k", {"use": "longest_line", "tab_size": 8}], plugins=["greeter"]
    )
    done = environment.evalfw("run", path, "--no-report")
    assert done.returncode == 0, done.stderr
    assert "longest_line" in done.stdout
    assert "Greetings\n3 new completions, 0 pairs" in done.stdout
    assert "plugin 'greeter' failed in evalfw_judged: RuntimeError: a plugin that fails harms nobody" in done.stderr
    manifest = json.loads((environment.folder / "runs/strangers/manifest.json").read_text())
    used = {(p["kind"], p["name"], p["distribution"], p["version"]) for p in manifest["plugins"]}
    assert ("metric", "longest_line", "evalfw-longest", "1.2.3") in used
    assert ("plugin", "greeter", "evalfw-longest", "1.2.3") in used
    exported = environment.evalfw("export", "strangers", "--format", "jsonl", "--out", "exported")
    assert exported.returncode == 0, exported.stderr
    lines = (environment.folder / "exported/completions.jsonl").read_text().splitlines()
    assert all(json.loads(line)["prompt"].endswith("Be brief.\n") for line in lines)


def test_a_command_of_a_plugin(environment: Environment) -> None:
    assert environment.evalfw("greet", "you").stdout == "hello you\n"


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("broken", "metric 'broken' (evalfw-broken 0.2.0) could not be imported from evalfw_broken:Broken"),
        ("missing", "metric 'missing' (evalfw-missing 0.3.0) names evalfw_missing:Presant"),
        ("outdated", "metric 'outdated' (evalfw-outdated 0.5.0) is built for evalfw <0.1,>=0.0.1"),
        ("dmpd", "write 'evalfw-clashing/dmpd' or 'evalfw/dmpd'"),
        ("longest_lines", "did you mean 'longest_line'?"),
    ],
)
def test_what_is_wrong_stops_only_who_uses_it(environment: Environment, use: str, said: str) -> None:
    done = environment.evalfw("run", environment.experiment(metrics=["pass_at_k", {"use": use}]))
    assert done.returncode == 2
    assert said in done.stderr
    assert "experiment.yaml:1:" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_distribution_decides_between_two_of_one_name(environment: Environment) -> None:
    done = environment.evalfw("plan", environment.experiment(metrics=["evalfw-clashing/dmpd"]))
    assert done.returncode == 0, done.stderr
    assert "evalfw-clashing 0.4.0" in done.stdout
