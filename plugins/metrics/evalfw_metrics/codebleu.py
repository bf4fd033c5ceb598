"""CodeBLEU of two programs, in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions
from evalfw_metrics.apart import apart
from evalfw_metrics.averages import mean, mean_over_problems
from evalfw_metrics.comparison import Compared, compare_programs
from evalfw_metrics.syntax import parsed, require

_PARTS = {
    "codebleu_ngram": "ngram_match_score",
    "codebleu_weighted": "weighted_ngram_match_score",
    "codebleu_syntax": "syntax_match_score",
    "codebleu_dataflow": "dataflow_match_score",
}
COLUMNS = ("codebleu", *_PARTS)


def codebleu(a: str, b: str) -> dict[str, float | None]:
    """CodeBLEU (Ren et al. 2020) and its four parts, each the mean of both directions, in [0, 1].

    To be called by `apart`. CodeBLEU scores a candidate against a reference, and another number comes out when the
    two change places. The parts are those of the package; its sum of them counts a data-flow match of 0 as 1, so the
    parts are averaged here. A reference without any data flow has no such match: that part is left out, and the others
    weigh a third each.

    Raises:
        Unmeasurable: A program cannot be parsed or is empty.
    """
    parsed(a)
    parsed(b)
    directions = [_score(reference, candidate) for reference, candidate in ((a, b), (b, a))]
    return {name: mean([way for each in directions if (way := each[name]) is not None]) for name in COLUMNS}


def _score(reference: str, candidate: str) -> Mapping[str, float | None]:
    from codebleu import calc_codebleu
    from codebleu.dataflow_match import corpus_dataflow_match

    scores = calc_codebleu([reference], [candidate], "python")
    parts: dict[str, float | None] = {name: float(scores[theirs]) for name, theirs in _PARTS.items()}
    flows = corpus_dataflow_match([[reference]], [reference], "python")  # type: ignore[no-untyped-call]
    if not flows:  # nothing matches, not even itself
        parts["codebleu_dataflow"] = None
    return {"codebleu": mean([part for part in parts.values() if part is not None]), **parts}


class CodeBleu(Metric[NoOptions]):
    """CodeBLEU (Ren et al. 2020) of two programs, the mean of both directions, in [0, 1] (a baseline of paper A, 5.3).

    Pairs get `codebleu` and its parts `codebleu_ngram` (BLEU), `codebleu_weighted`, `codebleu_syntax` and
    `codebleu_dataflow`, solutions the mean over their pairs, the problem the mean over all pairs, the results table
    the mean over problems. The parts are computed by the package of that name.
    """

    def __init__(self, options: NoOptions, base: Path = Path()) -> None:
        super().__init__(options, base)
        require("codebleu", "similarity", "codebleu", "tree_sitter_python")

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        return compare_programs("codebleu", cohort, _compare)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The mean over problems."""
        yield mean_over_problems("codebleu", cohorts)


def _compare(a: str, b: str) -> Compared:
    answer = apart(codebleu, a, b)
    return answer.value or dict.fromkeys(COLUMNS), answer.reason
