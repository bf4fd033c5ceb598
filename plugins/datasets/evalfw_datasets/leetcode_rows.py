"""Rows of LeetCodeDataset in any of its schemas, and of other files by a map of their fields; rows to problems."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from evalfw import AcceptedSolution, Call, Checker, InputError, Method, Pool, Problem, TestCase
from evalfw_datasets.leetcode_asserts import Case, read_examples
from evalfw_datasets.records import Record
from evalfw_datasets.rows import parse_row
from evalfw_datasets.statements import has_image, says_several_answers

KEYS: Mapping[str, tuple[str, ...]] = {
    "id": ("task_id",),
    "statement": ("problem_description", "meta.question_title"),
    "starter_code": ("starter_code", "meta.lang_code"),
    "test": ("test",),
    "solution": ("completion",),
    "prelude": ("prompt",),
    "entry_point": ("entry_point",),
    "query": ("query",),
    "question_id": ("question_id", "meta.question_id"),
    "difficulty": ("difficulty", "meta.difficulty"),
    "tags": ("tags", "meta.tags"),
    "published": ("estimated_date", "meta.estimated_date"),
}
"""Fields of a row as they are named here -> keys of the file that are tried; a dot leads into an object."""

REQUIRED = ("id", "statement", "starter_code")

TIME_SECONDS = 10.0
RECURSION_LIMIT = 10_000
FLOAT_TOLERANCE = 1e-5


def _day(value: object) -> object:
    if isinstance(value, datetime):
        return value.date()
    return date.fromisoformat(value[:10]) if isinstance(value, str) and value else value or None


_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class Row(BaseModel):
    """One problem of the file."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = Field(min_length=1)
    statement: str
    starter_code: str
    test: _Text = ""
    solution: _Text = ""
    prelude: _Text = ""
    entry_point: _Text = ""
    query: _Text = ""
    question_id: int | None = None
    difficulty: _Text = ""
    tags: list[str] | None = None
    published: Annotated[date | None, BeforeValidator(_day)] = None

    def entry(self) -> tuple[str | None, str]:
        """Class (None: module level) and name of the function that is asked for."""
        found = re.fullmatch(r"\s*(?:(\w+)\(\)\.)?(\w+)\s*", self.entry_point)
        if found:
            return found[1], found[2]
        methods = re.findall(r"^[ \t]+def (\w+)", self.starter_code, re.MULTILINE)
        owner = re.search(r"^class (\w+)", self.starter_code, re.MULTILINE)
        if not owner or not methods:
            raise InputError(f"problem {self.id!r}: neither 'entry_point' nor 'starter_code' names a method")
        return owner[1], methods[-1]

    def packages(self) -> list[str]:
        """Packages beyond the standard library that the row's prelude imports."""
        return sorted({package for _, package, _ in _foreign_imports(self.prelude)})


def read_row(record: Record, fields: Mapping[str, str]) -> Row:
    """The record as a row.

    Args:
        record: What the file holds.
        fields: Key of the file by the name that its field has here, where it is none of `KEYS`.

    Raises:
        InputError: A field is missing or of the wrong kind.
    """
    data: dict[str, object] = {}
    for name, keys in KEYS.items():
        values = (_at(record.data, key) for key in ([fields[name]] if name in fields else keys))
        value = next((value for value in values if value is not None), None)
        if value is not None:
            data[name] = value
    missing = [name for name in REQUIRED if name not in data]
    if missing:
        wanted = ", ".join(f"{name} ({fields.get(name) or ' or '.join(KEYS[name])})" for name in missing)
        raise InputError(
            f"{record.where}: missing: {wanted}; fields found: {', '.join(record.data)}\n"
            f"Where a field has another name, say so, e.g. `fields: {{{missing[0]}: its_name}}`."
        )
    return parse_row(Record(data, record.where), Row)


def to_problem(
    row: Row,
    cases: Sequence[Case] | None,
    *,
    prelude: Literal["clean", "original"],
    answers: Literal["exact", "stated"],
) -> Problem:
    """The row as a problem.

    Args:
        row: The row.
        cases: What its check compares; None where that could not be told.
        prelude: See the options of `leetcode`.
        answers: Likewise.
    """
    owner, name = row.entry()
    method = Method(name, owner, prelude=row.prelude if prelude == "original" else "")
    styles = [_style(method, case) for case in cases or ()]
    style = styles[0] if styles else method
    tests = list(_tests(row.statement, cases or (), styles, style))
    solution = row.solution if prelude == "original" else _complete(row)
    flags = {
        "several_answers": _any_order(row.statement) or says_several_answers(row.statement),
        "any_order": _any_order(row.statement),
        "float_tolerance": _tolerates(row.statement),
        "image": has_image(row.statement),
        "no_public_tests": not any(test.pool == "public" for test in tests),
        "no_private_tests": not any(test.pool == "private" for test in tests),
        "unreadable_check": cases is None,
    }
    facts = {
        "difficulty": row.difficulty,
        "tags": ", ".join(row.tags or ()),
        "date": row.published.isoformat() if row.published else "",
        "question_id": "" if row.question_id is None else str(row.question_id),
        "packages": ", ".join(row.packages()),
    }
    traits = {key: text for key, text in facts.items() if text}
    return Problem(
        id=row.id,
        statement=row.statement,
        tests=tuple(sorted(tests, key=lambda test: test.pool != "public")),
        style=style,
        checker=_checker(row.statement) if answers == "stated" else Checker("value"),
        time_seconds=TIME_SECONDS,
        solutions=(AcceptedSolution("canonical", solution),) if solution else (),
        starter_code=row.starter_code,
        traits=traits | {flag: "yes" for flag, holds in flags.items() if holds},
        recursion_limit=RECURSION_LIMIT,
    )


def description(statement: str) -> str:
    """A statement without its examples and constraints."""
    return _SECTIONS.split(statement.replace("\xa0", " "), maxsplit=1)[0].strip()


_SECTIONS = re.compile(r"^\s*(?:Example(?: \d+)?|Constraints|Follow[ -]?up):", re.MULTILINE | re.IGNORECASE)
_ORDER = re.compile(
    r"\b(?:return|answer|output)\b[^.\n]*\bin any order\b|\border of the (?:answer|output)\b[^.\n]*\bnot matter\b",
    re.IGNORECASE,
)
_TOLERANCE = re.compile(r"\bwithin\s10(?:\^|\*\*)?-5\sof the actual\b", re.IGNORECASE)


def _any_order(statement: str) -> bool:
    return bool(_ORDER.search(statement))


def _tolerates(statement: str) -> bool:
    return bool(_TOLERANCE.search(statement))


def _checker(statement: str) -> Checker:
    name = "unordered" if _any_order(statement) else "value"
    return Checker(name, abs=FLOAT_TOLERANCE) if _tolerates(statement) else Checker(name)


def _style(method: Method, case: Case) -> Method:
    return replace(method, args=case.kinds, returns=case.returns, keywords=case.keywords)


def _tests(statement: str, cases: Sequence[Case], styles: Sequence[Method], style: Method) -> Iterator[TestCase]:
    """The cases whose arguments are those of an example are public, the others private."""
    examples = list(read_examples(statement))
    places: Counter[str] = Counter()
    for case, own in zip(cases, styles, strict=True):
        pool: Pool = "public" if case.args in examples else "private"
        places[pool] += 1
        given = Call(case.args, None if own == style else own)
        yield TestCase(f"{pool}-{places[pool]}", pool, given, case.expected)


def _complete(row: Row) -> str:
    """The canonical solution with those imports of its prelude that it uses and the clean prelude lacks."""
    used = set(re.findall(r"\w+", row.solution))
    lines = [line for line, _, names in _foreign_imports(row.prelude) if names & used]
    return "\n".join([*lines, "", row.solution]) if lines else row.solution


def _foreign_imports(source: str) -> list[tuple[str, str, set[str]]]:
    """Imports of what is not in the standard library: the line, the package, the names that it defines."""
    found = []
    for line in source.splitlines():
        match = re.fullmatch(r"(?:from (\w+)[\w.]* )?import (\w+)(?:[\w., ]*)", line)
        package = (match[1] or match[2]) if match else ""
        if package and package not in sys.stdlib_module_names:
            found.append((line, package, set(re.findall(r"\w+", line.partition("import ")[2]))))
    return found


def _at(data: Mapping[str, object], key: str) -> object:
    """What is at a key; `meta.tags` is at `tags` of the object at `meta`, unless that very key is there."""
    if key in data:
        return data[key]
    head, _, rest = key.partition(".")
    inner = data.get(head)
    return _at(inner, rest) if rest and isinstance(inner, Mapping) else None
