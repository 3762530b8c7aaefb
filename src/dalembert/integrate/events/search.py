"""Events inside a step: sign changes of switching functions, located on the projected dense output.

mexx, section 2.5 and (4.1): the signs are compared at check points within the step; a function counts only where its
size exceeds a threshold.  Roots are bracketed and found on the dense output with projection, so that what is reported
satisfies the constraints.

Two roots between check points would cancel.  So wherever three neighbouring values bend so much that the function may
reach zero between them, a value in the middle is compared with the parabola through them: if that does not fit, there
is a further check point, and so on; if it does, and the parabola has its extremum there, the extremum is looked for,
and where it lies beyond zero it is a check point.  Likewise a root that stops the run is taken for the first one in its
piece only if the middle between that and the root fits.

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
#: Steps that are computed with less than this part of the error that is allowed, and are longer than that part of the
#: rest of the run, which are few, have so many check points at least: the motion is simple there, what it is compared
#: with need not be.
_EXACT, _LONG, _LONG_CHECKS = 1e-3, 1.0 / 64.0, 32
#: Check points that a step may get besides, and how close to each other, in parts of the usual distance: what is found
#: within a step must fit into the records.
_MORE_CHECKS, _CLOSEST = 32, 1.0 / 64.0
#: Part of the smallest value by which the middle of a piece may differ from the parabola through the points around.
_ROUGH = 0.25
#: Part of the smallest value that must be left at the extremum of a parabola, so that it is not looked for.
_CLEAR = 0.5
_EXTREMUM_ITERATIONS = 8
#: Part of a bracket by which points differ from those that it has.
_APART = 1e-3
#: Part of the sizes of the mechanism along which differences tell how a function changes, and what of them is noise.
_DIFFERENCE, _DIFFERENCE_NOISE = 1e-6, 1e-8


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
            if run.origin == ORIGIN.CHANGED and abs(phi0[e]) <= near:
                new = 0
                if run.directions[e] == 0 and run.stops[e] == STOP.ACT:
                    status, new = _side(run, e)
                    if status:
                        return status
            signs[e] = new
        elif acted and new != sign(before[e], threshold[e]):
            signs[e] = new  # the action has changed it
    return STATUS.OK


@compiled
def _side(run: Memory, e: int) -> tuple[int, int]:
    """A status, and the side of its root to which switching function e leaves y0; 0 if that cannot be told.

    Its rate is the sum of those by q, by v, by u and by t, each from a difference over a part of the sizes there are:
    a velocity that is next to nothing tells its direction as well.  How accelerations and multipliers change nobody
    knows.
    """
    y, z, phi = run.event_y, run.event_z, run.phi
    copy(run.y0, y)
    for k in range(z.size):
        z[k] = (1.0 + _DIFFERENCE) * run.z0[k]
    status = evaluate_events(run, run.t_now, y, z, phi)
    if status or phi[e] != run.phi0[e]:
        return status, 0
    copy(run.z0, z)
    total = noise = 0.0
    for part in range(4):
        first = 0 if part == 0 else (run.n_q if part == 1 else run.n_q + run.n_v)
        end = run.n_q if part == 0 else (run.n_q + run.n_v if part == 1 else (run.n_y if part == 2 else first))
        size = 1.0 / run.time_scale if part == 3 else 0.0
        for k in range(first, end):
            size = max(size, abs(run.rate0[k]) / run.scale[k])
        if not 0.0 < size < np.inf:
            continue
        way = run.direction * _DIFFERENCE / size
        for k in range(first, end):
            y[k] = run.y0[k] + way * run.rate0[k]
        status = evaluate_events(run, run.t_now + way if part == 3 else run.t_now, y, z, phi)
        if status:
            return status, 0
        copy(run.y0, y)
        change = (phi[e] - run.phi0[e]) / abs(way)
        total += change
        noise += _DIFFERENCE_NOISE * abs(change)
    return STATUS.OK, sign(total, noise)


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
    phi = run.phi
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
    phi, near = run.phi, _near(run)
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
def _excursion(run: Memory, e: int, before: float, after: float, side: int) -> tuple[float, float, float, float]:
    """Fraction of the step, and value there, at which switching function e is on the given side shortly after
    ``before``; and the same of the first point behind that at which it is known to be on the other one.

    The first value is zero if there is no such point that rounding would not explain; the first fraction is minus a
    status after a failure.
    """
    phi = run.phi
    noise = max(run.threshold[e], 1e-12 * run.event_scale)
    part = after - before
    high, value_high = after, run.phi_right[e]
    for _ in range(60):
        part *= 0.5
        status = _evaluate(run, before + part, False, phi)
        if status:
            return -float(status), 0.0, high, value_high
        found = sign(phi[e], noise)
        if found == side:
            return before + part, phi[e], high, value_high
        if found == -side:
            high, value_high = before + part, phi[e]
    return before, 0.0, high, value_high


# -------------------------------------------------------------------------------------- what is between check points


# Values are known at three points: at both ends of the piece that is searched, and ahead of it.  What is ahead becomes
# the piece later on, unless it ends the step: ``last`` asks for that one.


@compiled
def _side_of(run: Memory, e: int, last: bool) -> int:
    """The side of zero on which switching function e stands at both ends of a piece; 0 if it changes there, or nobody
    asks within steps. One that has just acted stands at zero on the left."""
    right = sign(run.phi_right[e], run.threshold[e])
    left = sign(run.phi1[e], run.threshold[e]) if last else run.signs[e]
    alike = left == right or (left == 0 and not last)
    return right if alike and run.stops[e] != STOP.NOTICE else 0


@compiled
def _bend(run: Memory, e: int, before: float, after: float, ahead: float) -> float:
    """Second divided difference of switching function e, half of its second derivative."""
    left = (run.phi_right[e] - run.phi0[e]) / (after - before)
    return ((run.phi1[e] - run.phi_right[e]) / (ahead - after) - left) / (ahead - before)


@compiled
def _least(run: Memory, e: int, side: int, last: bool) -> float:
    """How close to zero switching function e is at the ends of a piece."""
    right, other = side * run.phi_right[e], side * (run.phi1[e] if last else run.phi0[e])
    return min(right, other) if other > run.threshold[e] else right


@compiled
def _may_reach(run: Memory, e: int, before: float, after: float, ahead: float, last: bool) -> bool:
    """Whether switching function e bends so much that it may reach zero in a piece with the same sign at its ends.

    A parabola goes beyond the smaller of its values at two points with the distance d by a quarter of bend · d² at
    most.
    """
    side = _side_of(run, e, last)
    if side == 0:
        return False
    width = max(after - before, ahead - after)
    return _least(run, e, side, last) < abs(_bend(run, e, before, after, ahead)) * width * width


@compiled
def _is_rough(run: Memory, e: int, before: float, after: float, ahead: float, last: bool, theta: float) -> bool:
    """Whether switching function e, with its value at theta in ``phi``, is no parabola as far as zero is concerned."""
    side, value = _side_of(run, e, last), run.phi[e]
    if sign(value, run.threshold[e]) == -side:
        return True
    slope = (run.phi_right[e] - run.phi0[e]) / (after - before)
    bend = _bend(run, e, before, after, ahead)
    parabola = run.phi0[e] + (theta - before) * (slope + bend * (theta - after))
    return abs(value - parabola) > _ROUGH * min(_least(run, e, side, last), abs(value))


@compiled
def _vertex(low: float, at_low: float, middle: float, at_middle: float, high: float, at_high: float) -> float:
    """Where the parabola through three points has its extremum; not a number where it has none."""
    left, right = (at_middle - at_low) / (middle - low), (at_high - at_middle) / (high - middle)
    return 0.5 * (low + middle) - 0.5 * left * (high - low) / (right - left) if right != left else np.nan


@compiled
def _extremum(run: Memory, e: int, before: float, after: float, ahead: float, last: bool) -> float:
    """Fraction of the step at which switching function e is beyond zero, between points at which it is not; 0 if there
    is none, minus a status after a failure."""
    bare, side, phi = run.n_coef_z > 0, _side_of(run, e, last), run.phi
    low, middle, high = before, after, ahead
    x, y, z = side * run.phi0[e], side * run.phi_right[e], side * run.phi1[e]
    theta = _vertex(low, x, middle, y, high, z)
    if not _bend(run, e, before, after, ahead) * side > 0.0 or not low < theta < high:
        return 0.0
    if last or not (y < x and y < z):  # at the ends of the step nothing else brackets it
        if last and theta > after:
            low, x = middle, y
        elif not last and before == 0.0 and x > run.threshold[e] and theta < after:
            high, z = middle, y
        else:
            return 0.0
        status = _evaluate(run, theta, bare, phi)
        if status:
            return -float(status)
        middle, y = theta, side * phi[e]
        if y < -run.threshold[e]:
            return theta
        if not (y < x and y < z):
            return 0.0
    for _ in range(_EXTREMUM_ITERATIONS):
        theta = _vertex(low, x, middle, y, high, z)
        slope = (y - x) / (middle - low)
        bend = ((z - y) / (high - middle) - slope) / (high - low)
        if not low < theta < high or x + (theta - low) * (slope + bend * (theta - middle)) > _CLEAR * y:
            return 0.0
        aside = _APART * (high - low)
        if abs(theta - middle) < aside:
            theta = middle + (aside if high - middle > middle - low else -aside)
        status = _evaluate(run, theta, bare, phi)
        if status:
            return -float(status)
        value = side * phi[e]
        if value < -run.threshold[e]:
            return theta
        if value < y:
            if theta < middle:
                high, z = middle, y
            else:
                low, x = middle, y
            middle, y = theta, value
        elif theta < middle:
            low, x = theta, value
        else:
            high, z = theta, value
    return 0.0


@compiled
def _between(run: Memory, before: float, after: float, ahead: float, closest: float) -> float:
    """Fraction of the step at which it is to be looked at besides, up to the point ahead; 0 if there is none, minus a
    status after a failure. The values there are left in ``phi``."""
    bare, first = run.n_coef_z > 0, 0.0
    for last in (False, True):
        near = False
        for e in range(run.n_events if ahead == 1.0 or not last else 0):
            near |= _may_reach(run, e, before, after, ahead, last)
        if not near:
            continue
        low, high = (after, ahead) if last else (before, after)
        if high - low >= 2.0 * closest:
            middle = 0.5 * (low + high)
            status = _evaluate(run, middle, bare, run.phi)
            if status:
                return -float(status)
            for e in range(run.n_events):
                near = _may_reach(run, e, before, after, ahead, last)
                if near and _is_rough(run, e, before, after, ahead, last, middle):
                    return middle
        for e in range(run.n_events):
            if _may_reach(run, e, before, after, ahead, last):
                theta = _extremum(run, e, before, after, ahead, last)
                if theta < 0.0:
                    return theta
                if theta > 0.0 and (first == 0.0 or theta < first):
                    first = theta
        if first > 0.0:
            status = _evaluate(run, first, bare, run.phi)
            return -float(status) if status else first
    return 0.0


# ------------------------------------------------------------------------------------------------ the search


@compiled
def most_events(n_events: int, n_checks: int) -> int:
    """Events that a step may leave in the records."""
    return n_events * (max(n_checks, _LONG_CHECKS) + _MORE_CHECKS)


@kernel
def find_events(run: Memory) -> int:
    """Record all events of the last step in order of time; one that stops the run cuts the step (t_new, y1, z1, rate1).

    Returns an outcome; ``stopped_by`` is the event that stops the run at t_new, or −1. Records are (event, t, y, z).
    Where it is not OK, the step will be made again and nothing of it has happened.
    """
    recorded, stopped_by = run.events_recorded, run.stopped_by
    copy(run.phi0, run.phi_before)
    _copy_ints(run.signs, run.signs_before)
    _copy_ints(run.countdown, run.countdown_before)
    status = _search(run)
    if status:
        run.events_recorded, run.stopped_by = recorded, stopped_by
        copy(run.phi_before, run.phi0)
        _copy_ints(run.signs_before, run.signs)
        _copy_ints(run.countdown_before, run.countdown)
    return status


@compiled
def _copy_ints(source: Ints, target: Ints) -> None:
    for k in range(target.size):
        target[k] = source[k]


@compiled
def _check_points(run: Memory) -> int:
    """How many check points the step has."""
    long = run.error < _EXACT and abs(run.h) > _LONG * abs(run.t_end - run.t_now) and run.h_fixed == 0.0
    return max(run.n_checks, _LONG_CHECKS) if long and run.n_checks > 1 else run.n_checks


@compiled
def _next_check(theta: float, checks: int) -> float:
    """The first of the check points behind a fraction of the step."""
    return (int(theta * checks + 1e-9) + 1) / checks


@compiled
def _search(run: Memory) -> int:
    """Piece by piece between the check points of the step."""
    interpolated = run.keep_dense or run.n_watched > 0 or run.n_checks > 1
    left = run.stopped_by if run.origin == ORIGIN.CHANGED else -1  # the event whose action the step begins with
    run.stopped_by = -1
    checks = _check_points(run)
    before, after, ahead, more = 0.0, _next_check(0.0, checks), 0.0, _MORE_CHECKS
    status = _look(run, after, run.phi_right)
    for _ in range(checks + 2 * _MORE_CHECKS):
        if status == STATUS.OK:
            status = _ascertain(run, after)
        if status:
            return status
        if after < 1.0 and more > 0 and not _stops_within(run):
            if ahead == 0.0:
                ahead = _next_check(after, checks)
                status = _look(run, ahead, run.phi1)
                if status:
                    return status
            theta = _between(run, before, after, ahead, _CLOSEST / checks)
            if theta < 0.0:
                return int(-theta)
            if theta > 0.0:
                more -= 1
                if theta < after:
                    ahead, after = after, theta
                    copy(run.phi_right, run.phi1)
                    copy(run.phi, run.phi_right)
                    continue
                ahead = theta
                copy(run.phi, run.phi1)
        first = run.events_recorded
        _copy_ints(run.signs, run.signs_left)
        for e in range(run.n_events):
            new = sign(run.phi_right[e], run.threshold[e])
            if new == 0 or new == run.signs[e]:
                continue
            if run.stops[e] == STOP.NOTICE:
                if after == 1.0:
                    _notice(run, e, new, first)
                continue
            if not interpolated:
                status = interpolate_step(run)
                if status:
                    return status
                interpolated = True
            old, run.signs[e] = run.signs[e], new
            status = _sign_change(run, e, old, before, after, first, e == left and before == 0.0)
            if status:
                return status
        stop = _first_stop(run, first)
        if stop >= 0:
            theta = _before_stop(run, stop, before, after, _CLOSEST / checks) if more > 0 and checks > 1 else 0.0
            if theta < 0.0:
                return int(-theta)
            if theta == 0.0:
                return STATUS.REJECTED if _too_early(run, stop) else _cut(run, first, stop)
            more -= 1
            _take_back(run, first, stop)
            ahead, after = after, theta
            copy(run.phi_right, run.phi1)
            copy(run.phi, run.phi_right)
            continue
        copy(run.phi_right, run.phi0)
        if after == 1.0:
            break
        if ahead > 0.0:
            before, after, ahead = after, ahead, 0.0
            copy(run.phi1, run.phi_right)
        else:
            before, after = after, _next_check(after, checks)
            status = _look(run, after, run.phi_right)
    return status


@compiled
def _look(run: Memory, theta: float, phi: Reals) -> int:
    """Switching functions at a check point."""
    if theta < 1.0:
        return _evaluate(run, theta, run.n_coef_z > 0, phi)
    copy(run.y1, run.event_y)
    copy(run.z1, run.event_z)
    return evaluate_events(run, run.t_new, run.event_y, run.event_z, phi)


@compiled
def _ascertain(run: Memory, after: float) -> int:
    """Values at the right end of the piece that were found on bare polynomials, with projection if a sign has changed:
    where constraints hold, functions of them vanish on projected points only."""
    if run.n_coef_z and after < 1.0:
        for e in range(run.n_events):
            new = sign(run.phi_right[e], run.threshold[e])
            if new != 0 and new != run.signs[e]:
                return _evaluate(run, after, False, run.phi_right)
    return STATUS.OK


@compiled
def _stops_within(run: Memory) -> bool:
    """Whether a change of sign in the piece acts or ends the run, so that nobody needs to know what is behind it."""
    for e in range(run.n_events):
        new = sign(run.phi_right[e], run.threshold[e])
        ends = run.stops[e] == STOP.TERMINATE and run.countdown[e] <= 1
        if (run.stops[e] == STOP.ACT or ends) and new != 0 and new != run.signs[e] and run.directions[e] in (0, new):
            return True
    return False


@compiled
def _sign_change(run: Memory, e: int, old: int, before: float, after: float, first: int, left: bool) -> int:
    """Function e has got another sign between two fractions of the step: find the root and record it, if it counts.

    ``left`` tells that the piece begins at a root of e, where it has acted.
    """
    new, right = run.signs[e], run.phi_right[e]
    low, low_value = before, run.phi0[e]
    if old == 0:
        if run.stops[e] != STOP.ACT or run.directions[e] == -new:
            return STATUS.OK  # it began at zero and leaves
        # It has just acted and is beyond its root once more: look for the excursion in between.
        low, low_value, after, right = _excursion(run, e, before, after, -new)
        if low < 0.0:
            return int(-low)
        if low_value == 0.0 and run.directions[e] == 0:
            return STATUS.OK
    elif run.directions[e] != 0 and new != run.directions[e]:
        return STATUS.OK
    elif left:
        # It has left its root to the other side, as its rate has told, and is back: at once, if nothing is seen of it.
        low, low_value, after, right = _excursion(run, e, before, after, old)
        if low < 0.0:
            return int(-low)
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
    for _ in range(at - first):
        if not run.h * (records[(at - 1) * width + 1] - t) > 0.0:
            break
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
def _before_stop(run: Memory, at: int, before: float, after: float, closest: float) -> float:
    """Fraction of the step at which it is to be looked at before the stop of record ``at``, which may not be the first
    root in its piece; 0 if there is none, minus a status after a failure. The values there are left in ``phi``."""
    width = 2 + run.n_y + run.n_z
    e, theta = int(run.event_records[at * width]), (run.event_records[at * width + 1] - run.t_now) / run.h
    if theta - before < 2.0 * closest:
        return 0.0
    middle, bend = 0.5 * (before + theta), 0.0
    status = _evaluate(run, middle, run.n_coef_z > 0, run.phi)
    if status:
        return -float(status)
    value, left, right = run.phi[e], run.phi0[e], run.phi_right[e]
    slope = -left / (theta - before)
    if after > theta:
        bend = (right / (after - theta) - slope) / (after - before)
    parabola = left + (middle - before) * (slope + bend * (middle - theta))
    return middle if value * right > 0.0 or abs(value - parabola) > _ROUGH * abs(value) else 0.0


@compiled
def _take_back(run: Memory, first: int, at: int) -> None:
    """The records from ``first`` on, the one that would stop the run included, shall be found anew."""
    width = 2 + run.n_y + run.n_z
    for k in range(first, at + 1):
        e = int(run.event_records[k * width])
        if run.stops[e] == STOP.TERMINATE:
            run.countdown[e] += 1
    run.events_recorded = first
    _copy_ints(run.signs_left, run.signs)


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
