"""Error norm, and the size of the first step.

Hairer, Nørsett, Wanner, Solving ODEs I, II.4; the size of the first step with times in units of the time scale.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.native.kernel import Reals, compiled, reassociated

#: Part of the time scale that a first step takes where y or its rate says nothing.
_LEAST = 1e-6
#: Sizes that a step can be made again in, from the resolution of time.
_RESOLVED = 64.0 * 2.220446049250313e-16


@compiled
def set_weights(run: Memory) -> None:
    """weight = 1 / (atol + rtol |y0|)."""
    y, atol, weight, rtol = run.y0, run.atol, run.weight, run.rtol
    judged, error_weight = run.judged, run.error_weight
    for i in range(y.size):
        weight[i] = 1.0 / (atol[i] + rtol * abs(y[i]))
        error_weight[i] = judged[i] * weight[i]


@compiled
def update_weights(run: Memory) -> None:
    """weight = 1 / (atol + rtol max(|y0|, |y1|)), for the error of a step."""
    y0, y1, atol, weight, rtol = run.y0, run.y1, run.atol, run.weight, run.rtol
    judged, error_weight = run.judged, run.error_weight
    for i in range(y0.size):
        weight[i] = 1.0 / (atol[i] + rtol * max(abs(y0[i]), abs(y1[i])))
        error_weight[i] = judged[i] * weight[i]


@compiled
def _root_mean_square(weight: Reals, x: Reals) -> float:
    total = 0.0
    for i in range(weight.size):
        scaled = x[i] * weight[i]
        total += scaled * scaled
    return np.sqrt(total / max(1, weight.size))


@compiled
def weighted_norm(run: Memory, x: Reals) -> float:
    """Root mean square of x, a correction, in units of the tolerance."""
    return _root_mean_square(run.weight, x)


@compiled
def error_norm(run: Memory, x: Reals) -> float:
    """Root mean square of x, an error, in units of the tolerance; of what is judged.

    Velocities of auxiliary variables are not: they follow from the others, and projection gives them.  Those of places
    on profiles have a kink wherever third derivatives of a spline jump (a locomotive at 1e-6: dop853 made 126 steps and
    152 in vain, 39 and 16 so).
    """
    return _root_mean_square(run.error_weight, x)


@reassociated
def norm_of_sum(weight: Reals, x: Reals, factor1: float, x1: Reals, factor2: float, x2: Reals) -> float:
    """Root mean square of x + factor1 x1 + factor2 x2 in units of the tolerance."""
    total = 0.0
    for c in range(weight.size):
        scaled = (x[c] + factor1 * x1[c] + factor2 * x2[c]) * weight[c]
        total += scaled * scaled
    return np.sqrt(total / max(1, weight.size))


@compiled
def shortest_again(run: Memory) -> float:
    """The smallest size of a step that is made again, to end at something inside of it."""
    return max(_RESOLVED * max(abs(run.t_now), 1e-12 * abs(run.t_end - run.t_now)), run.h_min)


@compiled
def first_step(run: Memory) -> int:
    """Size of the first step from the size of y, ẏ and a difference quotient for ÿ."""
    y, rates, trial, trial_rate = run.y0, run.rate0, run.y1, run.rate1
    set_weights(run)
    weight = run.error_weight
    size_y, size_rate = error_norm(run, y), error_norm(run, rates)
    unit = run.time_scale
    least = _LEAST * unit
    h = 0.01 * size_y / size_rate if size_y >= 1e-5 and size_rate * unit >= 1e-5 else least
    if not 0.0 < h < np.inf:  # norms overflow where tolerances are next to nothing
        h = least
    h = min(h, abs(run.t_stop - run.t_now), run.h_max)
    for i in range(y.size):
        trial[i] = y[i] + run.direction * h * rates[i]
    load(run, run.t_now + run.direction * h, trial)
    status = rate(run, STAGE.T, trial_rate)
    if status == STATUS.RAISED:
        return status
    total = 0.0
    for i in range(y.size):
        scaled = (trial_rate[i] - rates[i]) * weight[i]
        total += scaled * scaled
    curvature = np.sqrt(total / max(1, y.size)) / h
    if status or not curvature + size_rate < np.inf:  # the trial point was out of reach: begin with care
        run.h_next = h * 1e-3
        return STATUS.OK
    largest = max(size_rate * unit, curvature * unit * unit)
    exponent = 1.0 / max(1.0, 1.0 / run.error_exponent)
    second = max(least, h * 1e-3) if largest <= 1e-15 else unit * (0.01 / largest) ** exponent
    run.h_next = min(100.0 * h, second, run.h_max)
    return STATUS.OK
