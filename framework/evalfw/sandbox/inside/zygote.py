"""The fork server: a thin process that holds nothing, and forks one contestant per execution.

It first says how it was prepared: a line of JSON with the `features` and `warnings` of its level, or with `failed`
where the instrument, or `refused` where this machine does not allow it. Then it answers one request at a time on its
control socket. A request is a line of JSON with the limits, accompanied by five descriptors: job, stdin, stdout,
stderr, report. The answer is a line of JSON: what `watch` returns. End of the socket ends everything.
"""

from __future__ import annotations

import fcntl
import functools
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
import traceback
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import NoReturn

from . import (
    checking,  # noqa: F401 - for the processes of checkers, which cannot read this folder
    contestant,
    kernel,
    launch,
    stdin,
)
from .confine import Place, enter
from .init import under_init
from .observe import SET, Observation, Observer
from .scratch import Scratch
from .watch import sweep, watch

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
    os.umask(0o022)
    start = json.loads(sys.argv[1])
    control = socket.socket(fileno=start["control"])
    for path in start["site_packages"]:
        sys.path.append(path)
    for name in PRELOAD:
        importlib.import_module(name)
    sys.executable = start["interpreter"]  # a virtual environment is not there for solutions
    contestant.install_exit()
    stdin.register()
    kernel.adopt_orphans()
    instrument = bundle = None
    if start["instrument"] is not None:
        try:
            instrument = _load(start["instrument"], start["settings"], start["packages"])
            if not hasattr(instrument, "measure") and not hasattr(instrument, "observe"):
                raise ImportError("it has neither `measure` nor `observe`")
            if hasattr(instrument, "launch") and (command := instrument.launch(start["settings"])):
                bundle = launch.make_bundle(start, command, PRELOAD, hasattr(instrument, "observe"))
        except Exception as error:
            _say(control, {"failed": f"{type(error).__name__}: {error}"})
            return
    try:
        place = enter(start["level"], start["view"], hasattr(instrument, "measure"), bundle is not None)
    except OSError as error:
        _say(control, {"refused": str(error)})
        return
    place.cpu = start["cpu"]
    _stand_aside(place.cpu)
    woken, waker = socket.socketpair()
    for end in (woken, waker):
        end.setblocking(False)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    gc.collect()
    gc.freeze()
    parts = [part for part in ("measure", "observe") if hasattr(instrument, part)]
    _say(control, {"features": place.features, "warnings": place.warnings, "parts": parts})
    scratch = None if place.private else Scratch(start["view"]["scratch"])
    try:
        _serve(control, woken, start["settings"], instrument, bundle, place, scratch)
    finally:
        if scratch:
            scratch.close()


def _serve(
    control: socket.socket,
    woken: socket.socket,
    settings: object,
    instrument: ModuleType | None,
    bundle: launch.Bundle | None,
    place: Place,
    scratch: Scratch | None,
) -> None:
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 65536, 5)
        if not message:
            return
        if not descriptors:  # a kill that crossed the answer
            continue
        limits = json.loads(message.splitlines()[-1])
        directory = scratch.fresh(place.user) if scratch else place.scratch
        become = functools.partial(
            _become_contestant, limits, directory, descriptors, settings, instrument, bundle, place
        )
        observe = getattr(instrument, "observe", None)
        execute = functools.partial(
            _execute, become, limits, place, control, woken, observe and functools.partial(observe, settings=settings)
        )
        answer = under_init(place, execute) if place.private else execute()
        if scratch:
            scratch.clear()
        for fd in descriptors:
            os.close(fd)
        _say(control, answer)


def _execute(
    become: Callable[[int], NoReturn],
    limits: Mapping[str, float],
    place: Place,
    control: socket.socket,
    woken: socket.socket,
    observe: Callable[[Callable[[], list[int]]], Observer] | None,
) -> dict[str, object]:
    """Fork a contestant and watch it to its end."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        become(theirs.detach())
    theirs.close()
    with ours:
        start = observe and functools.partial(observe, functools.partial(place.family, pid))
        answer = watch(pid, limits, control, woken, place.family, Observation(ours, start))
    if not place.private:
        sweep(pid)
    return answer


def _say(control: socket.socket, answer: dict[str, object]) -> None:
    control.sendall(json.dumps(answer).encode() + b"\n")


def _stand_aside(cpu: int | None) -> None:
    """Leave a processor to contestants, if there is another."""
    if cpu is not None and (others := os.sched_getaffinity(0) - {cpu}):
        os.sched_setaffinity(0, others)


def _load(path: str, settings: object, packages: list[str]) -> ModuleType:
    """The instrument, prepared. It can import from the folders of `packages` here, and later from none of them."""
    before = list(sys.path)
    sys.path += packages
    try:
        instrument = _module(path)
        if hasattr(instrument, "prepare"):
            instrument.prepare(settings)
    finally:
        sys.path[:] = before
    return instrument


def _module(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("evalfw_instrument", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _become_contestant(
    limits: Mapping[str, float],
    directory: str,
    descriptors: list[int],
    settings: object,
    instrument: ModuleType | None,
    bundle: launch.Bundle | None,
    place: Place,
    marks: int,
) -> NoReturn:
    """In the forked child: take on limits and descriptors, then run the job. Never returns."""
    end = os._exit  # the solution may replace the original
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        os.chdir(directory)
        _limit(limits, place.max_tasks)
        job_fd, stdin_fd, stdout_fd, stderr_fd, report_fd = descriptors
        with open(job_fd, "rb") as file:
            job = json.loads(file.read())
        place.settle(launching=bundle is not None)
        for target, fd in enumerate((stdin_fd, stdout_fd, stderr_fd)):
            os.dup2(fd, target)
        job["settings"] = settings
        observed = hasattr(instrument, "observe")
        if bundle is not None:
            launch.become({**bundle, "filter": place.filter(), "task": job}, report_fd, marks)
        os.write(marks, SET)
        marks = fcntl.fcntl(marks, fcntl.F_DUPFD, 5)  # out of the way
        report = os.dup2(report_fd, 3, inheritable=False)
        if observed:
            marks = os.dup2(marks, 4, inheritable=False)
        os.closerange(5 if observed else 4, 4096)
        contestant.run(job, report, instrument, marks if observed else None)
    except Exception:
        traceback.print_exc()
    finally:  # nothing of the zygote's may go on in the child
        end(125)


def _limit(limits: Mapping[str, float], max_tasks: int | None) -> None:
    bounds: dict[str, int] = {
        "RLIMIT_CPU": math.ceil(limits["cpu_seconds"]) + 2,
        "RLIMIT_AS": int(limits["memory_bytes"]) + _ADDRESS_MARGIN,
        "RLIMIT_FSIZE": _FILE_BYTES,
        "RLIMIT_NOFILE": _OPEN_FILES,
        "RLIMIT_CORE": 0,
    }
    if max_tasks is not None:
        bounds["RLIMIT_NPROC"] = max_tasks
    for name, bound in bounds.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (value, value))
