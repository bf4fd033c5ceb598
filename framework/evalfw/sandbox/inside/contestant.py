"""The process of one execution: sets the stage, runs the solution once, reports, ends.

Nothing here is worth stealing: there is no expected output, no secret and no way to the framework but a pipe
whose content the other side checks.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import functools
import io
import json
import os
import random
import sys
import threading
import traceback
import types
from collections.abc import Callable
from typing import NoReturn, TypedDict

from . import lctk, nodes, plain
from .observe import BEGIN, END
from .prelude import prelude
from .program import FILENAME, Program
from .rounds import Rounds, copier, flush, whole
from .stdin import open_stdin


class Task(TypedDict):
    """What the process is asked to do.

    `method` and `args` are those of a function, and None and empty for a program; `ascii` says whether the input of
    a program is; `recursion_limit` is None for that of the interpreter; `settings` are the instrument's.
    """

    code: str
    ascii: bool
    method: MethodTask | None
    args: list[object]
    recursion_limit: int | None
    settings: dict[str, object]


class MethodTask(TypedDict):
    """The fields of `evalfw.Method`."""

    name: str
    class_name: str | None
    args: list[str]
    returns: str
    result_from: str
    prepare: str
    keywords: list[str]
    prelude: str


def run(task: Task, report_fd: int, instrument: types.ModuleType | None, marks_fd: int | None = None) -> NoReturn:
    """Run one job and end the process.

    Args:
        task: The job.
        report_fd: Where the report goes, see `_report`.
        instrument: What measures; None to run plainly.
        marks_fd: Where to say when the measured part begins and ends, see `observe`; None if nobody wants to know.
    """
    _standard_streams(task["ascii"])
    random.seed(0)
    # The solution can reach whatever it likes of this process, so hold on to what is needed afterwards.
    end, finish, report = os._exit, _finish, functools.partial(_report, report_fd)
    measure = getattr(instrument, "measure", None)
    source = task["code"]
    if task["recursion_limit"] is not None:
        sys.setrecursionlimit(task["recursion_limit"])
    try:
        code = compile(source, FILENAME, "exec", dont_inherit=True)
    except UnicodeEncodeError as error:  # half of a surrogate pair: no file could hold such a program
        report({"ending": "error", "type": "UnicodeEncodeError", "text": str(error)})
        end(1)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        report({"ending": "compile", "type": type(error).__name__, "text": str(error)})
        end(1)

    method = task["method"]
    encode = nodes.encode if method is not None and method["result_from"] == "all" else plain.encode
    value: list[object] = []
    try:
        body = _body(code, task, value)
        measured = body if marks_fd is None else _marked(body, marks_fd)
        program = Program(code, measured, functools.partial(_rounds, code, task, value, encode))
    except BaseException as ending:
        end(finish(ending, {}, report))
    extra: dict[str, object] = {}
    if instrument is not None:
        _import_ahead(source)
    if measure is None:
        program.run()
    else:
        try:
            extra["record"] = plain.encode(measure(program, task["settings"]))
        except Exception as error:
            extra["tampered"] = f"the instrument failed: {type(error).__name__}: {error}"
        program.close()
    if value and program.ending is None:
        try:
            extra["value"] = encode(value[0])
        except plain.NotPlain as error:
            extra["not_plain"] = str(error)
    end(finish(program.ending, extra, report))


def _body(code: types.CodeType, task: Task, value: list[object]) -> Callable[[], None]:
    """The measured part: the module of a program, or the call of a function, whose result goes to `value`."""
    method = task["method"]
    if method is None:
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        return functools.partial(exec, code, main.__dict__)

    sys.modules["lctk"] = lctk
    arguments = _prepared(method["prepare"], task["args"])
    module = types.ModuleType("contestant")
    sys.modules["contestant"] = module
    names = module.__dict__
    if method["prelude"]:
        _establish(method["prelude"], names)
    else:
        names.update(prelude())
    exec(code, names)
    name, owner = method["name"], method["class_name"]
    function = getattr(names[owner](), name) if owner else names[name]
    for position, kind in enumerate(method["args"]):
        if kind in nodes.BUILD and position < len(arguments):
            build, node = nodes.BUILD[kind]
            # A solution that brings its own node class tests against that one.
            arguments[position] = build(arguments[position], names.get(node.__name__, node))
    by_position = len(arguments) - len(method["keywords"])
    unnamed, named = arguments[:by_position], dict(zip(method["keywords"], arguments[by_position:], strict=True))
    source = method["result_from"]

    def call() -> None:
        result = function(*unnamed, **named)
        if source == "all":
            result = [*arguments, result]
        elif source.startswith("arg"):
            result = arguments[int(source[3:])]
        flatten = nodes.FLATTEN.get(method["returns"])
        value.append(flatten(result) if flatten else result)

    return call


def _marked(body: Callable[[], None], fd: int) -> Callable[[], None]:
    """The measured part with marks around it, each of which is answered before it goes on."""
    write, read = os.write, os.read

    def marked() -> None:
        write(fd, BEGIN)
        read(fd, 1)
        try:
            body()
        finally:
            write(fd, END)
            read(fd, 1)

    return marked


def _rounds(code: types.CodeType, task: Task, value: list[object], encode: Callable[[object], object]) -> Rounds:
    fresh = copier(task["args"])

    def make() -> Callable[[], None]:
        body = _body(code, {**task, "args": fresh()}, value)  # type: ignore[typeddict-item]
        return body if task["method"] else functools.partial(whole, body)

    streams = functools.partial(_standard_streams, task["ascii"])
    return Rounds(make, streams, value if task["method"] else None, encode)


def _prepared(source: str, args: list[object]) -> list[object]:
    """What the function is called with: the arguments, or what the dataset's own code makes of them."""
    if not source:
        return list(args)
    names = prelude()
    try:
        exec(compile(source, "<prepare>", "exec", dont_inherit=True), names)
        return list(names["prepare"](list(args)))  # type: ignore[operator]
    except Exception as error:
        raise DatasetCodeFailed(f"its `prepare` raised {type(error).__name__}: {error}") from error


def _establish(source: str, names: dict[str, object]) -> None:
    """Run the dataset's own prelude in what will be the solution's module."""
    try:
        exec(compile(source, "<prelude>", "exec", dont_inherit=True), names)
    except Exception as error:
        raise DatasetCodeFailed(f"its `prelude` raised {type(error).__name__}: {error}") from error


class DatasetCodeFailed(Exception):
    """The solution could not be called, through no fault of its own."""


def _standard_streams(ascii_input: bool) -> None:
    """Fresh stream objects on the real descriptors 0, 1 and 2, as a new interpreter would have."""
    sys.stdin = sys.__stdin__ = open_stdin(ascii_input)  # type: ignore[misc]
    for name, fd in (("stdout", 1), ("stderr", 2)):
        raw = io.BufferedWriter(io.FileIO(fd, "w", closefd=False))
        errors = "surrogateescape" if fd == 1 else "backslashreplace"
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors=errors, newline="\n", line_buffering=fd == 2)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _import_ahead(source: str) -> None:
    """Import what the source imports, so that the work of importing is in nobody's profile."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            if name.partition(".")[0] in _CHATTY:
                continue
            try:
                __import__(name)
            except Exception:  # the solution will meet the same error, and it is the solution's
                continue


_CHATTY = frozenset({"this", "antigravity", "__main__"})
"""Modules whose import does something that is seen outside."""


def _finish(ending: BaseException | None, extra: dict[str, object], report: Callable[[dict[str, object]], None]) -> int:
    """Report, and end as an interpreter would: streams flushed, threads joined, exit handlers run."""
    status = 0
    if ending is None:
        extra["ending"] = "returned"
    elif isinstance(ending, SystemExit):
        extra["ending"] = "exit"
        code = ending.code
        status = code & 0xFF if isinstance(code, int) else 0 if code is None else 1
        if code is not None and not isinstance(code, int):
            _print_error(str(code))
    else:
        extra["ending"] = "memory" if isinstance(ending, MemoryError) else "error"
        extra["type"] = type(ending).__name__
        status = 1
        _print_error("".join(traceback.format_exception(ending, limit=-8)))
    report(extra)
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    except BaseException as error:
        _print_error(repr(error))
    flush()
    return status


def _print_error(text: str) -> None:
    try:
        sys.stderr.write(text[-4000:] + "\n")
        sys.stderr.flush()
    except Exception:  # a solution may have replaced or closed it; the report has what matters
        pass


def _report(fd: int, content: dict[str, object], dumps: Callable[[object], str] = json.dumps) -> None:
    """Write the report as JSON and close the pipe."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    data = memoryview(dumps(content).encode())
    while data:
        data = data[os.write(fd, data) :]
    os.close(fd)


def install_exit() -> None:
    """Give programs `exit` and `quit`, which come with the `site` module that is left out here."""
    import _sitebuiltins

    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
