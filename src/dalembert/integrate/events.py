"""Events inside a step: sign changes of switching functions, located on the projected dense output.

mexx, section 2.5 and (4.1): the signs are compared at check points within the step; a function counts only where its
size exceeds a threshold.  Roots are bracketed and found on the dense output with projection, so that what is reported
satisfies the constraints.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate import memory as m
from dalembert.integrate.formalism import complete
from dalembert.integrate.memory import field, int_field
from dalembert.native.kernel import Reals, Run, call_entry, compiled, kernel, view

_LOCATE_ITERATIONS = 100


@compiled
def dense_value(run: Run, theta: float, y: Reals) -> None:
    """y at the fraction theta of the last step, from its nested coefficients."""
    n, K = run.ints[m.N_Y], run.ints[m.N_COEF]
    coef = field(run, m.COEF)
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
    dense_value(run, theta, y)
    return complete(run, scalars[m.T_NOW] + theta * scalars[m.H_DONE], y, z, field(run, m.ERROR_VECTOR))


@compiled
def _locate(run: Run, e: int, low: float, value_low: float, high: float, value_high: float) -> float:
    """Fraction of the step at which switching function e vanishes, between two fractions with different signs.

    Regula falsi with halved weights (Illinois), safeguarded by bisection; the end beyond the root is returned, where
    the function has its new sign. Negative if a point could not be evaluated.
    """
    scalars = field(run, m.SCALARS)
    y, z, phi = field(run, m.EVENT_Y), field(run, m.EVENT_Z), field(run, m.PHI1)
    scale = max(abs(scalars[m.T_NOW]), abs(scalars[m.H_DONE])) / abs(scalars[m.H_DONE])
    tolerance = 4.0 * 2.220446049250313e-16 * scale
    for iteration in range(_LOCATE_ITERATIONS):
        if high - low <= tolerance or value_high == 0.0:
            break
        middle = 0.5 * (low + high)
        if iteration % 3 != 2:
            guess = high - value_high * (high - low) / (value_high - value_low)
            if low + tolerance < guess < high - tolerance:
                middle = guess
            elif low < guess < high:  # close to an end: step over the root, to shrink the bracket at once
                middle = low + tolerance if guess - low < high - guess else high - tolerance
        status = _point_in_step(run, middle, y, z)
        if status == m.OK:
            status = evaluate_events(run, scalars[m.T_NOW] + middle * scalars[m.H_DONE], y, z, phi)
        if status:
            return -1.0
        value = phi[e]
        if value == 0.0 or (value > 0.0) == (value_high > 0.0):
            high, value_high = middle, value
            value_low *= 0.5
        else:
            low, value_low = middle, value
            value_high *= 0.5
    return high


@compiled
def _excursion(run: Run, e: int, before: float, after: float, side: int) -> tuple[float, float]:
    """Fraction of the step, and value there, at which switching function e is on the given side shortly after
    ``before``.

    The value is zero if there is no such point that rounding would not explain; the fraction is negative after a
    failure.
    """
    scalars = field(run, m.SCALARS)
    y, z, phi = field(run, m.EVENT_Y), field(run, m.EVENT_Z), field(run, m.PHI1)
    noise = max(field(run, m.THRESHOLD)[e], 1e-12 * scalars[m.EVENT_SCALE])
    part = after - before
    for _ in range(60):
        part *= 0.5
        status = _point_in_step(run, before + part, y, z)
        if status == m.OK:
            status = evaluate_events(run, scalars[m.T_NOW] + (before + part) * scalars[m.H_DONE], y, z, phi)
        if status:
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
def _search(run: Run) -> int:
    ints, scalars = run.ints, field(run, m.SCALARS)
    n_events, n_checks, n, n_z = ints[m.N_EVENTS], ints[m.N_CHECKS], ints[m.N_Y], ints[m.N_V] + ints[m.N_LAM]
    phi1, threshold = field(run, m.PHI1), field(run, m.THRESHOLD)
    signs, directions, stops = int_field(run, m.I_SIGNS), int_field(run, m.I_DIRECTIONS), int_field(run, m.I_STOPS)
    y, z, records = field(run, m.EVENT_Y), field(run, m.EVENT_Z), field(run, m.EVENT_RECORDS)
    width = 2 + n + n_z
    t0, h = scalars[m.T_NOW], scalars[m.H_DONE]
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
        else:
            status = _point_in_step(run, after, y, z)
            if status:
                return status
        t_after = scalars[m.T_NEW] if check == n_checks else t0 + after * h
        status = evaluate_events(run, t_after, y, z, phi1)
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
                theta = before  # immediately
            else:
                theta = _locate(run, e, low, low_value, after, right[e])
                if theta < 0.0:
                    return m.PROJECTION_FAILED
            status = _point_in_step(run, theta, y, z)
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
