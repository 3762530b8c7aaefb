"""Projected explicit Runge–Kutta methods on the index-1 form.

Stages evaluate accelerations and multipliers of G v̇ = γ (mexx (3.1)); after each step the frame projects positions and
velocities onto their constraints.  One kernel serves the whole family: a method is a table
(:mod:`~dalembert.integrate.methods.tableaux`).
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.control import update_weights, weighted_norm
from dalembert.integrate.frame.formalism import NEW_T, load, rate
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Reals, Run, compiled, kernel, view

_BLOCK = 1024

# Layout of the field TABLEAU, for s stages, e extra stages of the dense output and K coefficients of it:
#   a: (s + e + 1) rows of s + e + 1;  c: s + e + 1;  weights of up to two error estimates: 2 rows of s + e + 1;
#   rows of the dense output beyond the first three coefficients: (K − 4) rows of s + e + 1.
# Stage s is the rate at the new, projected point.


@compiled
def _stage(run: Run, i: int, h: float) -> int:
    """Rate at stage i, from the earlier ones."""
    ints = run.ints
    n, width = ints[m.N_Y], ints[m.STAGES] + ints[m.FSAL_EXTRA] + 1
    tableau, stages, y0, y = field(run, m.TABLEAU), field(run, m.METHOD), field(run, m.Y0), field(run, m.Y1)
    _combine(tableau[i * width : i * width + i], stages, y0, h, n, y)
    c = tableau[width * width + i]
    load(run, field(run, m.SCALARS)[m.T_NOW] + c * h, y)
    return rate(run, NEW_T, stages[i * n : (i + 1) * n])


@compiled
def _combine(weights: Reals, stages: Reals, start: Reals, h: float, n: int, out: Reals) -> None:
    """out = start + h Σ weights_j stage_j."""
    for first in range(0, n, _BLOCK):  # sums stay in the nearest cache
        size = min(_BLOCK, n - first)
        total, before = view(out, first, size), view(start, first, size)
        for k in range(size):
            total[k] = 0.0
        j = _next(weights, 0)
        while j < weights.size:  # four stages at a time; a missing one is a known one with weight zero
            j1 = _next(weights, j + 1)
            j2 = _next(weights, j1 + 1)
            j3 = _next(weights, j2 + 1)
            _add_four(total, stages, n, first, j, j1, j2, j3, weights)
            j = _next(weights, j3 + 1)
        for k in range(size):
            total[k] = before[k] + h * total[k]


@compiled
def _next(weights: Reals, j: int) -> int:
    """The next stage that counts, or their number."""
    while j < weights.size and weights[j] == 0.0:
        j += 1
    return min(j, weights.size)


@compiled
def _add_four(
    total: Reals, stages: Reals, n: int, first: int, j: int, j1: int, j2: int, j3: int, weights: Reals
) -> None:
    size, last = total.size, weights.size
    w = weights[j]
    w1, w2, w3 = (
        weights[j1] if j1 < last else 0.0,
        weights[j2] if j2 < last else 0.0,
        weights[j3] if j3 < last else 0.0,
    )
    a = view(stages, j * n + first, size)
    b = view(stages, (j1 if j1 < last else j) * n + first, size)
    c = view(stages, (j2 if j2 < last else j) * n + first, size)
    d = view(stages, (j3 if j3 < last else j) * n + first, size)
    for k in range(size):
        total[k] += (w * a[k] + w1 * b[k]) + (w2 * c[k] + w3 * d[k])


@kernel
def attempt(run: Run) -> int:
    """One step of size H_DONE from Y0: leaves Y1 and ERROR."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    n, s = ints[m.N_Y], ints[m.STAGES]
    width = s + ints[m.FSAL_EXTRA] + 1
    h = scalars[m.H_DONE]
    stages, tableau, rates = field(run, m.METHOD), field(run, m.TABLEAU), field(run, m.RATE0)
    y0, y1, error = field(run, m.Y0), field(run, m.Y1), field(run, m.ERROR_VECTOR)
    for k in range(n):
        stages[k] = rates[k]
    for i in range(1, s):
        status = _stage(run, i, h)
        if status:
            return status
    _combine(tableau[s * width : s * width + s], stages, y0, h, n, y1)
    update_weights(run)
    estimates = tableau[width * width + width :]
    zero = field(run, m.COEF)[:n]
    for k in range(n):
        zero[k] = 0.0
    _combine(estimates[:s], stages, zero, h, n, error)
    size = weighted_norm(run, error)
    if ints[m.N_ERRORS] == 2:
        # Two estimates of orders 5 and 3 together behave like one of order 7: Hairer, Nørsett, Wanner II.10 (10.17).
        _combine(estimates[width : width + s], stages, zero, h, n, error)
        low = weighted_norm(run, error)
        if size > 0.0:
            size = size * size / np.sqrt(size * size + 0.01 * low * low)
    scalars[m.ERROR] = size
    return m.OK if size < np.inf else m.NOT_FINITE


@kernel
def interpolate(run: Run) -> int:
    """Coefficients of the dense output of the last step, in nested form (see dalembert.solution.dense_output)."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    n, s, extra, K = ints[m.N_Y], ints[m.STAGES], ints[m.FSAL_EXTRA], ints[m.N_COEF]
    width = s + extra + 1
    h = scalars[m.H_DONE]
    stages, tableau, coef = field(run, m.METHOD), field(run, m.TABLEAU), field(run, m.COEF)
    y0, y1, rate0, rate1 = field(run, m.Y0), field(run, m.Y1), field(run, m.RATE0), field(run, m.RATE1)
    last = stages[s * n : (s + 1) * n]
    for k in range(n):
        last[k] = rate1[k]
    keep = field(run, m.EVENT_Y)  # Y1 is needed by the stages; the new point is kept here meanwhile
    for k in range(n):
        keep[k] = y1[k]
    for i in range(s + 1, width):
        status = _stage(run, i, h)
        if status:
            for k in range(n):
                y1[k] = keep[k]
            return status
    for k in range(n):
        y1[k] = keep[k]
    for k in range(n):
        step = y1[k] - y0[k]
        bend = h * rate0[k] - step
        coef[k] = y0[k]
        coef[n + k] = step
        coef[2 * n + k] = bend
        coef[3 * n + k] = step - h * rate1[k] - bend
    rows = tableau[width * width + width + 2 * width :]
    for c in range(4, K):
        target = coef[c * n : (c + 1) * n]
        for k in range(n):
            target[k] = 0.0
        for j in range(width):
            weight = rows[(c - 4) * width + j]
            if weight != 0.0:
                stage = stages[j * n : (j + 1) * n]
                for k in range(n):
                    target[k] += weight * stage[k]
        for k in range(n):
            target[k] *= h
    return m.OK
