"""Numbers to test with."""

from __future__ import annotations

from hypothesis import strategies as st

MEASURED = st.floats(-1e3, 1e3).map(lambda value: round(value, 3))
"""Numbers as measured: distinct ones differ by more than rounding."""

FEW = st.integers(-3, 3).map(float)
"""Numbers of which many are equal."""

GROUP = st.lists(MEASURED, min_size=2, max_size=30)
TIED = st.lists(FEW, min_size=1, max_size=20)
