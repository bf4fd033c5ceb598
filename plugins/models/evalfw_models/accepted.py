"""Model `accepted`: answers with the accepted solutions of the dataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evalfw import Completion, Model, NoOptions, Request
from evalfw_models.fence import fenced


class Accepted(Model[NoOptions]):
    """The accepted solutions of the dataset, in its order: sample i of a problem is its i-th solution.

    They go through extraction, judging and profiling as anybody's. Where a problem has fewer solutions than
    samples are wanted, the rest is not answered.
    """

    samples_by_temperature = False
    free = True

    def depends_on(self, request: Request) -> str:
        """The solution, so that one that was changed is taken again."""
        solutions = request.problem.solutions
        return solutions[request.index].code if request.index < len(solutions) else ""

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """One accepted solution a request, in a fenced block."""
        for request in requests:
            solutions = request.problem.solutions
            if request.index < len(solutions):
                yield Completion(request, fenced(solutions[request.index].code))
