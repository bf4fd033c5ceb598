"""Stands in for the sandbox: forks from a fresh interpreter that has loaded one instrument. Run as a file.

Standard input holds JSON: the paths of the instrument and of the framework's `stdin` module, the settings, whether the
interpreter's counter is hidden from the instrument, names of the instrument to be set after `prepare`, and the programs
with their inputs. Every program runs in a process of its own. Standard output gets one JSON record a program, `null`
where none came.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import random
import re
import sys
from types import CodeType, ModuleType

FILENAME = "<contestant>"


class Program:
    """What `evalfw.Program` is to an instrument."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.ending: BaseException | None = None
        self._space: dict[str, object] = {"__name__": "__main__", "__builtins__": __builtins__}

    def run(self) -> None:
        try:
            exec(self.code, self._space)
        except BaseException as ending:
            self.ending = ending


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def import_what_it_imports(source: str) -> None:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for name in node.names:
                __import__(name.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            __import__(node.module)


def run_one(instrument: ModuleType, stdin: ModuleType, settings: object, source: str, text: str) -> object:
    given = os.memfd_create("stdin")
    os.write(given, text.encode())
    os.lseek(given, 0, os.SEEK_SET)
    os.dup2(given, 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdin = stdin.open_stdin(text.isascii())
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    random.seed(0)
    re.purge()  # instruments may have patterns of their own there
    program = Program(compile(source, FILENAME, "exec"))
    import_what_it_imports(source)
    record = instrument.measure(program, settings)
    return {"record": record, "ending": type(program.ending).__name__}


def main() -> None:
    order = json.loads(sys.stdin.read())
    instrument, stdin = load(order["instrument"]), load(order["stdin"])
    stdin.register()
    if order["hide_counter"]:
        vars(instrument)["_static_variables"] = lambda: iter(())
    if hasattr(instrument, "prepare"):
        instrument.prepare(order["settings"])
    for name, value in order["after_prepare"].items():
        setattr(instrument, name, value)
    for source, text in order["programs"]:
        out, result = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(out)
                answer = run_one(instrument, stdin, order["settings"], source, text)
                os.write(result, json.dumps(answer).encode())
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(0)
        os.close(result)
        with open(out, "rb") as stream:
            answer_text = stream.read().decode()
        os.waitpid(pid, 0)
        sys.stdout.write(f"{answer_text or 'null'}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
