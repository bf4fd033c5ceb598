from __future__ import annotations

from evalfw import AcceptedSolution, NoOptions, Problem, Request, TestCase
from evalfw_models.accepted import Accepted


def _request(problem: Problem, index: int) -> Request:
    return Request(problem, prompt="?", temperature=None, index=index, seed=index)


def _problem(*codes: str) -> Problem:
    solutions = tuple(AcceptedSolution(f"s{number}", code) for number, code in enumerate(codes))
    return Problem("sum", "Add.", (TestCase("private-1", "private", "1 2\n", "3\n"),), solutions=solutions)


def test_sample_is_the_solution_of_the_same_place() -> None:
    problem = _problem("print(0)\n", "print(1)\n")
    requests = [_request(problem, 1), _request(problem, 0)]
    completions = list(Accepted(NoOptions()).complete(requests))
    assert [completion.request for completion in completions] == requests
    assert [completion.text for completion in completions] == [
        "```python\nprint(1)\n```\n",
        "```python\nprint(0)\n```\n",
    ]


def test_more_samples_than_solutions_are_not_answered() -> None:
    problem = _problem("print(0)\n", "print(1)\n")
    completions = Accepted(NoOptions()).complete([_request(problem, index) for index in range(5)])
    assert [completion.request.index for completion in completions] == [0, 1]


def test_problem_without_solutions_is_not_answered() -> None:
    assert list(Accepted(NoOptions()).complete([_request(_problem(), 0)])) == []


def test_temperature_means_nothing() -> None:
    assert Accepted(NoOptions()).samples_by_temperature is False
    assert Accepted(NoOptions()).label is None
