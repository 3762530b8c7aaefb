"""Dense output of a step: that of the method, which must be finite, and for methods that have none the cubic polynomial
with the values and rates at its ends."""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.linalg.vector_operations import total_size
from dalembert.native.kernel import call_kernel, compiled, kernel


@compiled
def interpolate_step(run: Memory) -> int:
    """Coefficients of the step that leads to y1; methods may evaluate the equations at further points for them."""
    status = call_kernel(run.interpolate_kernel, run)
    if status:
        return status
    return STATUS.OK if total_size(run.coef) + total_size(run.coef_z) < np.inf else STATUS.NOT_FINITE


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
