"""From independent coordinates to all of them: q and v of z and ż (thesis 4.1.2, 4.5.2), and the equations of motion.

The dependent block of the base point serves all points that belong to the chart: corrections

    δ = N (z − P (q − q_b)) − A g,   q ← q + T δ;      v ← v + N (ż − P T v) − A (G v + gI)

converge linearly, the faster the closer the point is to the base.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import CONTRACT, REDUCED, STAGE
from dalembert.integrate.chart.chart import across, along, is_flat, positions_seen, seen, turn_chart
from dalembert.integrate.chart.chart_memory import ChartMemory
from dalembert.integrate.frame.contract_formalism import call_contract, multiply_T, restore
from dalembert.integrate.frame.formalism import load, rate, scaled_size, seen_time
from dalembert.integrate.frame.memory import STATUS
from dalembert.linalg.vector_operations import add, add_product, clear, copy, larger, negate
from dalembert.native.kernel import Reals, call_entry, compiled, view

_ITERATIONS = 20
#: Rates of convergence above this are none.
_DIVERGES = 0.9
#: Distance from the base point that is no larger as a rate of convergence.
_FAR = 0.5
#: Above this, the dependent block is taken at the point that has been reached; so many times.
_SLOW, TURNS = 0.3, 3
#: Corrections of this size that get no smaller are rounding.
_ROUNDING = 1e-10
#: A rate that is known is at least this, for the next recovery.
_LEAST_RATE = 0.1
#: Difference in units of the coordinates' sizes by which T is differentiated along the motion.
_ASIDE = 1e-4
#: Part of a step at which drives are looked at (in its middle, one of two turns is where it began), and the part of
#: the sizes of coordinates by which they may be off the cubic there: an eighth of a turn is a step then.
_WITHIN, _OFF = 0.4, 1e-3


@compiled
def call_reduced(run: ChartMemory, request: int, changed: int) -> int:
    """Rows of the program "reduced" at the point, or their derivatives."""
    return call_entry(run.reduced_entry, request, changed, run.inputs, run.reduced_outputs, run.reduced_work)


@compiled
def _ended(run: ChartMemory, rate: float, size: float) -> bool:
    """Whether a correction of this size leaves little enough, at a rate of convergence."""
    return rate < _DIVERGES and size * rate / (1.0 - rate) <= run.recovery_end


@compiled
def _stagnates(rate: float, size: float) -> bool:
    """Whether corrections are small and get no smaller: rounding, of places far from the origin or of long loops."""
    return size <= _ROUNDING and rate > _DIVERGES


@compiled
def _recover_positions(run: ChartMemory, z: Reals, turns: int) -> int:
    """q from z, starting from the q that is there; the chart may be turned so many times."""
    q, miss, motion, dq = run.q, run.position_miss, run.motion, run.dq
    difference = run.motion_q
    run.recoveries += 1
    before, theta = 0.0, run.recovery_rate
    for iteration in range(_ITERATIONS):
        run.recovery_iterations += 1
        if call_contract(run, CONTRACT.g | (0 if run.unit_T else CONTRACT.T), STAGE.T):
            return STATUS.RAISED
        for i in range(q.size):
            difference[i] = q[i] - run.chart_q[i]
        positions_seen(run, difference, miss)
        for j in range(miss.size):
            miss[j] = z[j] - miss[j]
        negate(run.g, run.across)
        across(run, run.across, True, motion)
        along(run, miss, motion)
        if run.unit_T:
            copy(motion, dq)
        else:
            multiply_T(run, motion, dq)
        size = scaled_size(run, dq)
        if not size < np.inf:
            return STATUS.NOT_FINITE
        add(dq, q)
        if run.normalizes:
            status = restore(run)
            if status:
                return status
        if iteration:
            theta = size / before
        expected = theta
        if iteration and not run.unit_T:
            # The first corrections along a turn leave its square, later ones across it leave the turn itself.
            expected = max(theta, min(scaled_size(run, difference), _FAR))
        if size == 0.0 or _ended(run, expected, size) or _stagnates(theta, size):
            run.recovery_rate = min(max(theta, _LEAST_RATE), 0.5)
            return STATUS.OK
        if iteration and theta > _SLOW and turns > 0:
            turns -= 1
            status = turn_chart(run)
            if status:
                return status
        elif iteration and theta > 2.0:
            break
        before = size
    run.recovery_rate = 0.5
    return STATUS.PROJECTION_FAILED


@compiled
def _recover_velocities(run: ChartMemory, rates: Reals) -> int:
    """v from ż, starting from the v that is there; positions are known."""
    v, miss, motion, scale = run.v, run.position_miss, run.motion, view(run.scale, run.n_q, run.n_v)
    request = CONTRACT.G | CONTRACT.gI | (0 if run.unit_T else CONTRACT.T)
    if call_contract(run, request, STAGE.T):
        return STATUS.RAISED
    if not run.driven:
        _notice_drives(run)
    before, theta = 0.0, run.recovery_rate_v
    for iteration in range(_ITERATIONS):
        copy(run.gI, run.across)
        add_product(run.G, run.G_rows, run.G_columns, v, run.across)
        negate(run.across, run.across)
        if run.unit_T:
            positions_seen(run, v, miss)
        else:
            multiply_T(run, v, run.motion_q)
            positions_seen(run, run.motion_q, miss)
        for j in range(miss.size):
            miss[j] = rates[j] - miss[j]
        across(run, run.across, False, motion)
        along(run, miss, motion)
        size = 0.0
        for i in range(v.size):
            v[i] += motion[i]
            size = larger(size, abs(motion[i]) / (scale[i] + abs(v[i])))
        if not size < np.inf:
            return STATUS.NOT_FINITE
        if iteration:
            theta = size / before
        if size == 0.0 or _ended(run, theta, size) or _stagnates(theta, size):
            run.recovery_rate_v = min(max(theta, _LEAST_RATE), 0.5)
            return STATUS.OK
        if iteration and theta > 2.0:
            break
        before = size
    run.recovery_rate_v = 0.5
    return STATUS.PROJECTION_FAILED


@compiled
def _notice_drives(run: ChartMemory) -> None:
    """Whether constraints move in time, as they are seen at the point."""
    for k in range(run.n_lam):
        if run.gI[k] != 0.0:
            run.driven = 1


@compiled
def count_drives(run: ChartMemory) -> int:
    """Let the error of a step that is good otherwise know what is driven, by the distance from the cubic through the
    ends of the step: independent coordinates know nothing of that, and while they rest, steps would become longer than
    the turns of a crank that is driven beside them. The end of the step was recovered last."""
    if not run.driven or run.h_fixed > 0.0 or not run.error <= 1.0:
        return STATUS.OK
    n_q, f, h, y0, y1, q = run.n_q, run.n_f, run.h, run.y0, run.y1, run.q
    rate0, rate1, cubic, z = run.rate0, run.second_rate, view(run.event_y, 0, n_q), view(run.x_trial, 0, f)
    if run.unit_T:
        copy(view(y1, n_q, n_q), rate1)
    else:
        multiply_T(run, view(y1, n_q, run.n_v), rate1)
    s, r = _WITHIN, 1.0 - _WITHIN
    for i in range(n_q):
        value = r * r * (1.0 + 2.0 * s) * y0[i] + s * s * (1.0 + 2.0 * r) * y1[i]
        q[i] = cubic[i] = value + h * s * r * (r * rate0[i] - s * rate1[i])
        run.motion_q[i] = q[i] - run.chart_q[i]
    positions_seen(run, run.motion_q, z)
    run.t[0] = seen_time(run, run.t_now + s * h)
    run.factored = 0
    rate = run.recovery_rate  # what is looked at in a step shall not change the next one
    status = _recover_positions(run, z, 0)
    run.recovery_rate = rate
    for i in range(n_q):
        allowed = max(1.0 / run.weight[i], _OFF * run.scale[i])
        run.error = larger(run.error, abs(q[i] - cubic[i]) / allowed)
    return STATUS.DRIFTED if status and status != STATUS.RAISED else status


@compiled
def recover(run: ChartMemory, t: float, x: Reals, turns: int) -> int:
    """Make (q, v, u) of x = (z, ż, u) the point of evaluation; the chart may be turned so many times."""
    f = run.n_f
    run.t[0] = seen_time(run, t)
    run.factored = 0
    if is_flat(run):
        q, base = run.q, run.chart_q
        for k in range(f):
            q[k] = base[k] + x[k]
        copy(view(x, f, f), run.v)
        copy(view(x, 2 * f, run.n_u), run.u)
        run.recovery_rate = run.recovery_rate_v = _LEAST_RATE
        return STATUS.OK
    status = _recover_positions(run, view(x, 0, f), turns)
    if status == STATUS.OK:
        status = _recover_velocities(run, view(x, f, f))
    copy(view(x, 2 * f, run.n_u), run.u)
    return status


@compiled
def second_rates(run: ChartMemory, changed: int, out: Reals) -> int:
    """z̈ = P (T a + Ṫ v) at the point, whose accelerations are known; inputs from ``changed`` on are new."""
    if run.unit_T:
        positions_seen(run, run.a, out)
        return STATUS.OK
    status = coordinate_accelerations(run, changed)
    positions_seen(run, run.qddot if run.has_reduced else run.second_rate, out)
    return status


@compiled
def coordinate_accelerations(run: ChartMemory, changed: int) -> int:
    """T a + Ṫ v at the point, in ``qddot`` or else in ``second_rate``."""
    if run.has_reduced:
        return STATUS.RAISED if call_reduced(run, REDUCED.qddot, changed) else STATUS.OK
    return _accelerations_by_differences(run)


@compiled
def _accelerations_by_differences(run: ChartMemory) -> int:
    """T a + (T(t + s, q + s q̇) − T(t − s, q − s q̇)) v / 2 s; exact but for rounding where T is linear in q."""
    q, t, qdot, rate, bend = run.q, run.t[0], run.dq, run.motion_q, run.second_rate
    if call_contract(run, CONTRACT.T, STAGE.T):
        return STATUS.RAISED
    multiply_T(run, run.v, qdot)
    multiply_T(run, run.a, bend)
    size = scaled_size(run, qdot)
    if size > 0.0:
        s = min(_ASIDE / size, run.time_scale)
        for side in range(2):
            step = s if side == 0 else -s
            for i in range(q.size):
                q[i] += step * qdot[i]
            run.t[0] = t + step
            status = call_contract(run, CONTRACT.T, STAGE.T)
            for i in range(q.size):
                q[i] -= step * qdot[i]
            run.t[0] = t
            if status:
                return STATUS.RAISED
            multiply_T(run, run.v, rate)
            for i in range(q.size):
                bend[i] += rate[i] / (2.0 * step)
    return STATUS.OK


@compiled
def motion_at(run: ChartMemory, t: float, x: Reals, out: Reals) -> int:
    """ẋ = (ż, z̈, u̇) at x = (z, ż, u); leaves q, v, a and λ there."""
    f = run.n_f
    run.t_stage = t
    status = recover(run, t, x, TURNS)
    if status:
        return status
    status = rate(run, STAGE.T if is_flat(run) else STAGE.V, run.y_rate)  # without a recovery nobody knows of the time
    if status:
        return status
    copy(view(x, f, f), view(out, 0, f))
    status = second_rates(run, STAGE.T, view(out, f, f))
    copy(view(run.y_rate, run.n_q + run.n_v, run.n_u), view(out, 2 * f, run.n_u))
    return status


@compiled
def load_chart_start(run: ChartMemory) -> int:
    """x0 and ẋ0 of the start of the step in the chart that there is, ẋ0 with what was carried; leaves the stage and the
    point of evaluation there."""
    n_q, n_v, f, y0, difference = run.n_q, run.n_v, run.n_f, run.y0, run.motion_q
    run.t[0] = seen_time(run, run.t_now)
    run.factored = 0
    copy(view(y0, 0, n_q), run.q)
    copy(view(y0, n_q, n_v), run.v)
    copy(view(y0, n_q + n_v, run.n_u), run.u)
    copy(run.z0, run.a)
    copy(view(run.z0, n_v, run.n_lam), run.lam)
    for i in range(n_q):
        difference[i] = y0[i] - run.chart_q[i]
    positions_seen(run, difference, view(run.x0, 0, f))
    qdot = view(run.rate0, 0, n_q)
    positions_seen(run, qdot, view(run.x0, f, f))
    copy(run.u, view(run.x0, 2 * f, run.n_u))
    copy(view(run.x0, f, f), view(run.x_rate0, 0, f))
    copy(view(run.rate0, n_q + n_v, run.n_u), view(run.x_rate0, 2 * f, run.n_u))
    status = second_rates(run, STAGE.P, view(run.x_rate0, f, f))
    _set_bend(run)
    run.t_stage = run.t_now
    copy(run.x0, run.x_stage)
    copy(run.x_rate0, run.x_rate)
    seen(run.chart_V, view(run.carried, 0, n_v), run.along_f)
    add(run.along_f, view(run.x_rate0, f, f))
    add(view(run.carried, n_v, run.n_u), view(run.x_rate0, 2 * f, run.n_u))
    return status


@compiled
def _set_bend(run: ChartMemory) -> None:
    """T a + Ṫ v at the start of the step, which was evaluated last."""
    bend, carried = run.bend, run.carried
    if run.unit_T:
        for i in range(run.n_v):
            bend[i] = run.z0[i] + carried[i]
        return
    copy(run.qddot if run.has_reduced else run.second_rate, bend)
    for k in range(run.chart_T.size):
        bend[run.T_rows[k]] += run.chart_T[k] * carried[run.T_columns[k]]


@compiled
def slope_beyond(run: ChartMemory, out: Reals) -> int:
    """What the formula's slope at the end of the step has more than a and u̇ of the equations, which amplify what the
    iteration has left (4.85); as a motion along the constraints."""
    n_q, n_v, f, n_u, more = run.n_q, run.n_v, run.n_f, run.n_u, run.along_f
    clear(out)
    if run.unit_T:
        positions_seen(run, view(run.z1, 0, n_v), more)
    else:
        load(run, run.t_tried, run.y1)
        copy(run.z1, run.a)
        copy(view(run.z1, n_v, run.n_lam), run.lam)
        status = second_rates(run, STAGE.P, more)
        if status:
            return status
    for j in range(f):
        more[j] = run.x_slope[f + j] - more[j]
    along(run, more, view(out, 0, n_v))
    for k in range(n_u):
        out[n_v + k] = run.x_slope[2 * f + k] - run.rate1[n_q + n_v + k]
    return STATUS.OK


@compiled
def carry_slope(run: ChartMemory) -> int:
    """The next step begins with the formula's slope at the end of this one, unless an event has cut it short."""
    if run.t_new == run.t_tried:
        return slope_beyond(run, run.carried)
    clear(run.carried)
    return STATUS.OK
