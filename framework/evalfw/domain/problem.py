"""A problem: what is asked, how an answer is run, and which outputs are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Plain data: what JSON can hold."""

Pool: TypeAlias = Literal["public", "private", "generated"]
"""Where a test case comes from. Public tests filter solutions, the others are profiled."""


@dataclass(frozen=True, slots=True)
class Stdin:
    """Run style of a whole program: it reads standard input and writes standard output."""

    @property
    def entry_point(self) -> str | None:
        """A program has no name to look for."""
        return None


@dataclass(frozen=True, slots=True)
class Method:
    """Run style of a function: it is called with arguments and its value is the answer.

    Args:
        name: The method of `class_name`, or the module-level function where `class_name` is None.
        class_name: The class to make an instance of, without arguments; usually `Solution`.
        args: Type of each argument. `ListNode` and `TreeNode` are built from arrays, `List[ListNode]` and
            `List[TreeNode]` from arrays of such, all else is passed on.
        returns: Type of the result; `ListNode` and `TreeNode` are turned back into arrays.
        result_from: `return`; `arg0` .. `arg9` for a function that changes that argument in place; or `all` for a
            list of all arguments as they are after the call, followed by the result. Of `all`, nodes of lists, trees
            and graphs may be part: only the checker `code` can compare that.
        prepare: Source that defines `prepare(args) -> args`, which makes what the function is called with. It runs in
            the contestant's process, before the solution's module.
        keywords: Names of the last arguments, which are passed by keyword; the others are passed by position.
        prelude: Source that runs in the solution's module before it, in place of the names that are there by default.
    """

    name: str
    class_name: str | None = "Solution"
    args: tuple[str, ...] = ()
    returns: str = ""
    result_from: str = "return"
    prepare: str = ""
    keywords: tuple[str, ...] = ()
    prelude: str = ""

    @property
    def entry_point(self) -> str | None:
        """The name that a solution must define at top level."""
        return self.class_name or self.name


RunStyle: TypeAlias = Stdin | Method


@dataclass(frozen=True, slots=True)
class Call:
    """The input of one function-style test case.

    Args:
        args: Plain data, one entry per argument.
        style: Set where this test calls another function than the problem's.
    """

    args: tuple[Json, ...]
    style: Method | None = None


@dataclass(frozen=True, slots=True)
class TestCase:
    """One input with its expected output.

    Args:
        id: Unique within the problem.
        pool: Where the test comes from.
        input: Text for a program, a `Call` for a function.
        expected: Text for a program, plain data for a function. It never enters the process of a solution.
        size: Input magnitude (elements, characters, rows), where it is known.
    """

    __test__ = False  # not a pytest class

    id: str
    pool: Pool
    input: str | Call
    expected: Json
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Checker:
    """The rule by which an output is compared with the expected one.

    Args:
        name: One of `evalfw.CHECKERS`.
        abs: Absolute tolerance of the checkers that know numbers.
        rel: Relative tolerance of the same.
        code: Of the checker `code`: source that defines `check(args, expected, actual) -> bool`. It is no more trusted
            than a solution, and runs in a sandbox process of its own.
    """

    name: str
    abs: float = 0.0
    rel: float = 0.0
    code: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one execution may use.

    Args:
        time_seconds: CPU time, user and system. Wall time may be `max(3 * time, time + 2)`.
        memory_bytes: Peak resident memory of the process, interpreter included.
        output_bytes: Bytes on standard output, and of the result of a function.
    """

    time_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    output_bytes: int = 16 << 20

    @property
    def wall_seconds(self) -> float:
        """Wall time after which a program that merely waits is ended."""
        return max(3 * self.time_seconds, self.time_seconds + 2)


@dataclass(frozen=True, slots=True)
class AcceptedSolution:
    """A solution that comes with the dataset and is known to be right."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Generator:
    """A program that makes inputs for tests of a given size. Untrusted: it runs in the sandbox only.

    Args:
        code: Source of a module with one of these functions. `generate(rng, size)` makes an input of that size,
            where `rng` is a `random.Random` and the problem says what its size is. `generate_test_case()`, or
            `test_case_generator()`, draws from the module `random` and chooses a size of its own. Either returns the
            text for a program; for a function the tuple of its arguments, or the bare argument where it has one.
    """

    code: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Statement, test cases, limits, checker and possibly accepted solutions.

    Args:
        id: Unique within its dataset.
        statement: What a model is asked, as Markdown.
        tests: In the order in which they are run.
        style: How a solution is run.
        checker: How outputs are compared.
        time_seconds: The problem's own time limit, where its source states one.
        memory_bytes: The problem's own memory limit, likewise.
        solutions: Accepted solutions, the canonical one first.
        starter_code: Signature shown to a model, where the run style needs one.
        traits: What a reader should know (difficulty, flags such as `image` or `interactive`).
        recursion_limit: Calls that may be nested, where the source allows more than Python does by default.
        generator: Makes inputs by size, where there is one.
    """

    id: str
    statement: str
    tests: tuple[TestCase, ...]
    style: RunStyle = field(default_factory=Stdin)
    checker: Checker = Checker("tokens")
    time_seconds: float | None = None
    memory_bytes: int | None = None
    solutions: tuple[AcceptedSolution, ...] = ()
    starter_code: str = ""
    traits: Mapping[str, str] = field(default_factory=dict)
    recursion_limit: int | None = None
    generator: Generator | None = None

    def pool(self, pool: Pool) -> tuple[TestCase, ...]:
        """The tests of one pool, in order."""
        return tuple(test for test in self.tests if test.pool == pool)
