"""Explicit Runge–Kutta methods on local coordinates of the constraint manifold, as DAEQ3 of MANPAK integrates.

    (z, ż, u) of a stage → q, v (recovered) → a, λ → z̈ = P (T a + Ṫ v)          Rheinboldt and Simeon (25)

Stages lie on the constraints, of positions and of velocities alike.  Rates of q, v, u at the stages are those of a
larger system, ẋ = f(t, x), ẏ = F(t, x), to which the same formula applies: they carry its dense output to all
coordinates.  A chart serves as long as recoveries converge fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.equations import Sizes
from dalembert.errors import SimulationError
from dalembert.integrate.chart.chart import chart_norm, make_chart, positions_seen
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.recovery import count_drives, load_chart_start, motion_at, second_rates
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.controllers import Controller, Elementary, ProportionalIntegral
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.methods.explicit_rk import set_higher
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.state_space import StateSpace, checked_formula, end_at, grow_older, return_to_start
from dalembert.integrate.methods.tableaux import DOP853, DOPRI5, Tableau
from dalembert.linalg.vector_operations import copy, sum_of_rows
from dalembert.native.kernel import Reals, compiled, kernel, view
from dalembert.native.slots import integer, reals

TABLES = {"dopri5": DOPRI5, "dop853": DOP853}

# Layout of the tableau: that of explicit_rk.


class ChartRungeKuttaMemory(ChartMemory):
    """Stages of an explicit method in a chart."""

    stages: int = integer("stages that make the step")
    width: int = integer("those, the rate at the new point, and extra stages of the dense output")
    n_errors: int = integer("error estimates, 1 or 2")
    stage_slopes: Reals = reals("width * n_s", "slopes (ż, z̈, u̇) of all stages")
    stage_rates: Reals = reals("width * n_y", "rates of (q, v, u) at all stages")
    no_start: Reals = reals("n_y", "nothing")


@compiled
def _stage(run: ChartRungeKuttaMemory, i: int) -> int:
    """Slopes and rates at stage i, from the earlier ones."""
    n, n_y, width = run.n_s, run.n_y, run.width
    sum_of_rows(view(run.tableau, i * width, i), run.stage_slopes, run.x0, run.h, n, run.x_stage)
    t = run.t_now + run.tableau[width * width + i] * run.h
    status = motion_at(run, t, run.x_stage, view(run.stage_slopes, i * n, n))
    copy(run.y_rate, view(run.stage_rates, i * n_y, n_y))
    return status


@kernel
def attempt(run: ChartRungeKuttaMemory) -> int:
    """One step of size h from y0: leaves y1 and error."""
    n, s, width, h = run.n_s, run.stages, run.width, run.h
    slopes, tableau, status = run.stage_slopes, run.tableau, STATUS.OK
    if run.jacobian_age < 0 or run.turned:
        status = make_chart(run)
        run.jacobian_age = 0
    if status == STATUS.OK:
        status = load_chart_start(run)
    if status:
        return status
    copy(run.x_rate0, view(slopes, 0, n))
    copy(run.rate0, view(run.stage_rates, 0, run.n_y))
    return_to_start(run)
    for i in range(1, s):
        status = _stage(run, i)
        if status:
            return status
    sum_of_rows(view(tableau, s * width, s), slopes, run.x0, h, n, run.x_stage)
    status = end_at(run, run.x_stage)
    if status:
        return status
    update_weights(run)
    estimates = width * width + width
    sum_of_rows(view(tableau, estimates, s), slopes, run.no_start, h, n, run.x_right)
    size = chart_norm(run, run.x_right)
    copy(run.y_change, run.error_vector)
    if run.n_errors == 2:  # as in explicit_rk
        sum_of_rows(view(tableau, estimates + width, s), slopes, run.no_start, h, n, run.x_right)
        low = chart_norm(run, run.x_right)
        if not low < np.inf:
            size = low
        elif size > 0.0:
            size = size * size / np.sqrt(size * size + 0.01 * low * low)
    run.error = size
    return count_drives(run)


@kernel
def interpolate(run: ChartRungeKuttaMemory) -> int:
    """Coefficients of the dense output, with the slope at the new point and extra stages in the chart."""
    n, n_y, s, width, f = run.n_s, run.n_y, run.stages, run.width, run.n_f
    rates = run.recovery_rate, run.recovery_rate_v  # what is looked at in a step shall not change the next one
    copy(run.rate1, view(run.stage_rates, s * n_y, n_y))
    if s + 1 < width:
        load(run, run.t_new, run.y1)
        copy(run.z1, run.a)
        copy(view(run.z1, run.n_v, run.n_lam), run.lam)
        slope = view(run.stage_slopes, s * n, n)
        positions_seen(run, view(run.rate1, 0, run.n_q), view(slope, 0, f))
        status = second_rates(run, STAGE.P, view(slope, f, f))
        copy(view(run.rate1, run.n_q + run.n_v, run.n_u), view(slope, 2 * f, run.n_u))
        for i in range(s + 1, width):
            if status == STATUS.OK:
                status = _stage(run, i)
        run.recovery_rate, run.recovery_rate_v = rates
        if status:
            return status
    set_cubic(run)
    rows = view(run.tableau, width * width + 3 * width, (run.n_coef - 4) * width)
    set_higher(rows, run.stage_rates, width, run.no_start, run.h, n_y, run.coef)
    return STATUS.OK


@kernel
def accepted(run: ChartRungeKuttaMemory) -> int:
    """The chart may be used further, unless recoveries are slow or its partition has become worse."""
    grow_older(run)
    return STATUS.OK


@dataclass(frozen=True, kw_only=True)
class ChartRungeKutta(StateSpace):
    """An explicit Runge–Kutta method on independent coordinates: every stage lies on the constraints.

    "dopri5" has order 5 with dense output of order 4, "dop853" order 8 with dense output of order 7.

    Rheinboldt, Solving algebraically explicit DAEs with the MANPAK manifold algorithms (DAEQ3); Hairer, Nørsett,
    Wanner, Solving ODEs I, II.5.
    """

    formula: str = option("dop853", '"dopri5" or "dop853"')
    recovered: float = option(1e-3, "what recoveries of dependent coordinates may leave, in units of the tolerance")

    memory = ChartRungeKuttaMemory
    attempt = attempt
    accepted = accepted
    interpolate = interpolate

    def check(self) -> None:
        """Formula."""
        super().check()
        checked_formula(self, TABLES)
        if not (isinstance(self.recovered, (int, float, np.number)) and 0.0 < self.recovered < 1.0):
            raise SimulationError(
                f"ChartRungeKutta: recovered must be a number between 0 and 1, got {self.recovered!r:.40}"
            )

    @cached_property
    def coefficients_of(self) -> Tableau:
        """Its table."""
        return TABLES[self.formula]

    @property
    def name(self) -> str:  # type: ignore[override]
        """By the formula."""
        return f"chart_{self.formula}"

    @property
    def title(self) -> str:
        """With its orders."""
        orders = {"dopri5": "5(4)", "dop853": "8(5,3)"}[self.formula]
        return f"Dormand–Prince, order {orders}, on independent coordinates"

    @property
    def order(self) -> int:
        """That of the table."""
        return self.coefficients_of.order

    @property
    def error_order(self) -> int:
        """That of the table."""
        return self.coefficients_of.error_order

    @property
    def dense_order(self) -> int:
        """That of the table."""
        return self.coefficients_of.dense_order

    @property
    def coefficients(self) -> int:
        """Four from the ends of the step, and those of the table."""
        return self.coefficients_of.coefficients

    @property
    def own_controller(self) -> Controller:
        """With the constants of the table."""
        table = self.coefficients_of
        limits = {"safety": 0.9, "shrink": table.shrink, "grow": table.grow}
        return ProportionalIntegral(beta=table.beta, **limits) if table.beta else Elementary(**limits)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the end of recoveries."""
        return {**super().settings, "recovery_part": float(self.recovered)}

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Numbers of stages and estimates."""
        table = self.coefficients_of
        width = table.stages + table.extra + 1
        return {"stages": table.stages, "width": width, "n_errors": len(table.errors)}

    def table(self) -> NDArray[np.float64]:
        """The table as the kernels read it."""
        return self.coefficients_of.flat()
