"""Every error that is raised on purpose.

    EvalfwError                 exit code
    +-- InputError              2   you can mend this: names file, line or field, what was found, what is allowed
    |   +-- ConfigError             all problems of one configuration file
    |   +-- PluginError             a plugin that is missing, ambiguous, broken or built for another version
    +-- RunError                1   the world's fault: sandbox, store, disk; says what is kept and how to go on

What happens to a solution is a `Verdict`, never an exception.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path


class EvalfwError(Exception):
    """Base of every error that is raised on purpose; the command line prints it without a traceback."""

    exit_code = 1


class InputError(EvalfwError):
    """Something given by the user cannot be used."""

    exit_code = 2


class PluginError(InputError):
    """A plugin that an experiment names cannot be used; the message names its distribution."""


class RunError(EvalfwError):
    """The run could not go on, through no fault of what was asked."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a configuration file.

    Args:
        field: Dotted path of the field, e.g. `profilers.0.stride`.
        message: What was found and what is allowed.
        line: 1-based; None where the file as a whole is meant.
        column: 1-based.
    """

    field: str
    message: str
    line: int | None = None
    column: int | None = None


class ConfigError(InputError):
    """A configuration file with everything that is wrong in it.

    Args:
        source: The file.
        mistakes: At least one.
    """

    def __init__(self, source: Path | str, mistakes: Sequence[Mistake]) -> None:
        self.source = source
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self._line(mistake) for mistake in self.mistakes))

    def _line(self, mistake: Mistake) -> str:
        where = ":".join(str(part) for part in (self.source, mistake.line, mistake.column) if part is not None)
        field = f"{mistake.field}: " if mistake.field else ""
        return f"{where}: {field}{mistake.message}"


def near(found: str, allowed: Iterable[str]) -> str:
    """The end of a message about an unknown name: a near match if there is one, then what is allowed.

    >>> near("dmdp", ["dmpd", "npd"])
    "; did you mean 'dmpd'? (allowed: dmpd, npd)"
    """
    names = sorted(set(allowed))
    close = get_close_matches(found, names, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    listed = ", ".join(names) if names else "none"
    return f"{hint} (allowed: {listed})"
