"""Dataset `bigobench`: the test sets of BigOBench (Chambon et al. 2025), from files or from the Hugging Face hub.

A row of `{space,time}_complexity_test_set.jsonl` is one problem and one complexity class, with an accepted solution
of that class; the statement and the tests are the same in all rows of a problem. Here the rows of one `problem_id`
are one problem, whose accepted solutions are those of its classes, named `653_39 O(1)`. Its id is the name of the
problem, as in CodeContests. The files give no limits. Fields that are not used may be absent.

Traits: `problem_id`, `complexity` (the classes, in the order of the solutions), `coefficient` (of the curve of each)
and, with the value `yes`, the flags `image`, `interactive`, `no_private_tests`, `several_answers` and
`duplicate_statement`, which mean what they mean in `codecontests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from evalfw import AcceptedSolution, Checker, Dataset, InputError, Pool, Problem, TestCase
from evalfw_datasets.prompts import no_conditioning
from evalfw_datasets.records import read_records
from evalfw_datasets.rows import free_name, parse_row
from evalfw_datasets.selection import SelectionOptions, select
from evalfw_datasets.sources import Source, SourceOptions
from evalfw_datasets.statements import has_image, says_interactive, says_several_answers


class BigOBenchOptions(SourceOptions, SelectionOptions):
    """Options of `bigobench`."""

    split: Literal["space", "time"] = Field(
        default="space",
        description="Test set for space or for time complexity, from the hub or of a folder; a single file is read "
        "as it is.",
    )


class BigOBench(Dataset[BigOBenchOptions]):
    """BigOBench (Chambon et al. 2025), problems of CodeContests with solutions of known complexity."""

    def problems(self) -> Iterable[Problem]:
        """The problems in the order of their first rows; a name that was there before gets `#2`, `#3`, ..."""
        return select(self._all(), self.options, self.base, self.notes)

    def prompt(self, problem: Problem) -> str:
        """That of the benchmark for a solution of any complexity (`no_conditioning`)."""
        return no_conditioning(problem.statement)

    def revision(self) -> str:
        """SHA-256 of the files, or the commit on the hub."""
        return self._source.revision()

    @cached_property
    def _source(self) -> Source:
        stem = f"{self.options.split}_complexity_test_set"
        return Source(self.options, self.base, hub="facebook/BigOBench", pattern=f"data/{stem}*.jsonl", stem=stem)

    def _all(self) -> Iterator[Problem]:
        # All rows of a few hundred problems, since nobody promises that those of one problem are neighbours.
        classes: dict[str, list[_Row]] = {}
        for file in self._source.files:
            for record in read_records(file, without=("dataclass_code",)):
                row = parse_row(record, _Row)
                rows = classes.setdefault(row.problem_id, [])
                if rows and (row.description, row.tests) != (rows[0].description, rows[0].tests):
                    raise InputError(
                        f"{record.where}: problem_id {row.problem_id!r} has another description or other tests "
                        "than in an earlier row"
                    )
                rows.append(row)
        if not classes:
            raise InputError(f"{self._source.files[0]}: no problems in it")
        names: set[str] = set()
        statements: set[str] = set()
        for rows in classes.values():
            name = free_name(rows[0].problem_name, names)
            names.add(name)
            traits = _traits(rows)
            if rows[0].description in statements:
                traits["duplicate_statement"] = "yes"
            statements.add(rows[0].description)
            yield _problem(name, rows, traits)


class _Test(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    input: str
    output: str


class _Tests(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    public_tests: list[_Test]
    private_tests: list[_Test]
    generated_tests: list[_Test]


class _Row(BaseModel):
    """One problem and one complexity class."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)

    problem_name: str = Field(min_length=1)
    problem_id: str = Field(min_length=1)
    solution_id: str
    description: str
    solution_code: str
    complexity: str = Field(validation_alias=AliasChoices("space_complexity_inferred", "time_complexity_inferred"))
    coefficient: float | None = Field(
        default=None, validation_alias=AliasChoices("space_curve_coefficient", "time_curve_coefficient")
    )
    tests: _Tests


def _problem(name: str, rows: list[_Row], traits: dict[str, str]) -> Problem:
    first = rows[0]
    pools: dict[Pool, list[_Test]] = {
        "public": first.tests.public_tests,
        "private": first.tests.private_tests,
        "generated": first.tests.generated_tests,
    }
    return Problem(
        id=name,
        statement=first.description,
        tests=tuple(
            TestCase(f"{pool}-{number}", pool, test.input, test.output)
            for pool, tests in pools.items()
            for number, test in enumerate(tests, 1)
        ),
        checker=Checker("deepmind"),
        solutions=tuple(AcceptedSolution(f"{row.solution_id} {row.complexity}", row.solution_code) for row in rows),
        traits=traits,
    )


def _traits(rows: list[_Row]) -> dict[str, str]:
    first = rows[0]
    facts = {
        "problem_id": first.problem_id,
        "complexity": ", ".join(row.complexity for row in rows),
        "coefficient": ", ".join("?" if row.coefficient is None else f"{row.coefficient:.6g}" for row in rows),
    }
    flags = {
        "image": has_image(first.description),
        "interactive": says_interactive(first.description),
        "no_private_tests": not first.tests.private_tests,
        "several_answers": says_several_answers(first.description),
    }
    return facts | {name: "yes" for name, holds in flags.items() if holds}
