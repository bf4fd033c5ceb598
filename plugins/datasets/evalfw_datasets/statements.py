"""What the words of a statement tell of a problem: no proof, but worth a flag."""

from __future__ import annotations

import re

_INTERACTIVE = re.compile(
    r"\binteractive (problem|task)\b|\binteractor\b|^\W*interaction\W*$", re.IGNORECASE | re.MULTILINE
)
_SEVERAL = re.compile(
    r"\b(multiple|several|many|lots of) ((possible|valid|correct|suitable|optimal|such) )*(answers?|solutions?)\b"
    r"|\bone (of the )?((possible|valid|correct|suitable) )+(answers?|solutions?|outputs?)\b"
    r"|\b(print|output|find|report|return|(?<!not )contain) any\b"
    r"|\bfind some\b"
    r"|\b(print|output)\b[^.\n]* in (any|arbitrary) order\b",
    re.IGNORECASE,
)


def says_interactive(statement: str) -> bool:
    """Whether the statement speaks of a dialogue with the judge."""
    return bool(_INTERACTIVE.search(statement))


def says_several_answers(statement: str) -> bool:
    """Whether the statement speaks of several right answers; catches all that the rule of AlphaCodium does.

    That rule (Ridnik et al. 2024): "multiple solutions" or "multiple possible solutions" anywhere, or "multiple"
    in the section "Output".
    """
    after_heading = statement.split("Output\n")
    return bool(_SEVERAL.search(statement)) or (len(after_heading) > 1 and "multiple" in after_heading[1])


def has_image(statement: str) -> bool:
    """Whether the statement shows something that is not in its text."""
    return "<image>" in statement
