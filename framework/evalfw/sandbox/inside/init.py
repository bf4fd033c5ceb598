"""The first process of a run's namespaces: trusted, out of the contestant's reach; when it ends, all there ends."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable

from . import kernel
from .confine import Place


def under_init(place: Place, execute: Callable[[], dict[str, object]]) -> dict[str, object]:
    """Do `execute`, which forks, watches and returns plain data, in namespaces of its own."""
    reading, writing = os.pipe()
    pid = place.clone()
    if pid == 0:
        try:
            kernel.die_with_parent()
            place.furnish()
            os.write(writing, json.dumps(execute()).encode())
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        answer = file.read()
    os.waitpid(pid, 0)
    if not answer:
        raise SystemExit("the init of a run ended without an answer")
    observed: dict[str, object] = json.loads(answer)
    return observed
