"""Code as a model would give it: in a fenced block."""

from __future__ import annotations

import re


def fenced(code: str) -> str:
    """The code in a Python block whose fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if code.endswith("\n") else "\n"
    return f"{fence}python\n{code}{end}{fence}\n"
