"""Step control: error norm, step size after success and failure, the first step.

Hairer, Nørsett, Wanner, Solving ODEs I, II.4; the exponents and limits are options of a method.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.formalism import NEW_T, load, rate
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Reals, Run, compiled

#: An iteration that converged faster than this leaves a Jacobian worth keeping.
KEEP_JACOBIAN = 1e-3


@compiled
def set_weights(run: Run) -> None:
    """WEIGHT = 1 / (atol + rtol |y0|)."""
    y, atol, weight = field(run, m.Y0), field(run, m.ATOL_Y), field(run, m.WEIGHT)
    rtol = field(run, m.SCALARS)[m.RTOL]
    for i in range(y.size):
        weight[i] = 1.0 / (atol[i] + rtol * abs(y[i]))


@compiled
def update_weights(run: Run) -> None:
    """WEIGHT = 1 / (atol + rtol max(|y0|, |y1|)), for the error of a step."""
    y0, y1, atol, weight = field(run, m.Y0), field(run, m.Y1), field(run, m.ATOL_Y), field(run, m.WEIGHT)
    rtol = field(run, m.SCALARS)[m.RTOL]
    for i in range(y0.size):
        weight[i] = 1.0 / (atol[i] + rtol * max(abs(y0[i]), abs(y1[i])))


@compiled
def weighted_norm(run: Run, x: Reals) -> float:
    """Root mean square of x in units of the tolerance."""
    weight = field(run, m.WEIGHT)
    total = 0.0
    for i in range(weight.size):
        scaled = x[i] * weight[i]
        total += scaled * scaled
    return np.sqrt(total / max(1, weight.size))


@compiled
def accept(run: Run, error: float) -> bool:
    """Judge a step and set the size of the next attempt, H, unless the method has done that itself."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    if ints[m.OWN_CONTROL]:
        ints[m.AFTER_REJECT] = 1 if error > 1.0 else 0
        ints[m.REJECTED] += ints[m.AFTER_REJECT]
        return ints[m.AFTER_REJECT] == 0
    size = abs(scalars[m.H_DONE])
    smallest, largest = 1.0 / scalars[m.GROW], 1.0 / scalars[m.SHRINK]  # factors by which the step is divided
    scaled = max(error, 1e-14) ** scalars[m.ERROR_EXPONENT]
    safety = scalars[m.SAFETY]
    if ints[m.IMPLICIT]:  # many iterations are a sign of a step that is nearly too large
        limit = ints[m.NEWTON_LIMIT]
        safety = min(safety, safety * (1.0 + 2.0 * limit) / (ints[m.NEWTON_DONE] + 2.0 * limit))
    if error > 1.0:
        scalars[m.H] = size / min(largest, scaled / safety)
        ints[m.AFTER_REJECT] = 1
        ints[m.REJECTED] += 1
        return False
    if ints[m.IMPLICIT]:
        factor = scaled / safety
        if ints[m.HAVE_OLD_STEP]:  # predictive control by Gustafsson: Hairer, Wanner II, IV.8 (8.25)
            trend = abs(scalars[m.H_OLD]) / size * (error * error / scalars[m.ERROR_OLD]) ** scalars[m.ERROR_EXPONENT]
            factor = max(factor, trend / scalars[m.SAFETY])
        scalars[m.ERROR_OLD] = max(error, 1e-2)
    else:
        factor = scaled / max(scalars[m.ERROR_OLD], 1e-4) ** scalars[m.BETA] / safety
        scalars[m.ERROR_OLD] = max(error, 1e-4)
    factor = max(smallest, min(largest, factor))
    if ints[m.AFTER_REJECT]:
        factor = max(factor, 1.0)
    ints[m.AFTER_REJECT] = 0
    if ints[m.IMPLICIT] and 1.0 / 1.2 <= factor <= 1.0 and scalars[m.THETA] <= KEEP_JACOBIAN:
        factor = 1.0  # the factors of the matrices serve once more
    scalars[m.H] = size / factor
    return True


@compiled
def first_step(run: Run) -> int:
    """Size of the first step from the size of y, ẏ and a difference quotient for ÿ."""
    scalars = field(run, m.SCALARS)
    y, rates, trial, trial_rate = field(run, m.Y0), field(run, m.RATE0), field(run, m.Y1), field(run, m.RATE1)
    set_weights(run)
    weight = field(run, m.WEIGHT)
    size_y, size_rate = weighted_norm(run, y), weighted_norm(run, rates)
    h = 1e-6 if size_y < 1e-5 or size_rate < 1e-5 else 0.01 * size_y / size_rate
    h = min(h, abs(scalars[m.T_STOP] - scalars[m.T_NOW]), scalars[m.H_MAX])
    direction = scalars[m.DIRECTION]
    for i in range(y.size):
        trial[i] = y[i] + direction * h * rates[i]
    load(run, scalars[m.T_NOW] + direction * h, trial)
    status = rate(run, NEW_T, trial_rate)
    if status == m.RAISED:
        return status
    total = 0.0
    for i in range(y.size):
        scaled = (trial_rate[i] - rates[i]) * weight[i]
        total += scaled * scaled
    curvature = np.sqrt(total / max(1, y.size)) / h
    if not curvature < np.inf:  # the trial point was out of reach: begin with care
        scalars[m.H] = h * 1e-3
        return m.OK
    largest = max(size_rate, curvature)
    exponent = 1.0 / max(1.0, 1.0 / scalars[m.ERROR_EXPONENT])
    second = max(1e-6, h * 1e-3) if largest <= 1e-15 else (0.01 / largest) ** exponent
    scalars[m.H] = min(100.0 * h, second, scalars[m.H_MAX])
    return m.OK
