"""Dataset `leetcode`: LeetCodeDataset (Xia et al. 2025) in all its schemas, and files like it.

A row is a problem of LeetCode: a method of `class Solution` to be completed. Its tests come from the row's
`check(candidate)`, see `leetcode_asserts`: arguments as they are passed there (nearly always by keyword), `==` as
comparison. Those whose arguments are in an example of the statement are public, the others private. In files
before version 0.3.1 most problems have no others.

Traits are `difficulty`, `tags`, `date`, `question_id`, `subset` (`old`, `new` or `later`, by the date or else the
number) and `packages` (what the row imports beyond the standard library) where they are known, and with the value
`yes`:

- `several_answers`: the statement speaks of several right answers, of which a test holds one
- `any_order`: that, because the order of the answer is free
- `float_tolerance`: the statement allows answers that are off by a little
- `image`: the statement has an `<image>` placeholder
- `no_public_tests`, `no_private_tests`
- `unreadable_check`: the row's check is not made of comparisons that could be told; the problem has no tests
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from evalfw import Dataset, InputError, Problem, Sandbox, near
from evalfw_datasets.leetcode_asserts import Case, NotLiteral, NotPlain, read_asserts, record_asserts
from evalfw_datasets.leetcode_rows import KEYS, Row, description, read_row, to_problem
from evalfw_datasets.records import read_records
from evalfw_datasets.rows import free_name
from evalfw_datasets.selection import SelectionOptions, select
from evalfw_datasets.sources import Source, SourceOptions

HUB = "newfacade/LeetCodeDataset"

NEW_DATES = (date(2023, 1, 1), date(2023, 9, 30))
"""First and last day on which the problems were published that paper B calls new."""

NEW_INTERNAL_IDS = (2608, 2867)
"""The same for rows without a date, by LeetCode's internal numbers: the first and the last id that count as new."""


def _day(value: object) -> object:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise ValueError(f"a day such as 2023-01-31 is needed, found {value!r}") from error
    return value


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]


class LeetCodeOptions(SourceOptions, SelectionOptions):
    """Options of `leetcode`."""

    split: Literal["train", "test"] = Field(
        default="test", description="Which part, from the hub or of a folder; a single file is read as it is."
    )
    fields: dict[str, str] = Field(
        default={}, description="Keys of the file for fields that are named differently there."
    )
    subset: Literal["all", "old", "new"] = Field(
        default="all", description="Problems by the time they were published: paper B's contamination study."
    )
    published_after: Day | None = Field(default=None, description="Only problems published on this day or later.")
    published_before: Day | None = Field(default=None, description="Only problems published before this day.")
    prelude: Literal["clean", "original"] = Field(
        default="clean", description="What a solution finds without importing it: the usual names, or the row's own."
    )
    answers: Literal["exact", "stated"] = Field(
        default="exact",
        description="What is right: the answer in the test, as in the original harness, or what the statement allows.",
    )
    prompt: Literal["paper_b", "query"] = Field(
        default="paper_b", description="The prompt of paper B, which is to be completed, or the dataset's own."
    )

    @field_validator("fields")
    @classmethod
    def _known(cls, fields: dict[str, str]) -> dict[str, str]:
        for name in fields:
            if name not in KEYS:
                raise ValueError(f"unknown field {name!r}{near(name, KEYS)}")
        return fields


class LeetCode(Dataset[LeetCodeOptions]):
    """LeetCodeDataset (Xia et al. 2025): methods of `class Solution`, each with its canonical solution."""

    def problems(self) -> Iterable[Problem]:
        """The problems in the order of the rows; an id that was there before gets `#2`, `#3`, ..."""
        return select(self._all(), self.options, self.base, self.notes)

    def prompt(self, problem: Problem) -> str:
        """The prompt of paper B (section 3.1 and figure 1), or the row's `query`."""
        if self.options.prompt == "query":
            return self._queries[problem.id]
        return f'"""\n{description(problem.statement)}\n"""\n{problem.starter_code.strip()}\n'

    def revision(self) -> str:
        """SHA-256 of the files, or the commit on the hub."""
        return self._source.revision()

    @cached_property
    def _source(self) -> Source:
        stem = f"LeetCodeDataset-{self.options.split}"
        return Source(self.options, self.base, hub=HUB, pattern=f"{stem}.jsonl", stem=stem)

    @cached_property
    def _queries(self) -> dict[str, str]:
        return {}

    def _all(self) -> Iterator[Problem]:
        names: set[str] = set()
        with Sandbox() as sandbox:  # starts nothing before its first job
            for file in self._source.files:
                for record in read_records(file):
                    row = read_row(record, self.options.fields)
                    row = row.model_copy(update={"id": free_name(row.id, names)})
                    names.add(row.id)
                    if not self._published_in_time(row, record.where):
                        continue
                    if self.options.prompt == "query":
                        if not row.query:
                            raise InputError(f"{record.where}: there is no 'query' in it; use `prompt: paper_b`")
                        self._queries[row.id] = row.query
                    cases = _cases(row, sandbox)
                    problem = to_problem(row, cases, prelude=self.options.prelude, answers=self.options.answers)
                    subset = _subset(row)
                    yield replace(problem, traits={**problem.traits, "subset": subset}) if subset else problem
        if not names:
            raise InputError(f"{self._source.files[0]}: no problems in it")

    def _published_in_time(self, row: Row, where: str) -> bool:
        after, before = self.options.published_after, self.options.published_before
        if after or before:
            if row.published is None:
                raise InputError(f"{where}: 'published_after' and 'published_before' need a date, and there is none")
            if row.published < (after or row.published) or (before and row.published >= before):
                return False
        if self.options.subset == "all":
            return True
        subset = _subset(row)
        if not subset:
            raise InputError(f"{where}: 'subset' needs a date or a 'question_id', and there is neither")
        if row.published is None and _BY_NUMBER not in self.notes:
            self.notes.append(_BY_NUMBER)
        return subset == self.options.subset


_BY_NUMBER = (
    "rows without a date were sorted into old and new by LeetCode's internal numbers, which follow the "
    f"dates roughly: {NEW_INTERNAL_IDS[0]} to {NEW_INTERNAL_IDS[1]} are about January to July 2023"
)

_OrderedT = TypeVar("_OrderedT", date, int)


def _subset(row: Row) -> str:
    """`old`, `new` or `later`, as paper B tells problems apart; empty where that is not known."""
    if row.published is not None:
        return _window(row.published, NEW_DATES)
    return "" if row.question_id is None else _window(row.question_id, NEW_INTERNAL_IDS)


def _window(value: _OrderedT, new: tuple[_OrderedT, _OrderedT]) -> str:
    first, last = new
    return "old" if value < first else "new" if value <= last else "later"


def _cases(row: Row, sandbox: Sandbox) -> list[Case] | None:
    """What the row's check compares; None where that cannot be told."""
    if not row.test:
        return []
    try:
        return read_asserts(row.test)
    except NotLiteral:
        pass
    try:
        return record_asserts(row.test, sandbox)
    except NotPlain:
        return None
