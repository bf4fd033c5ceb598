"""The parent's side of one fork server: starts it, asks it for one execution at a time, ends it."""

from __future__ import annotations

import fcntl
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from evalfw.domain.problem import Call, Json, Method
from evalfw.errors import RunError
from evalfw.sandbox.conclude import conclude
from evalfw.sandbox.inside.scratch import Scratch
from evalfw.sandbox.job import Execution, Instrument, Job
from evalfw.sandbox.output import Output
from evalfw.sandbox.view import interpreter, view

INSIDE = Path(__file__).with_name("inside")

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

ENVIRONMENT = {
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


_START_SECONDS = 60.0
_GRACE_SECONDS = 4.0
_RECORD_BYTES = 256 << 20
_CHUNK = 1 << 16
_READ_ONLY_FOR_EVER = 0xF  # no more seals, no shrinking, growing, writing


class ZygoteLost(Exception):
    """The fork server did not do its part; says what was seen."""


class LevelRefused(Exception):
    """This machine does not allow a level; says what is missing."""


class Zygote:
    """One fork server and the socket to it.

    Args:
        level: See `evalfw.domain.isolation`.
        instrument: What measures in its executions; None for plain ones.
        site_packages: Directory of packages that solutions may import.
        cpu: The processor that executions run on, and nothing else of the fork server if there are others; None
            for any.

    Raises:
        LevelRefused: The level does not work here.
        ZygoteLost: It could not be started.
        RunError: The instrument cannot be loaded or prepared.
    """

    def __init__(
        self, level: str, instrument: Instrument | None, site_packages: str | None, cpu: int | None = None
    ) -> None:
        self._stack = ExitStack()
        self._control, theirs = socket.socketpair()
        self._log = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with the zygote
        scratch = None
        if level != "namespaces":
            scratch = os.path.realpath(tempfile.mkdtemp(prefix="evalfw-"))
            self._stack.callback(Scratch(scratch).close)  # the zygote does it too, but may be killed
        start = {
            "control": theirs.fileno(),
            "level": level,
            "view": view(site_packages, scratch),
            "interpreter": interpreter(),
            "instrument": str(instrument.path.resolve()) if instrument else None,
            "settings": instrument.settings if instrument else {},
            "site_packages": [site_packages] if site_packages else [],
            "packages": _package_folders() if instrument and instrument.packages else [],
            "cpu": cpu,
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-s", "-P", "-c", _BOOT.format(path=str(INSIDE)), json.dumps(start)],
                env=ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            prepared = self._answer(time.monotonic() + _START_SECONDS)
            if "refused" in prepared:
                raise LevelRefused(prepared["refused"])
            if "failed" in prepared:
                path = instrument.path if instrument else ""
                raise RunError(f"the instrument {path} could not be prepared in the sandbox: {prepared['failed']}")
        except BaseException:
            self.close()
            raise
        self.features: Mapping[str, Json] = prepared["features"]
        self.warnings = tuple(prepared["warnings"])
        self._parts = frozenset(prepared["parts"])

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

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
        self._stack.close()

    def run(self, job: Job) -> Execution:
        """Run one job.

        Raises:
            ZygoteLost: The zygote died, hung or could not set the stage.
        """
        with ExitStack() as stack:
            theirs = [_file(stack, _payload(job)), _file(stack, _stdin(job))]
            pipes: list[int] = []
            for _ in range(3):
                ours, other = os.pipe()
                stack.callback(os.close, ours)
                os.set_blocking(ours, False)
                pipes.append(ours)
                theirs.append(other)
            limits = {
                "cpu_seconds": job.limits.time_seconds,
                "wall_seconds": job.limits.wall_seconds,
                "memory_bytes": job.limits.memory_bytes,
            }
            try:
                socket.send_fds(self._control, [json.dumps(limits).encode() + b"\n"], theirs)
            except OSError as error:
                raise ZygoteLost(self._obituary(f"could not be asked: {error}")) from error
            finally:
                for fd in theirs[2:]:
                    os.close(fd)
            stdout, stderr, report = pipes
            output = Output(
                {
                    stdout: job.limits.output_bytes,
                    stderr: None,
                    report: job.limits.output_bytes if job.instrument is None else _RECORD_BYTES,
                }
            )
            answer = self._attend(output, time.monotonic() + job.limits.wall_seconds + _GRACE_SECONDS)
        said = output.text(stdout), output.text(stderr), output.text(report)
        if not answer["begun"] and answer["killed"] is None:
            last = said[1].decode(errors="replace").strip().rpartition("\n")[2]
            raise ZygoteLost(f"the child ended before it reached the solution{last and f': {last!a}'}")
        return conclude(job, answer, *said, bool(output.over), self._parts)

    def _attend(self, output: Output, deadline: float) -> Mapping[str, Any]:
        """Take what the child says until the zygote answers, and have the child killed if it says too much."""
        told = False
        with selectors.DefaultSelector() as selector:
            for fd in output.pipes:
                selector.register(fd, selectors.EVENT_READ)
            selector.register(self._control, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left < 0:
                    raise ZygoteLost(self._obituary("did not answer in time"))
                for key, _ in selector.select(min(left, 1.0)):
                    if key.fileobj is self._control:
                        answer = self._answer(deadline)
                        output.drain()
                        return answer
                    if not output.read(key.fd):
                        selector.unregister(key.fd)
                if output.over and not told:
                    told = True
                    with suppress(OSError):  # if it has died, that will be seen
                        self._control.sendall(b"kill\n")

    def _answer(self, deadline: float) -> Mapping[str, Any]:
        data = b""
        try:
            while not data.endswith(b"\n"):
                self._control.settimeout(max(0.01, deadline - time.monotonic()))
                part = self._control.recv(_CHUNK)
                if not part:
                    raise ZygoteLost(self._obituary("ended"))
                data += part
        except OSError as error:
            raise ZygoteLost(self._obituary(str(error))) from error
        finally:
            self._control.settimeout(None)
        try:
            answer: Mapping[str, Any] = json.loads(data)
        except ValueError as error:
            raise ZygoteLost(self._obituary("spoke nonsense")) from error
        return answer

    def _obituary(self, what: str) -> str:
        self._log.seek(0)
        last = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        return " ".join(["the fork server", what, *last])


def _package_folders() -> list[str]:
    """Where this process finds installed packages."""
    return [folder for folder in sys.path if folder.endswith("-packages")]


def _payload(job: Job) -> bytes:
    content: dict[str, object] = {"code": job.code, "method": None, "args": [], "ascii": True}
    content["recursion_limit"] = job.recursion_limit
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
            "prepare": style.prepare,
            "keywords": list(style.keywords),
            "prelude": style.prelude,
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
    linux = sys.platform == "linux"
    if linux:
        fd = os.memfd_create("evalfw", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    else:
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    stack.callback(os.close, fd)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    if linux:  # whoever can write there could take memory that is in no limit
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _READ_ONLY_FOR_EVER)
    return fd
