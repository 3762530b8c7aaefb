"""Explicit Euler method with steps of one size, on the index-1 form, projected: y₁ = y₀ + Δ ẏ₀.

For comparison: it is stable as long as Δ is below 2/λ for the fastest decay λ, and lets undamped modes grow.
"""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.methods.fixed_step import FixedStepMethod
from dalembert.linalg.vector_operations import add_scaled, copy
from dalembert.native.kernel import kernel


@kernel
def attempt(run: Memory) -> int:
    """One step of size h from y0: leaves y1; there is no error."""
    copy(run.y0, run.y1)
    add_scaled(run.h, run.rate0, run.y1)
    run.error = 0.0
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class ExplicitEuler(FixedStepMethod):
    """Explicit Euler method of order 1 with steps of one size, projected; dense output of order 1; for all builders.

    Hairer, Nørsett, Wanner, Solving ODEs I, II.1.
    """

    name = "euler"
    title = "explicit Euler, order 1, steps of one size, projected"
    attempt = attempt
    order = 1
    dense_order = 0
