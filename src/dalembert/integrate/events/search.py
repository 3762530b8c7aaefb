"""Events inside a step: sign changes of switching functions, located on the projected dense output.

mexx, section 2.5 and (4.1): the signs are compared at check points within the step; a function counts only where its
size exceeds a threshold.  Roots are bracketed and found on the dense output with projection, so that what is reported
satisfies the constraints.

Methods whose dense output has accelerations and multipliers (coef_z) are searched on the bare polynomials first, which
takes no evaluation of the equations; only what is found there is found again with projection, as mexx does.  With a
single check point the dense output is made in steps with a change of sign only.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.frame.control import shortest_again
from dalembert.integrate.frame.cubic import interpolate_step
from dalembert.integrate.frame.formalism import complete
from dalembert.integrate.frame.memory import ORIGIN, STATUS, STOP, Memory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import Ints, Reals, call_entry, compiled, kernel, view

_LOCATE_ITERATIONS = 100
#: Part of the tolerance of the run to which roots are located that were searched on bare polynomials.
_LOCATED = 1e-3
#: Size, of that at the ends of a piece, to which bare polynomials are brought down.
_SMALL = 1e-6
_NEWTON_ITERATIONS = 8
#: Part of a step up to which an event is early; a step that is made again for it ends at so many times its instant.
_EARLY, _BEYOND = 0.1, 1.5


@compiled
def dense_value(run: Memory, coef: Reals, theta: float, y: Reals) -> None:
    """Value at the fraction theta of the last step, from nested coefficients."""
    n = y.size
    K = coef.size // n - run.coef_unused  # steps of low order leave zeros behind theirs
    copy(view(coef, (K - 1) * n, n), y)
    for c in range(K - 2, -1, -1):
        factor, row = theta if c % 2 == 0 else 1.0 - theta, view(coef, c * n, n)
        for k in range(n):
            y[k] = row[k] + factor * y[k]


@compiled
def evaluate_events(run: Memory, t: float, y: Reals, z: Reals, phi: Reals) -> int:
    """Switching functions at a point."""
    run.t[0] = t
    copy(y, run.y)
    copy(z, run.a)
    copy(view(z, run.n_v, run.n_lam), run.lam)
    run.event_evaluations += 1
    if call_entry(run.event_entry, 1, 0, run.inputs, run.event_outputs, run.event_work):
        return STATUS.RAISED
    values = run.phi
    for k in range(phi.size):
        phi[k] = values[k]
        if not abs(phi[k]) < np.inf:
            return STATUS.NOT_FINITE
    return STATUS.OK


@compiled
def sign(value: float, threshold: float) -> int:
    """Sign of a switching function, 0 where it is too small to count."""
    if value > threshold:
        return 1
    if value < -threshold:
        return -1
    return 0


@kernel
def start_signs(run: Memory) -> int:
    """Values and signs of the switching functions at y0, after a start or a restart.

    A function keeps the sign that it had before the restart unless the restart itself has changed it, so that roots at
    the very instant of a break or of another event are found in the next step.
    """
    phi0, before, threshold, signs = run.phi0, run.phi1, run.threshold, run.signs
    status = evaluate_events(run, run.t_now, run.y0, run.z0, phi0)
    if status:
        return status
    acted = run.origin == ORIGIN.CHANGED or run.origin == ORIGIN.LEFT
    for e in range(phi0.size):
        new = sign(phi0[e], threshold[e])
        if run.origin == ORIGIN.START:
            signs[e] = new
            if run.stops[e] == STOP.NOTICE and new == run.directions[e]:
                copy(run.y0, run.event_y)
                copy(run.z0, run.event_z)
                _insert(run, e, run.t_now, run.events_recorded)
        elif acted and e == run.stopped_by:
            # It stands at its root, which rounding may have put on either side.
            near = max(threshold[e], 4.0 * abs(before[e]), 1e-12 * run.event_scale)
            signs[e] = 0 if run.origin == ORIGIN.CHANGED and abs(phi0[e]) <= near else new
        elif acted and new != sign(before[e], threshold[e]):
            signs[e] = new  # the action has changed it
    return STATUS.OK


# ------------------------------------------------------------------------------------------- points within a step


@compiled
def _point_in_step(run: Memory, theta: float, y: Reals, z: Reals) -> int:
    """Projected dense output at a fraction of the step, with a and λ."""
    dense_value(run, run.coef, theta, y)
    return complete(run, run.t_now + theta * run.h, y, z, run.event_rate)


@compiled
def _evaluate(run: Memory, theta: float, bare: bool, phi: Reals) -> int:
    """Switching functions at a fraction of the step, on the bare polynomials or with projection."""
    y, z = run.event_y, run.event_z
    if bare:
        dense_value(run, run.coef, theta, y)
        dense_value(run, run.coef_z, theta, z)
    else:
        status = _point_in_step(run, theta, y, z)
        if status:
            return status
    return evaluate_events(run, run.t_now + theta * run.h, y, z, phi)


@compiled
def _near(run: Memory) -> float:
    """Fractions of the step that differ by this are the same root."""
    scale = max(abs(run.t_now), abs(run.h)) / abs(run.h)
    rounding = 4.0 * 2.220446049250313e-16 * scale
    return max(rounding, _LOCATED * run.rtol) if run.n_coef_z else rounding


@compiled
def _locate(run: Memory, e: int, low: float, value_low: float, high: float, value_high: float, bare: bool) -> float:
    """Fraction of the step at which switching function e vanishes, between two fractions with different signs.

    Regula falsi with halved weights (Illinois), safeguarded by bisection; the end beyond the root is returned, where
    the function has its new sign. Minus a status if a point could not be evaluated. On the bare polynomials any point
    close to the root will do.
    """
    phi = run.phi1
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
        status = _evaluate(run, middle, bare, phi)
        if status:
            return -float(status)
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
def _locate_bare(run: Memory, e: int, low: float, value_low: float, high: float, value_high: float) -> float:
    """Fraction of the step at which switching function e vanishes: the root of the bare polynomials first, then from
    there by Newton's iteration that of the projected ones.

    The last evaluation was at the point that is returned: event_y and event_z belong to it.
    """
    phi, near = run.phi1, _near(run)
    theta = _locate(run, e, low, value_low, high, value_high, True)
    if theta < 0.0:
        return theta
    width = 1e-3 * (high - low)
    left, right = max(low, theta - width), min(high, theta + width)
    status = _evaluate(run, left, True, phi)
    if status:
        return -float(status)
    slope = phi[e]
    status = _evaluate(run, right, True, phi)
    if status:
        return -float(status)
    slope = (phi[e] - slope) / (right - left)
    if slope * value_high > 0.0:
        before, value_before = theta, 0.0
        for iteration in range(_NEWTON_ITERATIONS):
            status = _evaluate(run, theta, False, phi)
            if status:
                return -float(status)
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
    status = _evaluate(run, low, False, phi)
    if status:
        return -float(status)
    value_low = phi[e]
    if (value_low > 0.0) == (value_high > 0.0):
        return low
    theta = _locate(run, e, low, value_low, high, value_high, False)
    if theta < 0.0:
        return theta
    status = _evaluate(run, theta, False, phi)
    return -float(status) if status else theta


@compiled
def _excursion(run: Memory, e: int, before: float, after: float, side: int) -> tuple[float, float]:
    """Fraction of the step, and value there, at which switching function e is on the given side shortly after
    ``before``.

    The value is zero if there is no such point that rounding would not explain; the fraction is minus a status after a
    failure.
    """
    phi = run.phi1
    noise = max(run.threshold[e], 1e-12 * run.event_scale)
    part = after - before
    for _ in range(60):
        part *= 0.5
        status = _evaluate(run, before + part, False, phi)
        if status:
            return -float(status), 0.0
        if sign(phi[e], noise) == side:
            return before + part, phi[e]
    return before, 0.0


# ------------------------------------------------------------------------------------------------ the search


@kernel
def find_events(run: Memory) -> int:
    """Record all events of the last step in order of time; one that stops the run cuts the step (t_new, y1, z1, rate1).

    Returns an outcome; ``stopped_by`` is the event that stops the run at t_new, or −1. Records are (event, t, y, z).
    Where it is not OK, the step will be made again and nothing of it has happened.
    """
    recorded = run.events_recorded
    copy(run.phi0, run.phi_before)
    _copy_ints(run.signs, run.signs_before)
    _copy_ints(run.countdown, run.countdown_before)
    status = _search(run)
    if status:
        run.events_recorded = recorded
        copy(run.phi_before, run.phi0)
        _copy_ints(run.signs_before, run.signs)
        _copy_ints(run.countdown_before, run.countdown)
    return status


@compiled
def _copy_ints(source: Ints, target: Ints) -> None:
    for k in range(target.size):
        target[k] = source[k]


@compiled
def _search(run: Memory) -> int:
    """Piece by piece between the check points of the step."""
    interpolated = run.keep_dense or run.n_watched > 0 or run.n_checks > 1
    run.stopped_by = -1
    before = 0.0
    for check in range(1, run.n_checks + 1):
        after = check / run.n_checks
        status = _look(run, after, check == run.n_checks)
        if status:
            return status
        first = run.events_recorded
        _copy_ints(run.signs, run.signs_left)
        for e in range(run.n_events):
            new = sign(run.phi_right[e], run.threshold[e])
            if new == 0 or new == run.signs[e]:
                continue
            if run.stops[e] == STOP.NOTICE:
                if check == run.n_checks:
                    _notice(run, e, new, first)
                continue
            if not interpolated:
                status = interpolate_step(run)
                if status:
                    return status
                interpolated = True
            old, run.signs[e] = run.signs[e], new
            status = _sign_change(run, e, old, before, after, first)
            if status:
                return status
        stop = _first_stop(run, first)
        if stop >= 0:
            return STATUS.REJECTED if _too_early(run, stop) else _cut(run, first, stop)
        copy(run.phi_right, run.phi0)
        before = after
    return STATUS.OK


@compiled
def _look(run: Memory, after: float, is_end: bool) -> int:
    """Switching functions at a check point, into phi_right: location overwrites phi1."""
    phi1, bare = run.phi1, run.n_coef_z > 0
    if is_end:
        copy(run.y1, run.event_y)
        copy(run.z1, run.event_z)
        status = evaluate_events(run, run.t_new, run.event_y, run.event_z, phi1)
    else:
        status = _evaluate(run, after, bare, phi1)
        if status == STATUS.OK and bare and _changes(run):
            # Where constraints hold, functions of them vanish on projected points only.
            status = _evaluate(run, after, False, phi1)
    copy(phi1, run.phi_right)
    return status


@compiled
def _changes(run: Memory) -> bool:
    """Whether a switching function has another sign than before."""
    for e in range(run.n_events):
        new = sign(run.phi1[e], run.threshold[e])
        if new != 0 and new != run.signs[e]:
            return True
    return False


@compiled
def _sign_change(run: Memory, e: int, old: int, before: float, after: float, first: int) -> int:
    """Function e has got another sign between two fractions of the step: find the root and record it, if it counts."""
    new, right = run.signs[e], run.phi_right[e]
    low, low_value = before, run.phi0[e]
    if old == 0:
        if run.stops[e] != STOP.ACT or run.directions[e] == -new:
            return STATUS.OK  # it began at zero and leaves
        # It has just acted and is beyond its root once more: look for the excursion in between.
        low, low_value = _excursion(run, e, before, after, -new)
        if low < 0.0:
            return int(-low)
        if low_value == 0.0 and run.directions[e] == 0:
            return STATUS.OK
    elif run.directions[e] != 0 and new != run.directions[e]:
        return STATUS.OK
    bare = run.n_coef_z > 0
    there = False  # whether event_y and event_z belong to the root already
    if low_value == 0.0 or (low_value > 0.0) == (right > 0.0):
        theta = before  # immediately
    elif bare:
        theta, there = _locate_bare(run, e, low, low_value, after, right), True
    else:
        theta = _locate(run, e, low, low_value, after, right, False)
    if theta < 0.0:
        return int(-theta)
    status = STATUS.OK if there else _point_in_step(run, theta, run.event_y, run.event_z)
    if status:
        return status
    _insert(run, e, run.t_now + theta * run.h, first)
    return STATUS.OK


@compiled
def _notice(run: Memory, e: int, new: int, first: int) -> None:
    """Record a condition that is lost at the end of the step; that it is met again is no event."""
    run.signs[e] = new
    if new == run.directions[e]:
        copy(run.y1, run.event_y)
        copy(run.z1, run.event_z)
        _insert(run, e, run.t_new, first)


@compiled
def _insert(run: Memory, e: int, t: float, first: int) -> None:
    """Record an event at event_y, event_z; the records of this piece, from ``first`` on, stay in order of time."""
    n, n_z, records = run.n_y, run.n_z, run.event_records
    width = 2 + n + n_z
    at = run.events_recorded
    while at > first and run.h * (records[(at - 1) * width + 1] - t) > 0.0:
        for k in range(width):
            records[at * width + k] = records[(at - 1) * width + k]
        at -= 1
    row = view(records, at * width, width)
    row[0], row[1] = e, t
    copy(run.event_y, view(row, 2, n))
    copy(run.event_z, view(row, 2 + n, n_z))
    run.events_recorded += 1


@compiled
def _first_stop(run: Memory, first: int) -> int:
    """The first record from ``first`` on whose event acts or ends the run, or −1. Roots of terminal events are counted
    on the way."""
    width = 2 + run.n_y + run.n_z
    for at in range(first, run.events_recorded):
        e = int(run.event_records[at * width])
        if run.stops[e] == STOP.ACT:
            return at
        if run.stops[e] == STOP.TERMINATE:
            run.countdown[e] -= 1
            if run.countdown[e] <= 0:
                return at
    return -1


@compiled
def _too_early(run: Memory, at: int) -> bool:
    """Whether the step shall be made again, in a size that fits to the record ``at``, early in it.

    A dense output that begins with other rates than the motion is wrong by a part of the tolerance there, which flights
    between impacts may be shorter than: each would be as long as that error.
    """
    if run.dense_slopes or run.h_fixed > 0.0:
        return False
    size = abs(run.event_records[at * (2 + run.n_y + run.n_z) + 1] - run.t_now)
    if size > _EARLY * abs(run.h) or not size > shortest_again(run):
        return False
    run.h_next = _BEYOND * size
    run.rejected += 1
    run.after_reject = 1
    return True


@compiled
def _cut(run: Memory, first: int, at: int) -> int:
    """The step ends at record ``at``; what comes later in this piece has not happened yet."""
    n, width = run.n_y, 2 + run.n_y + run.n_z
    row = view(run.event_records, at * width, width)
    e = int(row[0])
    run.stopped_by = e
    run.events_recorded = at + 1
    run.event_scale = max(abs(run.phi0[e]), abs(run.phi_right[e]))
    _copy_ints(run.signs_left, run.signs)
    for k in range(first, at + 1):
        done = int(run.event_records[k * width])
        run.signs[done] = sign(run.phi_right[done], run.threshold[done])
    run.t_new = row[1]
    copy(view(row, 2, n), run.y1)
    status = complete(run, run.t_new, run.y1, run.z1, run.rate1)
    if status == STATUS.OK:
        status = evaluate_events(run, run.t_new, run.y1, run.z1, run.phi1)
    if status:
        return status
    # Of changes that do not count there are no records: without their signs the next one that counts would be none.
    for k in range(run.n_events):
        back = -run.directions[k]
        if back != 0 and k != e and run.stops[k] != STOP.NOTICE and sign(run.phi1[k], run.threshold[k]) == back:
            run.signs[k] = back
    return STATUS.OK
