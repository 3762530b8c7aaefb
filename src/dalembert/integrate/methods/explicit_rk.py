"""Projected explicit Runge–Kutta methods on the index-1 form.

Stages evaluate accelerations and multipliers of G v̇ = γ (mexx (3.1)); after each step the frame projects positions and
velocities onto their constraints.  One kernel serves the whole family: a method is a table
(:mod:`~dalembert.integrate.methods.tableaux`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.integrate.frame.control import update_weights, weighted_norm
from dalembert.integrate.frame.controllers import Controller, Elementary, ProportionalIntegral
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.methods.stabilised import StabilisedMethod
from dalembert.integrate.methods.tableaux import DOP853, DOPRI5, Tableau
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Reals, compiled, inlined, kernel, view
from dalembert.native.slots import integer, reals

_BLOCK = 1024
#: As many entries are few: their sums are made in registers.
_FEW = 64

# Layout of the tableau, for s stages, e extra stages of the dense output and K coefficients of it:
#   a: (s + e + 1) rows of s + e + 1;  c: s + e + 1;  weights of up to two error estimates: 2 rows of s + e + 1;
#   rows of the dense output beyond the first three coefficients: (K − 4) rows of s + e + 1.
# Stage s is the rate at the new, projected point.


class RungeKuttaMemory(Memory):
    """Stages of an explicit method."""

    stages: int = integer("stages that make the step")
    width: int = integer("those, the rate at the new point, and extra stages of the dense output")
    n_errors: int = integer("error estimates, 1 or 2")
    stage_rates: Reals = reals("width * n_y", "rates of all stages")
    stage_y: Reals = reals("n_y", "the point of a stage")
    zero: Reals = reals("n_y", "nothing")


@compiled
def _stage(run: RungeKuttaMemory, i: int) -> int:
    """Rate at stage i, from the earlier ones."""
    n, width, tableau, stages = run.n_y, run.width, run.tableau, run.stage_rates
    combine(view(tableau, i * width, i), stages, run.y0, run.h, n, run.stage_y)
    c = tableau[width * width + i]
    load(run, run.t_now + c * run.h, run.stage_y)
    return rate(run, STAGE.T, view(stages, i * n, n))


@inlined
def combine(weights: Reals, stages: Reals, start: Reals, h: float, n: int, out: Reals) -> None:
    """out = start + h Σ weights_j stage_j."""
    if n <= _FEW:
        _combine_few(weights, stages, start, h, n, out)
        return
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


@inlined
def _combine_few(weights: Reals, stages: Reals, start: Reals, h: float, n: int, out: Reals) -> None:
    """The same for few entries, whose sums stay in registers, eight at a time: loops over entries would be shorter than
    what stands around them.  The last eight are made of what is left and of some that are there already."""
    first = 0
    while first < n and n >= 8:
        first = min(first, n - 8)
        a = b = c = d = e = f = g = i = 0.0
        for j in range(weights.size):
            w = weights[j]
            if w != 0.0:
                x = view(stages, j * n + first, 8)
                a += w * x[0]
                b += w * x[1]
                c += w * x[2]
                d += w * x[3]
                e += w * x[4]
                f += w * x[5]
                g += w * x[6]
                i += w * x[7]
        y0, y = view(start, first, 8), view(out, first, 8)
        y[0] = y0[0] + h * a
        y[1] = y0[1] + h * b
        y[2] = y0[2] + h * c
        y[3] = y0[3] + h * d
        y[4] = y0[4] + h * e
        y[5] = y0[5] + h * f
        y[6] = y0[6] + h * g
        y[7] = y0[7] + h * i
        first += 8
    for k in range(n if n < 8 else 0):
        a = 0.0
        for j in range(weights.size):
            if weights[j] != 0.0:
                a += weights[j] * stages[j * n + k]
        out[k] = start[k] + h * a


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


@compiled
def make_step(run: RungeKuttaMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    n, s, width, h = run.n_y, run.stages, run.width, run.h
    stages, tableau, y0, error = run.stage_rates, run.tableau, run.y0, run.error_vector
    copy(run.rate0, view(stages, 0, n))
    for i in range(1, s):
        status = _stage(run, i)
        if status:
            return status
    combine(view(tableau, s * width, s), stages, y0, h, n, run.y1)
    update_weights(run)
    estimates = width * width + width
    combine(view(tableau, estimates, s), stages, run.zero, h, n, error)
    size = weighted_norm(run, error)
    if run.n_errors == 2:
        # Two estimates of orders 5 and 3 together behave like one of order 7: Hairer, Nørsett, Wanner II.10 (10.17).
        combine(view(tableau, estimates + width, s), stages, run.zero, h, n, error)
        low = weighted_norm(run, error)
        if not low < np.inf:  # it stands in the denominator
            size = low
        elif size > 0.0:
            size = size * size / np.sqrt(size * size + 0.01 * low * low)
    run.error = size
    return STATUS.OK


@kernel
def attempt(run: RungeKuttaMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    return make_step(run)


@compiled
def interpolate_stages(run: RungeKuttaMemory, count: int) -> int:
    """So many coefficients of the dense output of the last step, in nested form (see
    dalembert.solution.dense_output)."""
    n, s, width, h = run.n_y, run.stages, run.width, run.h
    stages, tableau, coef = run.stage_rates, run.tableau, run.coef
    copy(run.rate1, view(stages, s * n, n))
    for i in range(s + 1, width):
        status = _stage(run, i)
        if status:
            return status
    set_cubic(run)
    set_higher(view(tableau, width * width + 3 * width, (count - 4) * width), stages, width, run.zero, h, n, coef)
    return STATUS.OK


@compiled
def set_higher(rows: Reals, stages: Reals, width: int, zero: Reals, h: float, n: int, coef: Reals) -> None:
    """Coefficients of the dense output beyond the first four, by rows of weights of the stages."""
    for c in range(rows.size // width):
        combine(view(rows, c * width, width), stages, zero, h, n, view(coef, (c + 4) * n, n))


@kernel
def interpolate(run: RungeKuttaMemory) -> int:
    """Coefficients of the dense output of the last step."""
    return interpolate_stages(run, run.n_coef)


@dataclass(frozen=True, kw_only=True)
class ExplicitRungeKutta(StabilisedMethod):
    """A projected explicit Runge–Kutta method; subclasses give its table."""

    tableau: ClassVar[Tableau]
    memory = RungeKuttaMemory
    attempt = attempt
    interpolate = interpolate

    @property
    def order(self) -> int:
        """That of the table."""
        return self.tableau.order

    @property
    def error_order(self) -> int:
        """That of the table."""
        return self.tableau.error_order

    @property
    def dense_order(self) -> int:
        """That of the table."""
        return self.tableau.dense_order

    @property
    def coefficients(self) -> int:
        """Four from the ends of the step, and those of the table."""
        return self.tableau.coefficients

    @property
    def own_controller(self) -> Controller:
        """With the constants of the table."""
        limits = {"safety": 0.9, "shrink": self.tableau.shrink, "grow": self.tableau.grow}
        return ProportionalIntegral(beta=self.tableau.beta, **limits) if self.tableau.beta else Elementary(**limits)

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Numbers of stages and estimates."""
        width = self.tableau.stages + self.tableau.extra + 1
        own = {"stages": self.tableau.stages, "width": width, "n_errors": len(self.tableau.errors)}
        return {**super().values(sizes), **own}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.tableau.flat()


@dataclass(frozen=True, kw_only=True)
class Dopri5(ExplicitRungeKutta):
    """Dormand and Prince, order 5 with an embedded one of order 4; dense output of order 4; for moderate accuracy.

    Hairer, Nørsett, Wanner, Solving ODEs I, II.5, code DOPRI5.
    """

    name = "dopri5"
    title = "projected Dormand–Prince, order 5(4)"
    tableau = DOPRI5


@dataclass(frozen=True, kw_only=True)
class Dop853(ExplicitRungeKutta):
    """Dormand and Prince, order 8 with embedded ones of orders 5 and 3; dense output of order 7; the default.

    Hairer, Nørsett, Wanner, Solving ODEs I, II.5, II.10, code DOP853.
    """

    name = "dop853"
    title = "projected Dormand–Prince, order 8(5,3)"
    tableau = DOP853
