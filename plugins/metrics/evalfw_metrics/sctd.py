"""Static canonical trace divergence: how different the compiled programs of a cohort are."""

from __future__ import annotations

import dis
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions
from evalfw_metrics.apart import Answer, apart
from evalfw_metrics.averages import mean_over_problems
from evalfw_metrics.comparison import Compared, compare_programs
from evalfw_metrics.opcode_divergence import divergence, spread
from evalfw_metrics.syntax import parsed


def static_opcodes(code: str) -> dict[str, int]:
    """How often each opcode stands in a compiled program, functions and classes included. To be called by `apart`.

    Raises:
        Unmeasurable: It cannot be parsed or is empty.
    """
    codes: list[CodeType] = [compile(parsed(code), "<program>", "exec", dont_inherit=True)]
    for each in codes:  # which grows
        codes += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
    return dict(Counter(instruction.opname for each in codes for instruction in dis.get_instructions(each)))


class Sctd(Metric[NoOptions]):
    """How different the opcodes in the correct programs are, in [0, 1] (Rajput et al. 2025, SCTD).

    Pairs get `sctd`, the divergence of their opcode distributions, solutions the mean over their pairs. The problem
    gets the mean over all pairs, and in `sctd_tau` the normalised total variance of all programs. The results table
    has the means over problems. Nothing is executed.
    """

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """Pairs, solutions and the problem."""
        texts = {sample.solution.code for sample in cohort.correct}
        opcodes = {text: apart(static_opcodes, text) for text in sorted(texts)}
        for measure in compare_programs("sctd", cohort, lambda a, b: _compare(opcodes[a], opcodes[b])):
            if measure.solutions:
                yield measure
            else:
                known = [found for s in cohort.correct if (found := opcodes[s.solution.code].value) is not None]
                tau = spread(known) if len(known) > 1 else None
                yield Measure({**measure.values, "sctd_tau": tau}, reason=measure.reason)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The means over problems."""
        for name in ("sctd", "sctd_tau"):
            yield mean_over_problems(name, cohorts)


def _compare(a: Answer, b: Answer) -> Compared:
    if a.value is None or b.value is None:
        return {"sctd": None}, a.reason or b.reason
    first: Mapping[str, int] = a.value
    return {"sctd": divergence(first, b.value)}, None
