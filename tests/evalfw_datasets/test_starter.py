from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any, Literal

import pytest
from pydantic import ValidationError

from evalfw import AcceptedSolution, Call, InputError, Json, Method, Problem, Stdin
from evalfw_datasets.starter import Starter, StarterOptions

# Runs one solution over all its tests in a process of its own; expected outputs stay outside.
DRIVER = """
import io, json, sys, time, types
from typing import Optional

class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next = val, next

class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val, self.left, self.right = val, left, right

def linked(values):
    head = None
    for value in reversed(values):
        head = ListNode(value, head)
    return head

def tree(values):
    if not values:
        return None
    root = TreeNode(values[0])
    waiting, rest = [root], iter(values[1:])
    for node in waiting:
        for side in ("left", "right"):
            value = next(rest, None)
            if value is not None:
                child = TreeNode(value)
                setattr(node, side, child)
                waiting.append(child)
    return root

def unlinked(node):
    values = []
    while node:
        values.append(node.val)
        node = node.next
    return values

names = {"Optional": Optional, "ListNode": ListNode, "TreeNode": TreeNode, "__name__": "__main__"}
job = json.load(sys.stdin)
code = compile(job["code"], "<solution>", "exec")
channel = sys.stdout
results = []
for given in job["inputs"]:
    start = time.process_time()
    if job["method"] is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
        sys.stdout = io.StringIO()
        exec(code, dict(names))
        result = sys.stdout.getvalue()
    else:
        build = {"ListNode": linked, "TreeNode": tree}
        args = [build.get(kind, lambda x: x)(value) for kind, value in zip(job["args"], given, strict=True)]
        space = dict(names)
        exec(code, space)
        owner = space[job["class_name"]]() if job["class_name"] else types.SimpleNamespace(**space)
        result = getattr(owner, job["method"])(*args)
        if job["result_from"] == "arg0":
            assert result is None
            result = args[0]
        if job["returns"] == "ListNode":
            result = unlinked(result)
    results.append([result, time.process_time() - start])
json.dump(results, channel)
"""


def load(
    problems: list[str] | None = None, seed: int = 0, level: Literal["medium", "easy"] = "medium"
) -> tuple[Problem, ...]:
    return tuple(Starter(StarterOptions(level=level, problems=problems, seed=seed)).problems())


MEDIUM, EASY = load(), load(level="easy")
ALL = MEDIUM + EASY
SOLUTIONS = [
    pytest.param(problem, solution, id=f"{problem.id}-{solution.name}")
    for problem in ALL
    for solution in problem.solutions
]
each_problem = pytest.mark.parametrize("problem", [pytest.param(problem, id=problem.id) for problem in ALL])


def run(problem: Problem, code: str) -> list[tuple[Json, float]]:
    """Result and CPU seconds of `code` on every test."""
    method = problem.style if isinstance(problem.style, Method) else None
    job = {
        "code": code,
        "inputs": [t.input.args if isinstance(t.input, Call) else t.input for t in problem.tests],
        "method": method and method.name,
        "class_name": method and method.class_name,
        "args": method and method.args,
        "returns": method and method.returns,
        "result_from": method and method.result_from,
    }
    done = subprocess.run(
        [sys.executable, "-S", "-c", DRIVER],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(result, seconds) for result, seconds in json.loads(done.stdout)]


def same(actual: Json, expected: Json) -> bool:
    """Stricter than any checker: the same JSON, or the same text up to its last line feeds."""
    if isinstance(actual, str) and isinstance(expected, str):
        return actual.rstrip("\n") == expected.rstrip("\n")
    return json.dumps(actual) == json.dumps(expected)


@pytest.mark.parametrize(("problem", "solution"), SOLUTIONS)
def test_every_solution_is_right_on_every_test(problem: Problem, solution: AcceptedSolution) -> None:
    results = run(problem, solution.code)
    assert len(results) == len(problem.tests)
    for test, (actual, seconds) in zip(problem.tests, results, strict=True):
        assert same(actual, test.expected), test.id
        assert seconds < 0.3, test.id


def test_a_wrong_solution_is_noticed() -> None:
    (problem,) = load(["sort_list"])
    results = run(problem, "class Solution:\n    def sort_list(self, head):\n        return head\n")
    right = [same(actual, test.expected) for test, (actual, _) in zip(problem.tests, results, strict=True)]
    assert right[:3] == [False, True, False]
    assert not any(right[3:])


@each_problem
def test_the_first_public_test_is_the_example_of_the_statement(problem: Problem) -> None:
    given, answer = re.findall(r"```text\n(.*?)```", problem.statement, re.DOTALL)
    first = problem.tests[0]
    if isinstance(first.input, str):
        assert (given, answer) == (first.input, first.expected)
    else:
        args = [ast.literal_eval(line.split(" = ", 1)[1]) for line in given.splitlines()]
        assert (args, ast.literal_eval(answer)) == (list(first.input.args), first.expected)


def test_there_are_seven_programs_and_seven_methods() -> None:
    ids = [problem.id for problem in MEDIUM]
    assert len(ids) == 14
    assert ids == sorted(set(ids))
    assert sum(isinstance(problem.style, Stdin) for problem in MEDIUM) == 7
    methods = [problem.style for problem in MEDIUM if isinstance(problem.style, Method)]
    assert {kind for method in methods for kind in method.args} >= {"ListNode", "TreeNode"}
    assert [method.name for method in methods if method.result_from == "arg0"] == ["game_of_life"]


def test_easy_problems_are_functions_and_come_only_when_asked_for() -> None:
    assert len(EASY) == 6
    assert [problem.id for problem in EASY] == sorted({problem.id for problem in ALL} - {p.id for p in MEDIUM})
    assert {problem.style.class_name for problem in EASY if isinstance(problem.style, Method)} == {None}
    assert [problem.id for problem in load([EASY[0].id], level="easy")] == [EASY[0].id]
    with pytest.raises(InputError, match=f"level 'medium' of the starter dataset has no problem '{EASY[0].id}'"):
        load([EASY[0].id])


@each_problem
def test_tests_are_numbered_and_grow(problem: Problem) -> None:
    assert [test.id for test in problem.tests] == [
        *(f"public-{number}" for number in range(1, 4)),
        *(f"private-{number}" for number in range(1, 11)),
    ]
    assert [len(problem.pool(pool)) for pool in ("public", "private", "generated")] == [3, 10, 0]
    assert all(test.id.startswith(test.pool) for test in problem.tests)
    sizes = [test.size for test in problem.pool("private")]
    assert sizes == list(import_module(f"evalfw_datasets.starter.problems.{problem.id}.problem").RECIPE.sizes)
    assert all(isinstance(test.size, int) for test in problem.tests)
    inputs = [repr(test.input) for test in problem.tests]
    assert len(set(inputs)) == len(inputs)


@each_problem
def test_what_a_reader_is_shown(problem: Problem) -> None:
    assert problem.statement.startswith(f"# {problem.traits['title']}\n")
    assert problem.traits["topic"]
    assert problem.traits["kind"] == ("program" if isinstance(problem.style, Stdin) else "method")
    if isinstance(problem.style, Method):
        (defined,) = ast.parse(problem.starter_code).body
        (function,) = defined.body if isinstance(defined, ast.ClassDef) else (defined,)
        assert isinstance(function, ast.FunctionDef)
        assert getattr(defined, "name", None) == (problem.style.class_name or problem.style.name)
        assert function.name == problem.style.name
        assert len(function.args.args) == len(problem.style.args) + (problem.style.class_name is not None)
    else:
        assert not problem.starter_code


@each_problem
def test_solutions_are_at_least_five_in_order_and_different(problem: Problem) -> None:
    names = [solution.name for solution in problem.solutions]
    assert len(names) >= 5
    assert names == sorted(names)
    assert [name[:2] for name in names] == [f"{letter}_" for letter in "abcdef"[: len(names)]]
    trees = {ast.dump(ast.parse(solution.code)) for solution in problem.solutions}
    assert len(trees) == len(names)


@each_problem
def test_solutions_depend_on_nothing_that_varies(problem: Problem) -> None:
    allowed = {"bisect", "collections", "heapq", "itertools", "sys"}
    for solution in problem.solutions:
        nodes = list(ast.walk(ast.parse(solution.code)))
        imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert imported <= allowed, solution.name
        assert not called & {"id", "hash"}, solution.name


def fingerprint(problems: Sequence[Problem]) -> str:
    return hashlib.sha256(repr(list(problems)).encode()).hexdigest()


def test_two_loads_are_equal() -> None:
    assert load() == MEDIUM
    assert load(level="easy") == EASY


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_makes_the_same_problems(hash_seed: str) -> None:
    code = f"from {__name__} import ALL, fingerprint; print(fingerprint(ALL))"
    environment = os.environ | {
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == fingerprint(ALL)


def test_the_seed_decides_the_private_inputs_only() -> None:
    for first, other in zip(ALL, load(seed=1) + load(seed=1, level="easy"), strict=True):
        assert first.pool("public") == other.pool("public")
        sizes = [[test.size for test in problem.pool("private")] for problem in (first, other)]
        assert sizes[0] == sizes[1]
        if first.id != "prime_sum":  # its input is its size
            assert first.pool("private") != other.pool("private")


def test_the_references_hold_for_another_seed() -> None:
    for problem in load(seed=7) + load(seed=7, level="easy"):
        (first, *_) = problem.solutions
        results = run(problem, first.code)
        assert all(same(a, test.expected) for test, (a, _) in zip(problem.tests, results, strict=True)), problem.id


def test_a_subset_comes_in_the_fixed_order_and_each_once() -> None:
    chosen = load(["word_counts", "grid_path", "word_counts"])
    assert [problem.id for problem in chosen] == ["grid_path", "word_counts"]
    assert all(problem in ALL for problem in chosen)


def test_an_unknown_problem_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"'grid_paths'; did you mean 'grid_path'\? \(allowed: bracket_partners, "):
        Starter(StarterOptions(problems=["sort_list", "grid_paths"])).problems()


def test_an_empty_choice_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        StarterOptions(problems=[])


def test_generators_make_the_inputs_of_the_recipes() -> None:
    for problem in ALL:
        assert problem.generator is not None
        code = problem.generator.code
        assert "evalfw" not in code
        names: dict[str, Any] = {}
        exec(code, names)  # our own text
        made = names["generate"](Random("s"), 8)
        recipe = import_module(f"evalfw_datasets.starter.problems.{problem.id}.problem").RECIPE
        expected = recipe.render(recipe.generate(Random("s"), 8))
        assert (Call(made) if isinstance(expected, Call) else made) == expected
