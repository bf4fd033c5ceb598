"""Dataset `codecontests`: CodeContests (Li et al. 2022), from files or from the Hugging Face hub.

A row has the fields of `deepmind/code_contests`: `name`, `description`, `public_tests`, `private_tests`,
`generated_tests`, and, where known, `solutions`, limits, source, difficulty. Tests and solutions may be
parallel lists, as on the hub, or lists of objects; enumerations may be numbers of the hub's release or names.
Other fields are ignored. No row is left out; what makes a problem special is said in its traits, with the
value `yes`:

- `file_io`: reads or writes named files, not standard input and output
- `image`: the statement has an `<image>` placeholder
- `interactive`: the statement or a tag says so
- `translated`: the statement was translated by machine
- `no_private_tests`
- `several_answers`: the statement speaks of several right answers, of which a test holds one
- `duplicate_statement`: an earlier row has the same statement
- `merged_pools`: the file does not say which tests are public, see below

`interactive` and `several_answers` are told by the words of the statement, which is no proof. The other
traits are `source`, `difficulty`, `rating` and `tags`, where they are known.

Rows as COFFE (Peng et al. 2025) publishes them, with `task_id`, `description`, `solutions` (texts, Python 3) and
`input_output` (JSON text with the inputs and outputs of all pools), are read too. All their tests count as private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Json, model_validator

from evalfw import (
    AcceptedSolution,
    Checker,
    Dataset,
    InputError,
    Pool,
    Problem,
    TestCase,
    near,
)
from evalfw_datasets.prompts import no_conditioning
from evalfw_datasets.records import Record, read_records
from evalfw_datasets.rows import free_name, parse_row
from evalfw_datasets.selection import SelectionOptions, select
from evalfw_datasets.sources import Source, SourceOptions
from evalfw_datasets.statements import has_image, says_interactive, says_several_answers

HUB = "deepmind/code_contests"

# Numbers as on the hub. The original release has others for AtCoder, Aizu and difficulties from L on.
SOURCES = ("UNKNOWN_SOURCE", "CODECHEF", "CODEFORCES", "HACKEREARTH", "CODEJAM", "ATCODER", "AIZU")
DIFFICULTIES = (
    "UNKNOWN_DIFFICULTY",
    "EASY",
    "MEDIUM",
    "HARD",
    "HARDER",
    "HARDEST",
    "EXTERNAL",
    *"ABCDEFGHIJKLMNOPQRSTUV",
)
LANGUAGES = ("UNKNOWN_LANGUAGE", "PYTHON", "CPP", "PYTHON3", "JAVA")  # PYTHON is Python 2


class CodeContestsOptions(SourceOptions, SelectionOptions):
    """Options of `codecontests`."""

    split: Literal["train", "valid", "test"] = Field(
        default="test", description="Which part, from the hub or of a folder; a single file is read as it is."
    )


class CodeContests(Dataset[CodeContestsOptions]):
    """CodeContests, the dataset of AlphaCode (Li et al. 2022), with its Python 3 solutions."""

    def problems(self) -> Iterable[Problem]:
        """The problems in the order of the rows; a name that was there before gets `#2`, `#3`, ..."""
        return select(self._all(), self.options, self.base, self.notes)

    def prompt(self, problem: Problem) -> str:
        """No prompt comes with the dataset; that of BigOBench, which has the same problems, is used."""
        return no_conditioning(problem.statement)

    def revision(self) -> str:
        """SHA-256 of the files, or the commit on the hub."""
        return self._source.revision()

    @cached_property
    def _source(self) -> Source:
        split = self.options.split
        return Source(self.options, self.base, hub=HUB, pattern=f"data/{split}-*.parquet", stem=split)

    def _all(self) -> Iterator[Problem]:
        names: set[str] = set()
        statements: set[str] = set()
        for file in self._source.files:
            # By far the largest field, and of no use here.
            for record in read_records(file, without=("incorrect_solutions",)):
                row = _row(record)
                traits = row.traits()
                if row.description in statements:
                    traits["duplicate_statement"] = "yes"
                statements.add(row.description)
                name = free_name(row.name, names)
                names.add(name)
                yield row.problem(name, traits)
        if not names:
            raise InputError(f"{self._source.files[0]}: no problems in it")


def _pairs(*keys: str) -> BeforeValidator:
    """Accepts `{key: [...], ...}` and `[{key: ...}, ...]`; gives tuples in the order of the keys."""

    def rows(value: object) -> object:
        if isinstance(value, Mapping) and all(isinstance(value.get(key), list) for key in keys):
            columns = [value[key] for key in keys]
            lengths = [len(column) for column in columns]
            if len(set(lengths)) > 1:
                raise ValueError(f"lists of different length: {dict(zip(keys, lengths, strict=True))}")
            return list(zip(*columns, strict=True))
        if isinstance(value, list) and all(isinstance(item, Mapping) and item.keys() >= set(keys) for item in value):
            return [tuple(item[key] for key in keys) for item in value]
        lists, items = (", ".join(f"{key}: {kind}" for key in keys) for kind in ("[...]", "..."))
        raise ValueError(f"{{{lists}}} or [{{{items}}}, ...] is needed")

    return BeforeValidator(rows)


def _member(names: Sequence[str]) -> BeforeValidator:
    """Accepts the number or the name of a member of an enumeration; gives its name."""

    def name(value: object) -> object:
        if isinstance(value, str):
            if value.upper() not in names:
                raise ValueError(f"unknown name {value!r}{near(value.upper(), names)}")
            return value.upper()
        if type(value) is not int or not 0 <= value < len(names):
            raise ValueError(
                f"a number from 0 to {len(names) - 1}, as on the hub, or a name is needed, found {value!r}"
            )
        return names[value]

    return BeforeValidator(name)


def _seconds(value: object) -> object:
    """Accepts `{seconds, nanos}`, of which either may be absent, a number and a text such as `1.5s`."""
    if isinstance(value, Mapping):
        if not value.keys() & {"seconds", "nanos"}:
            raise ValueError("'seconds' or 'nanos' is needed")
        return _number(value.get("seconds")) + _number(value.get("nanos")) / 1e9
    return value.removesuffix("s") if isinstance(value, str) else value


def _number(value: object) -> float:
    if value is None:
        return 0.0
    if isinstance(value, int | float | str):
        return float(value)
    raise ValueError(f"a number is needed, found {value!r}")


_Tests = Annotated[list[tuple[str, str]], _pairs("input", "output")]
_Language = Annotated[str, _member(LANGUAGES)]
_Solutions = Annotated[list[tuple[_Language, str]], _pairs("language", "solution")]


class _Row(BaseModel):
    """A row of the dataset; 0 and null are its ways of saying unknown."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    name: str = Field(min_length=1)
    description: str
    public_tests: _Tests
    private_tests: _Tests
    generated_tests: _Tests
    solutions: _Solutions = []
    source: Annotated[str, _member(SOURCES)] = SOURCES[0]
    difficulty: Annotated[str, _member(DIFFICULTIES)] = DIFFICULTIES[0]
    cf_rating: int | None = None
    cf_tags: list[str] | None = None
    is_description_translated: bool = False
    time_limit: Annotated[Annotated[float, Field(ge=0)] | None, BeforeValidator(_seconds)] = None
    memory_limit_bytes: Annotated[int, Field(ge=0)] | None = None
    input_file: str | None = None
    output_file: str | None = None
    merged_pools: bool = False

    def problem(self, name: str, traits: Mapping[str, str]) -> Problem:
        """The row as a problem of this name."""
        pools: dict[Pool, list[tuple[str, str]]] = {
            "public": self.public_tests,
            "private": self.private_tests,
            "generated": self.generated_tests,
        }
        python3 = (code for language, code in self.solutions if language == "PYTHON3")
        return Problem(
            id=name,
            statement=self.description,
            tests=tuple(
                TestCase(f"{pool}-{number}", pool, given, expected)
                for pool, tests in pools.items()
                for number, (given, expected) in enumerate(tests, 1)
            ),
            checker=Checker("deepmind"),
            time_seconds=self.time_limit or None,
            memory_bytes=self.memory_limit_bytes or None,
            solutions=tuple(AcceptedSolution(f"python3-{n}", code) for n, code in enumerate(python3, 1)),
            traits=traits,
        )

    def traits(self) -> dict[str, str]:
        """What can be said of the problem from its row alone."""
        tags = [tag for tag in self.cf_tags or () if tag]
        facts = {
            "source": "" if self.source == SOURCES[0] else self.source,
            "difficulty": "" if self.difficulty == DIFFICULTIES[0] else self.difficulty,
            "rating": str(self.cf_rating or ""),
            "tags": ", ".join(tags),
        }
        flags = {
            "file_io": bool(self.input_file or self.output_file),
            "image": has_image(self.description),
            "interactive": "interactive" in tags or says_interactive(self.description),
            "translated": self.is_description_translated,
            "no_private_tests": not self.private_tests,
            "merged_pools": self.merged_pools,
            "several_answers": says_several_answers(self.description),
        }
        known = {name: text for name, text in facts.items() if text}
        return known | {name: "yes" for name, holds in flags.items() if holds}


class _InputOutput(BaseModel):
    model_config = ConfigDict(strict=True)

    input: list[str]
    output: list[str]

    @model_validator(mode="after")
    def _as_many(self) -> Self:
        if len(self.input) != len(self.output):
            raise ValueError(f"{len(self.input)} inputs, and {len(self.output)} outputs")
        return self


class _MergedRow(BaseModel):
    """A row as COFFE publishes it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    task_id: int | str
    description: str
    solutions: list[str]
    input_output: Json[_InputOutput]

    def row(self) -> _Row:
        """The same in the fields of the dataset."""
        tests = list(zip(self.input_output.input, self.input_output.output, strict=True))
        return _Row.model_construct(
            name=str(self.task_id),
            description=self.description,
            public_tests=[],
            private_tests=tests,
            generated_tests=[],
            solutions=[("PYTHON3", code) for code in self.solutions],
            merged_pools=True,
        )


def _row(record: Record) -> _Row:
    if "input_output" in record.data and "private_tests" not in record.data:
        return parse_row(record, _MergedRow).row()
    return parse_row(record, _Row)
