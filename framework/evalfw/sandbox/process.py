"""A worker's sandbox: runs jobs one at a time through its fork servers, at the best level that works here."""

from __future__ import annotations

import hashlib
import json
import sys
import sysconfig
from typing import Self

from evalfw.domain.answer import Outcome
from evalfw.domain.isolation import Level
from evalfw.errors import RunError
from evalfw.sandbox.inside.zygote import PRELOAD
from evalfw.sandbox.job import Execution, Job
from evalfw.sandbox.levels import best
from evalfw.sandbox.server import ENVIRONMENT, INSIDE, Zygote, ZygoteLost

_ATTEMPTS = 3


def definition(site_packages: bool = False) -> str:
    """Identifies everything about the sandbox that can change a measurement.

    The interpreter, the modules that are imported ahead, the environment and the code inside. Results of
    different definitions are never mixed.
    """
    digest = hashlib.sha256(json.dumps([PRELOAD, ENVIRONMENT, site_packages]).encode())
    for file in sorted(INSIDE.glob("*.py")):
        digest.update(file.read_bytes())
    return f"{interpreter().replace(' ', '-')}-{sysconfig.get_platform()}-{digest.hexdigest()[:16]}"


def interpreter() -> str:
    """What solutions run under, such as `cpython 3.11.7`."""
    return f"{sys.implementation.name} {sys.version.split()[0]}"


class Sandbox:
    """Runs jobs, one at a time, each in a process of its own. One per worker; not to be shared by threads.

    Args:
        site_packages: Let solutions import what is installed beside evalfw.
        require: The least level of isolation, see `evalfw.domain.isolation`; None for whatever works.
        level: This level and no other, even if a better one works.
        cpu: The processor that jobs run on, and nothing else of the sandbox if there are others; None for any.
    """

    def __init__(
        self,
        site_packages: bool = False,
        require: Level | None = None,
        level: Level | None = None,
        cpu: int | None = None,
    ) -> None:
        self._require = require
        self._level = level
        self._cpu = cpu
        self._site_packages = sysconfig.get_path("purelib") if site_packages else None
        self._zygotes: dict[str, Zygote] = {}
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
            RunError: The instrument cannot be loaded or prepared, or isolation is not as required.
        """
        if self._level is None:
            self._level = best(self._require)
        key = json.dumps([str(job.instrument.path), job.instrument.settings]) if job.instrument else ""
        lost = ""
        for _ in range(_ATTEMPTS):
            if self._stopped:
                raise RunError("the sandbox has been stopped")
            try:
                if key not in self._zygotes:
                    self._zygotes[key] = Zygote(self._level, job.instrument, self._site_packages, self._cpu)
                return self._zygotes[key].run(job)
            except ZygoteLost as error:
                lost = str(error)
                if key in self._zygotes:
                    self._zygotes.pop(key).close()
        return Execution(Outcome.SANDBOX_ERROR, lost)
