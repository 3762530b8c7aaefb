"""Baumgarte's stabilisation: constraints that are not projected but pulled back, for comparison.

The index-1 form is integrated with γ − 2α (G v + gI) − β² g in place of γ (thesis (2.7) … (2.10)), so that drift decays
like the oscillator ẍ + 2α ẋ + β² x = 0 instead of growing with time; nothing is projected.  J. Baumgarte,
Stabilization of constraints and integrals of motion in dynamical systems, Comput. Methods Appl. Mech. Engrg. 1 (1972).
"""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.arguments import real
from dalembert.errors import SimulationError

#: Whole numbers may be larger than any real one, and gains are squares.
_LARGEST = 1e100


@dataclass(frozen=True)
class Baumgarte:
    """Rates, in 1/time, at which violations of constraints decay.

    ``beta=None`` is ``alpha``: as fast as is possible without overshoot.  What is good depends on the step: drift grows
    where both are small, and 1/h makes the equations as fast as steps of size h can follow.  Customary are 5 … 50 per
    second; with Euler's method and steps of one size h, 1/h takes away all drift within two steps.
    """

    alpha: float
    beta: float | None = None

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= real(value, f"Baumgarte: {name}", SimulationError) < _LARGEST:
                raise SimulationError(f"Baumgarte: {name} must be a positive number or 0, got {value!r}")

    @property
    def gains(self) -> tuple[float, float]:
        """What velocity and position residuals are multiplied by: 2α and β²."""
        beta = self.alpha if self.beta is None else self.beta
        return 2.0 * float(self.alpha), float(beta) ** 2
