"""How hard a program is to maintain, by three established static measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, Sample
from evalfw_metrics.apart import apart
from evalfw_metrics.averages import mean, mean_over_problems, why_incomplete
from evalfw_metrics.syntax import parsed, require

if TYPE_CHECKING:
    import ast

COLUMNS = ("cyclomatic", "cyclomatic_mean", "cognitive", "cognitive_mean", "maintainability_index")

Complexity: TypeAlias = dict[str, Any]
"""`cyclomatic` and `cognitive` of the whole program, `cyclomatic_functions` and `cognitive_functions` as pairs of name
and value, and `maintainability_index`."""


def complexity(code: str) -> Complexity:
    """The static measures of a program. To be called by `apart`.

    Raises:
        Unmeasurable: It cannot be parsed or is empty.
    """
    import complexipy
    from radon.metrics import mi_visit

    tree = parsed(code)
    # Comments that tell complexipy to ignore a function are the contestant's.
    cognitive = complexipy.code_complexity(code, check_script=False, no_ignore=True, with_plans=False)
    return {
        "cyclomatic": _decisions(tree) + 1,
        "cyclomatic_functions": _cyclomatic_of_functions(tree),
        "cognitive": cognitive.complexity,
        "cognitive_functions": [(each.name.replace("::", "."), each.complexity) for each in cognitive.functions],
        "maintainability_index": mi_visit(code, multi=True),
    }


class Maintainability(Metric[NoOptions]):
    """Cyclomatic and cognitive complexity, and the maintainability index (paper A, section 4.2).

    Cyclomatic complexity (McCabe 1976) and maintainability index (Oman and Hagemeister 1992, Coleman et al. 1994) are
    radon's, cognitive complexity (Campbell 2018) is complexipy's. Correct solutions get all columns, the problem the
    means over its solutions, the results table the means over problems. A program without functions has no means over
    functions; one that cannot be parsed has no value at all.
    """

    def __init__(self, options: NoOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        require("maintainability", "maintainability", "radon", "complexipy")

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Solutions and the problem."""
        solutions = [_solution(sample) for sample in cohort.correct]
        yield from solutions
        columns = {name: mean(_defined(name, solutions)) for name in COLUMNS}
        yield Measure(columns, reason=why_incomplete(solutions, cohort))

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in COLUMNS:
            yield mean_over_problems(name, cohorts)


def _solution(sample: Sample) -> Measure:
    answer = apart(complexity, sample.solution.code)
    if answer.value is None:
        return Measure(dict.fromkeys(COLUMNS), (sample.index,), reason=answer.reason)
    found: Complexity = answer.value
    means = {
        f"{name}_mean": mean([value for _, value in found[f"{name}_functions"]]) for name in ("cyclomatic", "cognitive")
    }
    reason = "no function, so no mean over functions" if None in means.values() else None
    return Measure({name: {**found, **means}[name] for name in COLUMNS}, (sample.index,), reason=reason)


def _defined(name: str, solutions: Sequence[Measure]) -> list[float]:
    return [value for solution in solutions if (value := solution.values[name]) is not None]


def _decisions(tree: ast.Module) -> int:
    """Decision points in a whole program, in functions and out of them."""
    from radon.visitors import ComplexityVisitor

    class Whole(ComplexityVisitor):  # type: ignore[misc] # radon has no types
        """Looks into functions and classes as into any other statement."""

        visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = ComplexityVisitor.generic_visit

    visitor = Whole(off=False)
    visitor.visit(tree)
    return int(visitor.complexity)


def _cyclomatic_of_functions(tree: ast.Module) -> list[tuple[str, int]]:
    """Functions, methods and closures with their own decision points plus 1."""
    from radon.visitors import ComplexityVisitor

    visitor = ComplexityVisitor.from_ast(tree)
    found: list[tuple[str, int]] = []
    functions = [("", function) for function in visitor.functions]
    classes = [("", group) for group in visitor.classes]
    while classes:
        prefix, group = classes.pop()
        name = f"{prefix}{group.name}."
        functions += [(name, method) for method in group.methods]
        classes += [(name, inner) for inner in group.inner_classes]
    while functions:
        prefix, function = functions.pop()
        name = f"{prefix}{function.name}"
        found.append((name, function.complexity))
        functions += [(f"{name}.", closure) for closure in function.closures]
    return sorted(found)
