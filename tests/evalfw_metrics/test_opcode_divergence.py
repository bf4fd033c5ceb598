from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import log2
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw_metrics.opcode_divergence import divergence, spread, weight
from tests.evalfw_metrics.cohorts import about

COUNTS = st.dictionaries(
    st.sampled_from(["LOAD_FAST", "STORE_FAST", "FOR_ITER", "BINARY_OP", "CALL"]), st.integers(1, 10**6), min_size=1
)
EPS = 1e-9


def vectors(programs: Sequence[Mapping[str, int]], weighted: bool) -> np.ndarray:
    """Distributions as the published scripts make them: dense, with zeros raised to 1e-9."""
    names = sorted({name for program in programs for name in program})
    weights = np.array([weight(name) if weighted else 1 for name in names], dtype=float)
    rows = np.array([[program.get(name, 0) for name in names] for program in programs]) * weights
    rows = np.clip(rows / rows.sum(axis=1, keepdims=True), EPS, 1.0)
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def mean_pairwise_divergence(rows: np.ndarray) -> float:
    found = []
    for p, q in combinations(rows, 2):
        m = (p + q) / 2
        found.append(float(np.sum(p * np.log2(p / m)) + np.sum(q * np.log2(q / m))) / 2)
    return fmean(found)


def normalised_variance(rows: np.ndarray) -> float:
    most = 1.0 - float((rows.mean(axis=0) ** 2).sum())
    return float(np.trace(np.atleast_2d(np.cov(rows.T, bias=True)))) / most if most > EPS else 0.0


def dense(programs: Sequence[Mapping[str, int]], score: Callable[[np.ndarray], float]) -> float:
    return fmean(score(vectors(programs, weighted)) for weighted in (False, True))


@given(st.lists(COUNTS, min_size=2, max_size=5))
def test_equal_to_dense_vectors_with_smoothing(programs: list[dict[str, int]]) -> None:
    mean = fmean(divergence(a, b) for a, b in combinations(programs, 2))
    assert mean == pytest.approx(dense(programs, mean_pairwise_divergence), abs=1e-6)
    assert spread(programs) == pytest.approx(dense(programs, normalised_variance), abs=1e-6)


@given(COUNTS, COUNTS, st.integers(2, 9))
def test_symmetric_bounded_and_without_scale(a: dict[str, int], b: dict[str, int], factor: int) -> None:
    found = divergence(a, b)
    assert 0.0 <= found <= 1.0
    assert found == divergence(b, a)
    assert divergence({name: factor * count for name, count in a.items()}, b) == pytest.approx(found, abs=1e-12)
    assert divergence(a, a) == 0.0
    assert spread([a, a]) == about(0.0)


def test_no_opcode_in_common() -> None:
    assert divergence({"CALL": 3}, {"POP_TOP": 5}) == 1.0
    # Two unit vectors: each is sqrt(1/2) from the mean, whose square is 1/2.
    assert spread([{"CALL": 3}, {"POP_TOP": 5}]) == about(0.5 / 0.5)


def test_worked_out_by_hand() -> None:
    # Structure: (1/2, 1/2) against (1, 0), with the middle (3/4, 1/4). FOR_ITER weighs ten times as much as CALL.
    structure = (0.5 * log2(0.5 / 0.75) + 0.5 * log2(0.5 / 0.25) + log2(1 / 0.75)) / 2
    p = 1 / 11
    middle = (p + 1) / 2
    cost = (p * log2(p / middle) + (1 - p) * log2((1 - p) / (1 - middle)) + log2(1 / middle)) / 2
    assert divergence({"CALL": 1, "FOR_ITER": 1}, {"CALL": 7}) == about((structure + cost) / 2)


def test_one_opcode_everywhere_is_no_spread() -> None:
    assert spread([{"CALL": 1}, {"CALL": 9}]) == 0.0


def test_weights() -> None:
    assert [weight(name) for name in ("CALL", "FOR_ITER", "INPLACE_MATRIX_MULTIPLY", "UNHEARD_OF")] == [1, 10, 100, 1]
