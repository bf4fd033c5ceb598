"""How many runs of tokens two programs have in common."""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import Field

from evalfw import Cohort, Estimate, Measure, Measured, Metric, Options
from evalfw_metrics.apart import Unmeasurable, apart
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_programs
from evalfw_metrics.syntax import parsed

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def ngram_overlap(a: str, b: str, n: int) -> float:
    """Runs of `n` tokens in both programs over those in either, each as often as it occurs, in [0, 1].

    To be called by `apart`. This is the Jaccard index of multisets: sum of the smaller counts over sum of the larger
    ones. Comments and layout are no tokens.

    Raises:
        Unmeasurable: A program cannot be parsed, or neither has `n` tokens.
    """
    first, second = _ngrams(a, n), _ngrams(b, n)
    either = (first | second).total()
    if not either:
        raise Unmeasurable(f"fewer than {n} tokens in both programs")
    return (first & second).total() / either


class NgramOverlapOptions(Options):
    """Options of `ngram_overlap`."""

    n: int = Field(default=3, ge=1, le=100, description="Length of the runs, in tokens.")


class NgramOverlap(Metric[NgramOverlapOptions]):
    """Share of the runs of tokens of two programs that both have, in [0, 1] (a baseline of paper A, section 5.3).

    Pairs get `ngram_overlap`, solutions the mean over their pairs, the problem the mean over all pairs, the results
    table the mean over problems.
    """

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_programs("ngram_overlap", cohort, self._compare)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("ngram_overlap", cohorts)

    def _compare(self, a: str, b: str) -> Compared:
        answer = apart(ngram_overlap, a, b, self.options.n)
        return {"ngram_overlap": answer.value}, answer.reason


def _ngrams(code: str, n: int) -> Counter[tuple[str, ...]]:
    parsed(code)
    tokens = [
        token.string for token in tokenize.generate_tokens(io.StringIO(code).readline) if token.type not in _LAYOUT
    ]
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
