"""The process behind `apart`: reads orders from standard input, a line of JSON each, and answers each with one.

An order is a module, a function in it and its arguments; an answer is a value and a reason, one of which is null.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import sys
import warnings
from importlib import import_module

from evalfw_metrics.apart import Unmeasurable

_MEMORY_BYTES = 2 << 30


def answer(line: str) -> list[object]:
    """Carry out one order."""
    module, name, arguments = json.loads(line)
    function = getattr(import_module(module), name)
    try:
        return [function(*arguments), None]
    except Unmeasurable as why:
        return [None, str(why)]
    except (RecursionError, MemoryError):
        return [None, "nested too deeply, or too large"]
    except Exception as error:
        return [None, f"{type(error).__name__}: {error}"[:200]]


def main() -> None:
    """Answer until there are no more orders."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    logging.disable()
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints is no answer
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))  # ends the process, whatever it is in
        text = json.dumps(answer(line))
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(f"{text}\n")
        answers.flush()


if __name__ == "__main__":
    main()
