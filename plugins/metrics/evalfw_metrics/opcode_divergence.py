"""How far apart programs are by the opcodes in them, or executed by them.

Formulas of Rajput et al., "Dynamic Stability of LLM-Generated Code" (2025), arXiv:2511.07463, as their published
scripts compute them, without the smoothing of zeros by 1e-9. With counts c and weights w of the opcodes, a program has
two distributions: its structure c_i / sum(c), and its cost w_i c_i / sum(w c).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, log2
from typing import TypeAlias

Counts: TypeAlias = Mapping[str, int]
"""How often each opcode occurs; at least one does."""

_Distribution: TypeAlias = dict[str, float]

# The weights of the authors: 1 for work that does not depend on the size of its operands, 10 for work that grows with
# it about linearly, 100 for more. What is not listed weighs 1.
_LINEAR = {
    *("UNPACK_SEQUENCE", "UNPACK_EX", "BUILD_LIST", "BUILD_TUPLE", "BUILD_SET", "BUILD_MAP", "BUILD_STRING"),
    *("LIST_EXTEND", "SET_UPDATE", "DICT_MERGE", "DICT_UPDATE"),
    *("FOR_ITER", "CONTAINS_OP", "BINARY_SLICE", "STORE_SLICE", "BINARY_OP"),
}
_MORE = {"BINARY_MATRIX_MULTIPLY", "INPLACE_MATRIX_MULTIPLY"}


def weight(opcode: str) -> int:
    """The cost of an opcode relative to the others."""
    return 100 if opcode in _MORE else 10 if opcode in _LINEAR else 1


def divergence(a: Counts, b: Counts) -> float:
    """Mean of the Jensen-Shannon divergences (base 2) of the structures and of the costs of two programs, in [0, 1]."""
    pairs = zip(_distributions(a), _distributions(b), strict=True)
    return fsum(_jensen_shannon(p, q) for p, q in pairs) / 2


def spread(programs: Sequence[Counts]) -> float:
    """Mean of the normalised total variances of the structures and of the costs of programs, in [0, 1].

    The normalised total variance of distributions is the mean of their squared distances from their mean m, over
    1 - |m|^2, which is the most it can be; 0 where that is 0.
    """
    return fsum(map(_total_variance, zip(*map(_distributions, programs), strict=True))) / 2


def _distributions(counts: Counts) -> tuple[_Distribution, _Distribution]:
    return _normalised(counts), _normalised({name: weight(name) * count for name, count in counts.items()})


def _normalised(counts: Counts) -> _Distribution:
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()}


def _jensen_shannon(p: _Distribution, q: _Distribution) -> float:
    middle = {name: (p.get(name, 0.0) + q.get(name, 0.0)) / 2 for name in {**p, **q}}
    terms = (share * log2(share / middle[name]) for each in (p, q) for name, share in each.items() if share)
    return min(1.0, max(0.0, fsum(terms) / 2))  # rounding may leave the interval


def _total_variance(distributions: Iterable[_Distribution]) -> float:
    rows = list(distributions)
    mean = {name: fsum(row.get(name, 0.0) for row in rows) / len(rows) for row in rows for name in row}
    most = 1 - fsum(share * share for share in mean.values())
    if most <= 0:
        return 0.0
    distances = ((row.get(name, 0.0) - share) ** 2 for row in rows for name, share in mean.items())
    return fsum(distances) / len(rows) / most
