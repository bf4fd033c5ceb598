"""The parent's side: one worker's sandbox, which runs jobs one at a time through its zygotes."""

from __future__ import annotations

import hashlib
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from evalfw.domain.answer import Outcome
from evalfw.domain.problem import Call, Method
from evalfw.errors import RunError
from evalfw.sandbox.conclude import conclude
from evalfw.sandbox.inside.zygote import PRELOAD
from evalfw.sandbox.job import Execution, Instrument, Job

_INSIDE = Path(__file__).with_name("inside")

# The child's package is loaded under a name of its own: importing `evalfw` there would import the framework.
# The stack limit has to be set before the interpreter starts, so that deep C recursion has room.
_BOOT = """
import os, resource, sys, types
soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
if soft != hard:
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
    os.execve(sys.executable, sys.orig_argv, os.environ)
package = types.ModuleType("evalfw_inside")
package.__path__ = [{path!r}]
sys.modules["evalfw_inside"] = package
from evalfw_inside.zygote import main
main()
"""

_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONINTMAXSTRDIGITS": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""All that a solution finds in its environment."""

_ATTEMPTS = 3
_GRACE_SECONDS = 8.0
_STDERR_BYTES = 64 << 10
_RECORD_BYTES = 256 << 20
_CHUNK = 1 << 16


def definition(site_packages: bool = False) -> str:
    """Identifies everything about the sandbox that can change a measurement.

    The interpreter, the modules that are imported ahead, the environment and the code inside. Results of
    different definitions are never mixed.
    """
    digest = hashlib.sha256(json.dumps([PRELOAD, _ENVIRONMENT, site_packages]).encode())
    for file in sorted(_INSIDE.glob("*.py")):
        digest.update(file.read_bytes())
    version = sys.version.split()[0]
    return f"{sys.implementation.name}-{version}-{sysconfig.get_platform()}-{digest.hexdigest()[:16]}"


class _ZygoteLost(Exception):
    """The fork server did not do its part; says what was seen."""


class Sandbox:
    """Runs jobs, one at a time, each in a process of its own. One per worker; not to be shared by threads.

    Args:
        site_packages: Let solutions import what is installed beside evalfw.
    """

    def __init__(self, site_packages: bool = False) -> None:
        self._site_packages = sysconfig.get_path("purelib") if site_packages else None
        self._zygotes: dict[str, _Zygote] = {}
        self._stopped = False

    def __enter__(self) -> Self:
        """Nothing is started before the first job."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the zygotes, and with them whatever they run."""
        self.close()

    def stop(self) -> None:
        """End a job that another thread is running here, and run no more."""
        self._stopped = True
        for zygote in list(self._zygotes.values()):
            zygote.hang_up()

    def close(self) -> None:
        """End the zygotes, and with them whatever they run."""
        while self._zygotes:
            self._zygotes.popitem()[1].close()

    def run(self, job: Job) -> Execution:
        """Run one job to its end.

        Never raises for anything that the solution does. When the sandbox itself fails, the job is tried
        again, and in the end its outcome is `sandbox_error`.

        Raises:
            RunError: The instrument cannot be loaded or prepared.
        """
        key = json.dumps([str(job.instrument.path), job.instrument.settings]) if job.instrument else ""
        lost = ""
        for _ in range(_ATTEMPTS):
            if self._stopped:
                raise RunError("the sandbox has been stopped")
            try:
                if key not in self._zygotes:
                    self._zygotes[key] = _Zygote(job.instrument, self._site_packages)
                return self._zygotes[key].run(job)
            except _ZygoteLost as error:
                lost = str(error)
                if key in self._zygotes:
                    self._zygotes.pop(key).close()
        return Execution(Outcome.SANDBOX_ERROR, lost)


class _Zygote:
    """One fork server and the socket to it."""

    def __init__(self, instrument: Instrument | None, site_packages: str | None) -> None:
        self._control, theirs = socket.socketpair()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the zygote
        start = {
            "control": theirs.fileno(),
            "instrument": str(instrument.path.resolve()) if instrument else None,
            "settings": instrument.settings if instrument else {},
            "site_packages": [site_packages] if site_packages else [],
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-s", "-P", "-c", _BOOT.format(path=str(_INSIDE)), json.dumps(start)],
                env=_ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            hello = self._answer(time.monotonic() + 60)
        except _ZygoteLost:
            self.close()
            raise
        if "failed" in hello:
            self.close()
            path = instrument.path if instrument else ""
            raise RunError(f"the instrument {path} could not be prepared in the sandbox: {hello['failed']}")

    def hang_up(self) -> None:
        """End the connection, upon which the zygote kills its child and ends; for use by any thread."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Kill it; what it was running dies with it."""
        self._control.close()
        try:
            self._process.wait(timeout=2)  # the end of the socket makes it kill its child, then leave
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def run(self, job: Job) -> Execution:
        """Run one job.

        Raises:
            _ZygoteLost: The zygote died, hung or could not set the stage.
        """
        with ExitStack() as stack:
            directory = tempfile.mkdtemp(prefix="evalfw-")
            stack.callback(shutil.rmtree, directory, ignore_errors=True)
            theirs = [_file(stack, _payload(job)), _file(stack, _stdin(job))]
            pipes: list[int] = []
            for _ in range(3):
                ours, other = os.pipe()
                stack.callback(os.close, ours)
                os.set_blocking(ours, False)
                pipes.append(ours)
                theirs.append(other)
            request = {
                "cwd": directory,
                "limits": {
                    "cpu_seconds": job.limits.time_seconds,
                    "wall_seconds": job.limits.wall_seconds,
                    "memory_bytes": job.limits.memory_bytes,
                },
            }
            try:
                socket.send_fds(self._control, [json.dumps(request).encode() + b"\n"], theirs)
            except OSError as error:
                raise _ZygoteLost(self._obituary(f"could not be asked: {error}")) from error
            finally:
                for fd in theirs[2:]:
                    os.close(fd)
            stdout, stderr, report = pipes
            output = _Output(
                {
                    stdout: job.limits.output_bytes,
                    stderr: None,
                    report: job.limits.output_bytes if job.instrument is None else _RECORD_BYTES,
                }
            )
            answer = self._attend(output, time.monotonic() + job.limits.wall_seconds + _GRACE_SECONDS)
        if not answer["begun"] and answer["killed"] is None:
            raise _ZygoteLost("the child ended before it reached the solution")
        return conclude(job, answer, output.text(stdout), output.text(stderr), output.text(report), bool(output.over))

    def _attend(self, output: _Output, deadline: float) -> Mapping[str, object]:
        """Take what the child says until the zygote answers, and have the child killed if it says too much."""
        told = False
        with selectors.DefaultSelector() as selector:
            for fd in output.pipes:
                selector.register(fd, selectors.EVENT_READ)
            selector.register(self._control, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left < 0:
                    raise _ZygoteLost(self._obituary("did not answer in time"))
                for key, _ in selector.select(min(left, 1.0)):
                    if key.fileobj is self._control:
                        answer = self._answer(deadline)
                        output.drain()
                        return answer
                    if not output.read(key.fd):
                        selector.unregister(key.fd)
                if output.over and not told:
                    told = True
                    self._control.sendall(b"kill\n")

    def _answer(self, deadline: float) -> Mapping[str, object]:
        data = b""
        try:
            while not data.endswith(b"\n"):
                self._control.settimeout(max(0.01, deadline - time.monotonic()))
                part = self._control.recv(_CHUNK)
                if not part:
                    raise _ZygoteLost(self._obituary("ended"))
                data += part
        except OSError as error:
            raise _ZygoteLost(self._obituary(str(error))) from error
        finally:
            self._control.settimeout(None)
        answer: Mapping[str, object] = json.loads(data)
        return answer

    def _obituary(self, what: str) -> str:
        self._log.seek(0)
        last = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        return " ".join(["the fork server", what, *last])


class _Output:
    """What comes through the pipes of one child, each up to its cap.

    Args:
        caps: Bytes that may come through each pipe; None for a pipe of which the head is kept and the rest
            read and forgotten.
    """

    def __init__(self, caps: Mapping[int, int | None]) -> None:
        self._caps = caps
        self._parts: dict[int, bytearray] = {fd: bytearray() for fd in caps}
        self.over: set[int] = set()

    @property
    def pipes(self) -> tuple[int, ...]:
        """The descriptors that are read."""
        return tuple(self._caps)

    def read(self, fd: int) -> bool:
        """Take what is there now; False when there will be no more."""
        try:
            part = os.read(fd, _CHUNK)
        except BlockingIOError:
            return True
        kept, cap = self._parts[fd], self._caps[fd]
        room = (_STDERR_BYTES if cap is None else cap) - len(kept)
        kept += part[: max(0, room)]
        if cap is not None and len(part) > room:
            self.over.add(fd)
        return bool(part) and fd not in self.over

    def drain(self) -> None:
        """Take what the child left in the pipes. Bounded: the child is dead, and its pipes hold little."""
        for fd in self.pipes:
            for _ in range(1 << 10):
                before = len(self._parts[fd])
                if not self.read(fd) or len(self._parts[fd]) == before:
                    break

    def text(self, fd: int) -> bytes:
        """What has been kept of one pipe."""
        return bytes(self._parts[fd])


def _payload(job: Job) -> bytes:
    content: dict[str, object] = {"code": job.code, "method": None, "args": [], "ascii": True}
    if isinstance(job.input, Call):
        style = job.input.style or job.style
        if not isinstance(style, Method):
            raise TypeError("a call needs a problem whose style is a method")
        content["method"] = {
            "name": style.name,
            "class_name": style.class_name,
            "args": list(style.args),
            "returns": style.returns,
            "result_from": style.result_from,
        }
        content["args"] = list(job.input.args)
    else:
        content["ascii"] = job.input.isascii()
    return json.dumps(content).encode()


def _stdin(job: Job) -> bytes:
    if isinstance(job.input, Call):
        return b""
    try:
        return job.input.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return job.input.encode("utf-8", "surrogatepass")


def _file(stack: ExitStack, content: bytes) -> int:
    """A descriptor of an anonymous file with this content, at its start."""
    if sys.platform == "linux":
        fd = os.memfd_create("evalfw", os.MFD_CLOEXEC)
    else:
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    stack.callback(os.close, fd)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
