"""Starts the process of a solution once more, under another program, as the `launch` of an instrument wants it.

The child has given up everything by then but the right to execute this one program; its filter of system calls is
installed by the new interpreter, before the solution is near. That cannot read this folder, so the code of this package
and of the instrument comes along, compiled.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import marshal
import os
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn, TypedDict

from . import contestant, kernel, observe, stdin

REPORT, MARKS, BUNDLE = 3, 4, 5
"""Descriptors of the new process, behind the standard streams."""

_BOOT = f"""
import marshal, sys
from importlib.machinery import ModuleSpec
with open({BUNDLE}, "rb") as file:
    bundle = marshal.load(file)
class Finder:
    create_module = staticmethod(lambda spec: None)
    exec_module = staticmethod(lambda module: exec(bundle["modules"][module.__name__], module.__dict__))
    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Finder, is_package="." not in name) if name in bundle["modules"] else None
sys.meta_path.insert(0, Finder)
from {__package__}.launch import main
main(bundle)
"""


class Bundle(TypedDict):
    """What the new process is given.

    `command` is what Python is started under, `modules` are those of this package by name, `instrument` is that of the
    profiler, `preload` are imported ahead, `filter` is a BPF program or empty, `task` is a `contestant.Task`, and
    `observed` says whether marks are wanted.
    """

    command: list[str]
    modules: Mapping[str, CodeType]
    instrument: CodeType
    preload: Sequence[str]
    site_packages: Sequence[str]
    interpreter: str
    filter: bytes
    task: Any
    observed: bool


def make_bundle(start: Mapping[str, Any], command: list[str], preload: Sequence[str], observed: bool) -> Bundle:
    """A bundle without a task, made while files can be read; `start` is what the fork server was given."""
    package, instrument = __package__ or "", Path(start["instrument"])
    modules = {package: compile("", "__init__.py", "exec")}
    for file in Path(__file__).parent.glob("[!_]*.py"):
        modules[f"{package}.{file.stem}"] = compile(file.read_bytes(), file.name, "exec")
    return {
        "command": command,
        "modules": modules,
        "instrument": compile(instrument.read_bytes(), instrument.name, "exec"),
        "preload": preload,
        "site_packages": start["site_packages"],
        "interpreter": start["interpreter"],
        "filter": b"",
        "task": None,
        "observed": observed,
    }


def become(bundle: Bundle, report: int, marks: int) -> NoReturn:
    """Execute Python under the command in this process, whose standard streams are in place.

    Raises:
        OSError: The command cannot be executed.
    """
    with open(os.memfd_create("evalfw"), "wb") as file:
        file.write(marshal.dumps(bundle))  # type: ignore[arg-type]
        file.flush()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        sources = [fcntl.fcntl(fd, fcntl.F_DUPFD, BUNDLE + 1) for fd in (report, marks, file.fileno())]
    for target, fd in zip((REPORT, MARKS, BUNDLE), sources, strict=True):
        os.dup2(fd, target)
    os.closerange(BUNDLE + 1, 4096)
    python = [bundle["interpreter"], "-S", "-s", "-P", "-c", _BOOT]
    command = bundle["command"]
    os.execve(command[0], [*command, *python], {**os.environ, "TMPDIR": os.getcwd()})


def main(bundle: Bundle) -> NoReturn:
    """In the new process: be as a child of the fork server is, then run the job."""
    del os.environ["TMPDIR"]  # was for the command
    sys.path.extend(bundle["site_packages"])
    for name in bundle["preload"]:
        importlib.import_module(name)
    sys.executable = bundle["interpreter"]
    contestant.install_exit()
    stdin.register()
    instrument = types.ModuleType("evalfw_instrument")
    exec(bundle["instrument"], instrument.__dict__)
    gc.collect()
    gc.freeze()
    kernel.let_others_read(True)
    if bundle["filter"]:
        kernel.install_filter(bundle["filter"], by_prctl=True)
    os.write(MARKS, observe.SET)
    if not bundle["observed"]:
        os.close(MARKS)
    contestant.run(bundle["task"], REPORT, instrument, MARKS if bundle["observed"] else None)
