"""The program in a model's answer. Nothing of the answer is ever run here."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator

from evalfw.domain.answer import Solution
from evalfw.extraction.bare import longest_run
from evalfw.extraction.fences import PYTHON, Fence, blocks, fences, prefilled
from evalfw.extraction.programs import Attempts, qualifies, tidy

EXTRACTOR = 1
"""Version of the rules. Part of stored keys: raise it whenever an answer may give another program."""

_WORK = 8
"""About how often each character of an answer may be compiled while blocks and runs are looked for."""

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING_LINE = re.compile(rf"^{_CLOSING.pattern}", re.IGNORECASE | re.MULTILINE)
_END_MARKER = re.compile(
    r"(?:</s>|<eos>|<EOT>|<end_of_turn>|\[EOS\]"
    r"|<[|｜](?:endoftext|end_of_text|im_end|eot_id|eom_id|eot|eos|end|return|end_of_turn|endofturn"
    r"|end_of_turn_token|end[▁_]of[▁_]sentence)[|｜]>)\Z",
    re.IGNORECASE,
)
_LONGEST_MARKER = 32
_TAGS = ("[PYTHON]", "[/PYTHON]")


def extract(raw: str, entry_point: str | None = None, finish_reason: str | None = None) -> Solution:
    """Find the program in an answer.

    In this order: the last closed Python block; the last closed block without a language; the text between
    `[PYTHON]` and `[/PYTHON]`; the text before a bare fence whose opening was part of the prompt; a block that
    is never closed; and, without any fence, the longest run of lines. What is taken compiles, does more than
    state constants and names and, with an entry point, defines it at top level. Blocks are never joined. Code is
    unchanged but for line ends, blank lines at either end and the indentation of its fence.

    Args:
        raw: The answer; any text, lone surrogates and NUL included.
        entry_point: The name that the program must define; None for a program that is run as a whole.
        finish_reason: Why the model stopped, in its own word; it refines the reason and decides nothing.
    """
    text = raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    answer = _after_reasoning(_without_end_markers(text))
    if answer is None:
        return Solution("no_code", "", "unfinished_reasoning")
    if not answer.strip():
        return Solution("no_code", "", "empty_answer")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a compiler would warn is the solution's affair, not ours
        solution = _solution(answer, entry_point)
    if solution.status != "ok" and finish_reason in {"length", "max_tokens"}:
        return Solution(solution.status, solution.code, "token_limit")
    return solution


def _solution(answer: str, entry_point: str | None) -> Solution:
    def last(codes: Iterable[str]) -> str:
        return next((code for code in reversed(list(codes)) if qualifies(code, entry_point)), "")

    lines = answer.split("\n")
    marks = fences(lines)
    attempts = Attempts(_WORK * (len(answer) + 8192))
    if _fences_are_strings(answer, marks):
        code = last([tidy(lines)])
        if code:
            return Solution("ok", code)
    found = blocks(lines, marks, attempts)
    code = (
        last(block.code for block in found if block.closed and block.tag in PYTHON)
        or last(block.code for block in found if block.closed and not block.tag)
        or last(_between_tags(answer))
        or last([prefilled(lines, marks, attempts)])
    )
    unclosed = [block.code for block in found if block.may_be_python and not block.closed and block.code]
    if not code and unclosed:
        code = last(unclosed)
        if not code:
            return Solution("truncated", unclosed[-1], "unclosed_block")
    if not code and not marks:
        runs = [longest_run(part, lambda run: qualifies(run, entry_point), attempts) for part in _untagged(lines)]
        code = max(reversed(runs), key=lambda run: run.count("\n"))
    return Solution("ok", code) if code else Solution("no_code", "", "no_candidate")


def _without_end_markers(text: str) -> str:
    """The text without the end-of-sequence markers at its very end, and otherwise as it is."""
    kept = end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        marker = _END_MARKER.search(text[max(0, end - _LONGEST_MARKER) : end])
        if not marker:
            return text[:kept]
        kept = end = end - len(marker[0])


def _after_reasoning(text: str) -> str | None:
    """What follows the reasoning, all of the text if there is none; None if the reasoning never ends."""
    opening = _OPENING.match(text)
    if not opening:
        closing = _CLOSING_LINE.search(text)
        return text[closing.end() :] if closing else text
    # A model that mixes the names up still means an end; one that speaks of another tag does not.
    same = re.compile(rf"</{opening[1]}>", re.IGNORECASE).search(text, opening.end())
    closing = same or _CLOSING.search(text, opening.end())
    return text[closing.end() :] if closing else None


def _fences_are_strings(answer: str, marks: list[Fence]) -> bool:
    """Whether all fences may lie in strings of a bare program: no other text that has any would compile."""
    return bool(marks) and ('"""' in answer or "'''" in answer)


def _between_tags(answer: str) -> Iterator[str]:
    opening, closing = _TAGS
    position = 0
    while (end := answer.find(closing, position)) >= 0:
        start = answer.rfind(opening, position, end)
        if start >= 0:
            yield tidy(answer[start + len(opening) : end].split("\n"))
        position = end + len(closing)


def _untagged(lines: list[str]) -> list[list[str]]:
    """The lines in parts, divided at tags without a counterpart: `[PYTHON]` alone would pass for a list."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.strip() in _TAGS:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts
