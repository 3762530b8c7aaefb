"""The frame around every method: attempts, judges, projects, looks for events, records; in slices of many steps.

A method supplies ``attempt`` (from Y0 to Y1 and ERROR, leaving Y0 as it is) and ``interpolate`` (the coefficients of
its dense output, in COEF, and of accelerations and multipliers in COEF_Z if it has them).  One that chooses order and
step size itself says so by OWN_CONTROL and leaves H for the next attempt.  All else is here, and knows no method by
name.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.control import accept, first_step, set_weights
from dalembert.integrate.frame.formalism import NEW_P, complete, load, rate
from dalembert.integrate.frame.memory import field
from dalembert.native.kernel import Reals, Run, call_kernel, compiled, flush_subnormals, kernel, restore_mode, view

#: Steps that differ from the rest of the way by less than this are stretched to its end.
_STRETCH = 1.01
#: Pivots that have shrunk so much, and by this factor within a step, tell that constraints are about to lose rank; so
#: many other sizes of the step are tried then.
_NEAR_SINGULAR, _SHRUNK, _DETOURS = 1e-2, 0.1, 5


@compiled
def record_width(run: Run) -> int:
    """Reals per recorded step: t, y, z; if kept, the size of the step and its coefficients; what a monitor shows."""
    ints = run.ints
    n_z = ints[m.N_V] + ints[m.N_LAM]
    width = 1 + ints[m.N_Y] + n_z + (m.MONITORED if ints[m.MONITOR] else 0)
    return width + 1 + ints[m.N_COEF] * ints[m.N_Y] + ints[m.N_COEF_Z] * n_z if ints[m.KEEP_DENSE] else width


@compiled
def _record(run: Run) -> None:
    """Keep the step that leads to T_NEW, Y1, Z1."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    n, n_z, width = ints[m.N_Y], ints[m.N_V] + ints[m.N_LAM], record_width(run)
    at = ints[m.RECORDED] * width
    target = field(run, m.RECORDS)[at : at + width]
    y, z = field(run, m.Y1), field(run, m.Z1)
    target[0] = scalars[m.T_NEW]
    for k in range(n):
        target[1 + k] = y[k]
    for k in range(n_z):
        target[1 + n + k] = z[k]
    if ints[m.KEEP_DENSE]:
        coef = field(run, m.COEF)
        start = 1 + n + n_z
        target[start] = scalars[m.H_DONE]
        for k in range(coef.size):
            target[start + 1 + k] = coef[k]
        start += 1 + coef.size
        algebraic = field(run, m.COEF_Z)
        for k in range(algebraic.size):
            target[start + k] = algebraic[k]
    if ints[m.MONITOR]:
        told = view(target, width - m.MONITORED, m.MONITORED)
        told[0] = scalars[m.T_NEW] - scalars[m.T_NOW]  # what an event has left of the step
        told[1] = ints[m.ORDER_USED]
        told[2] = scalars[m.ERROR]
        told[3] = ints[m.REJECTED]
        told[4] = ints[m.NFEV]
    ints[m.RECORDED] += 1


@compiled
def _next_stop(run: Run) -> None:
    """T_STOP: the next break, or the end; T_LIMIT: the last instant before a break; T_FROM: the first after one."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    breaks, direction = field(run, m.BREAKS), scalars[m.DIRECTION]
    while ints[m.NEXT_BREAK] < ints[m.N_BREAKS]:
        if direction * (breaks[ints[m.NEXT_BREAK]] - scalars[m.T_NOW]) > 0.0:
            break
        ints[m.NEXT_BREAK] += 1
    scalars[m.T_STOP] = scalars[m.T_END]
    scalars[m.T_FROM], scalars[m.T_LIMIT] = -direction * np.inf, direction * np.inf
    passed = ints[m.NEXT_BREAK] - 1
    if passed >= 0 and breaks[passed] == scalars[m.T_NOW]:
        scalars[m.T_FROM] = breaks[passed] + direction * max(abs(breaks[passed]), 1e-290) * 2.220446049250313e-16
    if ints[m.NEXT_BREAK] < ints[m.N_BREAKS]:
        at = breaks[ints[m.NEXT_BREAK]]
        if direction * (at - scalars[m.T_END]) <= 0.0:
            scalars[m.T_STOP] = at
            scalars[m.T_LIMIT] = at - direction * max(abs(at), 1e-290) * 2.220446049250313e-16


@compiled
def _begin(run: Run) -> int:
    """After a start or a jump: make Y0 consistent, find Z0 and RATE0, choose a step if none is known."""
    ints, scalars = run.ints, field(run, m.SCALARS)
    _next_stop(run)
    status = complete(run, scalars[m.T_NOW], field(run, m.Y0), field(run, m.Z0), field(run, m.RATE0))
    if status:
        return status
    scalars[m.OLD_CONDITION] = scalars[m.CONDITION]
    ints[m.HAVE_OLD_STEP] = ints[m.HAVE_FACTORS] = ints[m.AFTER_REJECT] = 0
    ints[m.JACOBIAN_AGE] = -1
    scalars[m.ERROR_OLD] = 1e-4
    if ints[m.N_EVENTS]:
        status = call_kernel(run.table[m.START_SIGNS], run.table, run.ints, run.reals)
        if status:
            return status
    if not scalars[m.H] > 0.0:
        status = first_step(run)
        if status:
            return status
    ints[m.RESTART] = 0
    return m.OK


@compiled
def _shift(run: Run) -> None:
    """The new point becomes the old one."""
    scalars = field(run, m.SCALARS)
    scalars[m.T_NOW] = scalars[m.T_NEW]
    _copy(field(run, m.Y1), field(run, m.Y0))
    _copy(field(run, m.Z1), field(run, m.Z0))
    _copy(field(run, m.RATE1), field(run, m.RATE0))


@compiled
def _copy(source: Reals, target: Reals) -> None:
    for k in range(target.size):
        target[k] = source[k]


@compiled
def _tell_all(run: Run) -> int:
    """Once per slice programs are told that all is new, parameters too; from then on they are told from the time on.

    Slices must not show in results or statistics: counters and the multipliers, from which friction iterates, are put
    back.
    """
    ints, n_v = run.ints, run.ints[m.N_V]
    factorisations, solutions = ints[m.NLU], ints[m.NSOLVE]
    load(run, field(run, m.SCALARS)[m.T_NOW], field(run, m.Y0))
    status = rate(run, NEW_P, field(run, m.RATE1))
    ints[m.NFEV] -= 1
    ints[m.NLU], ints[m.NSOLVE] = factorisations, solutions
    lam, z0 = field(run, m.LAM), field(run, m.Z0)
    for k in range(lam.size):
        lam[k] = z0[n_v + k]
    return status


@compiled
def _ends_badly(scalars: Reals) -> bool:
    """Whether the step ends much closer to a loss of rank than it began. Pivots vanish with the square of the distance
    in time."""
    condition = scalars[m.CONDITION]
    return condition < _NEAR_SINGULAR and condition < _SHRUNK * scalars[m.OLD_CONDITION]


@compiled
def _detour(run: Run, size: float) -> bool:
    """Another size for a step that would end close to an instant at which constraints lose rank; False if all were
    tried.

    The early stages of a step that starts there meet accelerations that are lost in noise: shorter and shorter steps
    would creep up to that instant. A step from a safer distance crosses it, so this one goes beyond it, or ends well
    before.
    """
    ints, scalars = run.ints, field(run, m.SCALARS)
    if ints[m.AVOIDED] >= _DETOURS:
        return False
    if ints[m.AVOIDED] == 0:
        scalars[m.H_AVOIDED] = size
    ints[m.AVOIDED] += 1
    ints[m.REJECTED] += 1
    k = ints[m.AVOIDED]
    factor = 1.0 + 0.12 * k if k <= 2 else 1.0 - 0.15 * k
    scalars[m.H] = scalars[m.H_AVOIDED] * factor
    return True


@kernel
def advance(run: Run) -> int:
    """Up to SLICE steps; says why it returns. FAILURE tells the last failure of an attempt."""
    # Numbers that die out along a mechanism become subnormal, and those cost a hundred times the time of others.
    mode = flush_subnormals()
    reason = _advance(run)
    restore_mode(mode)
    return reason


@compiled
def _advance(run: Run) -> int:
    ints, scalars, table = run.ints, field(run, m.SCALARS), run.table
    done = 0
    status = _tell_all(run)
    if status == m.RAISED:
        return m.STOPPED_BY_EXCEPTION
    if ints[m.RESTART]:
        status = _begin(run)
        if status == m.RAISED:
            return m.STOPPED_BY_EXCEPTION
        if status:
            ints[m.FAILURE] = status
            return m.UNDERFLOW
    while True:
        direction = scalars[m.DIRECTION]
        if direction * (scalars[m.T_END] - scalars[m.T_NOW]) <= 0.0:
            return m.FINISHED
        if done >= ints[m.SLICE]:
            return m.SLICE_DONE
        if ints[m.RECORDED] >= ints[m.CAPACITY]:
            return m.BUFFER_FULL
        if ints[m.EVENTS_RECORDED] + ints[m.N_EVENTS] * ints[m.N_CHECKS] > ints[m.EVENT_CAPACITY]:
            return m.BUFFER_FULL
        # The size of this attempt: not beyond the next stop, and no sliver left before it.
        left = abs(scalars[m.T_STOP] - scalars[m.T_NOW])
        wanted = min(scalars[m.H], scalars[m.H_MAX])
        to_stop = wanted * _STRETCH >= left
        size = left if to_stop else (0.5 * left if 2.0 * wanted > left else wanted)
        # Close to t = 0 steps may be much smaller than the time resolution elsewhere, but not without end.
        scale = max(abs(scalars[m.T_NOW]), 1e-12 * abs(scalars[m.T_END] - scalars[m.T_NOW]))
        if not to_stop and size < 4.0 * 2.220446049250313e-16 * scale:
            return m.UNDERFLOW
        if size < scalars[m.H_MIN] and not to_stop:
            return m.UNDERFLOW
        scalars[m.H_DONE] = direction * size
        scalars[m.T_NEW] = scalars[m.T_STOP] if to_stop else scalars[m.T_NOW] + direction * size
        set_weights(run)
        proposed = scalars[m.H]
        status = call_kernel(table[m.ATTEMPT], run.table, run.ints, run.reals)
        if status == m.OK:
            if not accept(run, scalars[m.ERROR]):
                ints[m.FAILURE] = m.OK
                continue
            if to_stop and size < proposed:  # a step cut short says little about the next one
                scalars[m.H] = max(scalars[m.H], proposed)
            status = complete(run, scalars[m.T_NEW], field(run, m.Y1), field(run, m.Z1), field(run, m.RATE1))
        if status == m.OK and not to_stop and _ends_badly(scalars) and _detour(run, size):
            continue
        if status == m.OK and (ints[m.KEEP_DENSE] or (ints[m.N_EVENTS] and ints[m.N_CHECKS] > 1)):
            status = call_kernel(table[m.INTERPOLATE], run.table, run.ints, run.reals)
        stopped = False
        if status == m.OK and ints[m.N_EVENTS]:
            status = call_kernel(table[m.FIND_EVENTS], run.table, run.ints, run.reals)
            stopped = status == m.OK and ints[m.STOPPED_BY] >= 0
        if status == m.RAISED:
            return m.STOPPED_BY_EXCEPTION
        if status:
            ints[m.FAILURE] = status
            ints[m.REJECTED] += 1
            ints[m.AFTER_REJECT] = 1
            scalars[m.H] = 0.25 * size
            ints[m.HAVE_OLD_STEP] = 0
            continue
        ints[m.FAILURE] = m.OK
        ints[m.STEPS] += 1
        ints[m.AVOIDED] = 0
        scalars[m.OLD_CONDITION] = scalars[m.CONDITION]
        scalars[m.SMALLEST_H] = min(scalars[m.SMALLEST_H], size)
        scalars[m.LARGEST_H] = max(scalars[m.LARGEST_H], size)
        _record(run)
        _shift(run)
        scalars[m.H_OLD] = scalars[m.H_DONE]
        ints[m.HAVE_OLD_STEP] = 1
        done += 1
        if stopped:
            ints[m.RESTART] = 1
            return m.EVENT_FOUND
        if to_stop and scalars[m.T_NOW] != scalars[m.T_END]:
            # Right sides may jump here: start again from the other side, with the step that was in use.
            ints[m.SIGNS_FROM] = 1
            status = _begin(run)
            if status == m.RAISED:
                return m.STOPPED_BY_EXCEPTION
            if status:
                ints[m.FAILURE] = status
                return m.UNDERFLOW


@kernel
def complete_points(run: Run) -> int:
    """Project N_POINTS points (t, y) of the field POINTS and complete them by (a, λ); rows are t, y, z."""
    mode = flush_subnormals()
    status = _complete_points(run)
    restore_mode(mode)
    return status


@compiled
def _complete_points(run: Run) -> int:
    ints = run.ints
    n, n_z = ints[m.N_Y], ints[m.N_V] + ints[m.N_LAM]
    points = field(run, m.POINTS)
    width = 1 + n + n_z
    z, rates = field(run, m.Z1), field(run, m.RATE1)
    for k in range(ints[m.N_POINTS]):
        row = points[k * width : (k + 1) * width]
        y = row[1 : 1 + n]
        if k == 0:
            load(run, row[0], y)
            if rate(run, NEW_P, rates) == m.RAISED:
                return k + 1
        status = complete(run, row[0], y, z, rates)
        if status:
            return k + 1
        for i in range(n_z):
            row[1 + n + i] = z[i]
    return 0
