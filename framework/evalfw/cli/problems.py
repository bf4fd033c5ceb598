"""Problems for a terminal. Their texts are anybody's: no control character of theirs gets through."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from unicodedata import category

from evalfw.cli.summary import console, print_table
from evalfw.domain.problem import Call, Json, Method, Problem, TestCase
from evalfw.pipeline.check import Checked, count_flags, flags

_SHOWN_TESTS = 3
_SHOWN_CHARACTERS = 300


def print_problems(problems: Sequence[Problem]) -> None:
    """Print one line a problem."""
    rows = [
        {
            "problem": printable(problem.id),
            "public": len(problem.pool("public")),
            "private": len(problem.pool("private")),
            "generated": len(problem.pool("generated")),
            "solutions": len(problem.solutions),
            "difficulty": printable(problem.traits.get("difficulty", "")),
            "flags": printable(", ".join(flags(problem))),
        }
        for problem in problems
    ]
    print_table(rows, rows[0])
    _say(f"\n{counted(len(problems), 'problem')}" + _flags_line(problems))


def print_problem(problem: Problem) -> None:
    """Print a problem: the statement, what is known of it, how it is run and judged, its first tests."""
    print_text(problem.id, problem.statement)
    if problem.starter_code:
        print_text("starter code", problem.starter_code)
    facts = {
        "run as": _style(problem),
        "checker": problem.checker.name,
        "time limit": None if problem.time_seconds is None else f"{problem.time_seconds:g} s",
        "memory limit": None if problem.memory_bytes is None else f"{problem.memory_bytes / (1 << 20):g} MiB",
        **problem.traits,
        "solutions": ", ".join(solution.name for solution in problem.solutions) or "none",
    }
    print_text("facts", "\n".join(f"{name}: {value}" for name, value in facts.items() if value))
    for pool in ("public", "private", "generated"):
        tests = problem.pool(pool)
        shown = "\n".join(_test(test) for test in tests[:_SHOWN_TESTS])
        more = f"\n... and {len(tests) - _SHOWN_TESTS} more" if len(tests) > _SHOWN_TESTS else ""
        print_text(f"{len(tests)} {pool} tests", shown + more)


def print_text(title: str, text: str) -> None:
    """Print a text under a title."""
    console().print(f"\n{printable(title)}", style="bold", markup=False, highlight=False)
    if text.strip():
        _say(printable(text.strip("\n")))


def print_check(problems: Sequence[Problem], checked: Sequence[Checked], excluded: Mapping[str, str]) -> None:
    """Print which accepted solutions fail and why, and what that makes of their problems."""
    failing = [one for one in checked if not one.passes]
    rows = [
        {
            "problem": printable(one.problem.id),
            "solution": printable(one.solution.name),
            "fails": f"{len(one.failures)} of {len(one.problem.tests) - one.not_run}",
            "first": printable(one.reason),
            "not run": one.not_run,
            "flags": printable(", ".join(flags(one.problem))),
        }
        for one in failing
    ]
    if rows:
        print_table(rows, rows[0])
        _say("")
    tests = sum(len(one.problem.tests) - one.not_run for one in checked)
    several = len({one.problem.id for one in failing})
    counts = (counted(len(problems), "problem"), counted(len(checked), "solution"), counted(tests, "execution"))
    _say(", ".join(counts) + _flags_line(problems))
    failed = f"failing: {counted(len(failing), 'solution')} of {counted(several, 'problem')}"
    _say(f"{failed}; to be left out: {counted(len(excluded), 'problem')}")
    unchecked = Counter("without tests" if not p.tests else "without solutions" for p in problems if not _checkable(p))
    for why, count in unchecked.items():
        _say(f"not checked: {counted(count, 'problem')} {why}")


def printable(text: str) -> str:
    """The text with every control character spelt out, but for newlines."""
    return "".join(c if c.isprintable() or c == "\n" else _spelt(c) for c in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 problem`, `2 problems`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _spelt(character: str) -> str:
    if character == "\t":
        return "    "
    # Blanks of other widths, such as the one that does not break, are not printable for Python.
    return " " if category(character) == "Zs" else character.encode("unicode_escape").decode()


def _checkable(problem: Problem) -> bool:
    return bool(problem.tests and problem.solutions)


def _flags_line(problems: Sequence[Problem]) -> str:
    counts = count_flags(problems)
    return (
        "; flags: " + ", ".join(f"{printable(name)} {count}" for name, count in counts.most_common()) if counts else ""
    )


def _style(problem: Problem) -> str:
    style = problem.style
    if not isinstance(style, Method):
        return "program"
    owner = f"{style.class_name}." if style.class_name else ""
    return f"{owner}{style.name}({', '.join(name or 'any' for name in style.args)})" + (
        f" -> {style.returns}" if style.returns else ""
    )


def _test(test: TestCase) -> str:
    given: Json = list(test.input.args) if isinstance(test.input, Call) else test.input
    return f"{test.id}\n  input:    {_clipped(given)}\n  expected: {_clipped(test.expected)}"


def _clipped(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    more = f" ... ({len(text):,} characters)" if len(text) > _SHOWN_CHARACTERS else ""
    return text[:_SHOWN_CHARACTERS].rstrip("\n").replace("\n", "\n            ") + more


def _say(text: str) -> None:
    console().print(text, markup=False, highlight=False, soft_wrap=True)
