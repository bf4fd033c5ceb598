"""Rows as text for other programs: CSV, JSON, and LaTeX with booktabs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"},
}


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """One line a row under a line of names; null is an empty field."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """A list of objects."""
    return json.dumps(rows, indent=2, allow_nan=False) + "\n"


def as_latex(title: str, headers: Sequence[str], cells: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    r"""A `tabular` of plain texts, the first column to the left; it needs `\usepackage{booktabs}`.

    Title and notes become comments above and below it.
    """
    lines = [" & ".join(map(latex, row)) + r" \\" for row in (headers, *cells)]
    return "\n".join(
        [
            f"% {title}",
            rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in notes),
            "",
        ]
    )


def latex(text: str) -> str:
    """Plain text as LaTeX; the sign of a negative number becomes a minus."""
    escaped = "".join(_LATEX.get(character, character) for character in text)
    return re.sub(r"(?<!\S)-(?=\d)|(?<=\[)-(?=\d)", "$-$", escaped)
