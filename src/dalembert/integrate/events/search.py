"""Events inside a step: sign changes of switching functions, located on the projected dense output.

mexx, section 2.5 and (4.1): the signs are compared at check points within the step; a function counts only where its
size exceeds a threshold.  Roots are bracketed and found on the dense output with projection, so that what is reported
satisfies the constraints.

Methods whose dense output has accelerations and multipliers (COEF_Z) are searched on the bare polynomials first, which
takes no evaluation of the equations; only what is found there is found again with projection, as mexx does.  With a
single check point the dense output is made in steps with a change of sign only.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame import memory as m
from dalembert.integrate.frame.formalism import complete
from dalembert.integrate.frame.memory import field, int_field
from dalembert.native.kernel import Ints, Reals, Run, call_entry, call_kernel, compiled, kernel, view

_LOCATE_ITERATIONS = 100
#: Part of the tolerance of the run to which roots are located that were searched on bare polynomials.
_LOCATED = 1e-3
#: Size, of that at the ends of a piece, to which bare polynomials are brought down.
_SMALL = 1e-6
_NEWTON_ITERATIONS = 8


@compiled
def dense_value(run: Run, coef: Reals, theta: float, y: Reals) -> None:
    """Value at the fraction theta of the last step, from nested coefficients."""
    n = y.size
    K = coef.size // n - run.ints[m.COEF_UNUSED]  # steps of low order leave zeros behind theirs
    for k in range(n):
        y[k] = coef[(K - 1) * n + k]
    for c in range(K - 2, -1, -1):
        factor = theta if c % 2 == 0 else 1.0 - theta
        for k in range(n):
            y[k] = coef[c * n + k] + factor * y[k]


@compiled
def evaluate_events(run: Run, t: float, y: Reals, z: Reals, phi: Reals) -> int:
    """Switching functions at a point."""
    ints, table = run.ints, run.table
    n_q, n_v, n_u = ints[m.N_Q], ints[m.N_V], ints[m.N_U]
    q, v, u, a, lam = field(run, m.Q), field(run, m.V), field(run, m.U), field(run, m.A), field(run, m.LAM)
    field(run, m.T)[0] = t
    for i in range(n_q):
        q[i] = y[i]
    for i in range(n_v):
        v[i] = y[n_q + i]
        a[i] = z[i]
    for i in range(n_u):
        u[i] = y[n_q + n_v + i]
    for i in range(lam.size):
        lam[i] = z[n_v + i]
    ints[m.EVENT_EVALUATIONS] += 1
    status = call_entry(
        table[m.EVENT], 1, 0, table[m.IN : m.RATE_OUT], table[m.EVENT_OUT : m.EVENT_OUT + 1], table[m.EVENT_WORK]
    )
    if status:
        return m.RAISED
    values = field(run, m.PHI)
    for k in range(phi.size):
        phi[k] = values[k]
        if not abs(phi[k]) < np.inf:
            return m.NOT_FINITE
    return m.OK


@compiled
def sign(value: float, threshold: float) -> int:
    """Sign of a switching function, 0 where it is too small to count."""
    if value > threshold:
        return 1
    if value < -threshold:
        return -1
    return 0


@kernel
def start_signs(run: Run) -> int:
    """Values and signs of the switching functions at Y0, after a start or a restart.

    SIGNS_FROM says what went before: 0 a start, 1 a break, 2 an event whose action changed the state, 3 one whose
    action left it. A function keeps the sign that it had before the restart unless the restart itself has changed it,
    so that roots at the very instant of a break or of another event are found in the next step.
    """
    ints, scalars = run.ints, field(run, m.SCALARS)
    phi0, before, threshold = field(run, m.PHI0), field(run, m.PHI1), field(run, m.THRESHOLD)
    signs, origin, stopper = int_field(run, m.I_SIGNS), ints[m.SIGNS_FROM], ints[m.STOPPED_BY]
    status = evaluate_events(run, scalars[m.T_NOW], field(run, m.Y0), field(run, m.Z0), phi0)
    if status:
        return status
    for e in range(phi0.size):
        new = sign(phi0[e], threshold[e])
        if origin == 0:
            signs[e] = new
        elif origin >= 2 and e == stopper:
            # It stands at its root, which rounding may have put on either side.
            near = max(threshold[e], 4.0 * abs(before[e]), 1e-12 * scalars[m.EVENT_SCALE])
            signs[e] = 0 if origin == 2 and abs(phi0[e]) <= near else new
        elif origin >= 2 and new != sign(before[e], threshold[e]):
            signs[e] = new  # the action has changed it
    return m.OK


@compiled
def _point_in_step(run: Run, theta: float, y: Reals, z: Reals) -> int:
    """Projected dense output at a fraction of the step, with a and λ."""
    scalars = field(run, m.SCALARS)
    dense_value(run, field(run, m.COEF), theta, y)
    return complete(run, scalars[m.T_NOW] + theta * scalars[m.H_DONE], y, z, field(run, m.ERROR_VECTOR))


@compiled
def _evaluate(run: Run, theta: float, bare: bool, phi: Reals) -> int:
    """Switching functions at a fraction of the step, on the bare polynomials or with projection."""
    scalars, y, z = field(run, m.SCALARS), field(run, m.EVENT_Y), field(run, m.EVENT_Z)
    if bare:
        dense_value(run, field(run, m.COEF), theta, y)
        dense_value(run, field(run, m.COEF_Z), theta, z)
    else:
        status = _point_in_step(run, theta, y, z)
        if status:
            return status
    return evaluate_events(run, scalars[m.T_NOW] + theta * scalars[m.H_DONE], y, z, phi)


@compiled
def _near(run: Run) -> float:
    """Fractions of the step that differ by this are the same root."""
    scalars = field(run, m.SCALARS)
    scale = max(abs(scalars[m.T_NOW]), abs(scalars[m.H_DONE])) / abs(scalars[m.H_DONE])
    rounding = 4.0 * 2.220446049250313e-16 * scale
    return max(rounding, _LOCATED * scalars[m.RTOL]) if run.ints[m.N_COEF_Z] else rounding


@compiled
def _locate(run: Run, e: int, low: float, value_low: float, high: float, value_high: float, bare: bool) -> float:
    """Fraction of the step at which switching function e vanishes, between two fractions with different signs.

    Regula falsi with halved weights (Illinois), safeguarded by bisection; the end beyond the root is returned, where
    the function has its new sign. Negative if a point could not be evaluated. On the bare polynomials any point close
    to the root will do.
    """
    phi = field(run, m.PHI1)
    tolerance = _near(run)
    small = _SMALL * min(abs(value_low), abs(value_high)) if bare else 0.0
    kept = 0  # the end that the last iteration has left where it was
    for iteration in range(_LOCATE_ITERATIONS):
        if high - low <= tolerance or value_high == 0.0:
            break
        middle = 0.5 * (low + high)
        if iteration % 3 != 2:
            guess = high - value_high * (high - low) / (value_high - value_low)
            if low + tolerance < guess < high - tolerance:
                middle = guess
            elif low <= guess <= high:  # close to an end: step over the root, to shrink the bracket at once
                middle = low + tolerance if guess - low < high - guess else high - tolerance
        if _evaluate(run, middle, bare, phi):
            return -1.0
        value = phi[e]
        if abs(value) < small:
            return middle
        if value != 0.0 and (value > 0.0) == (value_high > 0.0):  # zero itself is not beyond the root
            high, value_high = middle, value
            value_low *= 0.5 if kept < 0 else 1.0
            kept = -1
        else:
            low, value_low = middle, value
            value_high *= 0.5 if kept > 0 else 1.0
            kept = 1
    return high


@compiled
def _locate_bare(run: Run, e: int, low: float, value_low: float, high: float, value_high: float) -> float:
    """As :func:`_locate`: the root of the bare polynomials, then by Newton's iteration that of the projected ones.

    The last evaluation was at the point that is returned: EVENT_Y and EVENT_Z belong to it.
    """
    phi, near = field(run, m.PHI1), _near(run)
    theta = _locate(run, e, low, value_low, high, value_high, True)
    if theta < 0.0:
        return theta
    width = 1e-3 * (high - low)
    left, right = max(low, theta - width), min(high, theta + width)
    if _evaluate(run, left, True, phi):
        return -1.0
    slope = phi[e]
    if _evaluate(run, right, True, phi):
        return -1.0
    slope = (phi[e] - slope) / (right - left)
    if slope * value_high > 0.0:
        before, value_before = theta, 0.0
        for iteration in range(_NEWTON_ITERATIONS):
            if _evaluate(run, theta, False, phi):
                return -1.0
            value = phi[e]
            if iteration and value != value_before and theta != before:
                secant = (value - value_before) / (theta - before)
                if secant * slope > 0.0:
                    slope = secant
            if value * slope > 0.0 and abs(value) <= 3.0 * near * abs(slope):
                return theta
            before, value_before = theta, value
            theta += near - value / slope  # to the far side of the root
            if not low < theta < high:
                break
    # Where the two are not close: as if there were no polynomials for accelerations.
    if _evaluate(run, low, False, phi):
        return -1.0
    value_low = phi[e]
    if (value_low > 0.0) == (value_high > 0.0):
        return low
    theta = _locate(run, e, low, value_low, high, value_high, False)
    return -1.0 if theta < 0.0 or _evaluate(run, theta, False, phi) else theta


@compiled
def _excursion(run: Run, e: int, before: float, after: float, side: int) -> tuple[float, float]:
    """Fraction of the step, and value there, at which switching function e is on the given side shortly after
    ``before``.

    The value is zero if there is no such point that rounding would not explain; the fraction is negative after a
    failure.
    """
    scalars, phi = field(run, m.SCALARS), field(run, m.PHI1)
    noise = max(field(run, m.THRESHOLD)[e], 1e-12 * scalars[m.EVENT_SCALE])
    part = after - before
    for _ in range(60):
        part *= 0.5
        if _evaluate(run, before + part, False, phi):
            return -1.0, 0.0
        if sign(phi[e], noise) == side:
            return before + part, phi[e]
    return before, 0.0


@kernel
def find_events(run: Run) -> int:
    """Record all events of the last step in order of time; FOUND a stop: the step is cut there (Y1, Z1, RATE1, T_NEW).

    Returns an outcome; STOPPED_BY is the event that stops the run at T_NEW, or −1. Records are (event, t, y, z).
    Where it is not OK, the step will be made again and nothing of it has happened.
    """
    ints, n = run.ints, run.ints[m.N_EVENTS]
    phi0, signs, recorded = field(run, m.PHI0), int_field(run, m.I_SIGNS), ints[m.EVENTS_RECORDED]
    old_phi, old_signs = view(field(run, m.THRESHOLD), 2 * n, n), view(signs, 2 * n, n)
    for e in range(n):
        old_phi[e], old_signs[e] = phi0[e], signs[e]
    status = _search(run)
    if status:
        ints[m.EVENTS_RECORDED] = recorded
        for e in range(n):
            phi0[e], signs[e] = old_phi[e], old_signs[e]
    return status


@compiled
def _changes(signs: Ints, phi: Reals, threshold: Reals, n_events: int) -> bool:
    """Whether a switching function has another sign than before."""
    for e in range(n_events):
        new = sign(phi[e], threshold[e])
        if new != 0 and new != signs[e]:
            return True
    return False


@compiled
def _search(run: Run) -> int:
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_events, n_checks, n, n_z = ints[m.N_EVENTS], ints[m.N_CHECKS], ints[m.N_Y], ints[m.N_V] + ints[m.N_LAM]
    phi1, threshold = field(run, m.PHI1), field(run, m.THRESHOLD)
    signs, directions, stops = int_field(run, m.I_SIGNS), int_field(run, m.I_DIRECTIONS), int_field(run, m.I_STOPS)
    y, z, records = field(run, m.EVENT_Y), field(run, m.EVENT_Z), field(run, m.EVENT_RECORDS)
    width = 2 + n + n_z
    t0, h = scalars[m.T_NOW], scalars[m.H_DONE]
    bare = ints[m.N_COEF_Z] > 0
    interpolated = ints[m.KEEP_DENSE] or n_checks > 1
    ints[m.STOPPED_BY] = -1
    before = 0.0
    values = field(run, m.PHI0)  # at the left end of the current piece
    kept = view(signs, n_events, n_events)  # signs at the left end
    for check in range(1, n_checks + 1):
        after = check / n_checks
        if check == n_checks:
            for k in range(n):
                y[k] = field(run, m.Y1)[k]
            for k in range(n_z):
                z[k] = field(run, m.Z1)[k]
            status = evaluate_events(run, scalars[m.T_NEW], y, z, phi1)
        else:
            status = _evaluate(run, after, bare, phi1)
            if status == m.OK and bare and _changes(signs, phi1, threshold, n_events):
                # Where constraints hold, functions of them vanish on projected points only.
                status = _evaluate(run, after, False, phi1)
        if status:
            return status
        right = field(run, m.THRESHOLD)[n_events : 2 * n_events]  # values at the right end; location overwrites PHI1
        for e in range(n_events):
            right[e] = phi1[e]
        first_new = ints[m.EVENTS_RECORDED]
        for e in range(n_events):
            kept[e] = signs[e]
        for e in range(n_events):
            new = sign(right[e], threshold[e])
            old = signs[e]
            if new == 0 or new == old:
                continue
            signs[e] = new
            low, low_value = before, values[e]
            if not interpolated:
                status = call_kernel(run.table[m.INTERPOLATE], run.table, run.ints, run.reals)
                if status:
                    return status
                interpolated = True
            if old == 0:
                if stops[e] != 2 or directions[e] == -new:
                    continue  # it began at zero and leaves
                # It has just acted and is beyond its root once more: look for the excursion in between.
                low, low_value = _excursion(run, e, before, after, -new)
                if low < 0.0:
                    return m.PROJECTION_FAILED
                if low_value == 0.0 and directions[e] == 0:
                    continue
            elif directions[e] != 0 and new != directions[e]:
                continue
            if low_value == 0.0 or (low_value > 0.0) == (right[e] > 0.0):
                theta, there = before, False  # immediately
            elif bare:
                theta, there = _locate_bare(run, e, low, low_value, after, right[e]), True
            else:
                theta, there = _locate(run, e, low, low_value, after, right[e], False), False
            if theta < 0.0:
                return m.PROJECTION_FAILED
            status = m.OK if there else _point_in_step(run, theta, y, z)
            if status:
                return status
            at = ints[m.EVENTS_RECORDED]
            # Keep the records of this piece in order of time.
            t_event = t0 + theta * h
            while at > first_new and h * (records[(at - 1) * width + 1] - t_event) > 0.0:
                for k in range(width):
                    records[at * width + k] = records[(at - 1) * width + k]
                at -= 1
            records[at * width] = e
            records[at * width + 1] = t_event
            for k in range(n):
                records[at * width + 2 + k] = y[k]
            for k in range(n_z):
                records[at * width + 2 + n + k] = z[k]
            ints[m.EVENTS_RECORDED] += 1
        for at in range(first_new, ints[m.EVENTS_RECORDED]):
            e = int(records[at * width])
            if stops[e]:
                ints[m.STOPPED_BY] = e
                ints[m.EVENTS_RECORDED] = at + 1
                scalars[m.EVENT_SCALE] = max(abs(values[e]), abs(right[e]))
                # What comes later in this piece has not happened yet.
                for k in range(n_events):
                    signs[k] = kept[k]
                for k in range(first_new, at + 1):
                    done = int(records[k * width])
                    signs[done] = sign(right[done], threshold[done])
                scalars[m.T_NEW] = records[at * width + 1]
                y1, z1 = field(run, m.Y1), field(run, m.Z1)
                for k in range(n):
                    y1[k] = records[at * width + 2 + k]
                status = complete(run, scalars[m.T_NEW], y1, z1, field(run, m.RATE1))
                return status if status else evaluate_events(run, scalars[m.T_NEW], y1, z1, phi1)
        for e in range(n_events):
            values[e] = right[e]
        before = after
    return m.OK
