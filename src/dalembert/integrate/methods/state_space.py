"""What state-space methods have in common: they integrate independent coordinates z, ż (thesis chapter 3), from which
all other coordinates and velocities follow by the constraints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.equations.contract.equations import Equations
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError, suggestion
from dalembert.integrate.chart.chart import chart_norm, make_chart
from dalembert.integrate.chart.chart_layout import checked_reduction, checked_threads, lay_out_chart, reduction_programs
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.iteration_matrix import solve_iteration
from dalembert.integrate.chart.recovery import coordinate_accelerations, load_chart_start, recover
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.controllers import Controller, Gustafsson
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.newton import Newton
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import add_scaled, clear, copy
from dalembert.native.kernel import Reals, call_kernel, compiled, kernel, view
from dalembert.native.slots import integer, reals


class StateSpaceMemory(ChartMemory):
    """What one-step methods with stages have besides."""

    stages: int = integer("stages")
    filters: int = integer("whether the error is filtered by the matrix of the iteration")
    increments: Reals = reals("stages * n_s", "increments of x that stages stand for, without factors")
    inner: Reals = reals("2 * n_y", "two points within the step")


CHARTS = ("partition", "tangent")
ERRORS = ("all", "independent")
#: What a recovery within a step may leave, of what the iteration may leave; without an iteration, rounding. The end of
#: the step is projected.
_RECOVERED = 0.1
_LEAST_RECOVERED = 1e-13


@compiled
def forget_chart(run: ChartMemory) -> None:
    """Neither chart nor derivatives may be used after a start, a jump or a break; the partition may."""
    run.jacobian_age, run.have_factors, run.have_chart, run.have_slope = -1, 0, 0, 0
    least = run.rtol
    for i in range(run.n_y):
        least = min(least, run.atol[i] / run.scale[i])
    run.recovery_end = max(_RECOVERED * run.newton_tol * least, _LEAST_RECOVERED)


@kernel
def begin(run: ChartMemory) -> int:
    """There is no history but the partition."""
    forget_chart(run)
    return STATUS.OK


@compiled
def renew_chart(run: ChartMemory) -> int:
    """A chart at the start of the step with the derivatives there."""
    run.njev += 1
    run.jacobian_age, run.have_factors = -1, 0
    status = make_chart(run)
    if status == STATUS.OK:
        status = load_chart_start(run)
    if status == STATUS.OK:
        status = call_kernel(run.reduction_kernel, run)
    if status == STATUS.OK:
        run.jacobian_age = 0
    return status


@compiled
def return_to_start(run: ChartMemory) -> None:
    """Where recoveries begin: the coordinates and velocities at the start of the step."""
    copy(view(run.y0, 0, run.n_q), run.q)
    copy(view(run.y0, run.n_q, run.n_v), run.v)


@compiled
def take_point(run: ChartMemory, y: Reals) -> None:
    """y = (q, v, u) of the point of evaluation."""
    n_q, n_v = run.n_q, run.n_v
    copy(run.q, view(y, 0, n_q))
    copy(run.v, view(y, n_q, n_v))
    copy(run.u, view(y, n_q + n_v, run.n_u))


@compiled
def end_at(run: ChartMemory, x: Reals) -> int:
    """y1 of (z, ż, u) at the end of the step."""
    status = recover(run, run.t_new, x)
    take_point(run, run.y1)
    return status


@compiled
def take_error(run: ChartMemory, error: Reals) -> None:
    """The error of the step in units of the tolerance, from that of (z, ż, u)."""
    update_weights(run)
    run.error = chart_norm(run, error)
    copy(run.y_change, run.error_vector)


@compiled
def add_stages(run: StateSpaceMemory, weights: Reals, x: Reals) -> None:
    """x + Σ weights_i increments_i, as far as weights go."""
    n = run.n_s
    for i in range(weights.size):
        if weights[i] != 0.0:
            add_scaled(weights[i], view(run.increments, i * n, n), x)


@compiled
def estimate_error(run: StateSpaceMemory, weights: Reals) -> None:
    """The error of the step from its stages, filtered if wanted: (5.6)."""
    error = run.x_right
    clear(error)
    add_stages(run, weights, error)
    if run.filters:
        solve_iteration(run, error, 0.0)
    take_error(run, error)


@kernel
def through_inner_points(run: StateSpaceMemory) -> int:
    """The cubic polynomial through the ends of the step and two points within it, of the formula's own dense output
    (its weights are the last of the tableau), whose coordinates are recovered."""
    s, n_y, h, coef = run.stages, run.n_y, run.h, run.coef
    first_weight = run.tableau.size - 2 * s
    return_to_start(run)
    for point in range(2):
        copy(run.x0, run.x_stage)
        add_stages(run, view(run.tableau, first_weight + point * s, s), run.x_stage)
        status = recover(run, run.t_now + (point + 1) / 3.0 * h, run.x_stage)
        if status:
            return status
        take_point(run, view(run.inner, point * n_y, n_y))
    y0, y1, near, far = run.y0, run.y1, view(run.inner, 0, n_y), view(run.inner, n_y, n_y)
    for k in range(n_y):
        step = y1[k] - y0[k]
        # What both points have above the straight line, divided by θ(1 − θ); linear in θ between them.
        first, second = 4.5 * (near[k] - y0[k] - step / 3.0), 4.5 * (far[k] - y0[k] - 2.0 * step / 3.0)
        slope = 3.0 * (second - first)
        coef[k] = y0[k]
        coef[n_y + k] = step
        coef[2 * n_y + k] = first - slope / 3.0
        coef[3 * n_y + k] = slope
    return STATUS.OK


@compiled
def _bend(run: ChartMemory, t: float, y: Reals, z: Reals, out: Reals) -> int:
    """q̈ = T a + Ṫ v at an end of the step."""
    if run.unit_T:
        copy(z, out)
        return STATUS.OK
    load(run, t, y)
    copy(z, run.a)
    status = coordinate_accelerations(run, STAGE.T)
    copy(run.qddot if run.has_reduced else run.second_rate, out)
    return status


@kernel
def hermite(run: ChartMemory) -> int:
    """Quintic polynomials for q with values, rates and second rates at both ends, cubic ones for v and u."""
    n_q, n_y, h, coef = run.n_q, run.n_y, run.h, run.coef
    set_cubic(run)
    fourth, fifth = view(coef, 4 * n_y, n_y), view(coef, 5 * n_y, n_y)
    clear(fourth)
    clear(fifth)
    status = _bend(run, run.t_now, run.y0, run.z0, view(fourth, 0, n_q))
    if status:
        return status
    status = _bend(run, run.t_new, run.y1, run.z1, view(fifth, 0, n_q))
    for k in range(n_q):
        second, third = coef[2 * n_y + k], coef[3 * n_y + k]
        fourth[k] = 0.5 * h * h * fourth[k] + second - third
        fifth[k] = 0.5 * h * h * fifth[k] + second + 2.0 * third - fourth[k]
    return status


@dataclass(frozen=True, kw_only=True)
class StateSpace(Method):
    """A method on independent coordinates; subclasses give its formula."""

    chart: str = option("partition", 'independent coordinates: entries of q ("partition"), or of the "tangent" plane')
    jacobian: str = option(
        "auto",
        '"analytic", "columns", "directional" or "numeric"; "auto": exact where equations have the derivatives',
    )
    threads: int = option(1, 'threads that the columns of jacobian="columns" are divided among')
    errors: str = option("all", 'whether "all" coordinates count in the error, or "independent" ones only')
    partition_limit: float = option(1.25, "growth of the condition of the dependent block that ends a partition")

    memory = ChartMemory
    begin = begin
    form = "independent coordinates of a chart of the constraint manifold"

    def check(self) -> None:
        """Chart, strategy, errors."""
        name = type(self).__name__
        for what, value, known in (("chart", self.chart, CHARTS), ("errors", self.errors, ERRORS)):
            if not isinstance(value, str) or value not in known:
                raise SimulationError(f"{name}: there is no {what} '{value!s:.40}'; {suggestion(str(value), known)}")
        limit = self.partition_limit
        if not (isinstance(limit, (int, float, np.number)) and 1.0 < limit < np.inf):
            raise SimulationError(f"{name}: partition_limit must be a number above 1, got {limit!r:.40}")
        checked_reduction(self.jacobian)
        checked_threads(self.threads, self.jacobian)

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract, and that which derivatives are taken from."""
        return "contract", *reduction_programs(self.jacobian, equations)

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of a chart."""
        return self._of_chart(lay_out_chart(equations, providers, self.jacobian, self.threads))

    def _of_chart(self, made: MethodLayout) -> MethodLayout:
        """With the chart that was asked for, and what counts in errors."""
        own = {"tangent": int(self.chart == "tangent"), "only_independent": int(self.errors == "independent")}
        return made._replace(values={**made.values, **own})

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the limit of partitions."""
        return {**super().settings, "partition_limit": float(self.partition_limit)}


@dataclass(frozen=True, kw_only=True)
class IteratedStateSpace(StateSpace):
    """One whose stages are found by Newton's iteration."""

    iteration: Newton | None = option(None, "limit and tolerance of Newton's iteration: Newton(…)")

    def check(self) -> None:
        """Iteration."""
        super().check()
        if self.iteration is not None and not isinstance(self.iteration, Newton):
            raise SimulationError(f"{type(self).__name__}: iteration must be a Newton(…), got {self.iteration!r:.80}")

    @property
    def newton(self) -> Newton:
        """With ten iterations per stage at most."""
        given = self.iteration or Newton()
        return Newton(given.limit or 10, given.tolerance)

    @property
    def own_controller(self) -> Controller:
        """Predictive."""
        return Gustafsson(safety=0.9, shrink=0.2, grow=5.0)


def checked_formula(method: Any, tables: Collection[str]) -> None:
    """Raise an error if the option ``formula`` names none of these."""
    given = method.formula
    if not isinstance(given, str) or given not in tables:
        known = suggestion(str(given), tables)
        raise SimulationError(f"{type(method).__name__}: there is no formula '{given!s:.40}'; {known}")


def checked_filter(method: Any) -> None:
    """Raise an error if the option ``filtered`` is neither True nor False."""
    if not isinstance(method.filtered, (bool, np.bool_)):
        raise SimulationError(f"{type(method).__name__}: filtered must be True or False, got {method.filtered!r:.40}")
