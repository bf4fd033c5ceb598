"""Levels of isolation: which of them work here, and which is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from evalfw.domain.isolation import LEVELS, Level
from evalfw.domain.problem import Json, Limits, Stdin
from evalfw.errors import RunError
from evalfw.sandbox.job import Job
from evalfw.sandbox.server import LevelRefused, Zygote, ZygoteLost

RAISE: Mapping[Level, str] = {
    "namespaces": (
        "needs Linux 5.12 and user namespaces: as root, or with `kernel.unprivileged_userns_clone=1`,\n"
        "  `user.max_user_namespaces` above 0 and, on Ubuntu,\n"
        "  `kernel.apparmor_restrict_unprivileged_userns=0` (sysctl);\n"
        "  in a container, a seccomp profile that permits `unshare`, `clone` and `mount`"
    ),
    "landlock+seccomp": "needs Linux 6.2 with Landlock (`lsm=landlock` among the kernel's parameters)",
    "seccomp+rlimits": "needs Linux with seccomp on x86_64 or aarch64",
    "rlimits": "needs a system with fork",
}
"""What makes a level work."""

_PROBE = Job("import csv, mmap, unicodedata\nprint(6 * 7)", Stdin(), "", Limits(time_seconds=10.0))


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a level.

    Args:
        level: The level.
        refusal: Why it does not work here; empty if it does.
        features: What was in force, if it does.
        warnings: What was not, and may surprise.
    """

    level: Level
    refusal: str
    features: Mapping[str, Json]
    warnings: tuple[str, ...]


@cache
def attempt(level: Level) -> Trial:
    """Try a level once, with a program in a throw-away fork server."""
    try:
        zygote = Zygote(level, None, None)
    except (LevelRefused, ZygoteLost) as error:
        return Trial(level, str(error), {}, ())
    try:
        execution = zygote.run(_PROBE)
    except ZygoteLost as error:
        return Trial(level, str(error), {}, ())
    finally:
        zygote.close()
    if execution.stdout != b"42\n":
        return Trial(level, f"a trial program failed: {execution.outcome} {execution.reason}", {}, ())
    return Trial(level, "", zygote.features, zygote.warnings)


def best(require: Level | None = None) -> Level:
    """The best level that works here.

    Raises:
        RunError: None works, or none as good as `require`; says why, and what would raise it.
    """
    acceptable = LEVELS if require is None else LEVELS[: LEVELS.index(require) + 1]
    for level in acceptable:
        if not attempt(level).refusal:
            return level
    refused = [attempt(level) for level in acceptable]
    tried = "".join(f"\n  {trial.level}: {trial.refusal}; {RAISE[trial.level]}" for trial in refused)
    wanted = f"`sandbox: {{require: {require}}}` cannot be met" if require else "no level of isolation works"
    raise RunError(f"{wanted} on this machine:{tried}")


def isolation(level: Level, requested: Level | None) -> Mapping[str, Json]:
    """The record of what was in force, for a manifest. Results do not depend on it.

    Args:
        level: One that works here.
        requested: What the experiment required.
    """
    trial = attempt(level)
    return {
        "level": level,
        "features": trial.features,
        "kernel": " ".join((os.uname().sysname, os.uname().release, os.uname().machine)),
        "python": sys.version.split()[0],
        "warnings": trial.warnings,
        "requested": requested,
    }
