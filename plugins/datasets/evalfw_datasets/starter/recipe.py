"""How a problem of the starter set is made: what its `problem.py` states and how tests follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, Literal, TypeVar

from evalfw import Call, Checker, Json, Pool, RunStyle, TestCase

Data = TypeVar("Data")


@dataclass(frozen=True, slots=True)
class Recipe(Generic[Data]):
    """Everything about a problem that is not its statement or a solution.

    Args:
        title: Heading for people.
        topic: What its solutions differ in.
        style: How a solution is run.
        render: Turns input data into what a solution is given: `Call` itself, or a function that writes text.
        reference: Computes the expected output of input data.
        generate: Makes input data of a given size.
        measure: Size of input data: elements, characters or rows. `measure(generate(rng, n)) == n`.
        examples: Inputs of the public tests, by hand; the first one is the example of the statement.
        sizes: Sizes of the private tests.
        checker: How outputs are compared.
        starter_code: Signature shown to a model.
        level: Which of the two sets it is in.
    """

    title: str
    topic: str
    style: RunStyle
    render: Callable[[Data], str | Call]
    reference: Callable[[Data], Json]
    generate: Callable[[Random, int], Data]
    measure: Callable[[Data], int]
    examples: tuple[Data, Data, Data]
    sizes: Sequence[int]
    checker: Checker
    starter_code: str = ""
    level: Literal["medium", "easy"] = "medium"

    def tests(self, seed: str) -> Iterator[TestCase]:
        """The public tests, then the private ones by size; `seed` decides the private inputs."""
        for number, data in enumerate(self.examples, 1):
            yield self._test("public", number, data)
        for number, size in enumerate(self.sizes, 1):
            yield self._test("private", number, self.generate(Random(f"{seed}/{size}"), size))

    def _test(self, pool: Pool, number: int, data: Data) -> TestCase:
        return TestCase(
            id=f"{pool}-{number}",
            pool=pool,
            input=self.render(data),
            expected=self.reference(data),
            size=self.measure(data),
        )
