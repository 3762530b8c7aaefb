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
from dalembert.integrate.frame.control import error_norm, update_weights
from dalembert.integrate.frame.controllers import Controller, Elementary, ProportionalIntegral
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load_time, rate
from dalembert.integrate.frame.memory import STATUS, Memory
from dalembert.integrate.methods.stabilised import StabilisedMethod
from dalembert.integrate.methods.tableaux import DOP853, DOPRI5, Tableau
from dalembert.linalg.vector_operations import copy, sum_of_rows
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import integer, reals

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
    zero: Reals = reals("n_y", "nothing")


@compiled
def _stage(run: RungeKuttaMemory, i: int) -> int:
    """Rate at stage i, from the earlier ones."""
    n, width, tableau, stages = run.n_y, run.width, run.tableau, run.stage_rates
    sum_of_rows(view(tableau, i * width, i), stages, run.y0, run.h, n, run.y)
    load_time(run, run.t_now + tableau[width * width + i] * run.h)
    return rate(run, STAGE.T, view(stages, i * n, n))


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
    sum_of_rows(view(tableau, s * width, s), stages, y0, h, n, run.y1)
    update_weights(run)
    estimates = width * width + width
    sum_of_rows(view(tableau, estimates, s), stages, run.zero, h, n, error)
    size = error_norm(run, error)
    if run.n_errors == 2:
        # Two estimates of orders 5 and 3 together behave like one of order 7: Hairer, Nørsett, Wanner II.10 (10.17).
        sum_of_rows(view(tableau, estimates + width, s), stages, run.zero, h, n, error)
        low = error_norm(run, error)
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
        sum_of_rows(view(rows, c * width, width), stages, zero, h, n, view(coef, (c + 4) * n, n))


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
