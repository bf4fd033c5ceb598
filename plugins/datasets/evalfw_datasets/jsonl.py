"""Dataset `jsonl`: problems of your own, one a line.

A line is one JSON object. `id`, `statement` and `tests` are required, all else has a default:

    {"id": "double", "statement": "Read n, print 2n.", "tests": [{"input": "21", "expected": "42"}]}

- `id`: text, unique in the file.
- `statement`: what a model is asked, as Markdown.
- `style`: absent for a program that reads standard input and writes standard output. A function has
  `{"method": "add", "class_name": "Solution", "args": ["int", "int"], "returns": "int",
  "result_from": "return"}`, of which only `method` is required. `"class_name": null` means a function at
  module level. Arguments and results of the types `ListNode` and `TreeNode` stand in the file as arrays.
  `result_from` is `arg0` .. `arg9` where a function changes that argument in place, and `all` where the checker `code`
  is to see all arguments after the call, with the result behind them.
- `tests`: at least one of `{"id": "big", "pool": "private", "input": "3", "expected": "6", "size": 1}`.
  A function has `"args": [1, 2]` in place of `input`; a test of it may have a `style` of its own, to call
  another function. `pool` is `public`, `private` (the default) or `generated`. A test without an `id` is
  named `private-1`, `private-2`, ... by its place in its pool. `size` is a whole number: elements,
  characters, rows.
- `checker`: how outputs are compared: a name, or `{"name": "float", "abs": 1e-6, "rel": 1e-9}`. The default
  is `tokens` for a program and `value` for a function. With `any_of`, `expected` is a list of texts. Code of your
  own is `{"name": "code", "code": "def check(args, expected, actual): ..."}`; it runs in the sandbox.
- `solutions`: accepted ones, the canonical one first; each its code, or `{"name": "heap", "code": "..."}`.
- `starter_code`: the signature that is shown to a model.
- `time_limit`: `"2s"` or a number of seconds; `memory_limit`: `"256MiB"` or a number of bytes.
- `traits`: texts by name, such as `{"difficulty": "easy"}`.
- `generator`: code that makes inputs for tests by size: it defines `generate(rng, size)`, which returns the text for a
  program, the tuple of arguments or the one argument of a function. It runs in the sandbox.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    field_validator,
    model_validator,
)

from evalfw import (
    CHECKERS,
    AcceptedSolution,
    Bytes,
    Call,
    Checker,
    Dataset,
    File,
    Generator,
    InputError,
    Method,
    Pool,
    Problem,
    RunStyle,
    Seconds,
    Stdin,
    TestCase,
    near,
)
from evalfw_datasets.records import data_files, fingerprint, read_records
from evalfw_datasets.rows import parse_row
from evalfw_datasets.selection import SelectionOptions, select


class JsonlOptions(SelectionOptions):
    """Options of `jsonl`."""

    path: File = Field(description="File with the problems (.jsonl, .jsonl.gz, .json, .parquet), or a folder of such.")


class Jsonl(Dataset[JsonlOptions]):
    """Problems of your own from a file, one JSON object a line; the module says what a line holds."""

    def problems(self) -> Iterable[Problem]:
        """The problems in the order of the file."""
        return select(self._all(), self.options, self.base, self.notes)

    def revision(self) -> str:
        """SHA-256 of what was read."""
        return fingerprint(self._files())

    def _path(self) -> Path:
        return self.base / self.options.path

    def _files(self) -> list[Path]:
        return data_files(self._path())

    def _all(self) -> Iterator[Problem]:
        places: dict[str, str] = {}
        for file in self._files():
            for record in read_records(file):
                row = parse_row(record, _Row)
                if row.id in places:
                    raise InputError(f"{record.where}: the id {row.id!r} is taken, see {places[row.id]}")
                places[row.id] = record.where
                yield row.problem()
        if not places:
            raise InputError(f"{self._path()}: no problems in it")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, data: object) -> object:
        for name in data if isinstance(data, dict) else ():
            if name not in cls.model_fields:
                raise ValueError(f"unknown field {name!r}{near(name, cls.model_fields)}")
        return data


class _Style(_Part):
    method: str = Field(min_length=1)
    class_name: str | None = Field(default="Solution", min_length=1)
    args: list[str] = []
    returns: str = ""
    result_from: str = Field(default="return", pattern="^(return|all|arg[0-9])$")

    def run_style(self) -> Method:
        return Method(self.method, self.class_name, tuple(self.args), self.returns, self.result_from)


class _Test(_Part):
    id: str | None = Field(default=None, min_length=1)
    pool: Pool = "private"
    input: str | None = None
    args: list[JsonValue] | None = None
    style: _Style | None = None
    expected: JsonValue
    size: int | None = Field(default=None, ge=0)

    def test_case(self, place: int) -> TestCase:
        """The test, at this place of its pool."""
        style = self.style.run_style() if self.style else None
        given = Call(tuple(self.args), style) if self.args is not None else self.input or ""
        return TestCase(self.id or f"{self.pool}-{place}", self.pool, given, self.expected, self.size)


def _text_for(field: str) -> BeforeValidator:
    """Lets a text stand for an object with nothing but this field."""
    return BeforeValidator(lambda value: {field: value} if isinstance(value, str) else value)


class _Checker(_Part):
    name: str
    abs: float = Field(default=0.0, ge=0)
    rel: float = Field(default=0.0, ge=0)
    code: str = ""

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in CHECKERS:
            raise ValueError(f"unknown checker {name!r}{near(name, CHECKERS)}")
        return name

    @model_validator(mode="after")
    def _code_where_it_is_run(self) -> Self:
        if (self.name == "code") != bool(self.code):
            raise ValueError("'code' is needed with the checker 'code', and only there")
        return self


class _Solution(_Part):
    code: str = Field(min_length=1)
    name: str | None = Field(default=None, min_length=1)


_WholeSeconds = BeforeValidator(lambda value: float(value) if type(value) is int else value)


class _Row(_Part):
    id: str = Field(min_length=1)
    statement: str = Field(min_length=1)
    style: _Style | None = None
    checker: Annotated[_Checker, _text_for("name")] | None = None
    tests: list[_Test] = Field(min_length=1)
    solutions: list[Annotated[_Solution, _text_for("code")]] = []
    starter_code: str = ""
    time_limit: Annotated[Seconds, _WholeSeconds] | None = None
    memory_limit: Bytes | None = None
    traits: dict[str, str] = {}
    generator: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _tests_fit_style(self) -> Self:
        for number, test in enumerate(self.tests):
            fault = self._program_fault(test) if self.style is None else self._function_fault(test, self.style)
            if fault:
                raise ValueError(f"tests.{number}: {fault}")
        return self

    @model_validator(mode="after")
    def _test_ids_differ(self) -> Self:
        for name, count in Counter(test.id for test in self._test_cases()).items():
            if count > 1:
                raise ValueError(f"tests: {count} tests have the id {name!r}")
        return self

    def problem(self) -> Problem:
        """The row as a problem."""
        style: RunStyle = self.style.run_style() if self.style else Stdin()
        checker = Checker("value" if self.style else "tokens")
        if self.checker:
            checker = Checker(self.checker.name, self.checker.abs, self.checker.rel, self.checker.code)
        solutions = enumerate(self.solutions, 1)
        return Problem(
            id=self.id,
            statement=self.statement,
            tests=self._test_cases(),
            style=style,
            checker=checker,
            time_seconds=self.time_limit,
            memory_bytes=self.memory_limit,
            solutions=tuple(AcceptedSolution(one.name or f"solution-{n}", one.code) for n, one in solutions),
            starter_code=self.starter_code,
            traits=dict(self.traits),
            generator=Generator(self.generator) if self.generator else None,
        )

    def _test_cases(self) -> tuple[TestCase, ...]:
        places: Counter[str] = Counter()
        cases = []
        for test in self.tests:
            places[test.pool] += 1
            cases.append(test.test_case(places[test.pool]))
        return tuple(cases)

    def _program_fault(self, test: _Test) -> str | None:
        if test.args is not None or test.style is not None:
            return "'args' and 'style' are for functions; a program has 'input' (or give the problem a 'style')"
        if test.input is None:
            return "the field 'input' is missing"
        if self.checker and self.checker.name == "code":
            return None
        if self.checker and self.checker.name == "any_of":
            allowed = isinstance(test.expected, list) and all(isinstance(text, str) for text in test.expected)
            return None if allowed and test.expected else "expected: 'any_of' needs a list of texts"
        return None if isinstance(test.expected, str) else "expected: the output of a program is a text"

    def _function_fault(self, test: _Test, style: _Style) -> str | None:
        if test.input is not None:
            return "'input' is for programs; a function has 'args'"
        if test.args is None:
            return "the field 'args' is missing"
        if (test.style or style).result_from == "all" and not (self.checker and self.checker.name == "code"):
            return "'result_from' can be 'all' only with the checker 'code'"
        declared = (test.style or style).args
        if declared and len(declared) != len(test.args):
            return f"args: {len(test.args)} given, but the style names {len(declared)}"
        return None
