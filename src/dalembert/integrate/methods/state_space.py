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
from dalembert.integrate.chart.chart import chart_norm, make_chart, positions_seen, turn_chart
from dalembert.integrate.chart.chart_layout import (
    checked_threads,
    lay_out_chart,
    reduction_of,
    reduction_programs,
    update_of,
)
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.chart.chart_pattern import chart_shape
from dalembert.integrate.chart.iteration_matrix import factor_iteration, solve_iteration
from dalembert.integrate.chart.recovery import (
    TURNS,
    coordinate_accelerations,
    load_chart_start,
    motion_at,
    recover,
    slope_beyond,
)
from dalembert.integrate.frame.control import update_weights
from dalembert.integrate.frame.controllers import Controller, Gustafsson
from dalembert.integrate.frame.cubic import set_cubic
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.differences import fill_known
from dalembert.integrate.implicit.jacobian import Jacobian
from dalembert.integrate.implicit.newton import ROUNDED, Newton, judge_end
from dalembert.integrate.implicit.newton_memory import ACTION, RENEWAL
from dalembert.integrate.implicit.renewal import after_failure
from dalembert.integrate.methods.method import Method, option
from dalembert.linalg.vector_operations import add, add_scaled, clear, copy
from dalembert.native.kernel import Reals, call_kernel, compiled, kernel, view
from dalembert.native.slots import integer, reals


class StateSpaceMemory(ChartMemory):
    """What one-step methods with stages have besides."""

    stages: int = integer("stages")
    filters: int = integer("whether the error is filtered by the matrix of the iteration")
    increments: Reals = reals("stages * n_s", "increments of x that stages stand for, without factors")
    inner: Reals = reals("2 * n_y", "two points within the step")


#: A rate up to which no derivatives are kept.
NEVER = -1.0
CHARTS = ("partition", "tangent")
ERRORS = ("all", "independent")
#: Rate of convergence of recoveries after which a chart is made anew.
_SLOW_RECOVERY = 0.12
#: A last correction above this, in units of the tolerance, is worth a recovery.
_LARGE_CORRECTION = 0.1
#: Rates at the end of a step may differ from those of the formula by this many tolerances in the length of the step.
_UNEXPECTED = 10.0
#: A slope at the start that is missed by this many corrections of the extrapolation from the stages is another one.
MISSED = 3.0
#: What a recovery within a step may leave, of what the iteration may leave. The end of the step is projected.
_RECOVERED = 0.1
_LEAST_RECOVERED = 1e-13


@compiled
def forget_chart(run: ChartMemory) -> None:
    """Neither chart nor derivatives may be used after a start, a jump or a break; the partition may."""
    run.jacobian_age, run.have_factors = -1, 0
    clear(run.carried)
    least = run.rtol
    for i in range(run.n_q + run.n_v):
        least = min(least, run.atol[i] / run.scale[i])
    part = _RECOVERED * run.newton_tol if run.newton_tol > 0.0 else run.recovery_part
    run.recovery_end = max(part * least, _LEAST_RECOVERED)


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


@kernel
def adopt_chart(run: ChartMemory) -> int:
    """A chart at the start of the step, with derivatives of rows that an estimate of their pattern has left in the slot
    jacobian."""
    run.jacobian_full += 1
    run.adopts = 1
    status = fill_known(run)
    return renew_chart(run) if status == STATUS.OK else status


@compiled
def enter_chart(run: ChartMemory, action: int) -> int:
    """The chart as fresh as an action asks for, and the start of the step in it. One that was turned, or is to be, is
    made anew at the start; its derivatives serve on, unless other coordinates are independent now."""
    if action == ACTION.RENEW:
        return renew_chart(run)
    if action == ACTION.GROW:  # at the start of the step
        run.jacobian_age, run.have_factors = -1, 0
        status = make_chart(run)
        if status == STATUS.OK:
            status = load_chart_start(run)
        return STATUS.PATTERN_UNKNOWN if status == STATUS.OK else status
    if run.turned:
        repartitions = run.repartitions
        status = make_chart(run)
        if status:
            return status
        if run.repartitions != repartitions:
            return renew_chart(run)
    return load_chart_start(run)


@compiled
def prepare(run: ChartMemory, action: int, first: float, second: float) -> int:
    """The chart and the matrix E + first E1 + second E2 as fresh as an action asks for; leaves the start of the step in
    the chart."""
    status = enter_chart(run, action)
    if status == STATUS.OK and (action != ACTION.KEEP or not run.have_factors):
        status = factor_iteration(run, first, second)
        run.alpha_factored = 1.0 / first
    return status


@compiled
def differentiate_here(run: ChartMemory) -> int:
    """Derivatives at the stage instead of those of the start of the step: where directions of stiff forces turn, an
    iteration does not converge with others."""
    run.njev += 1
    run.newton_failures += 1
    run.renewed_failed += 1
    run.renewal |= RENEWAL.STAGES
    status = turn_chart(run)
    return call_kernel(run.reduction_kernel, run) if status == STATUS.OK else status


@compiled
def linearise_here(run: ChartMemory, first: float, second: float) -> int:
    """Derivatives and the matrix at the stage."""
    status = differentiate_here(run)
    if status == STATUS.OK:
        status = factor_iteration(run, first, second)
    return status


@compiled
def after_stages(run: ChartMemory, status: int, alpha: float) -> int:
    """What is done next, when all stages or one that has failed have ended so; GIVE_UP also where nothing is wrong."""
    if status == STATUS.OK or status == STATUS.RAISED:
        return ACTION.GIVE_UP
    action = after_failure(run, alpha)
    if action == ACTION.GIVE_UP and run.renewal & RENEWAL.STAGES:  # derivatives of a stage that was out of reach
        run.jacobian_age, run.have_factors = -1, 0
    return action


@compiled
def grow_older(run: ChartMemory) -> None:
    """The step is accepted: derivatives are one step older. A chart whose recoveries are slow is made anew, and so are
    derivatives where the partition has become worse."""
    run.jacobian_age += 1
    if max(run.recovery_rate, run.recovery_rate_v) > _SLOW_RECOVERY:
        run.turned = 1
    if run.chart_condition > run.partition_limit * run.first_condition:
        run.theta = 1.0


@compiled
def return_to_start(run: ChartMemory) -> None:
    """Where recoveries begin: the coordinates and velocities at the start of the step; reactions, where friction
    iterates, as well."""
    copy(view(run.z0, run.n_v, run.n_lam), run.lam)
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
    status = recover(run, run.t_new, x, TURNS)
    take_point(run, run.y1)
    return status


@compiled
def end_corrected(run: ChartMemory) -> int:
    """y1 of the last stage with its last correction, in x_right: small ones go along N without a recovery, where N is
    of this step."""
    run.t_tried = run.t_new
    if chart_norm(run, run.x_right) > _LARGE_CORRECTION or run.jacobian_age > 0:
        add(run.x_right, run.x_stage)
        return end_at(run, run.x_stage)
    take_point(run, run.y1)
    add(run.y_change, run.y1)
    return STATUS.OK


@compiled
def take_error(run: ChartMemory, error: Reals) -> None:
    """The error of the step in units of the tolerance, from that of (z, ż, u)."""
    update_weights(run)
    run.error = chart_norm(run, error)
    copy(run.y_change, run.error_vector)


@compiled
def unexpected_rates(run: ChartMemory) -> int:
    """(z̈, u̇) of the equations at the end of the step less those of the formula, in x_right; STATUS.REJECTED where they
    would be an error of their own, if the equations did not amplify what the iteration has left."""
    n_q, n_v, f, excess, right = run.n_q, run.n_v, run.n_f, run.ahead, run.x_right
    if run.measured or run.t_new != run.t_tried:
        return STATUS.OK
    status = slope_beyond(run, excess)
    if status:
        return status
    total = 0.0
    for k in range(excess.size):
        scaled = run.h * excess[k] * run.error_weight[n_q + k]
        total += scaled * scaled
    clear(right)
    for j in range(f):
        right[f + j] = -run.along_f[j]
    for k in range(run.n_u):
        right[2 * f + k] = -excess[n_v + k]
    return STATUS.REJECTED if total > _UNEXPECTED * _UNEXPECTED * run.n_y else STATUS.OK


@compiled
def state_change(run: ChartMemory, rates: Reals, first: float, second: float) -> float:
    """Size, in units of the tolerance, of the change of the state that (·, z̈, u̇) make, which takes their place."""
    f = run.n_f
    for j in range(f):
        rates[j] = second * rates[f + j]
    for k in range(f, rates.size):
        rates[k] *= first
    return chart_norm(run, rates)


@compiled
def unexpected_beside(run: ChartMemory, first: float, second: float) -> int:
    """The same difference after a correction (·, z̈, u̇) in x_right, in its place: by one more evaluation."""
    n_q, f, n, x, right, more = run.n_q, run.n_f, run.n_s, run.x_trial, run.x_right, run.x_stage
    copy(right, more)
    state_change(run, more, first, second)
    for i in range(n_q):
        run.motion_q[i] = run.y1[i] - run.chart_q[i]
    positions_seen(run, run.motion_q, view(x, 0, f))
    positions_seen(run, view(run.rate1, 0, n_q), view(x, f, f))
    copy(view(run.y1, n_q + run.n_v, run.n_u), view(x, 2 * f, run.n_u))
    add(more, x)
    load(run, run.t_new, run.y1)
    copy(view(run.z1, run.n_v, run.n_lam), run.lam)
    rates = run.recovery_rate, run.recovery_rate_v  # checks of a step must not change the next one
    status = motion_at(run, run.t_new, x, run.x_rate)
    run.recovery_rate, run.recovery_rate_v = rates
    if status:
        return status
    for k in range(f, n):
        right[k] = run.x_rate[k] - run.x_slope[k] - right[k]
    clear(view(right, 0, f))
    return STATUS.OK


@kernel
def confirm_end(run: ChartMemory) -> int:
    """Compare the rates at the end with those of the formula.  Where an iteration was not measured, a matrix that is
    much stiffer than the equations passes for one that converges: what it leaves seems small.  One more correction of
    the end then tells: it takes the difference away, if the matrix serves."""
    status = unexpected_rates(run)
    if status != STATUS.REJECTED:
        return status
    solve_iteration(run, run.x_right, 0.0)
    copy(run.x_right, run.x_trial)
    before = state_change(run, run.x_trial, run.c_first, run.c_second)
    if not before * run.rtol > ROUNDED:
        return STATUS.OK
    status = unexpected_beside(run, run.c_first, run.c_second)
    if status:
        return status if status == STATUS.RAISED else STATUS.OK
    solve_iteration(run, run.x_right, 0.0)
    return judge_end(run, before, state_change(run, run.x_right, run.c_first, run.c_second))


@compiled
def add_stages(run: StateSpaceMemory, weights: Reals, x: Reals) -> None:
    """x + Σ weights_i increments_i, as far as weights go."""
    n = run.n_s
    for i in range(weights.size):
        if weights[i] != 0.0:
            add_scaled(weights[i], view(run.increments, i * n, n), x)


@compiled
def last_slope(run: StateSpaceMemory) -> None:
    """The slope of the last stage, at the end of the step."""
    last = view(run.increments, (run.stages - 1) * run.n_s, run.n_s)
    for k in range(run.n_s):
        run.x_slope[k] = last[k] / run.h


@compiled
def estimate_error(run: StateSpaceMemory, weights: Reals) -> None:
    """The error of the step from its stages, filtered if wanted: (5.6)."""
    error = run.x_right
    clear(error)
    add_stages(run, weights, error)
    if run.filters:
        solve_iteration(run, error, 0.0)
    take_error(run, error)


@compiled
def slope_missed(run: StateSpaceMemory, weights: Reals, error: Reals) -> None:
    """What the weights of the slope at the start and of those of the stages make of them, as an error of the step."""
    for k in range(run.n_s):
        error[k] = weights[0] * run.h * run.x_rate0[k]
    add_stages(run, view(weights, 1, run.stages), error)


@compiled
def count_start(run: StateSpaceMemory, weights: Reals) -> None:
    """Let the error of a step that is good otherwise know where the slope at its start is not what its stages expect,
    by more than their own extrapolation to the start may err: something has changed before the first of them."""
    if not run.error <= 1.0:
        return
    missed = _start_error(run, view(weights, 0, 1 + run.stages))
    if missed > 1.0 and missed > MISSED * _start_error(run, view(weights, 1 + run.stages, 1 + run.stages)):
        run.error = missed


@compiled
def _start_error(run: StateSpaceMemory, weights: Reals) -> float:
    """Size of such an error, filtered."""
    error = run.x_trial
    slope_missed(run, weights, error)
    if run.filters:
        solve_iteration(run, error, 0.0)
    return chart_norm(run, error)


@compiled
def set_inner_points(run: StateSpaceMemory) -> int:
    """The cubic polynomial through the ends of the step and two points within it, of the formula's own dense output
    (its weights are the last of the tableau), whose coordinates are recovered; where they cannot be, the cubic with the
    rates at the ends, which is of the same order, as a step that is good shall not be given up for what is asked of it.
    """
    s, n_y, h, coef = run.stages, run.n_y, run.h, run.coef
    first_weight = run.tableau.size - 2 * s
    rates = run.recovery_rate, run.recovery_rate_v  # checks of a step must not change the next one
    return_to_start(run)
    for point in range(2):
        copy(run.x0, run.x_stage)
        add_stages(run, view(run.tableau, first_weight + point * s, s), run.x_stage)
        status = recover(run, run.t_now + (point + 1) / 3.0 * h, run.x_stage, 0)
        run.recovery_rate, run.recovery_rate_v = rates
        if status == STATUS.RAISED:
            return status
        if status:
            set_cubic(run)
            return STATUS.OK
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


@kernel
def through_inner_points(run: StateSpaceMemory) -> int:
    """Dense output by stages."""
    return set_inner_points(run)


@compiled
def _bend(run: ChartMemory, t: float, y: Reals, z: Reals, more: Reals, out: Reals) -> int:
    """q̈ = T a + Ṫ v at an end of the step, where a is that of the equations and more."""
    load(run, t, y)
    for i in range(run.n_v):
        run.a[i] = z[i] + more[i]
    if run.unit_T:
        copy(run.a, out)
        return STATUS.OK
    status = coordinate_accelerations(run, STAGE.T)
    copy(run.qddot if run.has_reduced else run.second_rate, out)
    return status


@kernel
def hermite(run: ChartMemory) -> int:
    """Quintic polynomials for q with values, rates and second rates at both ends, cubic ones for v and u; slopes of
    velocities and second rates are those of the formula."""
    n_q, n_y, h, coef, carried, ahead = run.n_q, run.n_y, run.h, run.coef, run.carried, run.ahead
    set_cubic(run)
    status = slope_beyond(run, ahead)
    if status:
        return status
    for k in range(n_q, n_y):
        coef[2 * n_y + k] += h * carried[k - n_q]
        coef[3 * n_y + k] -= h * (carried[k - n_q] + ahead[k - n_q])
    fourth, fifth = view(coef, 4 * n_y, n_y), view(coef, 5 * n_y, n_y)
    clear(fourth)
    clear(fifth)
    status = _bend(run, run.t_now, run.y0, run.z0, carried, view(fourth, 0, n_q))
    if status:
        return status
    status = _bend(run, run.t_new, run.y1, run.z1, ahead, view(fifth, 0, n_q))
    for k in range(n_q):
        second, third = coef[2 * n_y + k], coef[3 * n_y + k]
        fourth[k] = 0.5 * h * h * fourth[k] + second - third
        fifth[k] = 0.5 * h * h * fifth[k] + second + 2.0 * third - fourth[k]
    return status


@dataclass(frozen=True, kw_only=True)
class StateSpace(Method):
    """A method on independent coordinates; subclasses give its formula."""

    chart: str = option("partition", 'independent coordinates: entries of q ("partition"), or of the "tangent" plane')
    errors: str = option("all", 'whether "all" coordinates count in the error, or "independent" ones only')
    partition_limit: float = option(1.25, "growth of ‖G‖‖Gu⁻¹‖ that ends a partition")

    memory = ChartMemory
    begin = begin
    adopt = adopt_chart
    aims = True
    form = "independent coordinates of a chart of the constraint manifold"

    def check(self) -> None:
        """Chart, errors."""
        name = type(self).__name__
        for what, value, known in (("chart", self.chart, CHARTS), ("errors", self.errors, ERRORS)):
            if not isinstance(value, str) or value not in known:
                raise SimulationError(f"{name}: there is no {what} '{value!s:.40}'; {suggestion(str(value), known)}")
        limit = self.partition_limit
        if not (isinstance(limit, (int, float, np.number)) and 1.0 < limit < np.inf):
            raise SimulationError(f"{name}: partition_limit must be a number above 1, got {limit!r:.40}")

    @property
    def reduction(self) -> str:
        """Strategy of its derivatives; explicit methods never ask for any."""
        return "numeric"

    def pattern_shape(self, equations: Equations) -> tuple[int, int]:
        """Rows that derivatives in a chart are made of, by their columns."""
        return chart_shape(equations)

    def programs_of(self, equations: Equations) -> tuple[str, ...]:
        """The contract, and that which derivatives are taken from."""
        return "contract", *reduction_programs(self.reduction, equations)

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of a chart."""
        return self._of_chart(lay_out_chart(equations, providers, self.reduction))

    def _of_chart(self, made: MethodLayout) -> MethodLayout:
        """With the chart that was asked for, and what counts in errors."""
        own = {"tangent": int(self.chart == "tangent"), "only_independent": int(self.errors == "independent")}
        return made._replace(values={**made.values, **own})

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the limit of partitions."""
        return {**super().settings, "partition_limit": float(self.partition_limit)}


@dataclass(frozen=True, kw_only=True)
class ImplicitStateSpace(StateSpace):
    """One that needs derivatives of the reduced equations."""

    jacobian: str | Jacobian = option(
        "auto",
        'Jacobian(…), or "exact", by derivatives that are "analytic", in "columns" or "directional"; "dense", which is '
        '"numeric", or "central" to both sides; "grouped" or "estimated", differences of all rows; "auto": exact where '
        "equations have derivatives",
    )
    threads: int = option(1, 'threads that the columns of jacobian="columns" are divided among')

    def check(self) -> None:
        """Strategy."""
        super().check()
        checked_threads(self.threads, self.reduction)
        update_of(self.jacobian)

    @property
    def reduction(self) -> str:
        """The strategy that ``jacobian`` means."""
        return reduction_of(self.jacobian)

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """That of a chart, with threads."""
        made = self._of_chart(lay_out_chart(equations, providers, self.reduction, self.threads))
        renews = int(update_of(self.jacobian) == "none")
        return made._replace(values={**made.values, "renews_for_alpha": renews})


@dataclass(frozen=True, kw_only=True)
class IteratedStateSpace(ImplicitStateSpace):
    """One whose stages are found by Newton's iteration."""

    iteration: Newton | None = option(None, "limit and tolerance of Newton's iteration: Newton(…)")
    confirm = confirm_end

    keeps: bool = option(True, "whether derivatives serve several steps, while the iteration converges fast")

    def check(self) -> None:
        """Iteration."""
        super().check()
        if not isinstance(self.keeps, (bool, np.bool_)):
            raise SimulationError(f"{type(self).__name__}: keeps must be True or False, got {self.keeps!r:.40}")
        if self.iteration is not None and not isinstance(self.iteration, Newton):
            raise SimulationError(f"{type(self).__name__}: iteration must be a Newton(…), got {self.iteration!r:.80}")

    @property
    def newton(self) -> Newton:
        """With ten iterations per stage at most."""
        given = self.iteration or Newton()
        return Newton(given.limit or 10, given.tolerance)

    @property
    def keep_rate(self) -> float:
        """Derivatives of accelerations cost as much as many evaluations."""
        return 0.03 if self.keeps else NEVER

    @property
    def iterated(self) -> float:
        """With derivatives that are kept, what an iteration leaves is not far below what it may leave."""
        return 0.1

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
