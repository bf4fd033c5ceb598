from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalfw import (
    AcceptedSolution,
    Call,
    Checker,
    Generator,
    Json,
    Limits,
    Method,
    Outcome,
    Problem,
    Sandbox,
    TestCase,
    judge,
)
from evalfw.pipeline import filling
from evalfw.pipeline.filling import Task, fill
from evalfw.pipeline.plan import Bucket, Subject
from evalfw_datasets.mercury import Mercury, MercuryOptions
from evalfw_datasets.starter import Starter, StarterOptions

SAMPLES = Path(os.environ.get("EVALFW_SAMPLE_DATA", ""), "mercury", "mercury_schema_SYNTHETIC.jsonl")

Field = Any
"""Of a problem."""

TOTAL = "class Solution:\n    def total(self, values):\n        return sum(values)\n"
LOOP = TOTAL.replace("return sum(values)", "t = 0\n        for v in values:\n            t += v\n        return t")
NUMBERS = "def generate_test_case():\n    return [random.randint(0, 999) for _ in range(random.randint(1, 60))]\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


def total(generator: str = NUMBERS, *solutions: str, **changes: Field) -> Problem:
    """The sum of a list, or what `changes` makes of that."""
    whole: dict[str, Field] = {
        "id": "total",
        "statement": "Add the values.",
        "tests": (
            TestCase("public-1", "public", Call(([1, 2, 3],)), 6),
            TestCase("private-1", "private", Call(([],)), 0),
        ),
        "style": Method("total", args=("list[int]",)),
        "checker": Checker("value"),
        "solutions": tuple(AcceptedSolution(str(n), code) for n, code in enumerate(solutions or (TOTAL, LOOP))),
        "generator": Generator(generator),
    }
    return Problem(**(whole | changes))


def subject_of(problem: Problem, limits: Limits | None = None) -> Subject:
    limits = limits or Limits(time_seconds=1.0, memory_bytes=256 << 20)
    return Subject(
        dataset=None,  # type: ignore[arg-type] # it is not asked here
        problem=problem,
        key="",
        prompt="",
        public=problem.pool("public"),
        private=problem.pool("private"),
        limits=limits,
        profile_limits=limits,
    )


def buckets(
    sandbox: Sandbox, problem: Problem, *sizes: int, per_size: int = 4, seed: int = 0, limits: Limits | None = None
) -> list[Bucket]:
    task = Task(subject_of(problem, limits), dict.fromkeys(sizes, ""), per_size, seed)
    return fill(sandbox, task)[1]


def inputs(bucket: Bucket) -> list[Json]:
    return [test.input if isinstance(test.input, str) else list(test.input.args) for test in bucket.tests]


def test_buckets_are_filled_with_tests_of_one_size(sandbox: Sandbox) -> None:
    found = buckets(sandbox, total(), 1, 10, 50)
    assert [(bucket.size, bucket.reason) for bucket in found] == [(1, None), (10, None), (50, None)]
    for bucket in found:
        assert [test.id for test in bucket.tests] == [f"size-{bucket.size}-{n}" for n in (1, 2, 3, 4)]
        assert {(test.size, test.pool) for test in bucket.tests} == {(bucket.size, "generated")}
        assert len({json.dumps(made) for made in inputs(bucket)}) == 4
        for test in bucket.tests:
            assert isinstance(test.input, Call)
            (values,) = test.input.args
            assert isinstance(values, list)
            assert len(values) == bucket.size
            assert test.expected == sum(values)


def test_a_bucket_depends_on_the_seed_and_is_a_part_of_a_larger_one(sandbox: Sandbox) -> None:
    (small,) = buckets(sandbox, total(), 10, per_size=3)
    (large,) = buckets(sandbox, total(), 10, per_size=6)
    (other,) = buckets(sandbox, total(), 10, per_size=3, seed=1)
    assert large.tests[:3] == small.tests
    assert not any(made in inputs(small) for made in inputs(other))


def test_another_process_makes_the_same_tests(sandbox: Sandbox) -> None:
    script = (
        "from tests.evalfw.pipeline.test_filling import *\n"
        "with Sandbox() as box:\n    print(json.dumps([inputs(b) for b in buckets(box, total(), 1, 10)]))\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "123", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [inputs(bucket) for bucket in buckets(sandbox, total(), 1, 10)]


def test_a_bucket_that_cannot_be_filled_says_why(sandbox: Sandbox) -> None:
    tens = "def generate_test_case():\n    return [random.randint(0, 1)] * random.randint(1, 20)\n"
    found = {bucket.size: bucket for bucket in buckets(sandbox, total(tens), 10, 100)}
    assert (len(found[10].tests), found[10].why) == (2, filling.TOO_FEW_DIFFERENT)
    assert found[100].reason == "too few inputs of this size: the largest of 1000 draws has size 20"


def test_a_size_that_comes_rarely_is_waited_for(sandbox: Sandbox) -> None:
    rare = "def generate_test_case():\n    return [random.random() for _ in range(random.randint(1, 300))]\n"
    (bucket,) = buckets(sandbox, total(rare), 300)
    assert (len(bucket.tests), bucket.reason) == (4, None)
    assert bucket.drawn > 250


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"solutions": ()}, "no accepted solution: the problem has none"),
        (
            {"solutions": (AcceptedSolution("wrong", TOTAL.replace("sum", "max")),)},
            "no accepted solution: none of 1 passes the problem's own tests",
        ),
        (
            {
                "style": Method("total"),
                "tests": (TestCase("a", "public", Call((3,)), 3),),
                "solutions": (AcceptedSolution("same", TOTAL.replace("sum(values)", "values")),),
            },
            "no size: there is no argument that is always a list or a text",
        ),
    ],
)
def test_problems_that_buckets_cannot_be_made_for(sandbox: Sandbox, changes: dict[str, Any], reason: str) -> None:
    (bucket,) = buckets(sandbox, total(**changes), 5)
    assert (bucket.tests, bucket.reason) == ((), reason)


def test_the_longest_argument_tells_the_size(sandbox: Sandbox) -> None:
    problem = total(
        "def generate_test_case():\n    return 'k', [random.randint(0, 9) for _ in range(20)], 'k' * 30\n",
        "class Solution:\n    def total(self, key, values, more):\n        return len(key), len(values), len(more)\n",
        style=Method("total"),
        tests=(TestCase("a", "public", Call(("k", [1, 2, 3], "")), [1, 3, 0]),),
    )
    (bucket,) = buckets(sandbox, problem, 7, per_size=2)
    assert [test.expected for test in bucket.tests] == [[1, 7, 30]] * 2


def test_inputs_that_accepted_solutions_differ_or_fail_on_are_left_out(sandbox: Sandbox) -> None:
    differs = LOOP.replace("return t", "return t if t % 2 else -t")
    tests = (TestCase("a", "public", Call(([1, 2],)), 3),)
    (bucket,) = buckets(sandbox, total(NUMBERS, TOTAL, differs, tests=tests), 10)
    assert len(bucket.tests) == 4
    assert all(isinstance(test.expected, int) and test.expected % 2 for test in bucket.tests)
    raises = LOOP.replace("t = 0", "t = 0\n        assert len(values) < 5")
    (bucket,) = buckets(sandbox, total(NUMBERS, TOTAL, raises), 10, per_size=2)
    assert bucket.reason == "too few valid inputs: on 10 inputs accepted solutions failed or differed"
    restless = LOOP.replace("return t", "import time\n        return time.time() if len(values) > 5 else t")
    (bucket,) = buckets(sandbox, total(NUMBERS, restless), 10, per_size=2)
    assert bucket.why == filling.TOO_FEW_VALID


def test_solutions_that_need_more_than_the_limits_do_not_decide(sandbox: Sandbox) -> None:
    slow = TOTAL.replace("return", "while len(values) > 5: pass\n        return")
    deep = (
        "class Solution:\n    def total(self, values):\n"
        "        return values[0] + self.total(values[1:]) if values else 0\n"
    )
    generator = "def generate(rng, size):\n    return [rng.randint(0, 9) for _ in range(size)]\n"
    (bucket,) = buckets(sandbox, total(generator, deep, TOTAL, LOOP), 2000, per_size=2)
    assert (len(bucket.tests), bucket.reason) == (2, None)
    short = Limits(time_seconds=0.2, memory_bytes=256 << 20)
    (bucket,) = buckets(sandbox, total(generator, slow, TOTAL), 10, per_size=2, limits=short)
    assert bucket.reason == "accepted solutions pass the limits: on 3 inputs"


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        ("while True: pass", "more than"),
        ("import os; os._exit(0)", "ended without returning a result"),
        ("import os; os.kill(os.getpid(), 9)", "signal SIGKILL"),
        ("while True: print('x' * 100_000)", "more than 1048576 bytes of output"),
        ("return bytearray(1 << 29)", "more than 256 MiB resident"),
        ("return object()", "TypeError: a object is not plain data"),
        ("return type('int', (int,), {})(3)", "TypeError: a int is not plain data"),
    ],
)
def test_a_hostile_generator_costs_only_its_bucket(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, harm: str, why: str
) -> None:
    limits = Limits(time_seconds=1.0, memory_bytes=256 << 20, output_bytes=1 << 20)
    monkeypatch.setattr(filling, "DRAWING", limits)
    generator = (
        f"def generate(rng, size):\n    if size == 2:\n        {harm}\n    return [rng.randint(0, 999)] * size\n"
    )
    before, harmed, after = buckets(sandbox, total(generator), 1, 2, 3, per_size=2)
    assert (len(before.tests), len(after.tests)) == (2, 2)
    assert (harmed.tests, harmed.why) == ((), filling.FAILED)
    assert why in harmed.detail


@pytest.mark.parametrize(
    "forged",
    [
        {"inputs": ["[[1, 2]]"]},
        {"inputs": ["[[1], 2]"]},
        {"inputs": ["[NaN]"]},
        {"inputs": [f"[{'[' * 500}{']' * 500}]"], "sized": True},
        {"inputs": [7]},
        {"drawn": 0},
        {"drawn": True},
        {"fitting": -1},
        {"failures": []},
        {"surplus": 1},
    ],
    ids=str,
)
def test_a_forged_report_is_no_input(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, forged: dict[str, object]
) -> None:
    told = {"sized": False, "drawn": 1, "fitting": 1, "largest": 1, "failures": {}, "inputs": ["[[1]]"]}
    monkeypatch.setattr(filling, "SOURCE", f"def draw(*_):\n    return {told}\n")
    (honest,) = buckets(sandbox, total(), 1, per_size=1)
    assert inputs(honest) == [[[1]]]
    monkeypatch.setattr(filling, "SOURCE", f"def draw(*_):\n    return {told | forged}\n")
    (bucket,) = buckets(sandbox, total(), 1, per_size=1)
    assert bucket.tests == ()
    assert bucket.detail.startswith("its process reported no inputs")


def test_a_program_gets_its_text(sandbox: Sandbox) -> None:
    problem = total(
        "def generate_test_case():\n    return ' '.join(random.choices(string.digits, k=random.randint(1, 6)))\n",
        "print(sum(map(int, input().split())))",
        style=Problem("x", "", ()).style,
        checker=Checker("tokens"),
        tests=(TestCase("a", "public", "1 2\n", "3"),),
    )
    (bucket,) = buckets(sandbox, problem, 4)
    assert [test.expected for test in bucket.tests] == [
        f"{sum(map(int, str(made).split()))}\n" for made in inputs(bucket)
    ]


@pytest.mark.parametrize("name", ["level_sums", "run_length", "grid_path", "sort_list"])
def test_bundled_problems_fill_their_buckets(sandbox: Sandbox, name: str) -> None:
    (problem,) = Starter(StarterOptions(problems=[name])).problems()
    for bucket in buckets(sandbox, problem, 4, 20, per_size=2, limits=Limits()):
        assert (len(bucket.tests), bucket.reason) == (2, None)


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLES.is_file(), reason="EVALFW_SAMPLE_DATA does not name a folder with rows of Mercury")
def test_rows_of_mercury_fill_what_their_generators_can(sandbox: Sandbox) -> None:
    options = MercuryOptions.model_validate({"path": SAMPLES})
    largest = {
        "synthetic-pair-sum": 100,
        "synthetic-running-maximum": 1000,
        "synthetic-mirror-string": 400,
        "synthetic-reverse-list": 300,
        "synthetic-shift-zeros": 500,
        "synthetic-mean-cell": 30,
        "synthetic-tree-height": 200,
    }
    problems = {problem.id: problem for problem in Mercury(options).problems()}
    assert problems.keys() == largest.keys()
    for name, problem in problems.items():
        found = buckets(sandbox, problem, 1, 10, 100, 1000, per_size=3, limits=Limits())
        full = [3 if bucket.size <= largest[name] else 0 for bucket in found]
        assert [len(bucket.tests) for bucket in found] == full, name
        for bucket in found:
            for test in bucket.tests:
                assert isinstance(test.input, Call)
                assert len(test.input.args[0]) == bucket.size  # type: ignore[arg-type]
                for solution in problem.solutions:
                    assert judge(sandbox, problem, test, solution.code, Limits())[0].outcome is Outcome.ACCEPTED
        wrong = replace(found[0].tests[0], expected="something else")
        verdict, _ = judge(sandbox, problem, wrong, problem.solutions[0].code, Limits())
        assert verdict.outcome is Outcome.WRONG_ANSWER
