"""Behavioural expression factor: whether programs differ more in their text or in what they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalfw import Cohort, Estimate, Measure, Measured, Metric, NoOptions, OpcodeCounts
from evalfw_metrics.averages import mean, tally
from evalfw_metrics.dctd import Dctd
from evalfw_metrics.sctd import Sctd


class Bef(Metric[NoOptions]):
    """SCTD over DCTD (Rajput et al. 2025, BEF): far below 1 behaviour is unstable, far above 1 variety is redundant.

    The problem gets `bef` with the two that it is made of, `bef_sctd` and `bef_dctd`; it is undefined where the
    executions do not differ. The results table has the ratio of the two means over the problems that have both, so
    that no problem counts for more because its DCTD is near 0.
    """

    needs = OpcodeCounts

    def measure(self, cohort: Cohort) -> Iterator[Measure]:
        """The problem."""
        [static] = [found for found in Sctd(self.options).measure(cohort) if not found.solutions]
        [dynamic] = [found for found in Dctd(self.options).measure(cohort) if not found.solutions]
        sctd, dctd = static.values["sctd"], dynamic.values["dctd"]
        values = {"bef": sctd / dctd if sctd is not None and dctd else None, "bef_sctd": sctd, "bef_dctd": dctd}
        reason = "the executions do not differ: DCTD is 0" if dctd == 0 else None
        yield Measure(values, reason=dynamic.reason or static.reason or reason)

    def aggregate(self, cohorts: Sequence[Measured]) -> Iterator[Estimate]:
        """The ratio of the means over problems."""
        problems = [measure for cohort in cohorts for measure in cohort.measures]
        both = [
            (sctd, dctd)
            for problem in problems
            if (sctd := problem.values["bef_sctd"]) is not None and (dctd := problem.values["bef_dctd"]) is not None
        ]
        left_out = [p.reason for p in problems if p.values["bef_sctd"] is None or p.values["bef_dctd"] is None]
        static, dynamic = mean([sctd for sctd, _ in both]), mean([dctd for _, dctd in both])
        also = ["the executions do not differ: DCTD is 0"] if dynamic == 0 else []
        yield Estimate(
            "bef",
            static / dynamic if static is not None and dynamic else None,
            len(both),
            left_out=len(left_out),
            reason="; ".join(filter(None, [tally("problem", left_out), *also]))
            or ("no problems" if not problems else None),
            # Without a problem that differs a resample has no ratio, so then there is no interval.
            terms=tuple(both) if all(dctd for _, dctd in both) else (),
        )
