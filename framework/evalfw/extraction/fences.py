"""The fenced blocks of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalfw.extraction.programs import Attempts, State, tidy

PYTHON = frozenset({"python", "py", "python3", "py3"})
_MARKDOWN = frozenset({"markdown", "md"})

CLOSING_LINES = 64
"""How many possible closing lines of one block are tried."""

# The info string of a backtick fence holds no backtick: ```x``` at the start of a line opens nothing.
_FENCE = re.compile(r"([ \t]*)(?:(`{3,})([^`]*)|(~{3,})(.*))", re.DOTALL)
_TAB = 4


@dataclass(frozen=True, slots=True)
class Fence:
    """A line that may open or close a block.

    Args:
        line: 0-based number of the line.
        indent: The blanks before it.
        marks: The backticks or tildes.
        tag: First word after them in lower case; empty for a bare fence.
    """

    line: int
    indent: str
    marks: str
    tag: str

    def closes(self, opening: Fence) -> bool:
        """Whether this line is a possible end of the block that the other one opens."""
        return not self.tag and self.marks.startswith(opening.marks)


@dataclass(frozen=True, slots=True)
class Block:
    """The program between two fences, or after one that is never closed."""

    tag: str
    code: str
    closed: bool

    @property
    def may_be_python(self) -> bool:
        """Whether it says that it is Python, or nothing."""
        return not self.tag or self.tag in PYTHON


def fences(lines: Sequence[str]) -> list[Fence]:
    """All lines that look like a fence."""
    found = []
    for number, line in enumerate(lines):
        match = _FENCE.fullmatch(line)
        if match:
            words = (match[3] or match[5] or "").split(maxsplit=1)
            found.append(Fence(number, match[1], match[2] or match[4], words[0].lower() if words else ""))
    return found


def blocks(lines: Sequence[str], marks: Sequence[Fence], attempts: Attempts) -> list[Block]:
    """The blocks of an answer in order; those inside a Markdown block in its place."""
    found: list[Block] = []
    outer: list[Fence] = []
    position = 0
    while position < len(marks):
        opening = marks[position]
        if outer and opening.closes(outer[-1]):
            outer.pop()
            position += 1
        elif opening.tag in _MARKDOWN:
            outer.append(opening)
            position += 1
        else:
            block, position = _block(lines, marks, position, outer[-1] if outer else None, attempts)
            found.append(block)
    return found


def prefilled(lines: Sequence[str], marks: Sequence[Fence], attempts: Attempts) -> str:
    """The text before a bare fence, as if the end of the prompt had opened the block that it closes."""
    bare = next((fence for fence in marks if not fence.tag), None)
    if bare is None:
        return ""
    opening = Fence(-1, "", bare.marks[:3], "python")
    block, _ = _block(lines, [opening, *marks], 0, None, attempts)
    return block.code


def _block(
    lines: Sequence[str], marks: Sequence[Fence], position: int, outer: Fence | None, attempts: Attempts
) -> tuple[Block, int]:
    """The block that a fence opens, and the position of the first fence after it."""
    opening = marks[position]
    first: tuple[Block, int] | None = None
    tried, end = 0, len(marks)
    # What could as well end the block is left to it; any other end of the Markdown block around it ends it too.
    certain = None if outer is None or opening.marks.startswith(outer.marks) else outer
    for at in range(position + 1, len(marks)):
        if certain and marks[at].closes(certain):
            end = at
            break
        if not marks[at].closes(opening):
            continue
        code = tidy(_content(lines[opening.line + 1 : marks[at].line], opening.indent))
        this = Block(opening.tag, code, closed=True), at + 1
        first = first or this
        tried += 1
        # Only a string over several lines can hold what looks like a fence; else another try is no use.
        if not this[0].may_be_python or not ('"""' in code or "'''" in code):
            break
        state = attempts.state(code)
        if state is State.WHOLE:
            return this
        if state is State.WRONG or tried == CLOSING_LINES:
            break
    if first:
        return first
    stop = marks[end].line if end < len(marks) else len(lines)
    rest = tidy(_content(lines[opening.line + 1 : stop], opening.indent))
    return Block(opening.tag, rest, closed=False), end


def _content(lines: Sequence[str], indent: str) -> Iterator[str]:
    width = len(indent.expandtabs(_TAB))
    for line in lines:
        column = cut = 0
        while column < width and line[cut : cut + 1] in {" ", "\t"}:
            column += 1 if line[cut] == " " else _TAB - column % _TAB
            cut += 1
        yield line[cut:]
