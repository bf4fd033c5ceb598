"""Dataset `mercury`: Mercury (Du et al. 2024), from files or from the Hugging Face hub.

A row has the fields of `Elfsong/Mercury`: `slug_name`, `difficulty`, `pretty_content`, `solutions`, `prompt`,
`entry_point`, `test_cases`, `convert_offline`, `evaluate_offline`, `generator_code`, `meta_info`. The text `None`
means that there is none. Fields that are not used may be absent.

The code of a row is as untrusted as a solution. `convert_offline` makes the arguments in the solution's process,
before the solution, without the expected output; `evaluate_offline` decides in a process of its own. Both may import
`lctk`, of which the sandbox has its own. `generator_code` becomes the problem's generator.

No row is left out. The traits are `number`, `difficulty`, `tags` and, with the value `yes`:

- `no_tests`: it lacks what a solution is judged by, as all rows of the split `train` do
- `no_private_tests`: all of its tests are examples of the statement
- `no_solutions`, `no_generator`
- `image`: the statement shows one
- `several_answers`: the statement speaks of several right answers; here the row's own code decides
- `duplicate_statement`: an earlier row has the same statement
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from evalfw import AcceptedSolution, Call, Checker, Dataset, Generator, InputError, Method, Pool, Problem, TestCase
from evalfw_datasets.records import read_records
from evalfw_datasets.rows import free_name, parse_row
from evalfw_datasets.selection import SelectionOptions, select
from evalfw_datasets.sources import Source, SourceOptions
from evalfw_datasets.statements import says_several_answers

RECURSION_LIMIT = 5000
"""What accepted solutions were found to need (NewMercury)."""


class MercuryOptions(SourceOptions, SelectionOptions):
    """Options of `mercury`."""

    split: Literal["eval", "train"] = Field(
        default="eval",
        description="Which part, from the hub or of a folder; a single file is read as it is. `train` has no tests.",
    )


class Mercury(Dataset[MercuryOptions]):
    """Mercury (Du et al. 2024), LeetCode problems with accepted solutions, generators and code that judges."""

    def problems(self) -> Iterator[Problem]:
        """The problems in the order of the rows; a slug that was there before gets `#2`, `#3`, ..."""
        count, untested = 0, []
        for problem in select(self._all(), self.options, self.base, self.notes):
            count += 1
            if not problem.tests:
                untested.append(problem.id)
            yield problem
        if untested:
            note = (
                f"{len(untested)} of {count} problems have nothing to judge solutions by, as the whole split 'train' "
                f"of Mercury (trait no_tests): {', '.join(untested[:5])}{', ...' if len(untested) > 5 else ''}"
            )
            if note not in self.notes:
                self.notes.append(note)

    def prompt(self, problem: Problem) -> str:
        """That of Mercury for chat models, word for word."""
        return (
            f"Complete python3 code to solve the following coding problem:\n{problem.statement}\n{problem.starter_code}"
        )

    def revision(self) -> str:
        """SHA-256 of the files, or the commit on the hub."""
        return self._source.revision()

    @cached_property
    def _source(self) -> Source:
        split = self.options.split
        return Source(self.options, self.base, hub="Elfsong/Mercury", pattern=f"data/{split}-*.parquet", stem=split)

    def _all(self) -> Iterator[Problem]:
        names: set[str] = set()
        statements: set[str] = set()
        for file in self._source.files:
            for record in read_records(file):
                row = parse_row(record, _Row)
                if row.method is None:
                    raise InputError(f"{record.where}: neither 'entry_point' nor 'prompt' names a method of Solution")
                name = free_name(row.slug_name, names)
                names.add(name)
                traits = row.traits()
                if row.statement in statements:
                    traits["duplicate_statement"] = "yes"
                statements.add(row.statement)
                yield row.problem(name, row.method, traits)
        if not names:
            raise InputError(f"{self._source.files[0]}: no problems in it")


def _none(value: object) -> object:
    """Mercury writes the text `None` for what is not there."""
    return None if value == "None" else value


def _cases(value: object) -> object:
    """Accepts the text of a JSON list, and the list itself."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the text is not JSON: {error}") from error


_Text = Annotated[str | None, BeforeValidator(_none)]


class _Case(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    input: list[JsonValue]
    expected: JsonValue


class _Solution(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    solution: str
    runtime: str | None = None

    @property
    def milliseconds(self) -> float:
        """The runtime that LeetCode reported; without one, it comes last."""
        number = re.match(r"\s*(\d+)\s*ms\s*$", self.runtime or "")
        return float(number[1]) if number else float("inf")


class _Row(BaseModel):
    """A row of the dataset."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    slug_name: str = Field(min_length=1)
    prompt: str
    solutions: list[_Solution]
    pretty_content: list[str] = []
    meta_info: Mapping[str, object] = {}
    id: str = ""
    difficulty: str = ""
    entry_point: _Text = None
    test_cases: Annotated[list[_Case] | None, BeforeValidator(_cases), BeforeValidator(_none)] = None
    convert_offline: _Text = None
    evaluate_offline: _Text = None
    generator_code: _Text = None

    @property
    def method(self) -> str | None:
        """The method that is called."""
        found = re.search(r"^\s+def (\w+)\(\s*self\b", self.prompt, re.MULTILINE)
        return self.entry_point or (found[1] if found else None)

    @property
    def statement(self) -> str:
        """As it was made readable for the dataset; else its HTML without the marks."""
        return self.pretty_content[0] if self.pretty_content else _text(str(self._question.get("content") or ""))

    @property
    def _question(self) -> Mapping[str, object]:
        inner: object = self.meta_info
        for name in ("data", "question"):
            inner = inner.get(name) if isinstance(inner, Mapping) else None
        return inner if isinstance(inner, Mapping) else {}

    def problem(self, name: str, method: str, traits: Mapping[str, str]) -> Problem:
        """The row as a problem of this name."""
        convert = self.convert_offline or _AS_IT_IS
        fastest = sorted(self.solutions, key=lambda solution: solution.milliseconds)
        return Problem(
            id=name,
            statement=self.statement,
            tests=self.tests(),
            style=Method(method, result_from="all", prepare=f"{convert}\n{_PREPARE}"),
            checker=Checker("code", code=f"{convert}\n\n{self.evaluate_offline or ''}\n{_CHECK}"),
            solutions=tuple(
                AcceptedSolution(f"solution-{number} {one.runtime or ''}".strip(), one.solution)
                for number, one in enumerate(fastest, 1)
            ),
            starter_code=_BANNER.sub("", _ANSI.sub("", self.prompt)),
            traits=traits,
            recursion_limit=RECURSION_LIMIT,
            generator=Generator(self.generator_code) if self.generator_code else None,
        )

    def tests(self) -> tuple[TestCase, ...]:
        """The first ones are public, as many as the statement has examples, but at least one."""
        if not (self.test_cases and self.entry_point and self.evaluate_offline):
            return ()
        examples = max(1, len(_EXAMPLE.findall(self.statement)))
        pools: dict[Pool, list[_Case]] = {
            "public": self.test_cases[:examples],
            "private": self.test_cases[examples:],
        }
        return tuple(
            TestCase(f"{pool}-{number}", pool, Call(tuple(case.input)), case.expected)
            for pool, cases in pools.items()
            for number, case in enumerate(cases, 1)
        )

    def traits(self) -> dict[str, str]:
        """What can be said of the problem from its row alone."""
        tags = self._question.get("topicTags")
        known_tags = [tag for tag in tags if isinstance(tag, Mapping)] if isinstance(tags, list) else []
        tests = self.tests()
        facts = {
            "number": self.id,
            "difficulty": self.difficulty,
            "tags": ", ".join(str(tag.get("name", "")) for tag in known_tags),
        }
        flags = {
            "no_tests": not tests,
            "no_private_tests": bool(tests) and all(test.pool == "public" for test in tests),
            "no_solutions": not self.solutions,
            "no_generator": self.generator_code is None,
            "image": "<img" in str(self._question.get("content") or ""),
            "several_answers": says_several_answers(self.statement),
        }
        known = {name: text for name, text in facts.items() if text}
        return known | {name: "yes" for name, holds in flags.items() if holds}


_EXAMPLE = re.compile(r"\bExample \d+:")
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_BANNER = re.compile(r"\A\s*\[\d+\] .* is on the run\.\.\.\s*\n")
"""What the tool printed that the prompts were made with."""

_AS_IT_IS = """\
def convert_offline(case):
    return case
"""

# A conversion is of arguments and expected output together. The latter is not in the solution's process, so something
# stands for it there that nearly everything can be done with, and nothing comes of it.
_PREPARE = """

class Unknown:
    def itself(self, *args, **kwargs):
        return self

    __getattr__ = __getitem__ = __setitem__ = __call__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = itself
    __rmul__ = __truediv__ = __floordiv__ = __mod__ = __neg__ = __round__ = itself
    __len__ = __int__ = __index__ = __hash__ = lambda self: 0
    __float__ = lambda self: 0.0
    __iter__ = lambda self: iter(())
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __contains__ = lambda self, other: False


def prepare(args):
    return convert_offline((args, Unknown()))[0]
"""

# Without a value, an evaluation means no.
_CHECK = """

def check(args, expected, actual):
    *inputs, outputs = actual
    expected = convert_offline((args, expected))[1]
    answer = evaluate_offline(inputs, outputs, expected)
    return False if answer is None else answer
"""


def _text(content: str) -> str:
    """HTML as plain text, as far as statements of LeetCode need it."""
    marked = re.sub(r"<sup>", "^", content)
    plain = html.unescape(re.sub(r"<[^>]*>", "", marked)).replace("\xa0", " ")
    return re.sub(r"\n\s*\n", "\n\n", re.sub(r"[ \t]+$", "", plain, flags=re.MULTILINE)).strip()
