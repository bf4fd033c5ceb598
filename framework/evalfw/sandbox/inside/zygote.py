"""The fork server: a thin process that holds nothing, and forks one contestant per execution.

It answers one request at a time on its control socket. A request is a line of JSON with the limits and the working
directory, accompanied by five descriptors: job, stdin, stdout, stderr, report. The answer is a line of JSON: what
`watch` returns, and `begun`, whether the child came as far as the solution. End of the socket ends everything.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import math
import os
import resource
import signal
import socket
import sys
from types import ModuleType
from typing import NoReturn

from . import contestant, kernel, stdin
from .watch import watch

PRELOAD = (
    *(
        "abc",
        "array",
        "bisect",
        "cmath",
        "collections",
        "collections.abc",
        "contextlib",
        "copy",
        "dataclasses",
    ),
    *("datetime", "decimal", "enum", "fractions", "functools", "heapq", "io", "itertools", "json", "math"),
    *("numbers", "operator", "queue", "random", "re", "statistics", "string", "struct", "sys", "textwrap"),
    *("threading", "time", "traceback", "types", "typing"),
)
"""Modules every solution finds imported. Part of the definition of a memory measurement: what is imported here
is in nobody's profile."""

_ADDRESS_MARGIN = 384 << 20
_FILE_BYTES = 16 << 20
_OPEN_FILES = 256


def main() -> None:
    """Serve until the control socket ends. Started by `evalfw.sandbox.process`, see there for the arguments."""
    start = json.loads(sys.argv[1])
    control = socket.socket(fileno=start["control"])
    for path in start["site_packages"]:
        sys.path.append(path)
    for name in PRELOAD:
        importlib.import_module(name)
    contestant.install_exit()
    stdin.register()
    kernel.adopt_orphans()
    instrument = None
    if start["instrument"] is not None:
        try:
            instrument = _load(start["instrument"])
            if hasattr(instrument, "prepare"):
                instrument.prepare(start["settings"])
        except Exception as error:
            _say(control, {"failed": f"{type(error).__name__}: {error}"})
            return
    woken, waker = socket.socketpair()
    for end in (woken, waker):
        end.setblocking(False)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    gc.collect()
    gc.freeze()
    _say(control, {"ready": True})
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 65536, 5)
        if not message:
            return
        if not descriptors:  # a kill that crossed the answer
            continue
        request = json.loads(message.splitlines()[-1])
        begun, begin = os.pipe()
        pid = os.fork()
        if pid == 0:
            _become_contestant(request, descriptors, begin, start["settings"], instrument)
        for fd in (*descriptors, begin):
            os.close(fd)
        answer = watch(pid, request["limits"], control, woken)
        answer["begun"] = os.read(begun, 1) == b"."
        os.close(begun)
        _say(control, answer)


def _say(control: socket.socket, answer: dict[str, object]) -> None:
    control.sendall(json.dumps(answer).encode() + b"\n")


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("evalfw_instrument", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _become_contestant(
    request: dict[str, object],
    descriptors: list[int],
    begin: int,
    settings: object,
    instrument: ModuleType | None,
) -> NoReturn:
    """In the forked child: take on limits and descriptors, then run the job. Never returns."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        kernel.die_with_parent()
        kernel.renounce_privileges()
        os.setsid()
        os.chdir(str(request["cwd"]))
        _limit(request["limits"])  # type: ignore[arg-type]
        job_fd, stdin_fd, stdout_fd, stderr_fd, report_fd = descriptors
        with open(job_fd, "rb") as file:
            job = json.loads(file.read())
        for target, fd in enumerate((stdin_fd, stdout_fd, stderr_fd)):
            os.dup2(fd, target)
        os.write(begin, b".")
        report = os.dup2(report_fd, 3, inheritable=False)
        os.closerange(4, 4096)
        job["settings"] = settings
        contestant.run(job, report, instrument)
    finally:  # nothing of the zygote's may go on in the child
        os._exit(125)


def _limit(limits: dict[str, float]) -> None:
    whole = math.ceil(limits["cpu_seconds"]) + 2
    address = int(limits["memory_bytes"]) + _ADDRESS_MARGIN
    for name, value in (
        ("RLIMIT_CPU", whole),
        ("RLIMIT_AS", address),
        ("RLIMIT_FSIZE", _FILE_BYTES),
        ("RLIMIT_NOFILE", _OPEN_FILES),
        ("RLIMIT_CORE", 0),
    ):
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)  # noqa: PLW2901
        resource.setrlimit(kind, (value, value))
