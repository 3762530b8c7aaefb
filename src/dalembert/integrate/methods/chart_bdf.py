"""Backward differentiation formulas on independent coordinates, of variable order and step size: what CVODE is on a
reduced ODE, without anybody who reduces it.

The history are modified divided differences of (q, v, u) and of q̇, from which any chart takes those of x = (z, ż, u),
as z = P (q − q_b) and ż = P q̇ are linear in them: another partition, or another base point, is no new beginning.  With
order k they predict x⁽⁰⁾ and ẋ⁽⁰⁾, and the corrector equation is

    x − x⁽⁰⁾ = c (ẋ(t, x) − ẋ⁽⁰⁾),   c = 1/α = h / (1 + 1/2 + … + 1/k)

Its matrix is that of all state-space methods, E + c E1 + c² E2, of the number of degrees of freedom
(:mod:`~dalembert.integrate.chart.iteration_matrix`); derivatives serve many steps, and each c has factors of its own,
which cost less than an iteration more.  The first iterate is the prediction, and all coordinates are predicted, so that
a recovery has little to do.  As a rule an iteration is enough: one evaluation of the accelerations in a step.

What the last correction changes is added along the chart, and the end of a step becomes history without being evaluated
again.  Where ends of steps are points of output the frame projects them and finds accelerations and multipliers there;
where a run is asked for other instants, these alone are completed.

K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, 5.2; A. C.
Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005).  At a start, after an event and after a break a step of a
Rosenbrock method (Rodas5P) makes history: its end and two points within it are enough for order 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dalembert.equations.contract.convention import CONTRACT, STAGE
from dalembert.equations.contract.equations import Equations, Sizes
from dalembert.equations.contract.provider import Provider
from dalembert.errors import SimulationError
from dalembert.integrate.chart.chart import chart_here, chart_norm, positions_seen
from dalembert.integrate.chart.iteration_matrix import factor_iteration, solve_iteration
from dalembert.integrate.chart.recovery import motion_at, recover
from dalembert.integrate.frame.contract_formalism import call_contract, multiply_T, restore
from dalembert.integrate.frame.controllers import ByMethod, Controller
from dalembert.integrate.frame.formalism import load
from dalembert.integrate.frame.memory import STATUS
from dalembert.integrate.frame.method_layout import MethodLayout
from dalembert.integrate.implicit.newton import JUDGEMENT, UNEXPECTED, Newton, judge
from dalembert.integrate.implicit.newton_memory import ACTION
from dalembert.integrate.implicit.renewal import MOST_ACTIONS, after_failure, before_attempt
from dalembert.integrate.methods.bdf_control import (
    SHRINK_MOST,
    estimate,
    plan_after_start,
    plan_again,
)
from dalembert.integrate.methods.bdf_formulas import points_as_history, predict, set_coefficients, set_polynomial
from dalembert.integrate.methods.chart_bdf_control import error_of_more, plan_growth
from dalembert.integrate.methods.chart_bdf_memory import ChartBdfMemory
from dalembert.integrate.methods.method import option
from dalembert.integrate.methods.multistep import MultistepMethod, difference, forget, renew, set_distances, settle
from dalembert.integrate.methods.rosenbrock import points_of_stages, rosenbrock_step
from dalembert.integrate.methods.rosenbrock_tables import TABLES
from dalembert.integrate.methods.state_space import NEVER, IteratedStateSpace, forget_chart, take_point
from dalembert.linalg.vector_operations import add, clear, copy
from dalembert.native.kernel import Reals, call_kernel, compiled, kernel, view

LARGEST_ORDER = 5
#: The method that makes the first history, and parts of its step at which there are points.
_STARTER = TABLES["rodas5p"]
_NODES = (1.0 / 3.0, 2.0 / 3.0, 1.0)
#: Iterations at most, and the correction that ends them in units of the tolerance.
_LIMIT, _TOLERANCE = 4, 0.1
#: What is said of convergence with new derivatives before there is a rate: size of an iterate's error beside its
#: correction.
_UNKNOWN = 0.1
#: The least that is said of it, and how it grows with each step that has shown no rate: derivatives get older.
_KNOWN, _AGEING = 0.02, 1.1
#: Corrections much smaller than those of other steps, by a matrix that makes them so small, are to show that it serves.
_SQUASHED, _MUCH_SMALLER = 1.0, 10.0
#: Iterations of a recovery; where they are more the chart is made anew.
_FEW = 2


# -------------------------------------------------------------------------------------------------------------- history


@kernel
def begin(run: ChartBdfMemory) -> int:
    """There is no history but the start itself, and neither a chart nor derivatives that may be used."""
    forget_chart(run)
    _load_row(run, run.y0, run.rate0, difference(run, 1))
    forget(run)
    run.steady = run.last_order = run.raising = 0
    run.next_order = run.min_order
    return STATUS.OK


@compiled
def _load_row(run: ChartBdfMemory, y: Reals, rates: Reals, row: Reals) -> None:
    """(q, v, u, q̇) of a point with its rates."""
    n_y = run.n_y
    copy(y, view(row, 0, n_y))
    copy(view(rates, 0, run.n_h - n_y), view(row, n_y, run.n_h - n_y))


@compiled
def _start(run: ChartBdfMemory) -> int:
    """A Rosenbrock step, where there is no history to go on with."""
    run.starting, run.order_used, run.ended = 1, run.starter_order, 0
    status = rosenbrock_step(run)
    if status:
        return status
    k = run.known - 1  # what the history predicts, where all steps have one order
    set_coefficients(run, k)
    predict(run, k)
    factor = 0.9 * max(run.error, 1e-10) ** (-1.0 / run.starter_order)
    run.h_next = abs(run.h) * max(0.1, min(1.0, factor))
    return STATUS.OK


@compiled
def _points_of_start(run: ChartBdfMemory) -> int:
    """History from the ends of the Rosenbrock step and the two points within it."""
    n_h, n_y, rows = run.n_h, run.n_y, run.differences
    status = points_of_stages(run)
    if status:
        return status
    copy(difference(run, 1), view(rows, 3 * n_h, n_h))
    copy(run.end, difference(run, 1))
    for point in range(2):
        row, y = difference(run, 3 - point), view(run.inner, point * n_y, n_y)
        if not run.unit_T:
            load(run, run.t_now + run.nodes[point] * run.h, y)
            if call_contract(run, CONTRACT.T, STAGE.T):
                return STATUS.RAISED
            multiply_T(run, run.v, run.motion_rate)
        _load_row(run, y, run.motion_rate, row)
    points_as_history(run, run.nodes)
    return STATUS.OK


# ------------------------------------------------------------------------------------------------------------ corrector


@compiled
def _set_weights(run: ChartBdfMemory) -> None:
    """Weights from the history: whether its ends are projected besides shall not show in the steps."""
    start, weight, atol, rtol = difference(run, 1), run.weight, run.atol, run.rtol
    error_weight, counted = run.error_weight, run.counted
    for i in range(weight.size):
        weight[i] = 1.0 / (atol[i] + rtol * abs(start[i]))
        error_weight[i] = counted[i] * weight[i]


@compiled
def _load_prediction(run: ChartBdfMemory) -> None:
    """The point of evaluation: coordinates and velocities as they are predicted, which recoveries begin with."""
    y, start, predicted = run.y1, difference(run, 1), run.predicted
    for k in range(run.n_y):
        y[k] = start[k] + predicted[k]
    load(run, run.t_new, y)


@compiled
def _see_prediction(run: ChartBdfMemory) -> None:
    """x and ẋ that are predicted, in the chart that there is."""
    n_q, n_v, n_u, f, n_y = run.n_q, run.n_v, run.n_u, run.n_f, run.n_y
    x, rate, rates, predicted = run.x_predicted, run.x_predicted_rate, run.predicted_rate, run.predicted
    at = n_q if run.unit_T else n_y  # of q̇ in rows, which is v where T = 1
    difference_q, start = run.motion_q, difference(run, 1)
    for i in range(n_q):
        difference_q[i] = run.y1[i] - run.chart_q[i]
    positions_seen(run, difference_q, view(x, 0, f))
    positions_seen(run, view(rates, 0, n_q), view(rate, 0, f))
    if run.unit_T:
        positions_seen(run, view(run.y1, n_q, n_q), view(x, f, f))
    else:
        positions_seen(run, view(predicted, n_y, n_q), view(x, f, f))
    positions_seen(run, view(rates, at, n_q), view(rate, f, f))
    for k in range(n_u):
        x[2 * f + k] = start[n_q + n_v + k] + predicted[n_q + n_v + k]
        rate[2 * f + k] = rates[n_q + n_v + k]


@compiled
def _chart_for(run: ChartBdfMemory, action: int) -> int:
    """The action, after a chart at the predicted point was made if it asks for one, or the chart that there is does; a
    new partition asks for new derivatives."""
    if action != ACTION.RENEW and not run.turned:
        return action
    repartitions = run.repartitions
    run.have_factors = 0
    status = chart_here(run, STAGE.T)
    if status:
        return -status
    if run.repartitions != repartitions:
        return ACTION.RENEW
    return ACTION.RENEW if action == ACTION.RENEW else ACTION.REFACTOR


@compiled
def _differentiate(run: ChartBdfMemory, action: int, c: float) -> int:
    """Derivatives at the iterate, if they shall be new, and factors."""
    if action == ACTION.RENEW:
        run.njev += 1
        run.jacobian_age, run.have_factors = -1, 0
        status = call_kernel(run.reduction_kernel, run)
        if status:
            return status
        run.jacobian_age = 0
        run.convergence = _UNKNOWN
    status = factor_iteration(run, c, c * c)
    run.alpha_factored = run.alpha
    return status


@compiled
def _normalise(run: ChartBdfMemory) -> int:
    """Normalise Euler parameters before a recovery.

    Predictions and corrections leave the unit sphere along the coordinates z themselves: a recovery would find no miss
    in them, end there, and normalise them away from z.
    """
    return restore(run) if run.normalizes else STATUS.OK


@compiled
def _iterate(run: ChartBdfMemory, action: int) -> int:
    """Corrections of the prediction; leaves the last of them, which is not yet added, as a change of (q, v, u)."""
    n, f, c, limit = run.n_s, run.n_f, 1.0 / run.alpha, run.newton_limit
    x, right, guess, slope = run.x_stage, run.x_right, run.x_predicted, run.x_predicted_rate
    _load_prediction(run)
    action = _chart_for(run, action)
    if action < 0:
        return -action
    _see_prediction(run)
    copy(guess, x)
    run.theta = 0.0
    run.convergence = max(run.convergence, _KNOWN)
    before = 0.0
    for iteration in range(limit):
        status = _normalise(run)
        if status == STATUS.OK:
            status = motion_at(run, run.t_new, x, run.x_rate)
        if status == STATUS.OK and iteration == 0 and action != ACTION.KEEP:
            status = _differentiate(run, action, c)
        if status:
            return status
        for j in range(f):
            right[j] = guess[j] - x[j] + c * (x[f + j] - slope[j])
        for k in range(f, n):
            right[k] = guess[k] - x[k] + c * (run.x_rate[k] - slope[k])
        unfiltered = chart_norm(run, right)
        solve_iteration(run, right, 0.0)
        size = chart_norm(run, right)
        judgement = judge(run, iteration, size, before)
        before = size
        if judgement == JUDGEMENT.CONVERGED and iteration == 0 and iteration + 1 < limit and size < _SQUASHED:
            if unfiltered > max(UNEXPECTED, _MUCH_SMALLER * size):
                judgement = JUDGEMENT.GO_ON
        add(right, x)
        if judgement == JUDGEMENT.CONVERGED:
            return STATUS.OK
        if judgement == JUDGEMENT.HOPELESS:
            break
        add(view(run.y_change, 0, run.n_q), run.q)
        add(view(run.y_change, run.n_q, run.n_v), run.v)
    return STATUS.NEWTON_FAILED if before < np.inf else STATUS.NOT_FINITE


@compiled
def _correct(run: ChartBdfMemory) -> int:
    """The end of the step, with a chart and derivatives as fresh as it needs."""
    action = before_attempt(run, run.alpha)
    status = STATUS.NEWTON_FAILED
    for _ in range(MOST_ACTIONS):
        status = _iterate(run, action)
        if status == STATUS.OK or status == STATUS.RAISED or run.jacobian_age < 0:
            return status
        if action == ACTION.REFACTOR and run.alpha_factored != run.alpha:
            # Nothing was factorised, as there is no motion at the prediction in this chart: a new one may reach it.
            action = ACTION.RENEW
        elif action == ACTION.RENEW and run.jacobian_age != 0:  # nor in a new chart
            break
        else:
            action = after_failure(run, run.alpha)
        if action == ACTION.GIVE_UP:
            break
    run.jacobian_age = -1
    return status


@compiled
def _take_end(run: ChartBdfMemory) -> int:
    """The end of the step: the last iterate with its correction, and accelerations and multipliers of the iterate."""
    n_q, n_v, n_y, end = run.n_q, run.n_v, run.n_y, run.end
    copy(run.a, view(run.z1, 0, n_v))
    copy(run.lam, view(run.z1, n_v, run.n_lam))
    copy(run.y_rate, run.rate1)
    add(view(run.y_change, 0, n_q), run.q)
    add(view(run.y_change, n_q, n_v), run.v)
    status = _normalise(run)
    if status == STATUS.OK:
        status = recover(run, run.t_new, run.x_stage, 0)
    if status:
        return status
    take_point(run, run.y1)
    copy(run.y1, view(end, 0, n_y))
    if not run.unit_T:
        multiply_T(run, run.v, view(end, n_y, n_q))
    run.ended = 1
    return STATUS.OK


@compiled
def _set_change(run: ChartBdfMemory) -> None:
    """What the end differs by from what was predicted."""
    n_y, end, start, change, predicted = run.n_y, run.end, difference(run, 1), run.departure, run.predicted
    for c in range(n_y):
        change[c] = (end[c] - start[c]) - predicted[c]
    for c in range(n_y, change.size):
        change[c] = end[c] - predicted[c]


# ------------------------------------------------------------------------------------------------------------- the step


@kernel
def attempt(run: ChartBdfMemory) -> int:
    """One step of size h: leaves y1, error, and after failure h_next and next_order for the next attempt."""
    if not run.after_reject:
        run.failures = 0
    k = run.next_order
    run.order_used, run.starting = k, 0
    if run.known <= k if run.min_order == run.max_order else run.known == 1:
        return _start(run)
    factor = set_coefficients(run, k)
    set_distances(run, k + 2)
    predict(run, k)
    _set_weights(run)
    recoveries, iterations = run.recoveries, run.recovery_iterations
    status = _correct(run)
    if status:
        return status
    status = _take_end(run)
    if status:
        return status
    if run.recovery_iterations - iterations > _FEW * (run.recoveries - recoveries):
        run.turned = 1
    _set_change(run)
    estimate(run, k, factor)
    run.jacobian_age += 1
    if run.error <= 1.0:
        run.h_next = abs(run.h)
    else:
        plan_again(run, k)
        run.steady = 0
    return STATUS.OK


@kernel
def accepted(run: ChartBdfMemory) -> int:
    """The step counts: renew the differences, choose order and size of the next one."""
    k = run.order_used
    if run.n_events and run.stopped_by >= 0:
        # An event cut the step: y1 is no longer its end. Nothing becomes history, and its dense output stays.
        return STATUS.OK
    if run.starting:
        run.jacobian_age += 1
        run.theta, run.convergence = 0.0, _UNKNOWN
        _load_row(run, run.y1, run.rate1, run.end)
        if run.min_order < run.max_order:
            status = _points_of_start(run)
            if status == STATUS.OK:
                _set_weights(run)
                plan_after_start(run, run.nodes)
            return status
        _set_change(run)
    else:
        run.convergence = min(_AGEING * run.convergence, 1.0)
        run.steady += 1
    rows = run.known if run.starting else k + 1
    above = np.inf if run.starting else error_of_more(run, k)
    renew(run, rows)
    run.known = rows + 1
    settle(run, run.known)
    if not run.starting:
        plan_growth(run, k, above)
    return STATUS.OK


@kernel
def interpolate(run: ChartBdfMemory) -> int:
    """Coefficients of (q, v, u) in nested form."""
    if run.starting:
        clear(run.coef)
        run.coef_unused = run.n_coef - 4
        return points_of_stages(run)
    renew(run, run.order_used + 1)
    set_polynomial(run, 0, run.coef)
    run.coef_unused = run.n_coef - run.order_used - 1
    return STATUS.OK


# ----------------------------------------------------------------------------------------------------------- the method


@dataclass(frozen=True, kw_only=True)
class ChartBdf(MultistepMethod, IteratedStateSpace):
    """Backward differentiation formulas of order 1 … 5 on independent coordinates, chosen in each step with its size;
    dense output of the same order; about one evaluation of the accelerations in a step: for stiff systems whose forces
    are expensive, at moderate accuracy.

    Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs; Hindmarsh et al., SUNDIALS (CVODE).
    """

    max_order: int | None = option(None, f"highest order, 1 … {LARGEST_ORDER}")
    keep: float = option(0.2, "rate of convergence up to which derivatives are kept")
    grow: float = option(1.5, "factor from which on sizes grow")

    name = "chart_bdf"
    title = "BDF, order 1 … 5, fixed leading coefficient, on independent coordinates"
    memory = ChartBdfMemory
    begin = begin
    attempt = attempt
    accepted = accepted
    interpolate = interpolate
    dense_slopes = False
    largest_order = usual_order = LARGEST_ORDER

    def check(self) -> None:
        """Orders, strategy, iteration."""
        super().check()
        if self.reduction == "estimated":
            raise SimulationError(
                "ChartBdf: jacobian='estimated' finds missing entries by iterations that do not converge, and the step "
                "that makes its first history has none. Ask for 'grouped', 'dense' or 'exact'"
            )
        for name, least, largest in (("keep", 0.0, 1.0), ("grow", 1.0, 2.0)):
            value = getattr(self, name)
            if not (isinstance(value, (int, float, np.number)) and least < value <= largest):
                raise SimulationError(
                    f"ChartBdf: {name} must be a number above {least:g}, at most {largest:g}; got {value!r:.80}"
                )

    @property
    def error_order(self) -> int:
        """That of the first step."""
        return _STARTER.order - 1

    @property
    def coefficients(self) -> int:
        """Those of the highest order, and of the starter."""
        return max(4, self.order + 1)

    @property
    def newton(self) -> Newton:
        """As few iterations as possible."""
        given = self.iteration or Newton()
        return Newton(given.limit or _LIMIT, given.tolerance or _TOLERANCE)

    @property
    def keep_rate(self) -> float:
        """The one that was asked for."""
        return float(self.keep) if self.keeps else NEVER

    @property
    def own_controller(self) -> Controller:
        """It chooses order and size itself."""
        return ByMethod(safety=0.9, shrink=SHRINK_MOST, grow=2.0)

    @cached_property
    def settings(self) -> Mapping[str, float]:
        """With the growth of sizes."""
        return {**super().settings, "worth": float(self.grow)}

    def values(self, sizes: Sizes) -> Mapping[str, int]:
        """Orders, and the stages of the starter."""
        lowest, highest = self.orders
        return {
            "stages": len(_STARTER.m), "own_stages": _STARTER.own_stages or len(_STARTER.m),
            "starter_order": _STARTER.order, "depth": max(highest, len(_NODES)) + 2, "min_order": lowest,
            "max_order": highest, "order_used": max(highest, _STARTER.order), "next_order": lowest, "known": 1,
        }  # fmt: skip

    def lay_out(self, equations: Equations, providers: Mapping[str, Provider], solver: str) -> MethodLayout:
        """With rows of the history, and points of the starter."""
        made, s = super().lay_out(equations, providers, solver), equations.sizes
        n_h = s.q + s.v + s.u + (0 if equations.unit_T else s.q)
        vectors = {**made.vectors, "nodes": np.array(_NODES), "lessened": np.ones(self.orders[1] + 3)}
        return made._replace(values={**made.values, "n_h": n_h}, vectors=vectors)

    def table(self) -> NDArray[np.float64]:
        """That of the starter."""
        return _STARTER.flat()
