"""Rows as text for other programs: CSV, JSON, LaTeX with booktabs, and Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": "$<$",
        ">": "$>$",
        "|": "$|$",
    },
}

_MARKDOWN = re.compile(r"[\\|*`~$]|(?<![^\W_])_|_(?![^\W_])")


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
    lines = [_latex_row(row) for row in (headers, *cells)]
    return "\n".join(
        [
            _comment(title),
            rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *map(_comment, notes),
            "",
        ]
    )


def as_markdown(title: str, headers: Sequence[str], cells: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """A table as GitHub reads it, the first column to the left, under its title and above its notes."""
    lines = [f"| {' | '.join(map(markdown, row))} |" for row in (headers, *cells)]
    rule = f"| :-- |{' --: |' * (len(headers) - 1)}"
    above = [f"**{markdown(title)}**", ""] if title else []
    below = [line for note in notes for line in ("", markdown(note))]
    return "\n".join([*above, lines[0], rule, *lines[1:], *below, ""])


def latex(text: str) -> str:
    """Plain text as LaTeX, on one line; the sign of a negative number becomes a minus."""
    escaped = "".join(_LATEX.get(character, character) for character in _line(text))
    return re.sub(r"(?<!\S)-(?=\d)|(?<=\[)-(?=\d)", "$-$", escaped)


def markdown(text: str) -> str:
    """Plain text as Markdown, on one line: nothing in it is a tag, a link, a formula, or the end of a cell."""
    escaped = _MARKDOWN.sub(r"\\\g<0>", _line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("](", r"]\(")


def _latex_row(cells: Sequence[str]) -> str:
    row = " & ".join(map(latex, cells))
    # What follows the end of a row or a rule as `[...]` or `*` would belong to that.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


def _comment(text: str) -> str:
    return f"% {_line(text)}"


def _line(text: str) -> str:
    return " ".join(text.split())
