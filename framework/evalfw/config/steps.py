"""Numbers at equal distances, written as `{from: 0, to: 2, step: 0.2}`."""

from __future__ import annotations

from decimal import Decimal
from typing import Self

from pydantic import Field, model_validator

from evalfw.options import Options

_MOST = 1000


class Sweep(Options):
    """Numbers from one to another at equal distances, both included where they fall on the grid."""

    first: float = Field(alias="from", description="The first number.")
    last: float = Field(alias="to", description="The last number, or an upper bound where it is not on the grid.")
    step: float = Field(gt=0, description="Distance of neighbours.")

    @model_validator(mode="after")
    def _some(self) -> Self:
        low, high, step = self._exact()
        if high < low:
            raise ValueError(f"`to` is {high}, and has to be at least `from`, which is {low}")
        if step > high - low > 0:
            raise ValueError(f"`step` is {step}, and leads from {low} past {high} at once")
        if (high - low) / step >= _MOST:
            raise ValueError(f"more than {_MOST} numbers from {low} to {high} with the step {step}; take a larger one")
        return self

    def numbers(self) -> tuple[float, ...]:
        """The numbers, each the nearest to the exact decimal: 0.6, never 0.6000000000000001."""
        low, high, step = self._exact()
        return tuple(float(low + step * place) for place in range(int((high - low) / step) + 1))

    def _exact(self) -> tuple[Decimal, Decimal, Decimal]:
        """The decimals as they were written."""
        return Decimal(repr(self.first)), Decimal(repr(self.last)), Decimal(repr(self.step))
