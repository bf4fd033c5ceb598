from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalfw import Instrument, Job, Limits, RunError, Sandbox, Stdin
from evalfw.domain.isolation import LEVELS, Level
from evalfw.sandbox import levels, server
from evalfw.sandbox.inside.namespaces import View
from evalfw.sandbox.levels import Trial, attempt, best, isolation
from evalfw.sandbox.process import definition
from evalfw.sandbox.view import view


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """A machine on which these levels do not work."""

    def trial(level: Level) -> Trial:
        return Trial(level, "not here" if level in request.param else "", {}, ())

    monkeypatch.setattr(levels, "attempt", trial)
    yield


@pytest.mark.parametrize(
    ("refused", "level"),
    [((), "namespaces"), (LEVELS[:1], "landlock+seccomp"), (LEVELS[:2], "seccomp+rlimits"), (LEVELS[:3], "rlimits")],
    indirect=["refused"],
)
@pytest.mark.usefixtures("refused")
def test_the_best_level_that_works_is_taken(level: Level) -> None:
    assert best() == level
    assert best("rlimits") == level


@pytest.mark.parametrize("refused", [LEVELS[:1]], indirect=True)
@pytest.mark.usefixtures("refused")
def test_a_requirement_that_cannot_be_met_says_what_would_raise_the_level() -> None:
    with pytest.raises(RunError, match=r"(?s)require: namespaces.*\n  namespaces: not here; needs Linux.*userns"):
        best("namespaces")
    assert best("landlock+seccomp") == "landlock+seccomp"


@pytest.mark.parametrize("refused", [LEVELS[:1]], indirect=True)
@pytest.mark.usefixtures("refused")
def test_nothing_runs_below_what_is_required() -> None:
    with Sandbox(require="namespaces") as sandbox, pytest.raises(RunError, match="cannot be met"):
        sandbox.run(Job("print(1)", Stdin(), "", Limits()))


@pytest.mark.parametrize("level", LEVELS)
def test_the_record_says_what_is_in_force(level: Level) -> None:
    if refusal := attempt(level).refusal:
        pytest.skip(f"{level} does not work here: {refusal}")
    record = isolation(level, "rlimits")
    features = record["features"]
    assert isinstance(features, dict)
    assert (record["level"], record["requested"], record["python"]) == (level, "rlimits", sys.version.split()[0])
    assert set(features) == {
        *("fs", "pid", "net", "ipc", "seccomp", "landlock_abi", "caps", "uid", "proc", "nproc", "memory"),
    }  # fmt: skip
    assert features["seccomp"] is (level != "rlimits")
    assert (features["landlock_abi"] is not None) is (level == "landlock+seccomp")
    code = "import os\nprint(os.getuid(), os.getpid() == 2, os.path.exists('/etc/passwd'), os.getgroups())"
    with Sandbox(level=level) as sandbox:
        uid, own_processes, sees_files, groups = sandbox.run(Job(code, Stdin(), "", Limits())).stdout.split(b" ", 3)
    assert int(uid) == features["uid"] != 0
    assert (own_processes == b"True") is features["pid"]
    assert (sees_files == b"True") is (features["fs"] != "private")
    if os.geteuid() == 0:
        assert groups in {b"[]\n", b"[65534]\n"}


def test_capabilities_are_given_up() -> None:
    code = "print([line for line in open('/proc/self/status') if line.startswith(('Cap', 'NoNewPrivs', 'Seccomp:'))])"
    level = best()
    if level != "namespaces":
        pytest.skip("needs the level `namespaces`")
    with Sandbox(level=level) as sandbox:
        status = sandbox.run(Job(code, Stdin(), "", Limits())).stdout.decode()
    assert status.count("\\t0000000000000000") == 5
    assert "NoNewPrivs:\\t1" in status
    assert "Seccomp:\\t2" in status


def test_results_do_not_depend_on_the_level() -> None:
    assert not any(level in definition() for level in LEVELS)


def test_a_machine_without_user_namespaces_has_a_lower_level() -> None:
    limit = "echo 0 > /proc/sys/user/max_user_namespaces"
    doctor = [sys.executable, "-m", "evalfw", "doctor"]
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", f'{limit} && exec "$0" "$@"', *doctor]
    try:
        tried = subprocess.run(["unshare", "--user", "--map-root-user", "true"], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare(1) here")
    if tried.returncode:
        pytest.skip("this machine allows no user namespaces")
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "namespaces does not work here" in said.stdout, said
    assert "max_user_namespaces" in said.stdout
    assert "level        namespaces" not in said.stdout


def test_an_instrument_sees_its_own_processes_in_proc(tmp_path: Path) -> None:
    path = tmp_path / "instrument.py"
    path.write_text("def measure(program, settings):\n    program.run()\n    return open('/proc/self/statm').read()\n")
    with Sandbox() as sandbox:
        execution = sandbox.run(Job("x = 1", Stdin(), "", Limits(), Instrument(path)))
    assert len(str(execution.record).split()) == 7


def test_libraries_in_a_temporary_directory_are_not_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = str(tmp_path.resolve())
    if not real.startswith("/tmp/") or attempt("namespaces").refusal:
        pytest.skip("needs the level `namespaces` and a directory below /tmp")
    (tmp_path / "library").write_text("found")
    tmp_path.chmod(0o755)

    def with_library(site_packages: str | None, scratch: str | None) -> View:
        seen = view(site_packages, scratch)
        return View(show=seen["show"] | {real: real}, hide=seen["hide"], scratch=seen["scratch"])

    monkeypatch.setattr(server, "view", with_library)
    code = f"print(open('{real}/library').read())\nopen('file', 'w').write('x')\nopen('{real}/file', 'w')"
    with Sandbox(level="namespaces") as sandbox:
        execution = sandbox.run(Job(code, Stdin(), "", Limits()))
    assert execution.stdout == b"found\n"
    assert b"Read-only file system" in execution.stderr
