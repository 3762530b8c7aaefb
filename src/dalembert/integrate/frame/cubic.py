"""Dense output from the ends of a step: the cubic polynomial with their values and rates."""

from __future__ import annotations

from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.native.kernel import compiled, kernel


@compiled
def set_cubic(run: Memory) -> None:
    """The first four coefficients in nested form (see dalembert.solution.dense_output): Hermite interpolation."""
    n, h, coef = run.n_y, run.h, run.coef
    y0, y1, rate0, rate1 = run.y0, run.y1, run.rate0, run.rate1
    for k in range(n):
        step = y1[k] - y0[k]
        bend = h * rate0[k] - step
        coef[k] = y0[k]
        coef[n + k] = step
        coef[2 * n + k] = bend
        coef[3 * n + k] = step - h * rate1[k] - bend


@kernel
def cubic(run: Memory) -> int:
    """Dense output of methods that have none of their own."""
    set_cubic(run)
    return STATUS.OK
