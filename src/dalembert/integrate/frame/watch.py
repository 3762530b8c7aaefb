"""What a step must not miss: borders of tables and of other choices, looked at along the dense output.

The arguments of tables, comparisons and whole numbers are evaluated at points of an accepted step, on the bare
polynomials, which takes no evaluation of the equations.  Stages see a right side at a few instants only: a step whose
argument has passed over two borders is made again, to end between them; one over a jump is made again, to end at it.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.events.search import dense_value
from dalembert.integrate.frame.memory import STATUS, WATCH, Memory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import call_entry, compiled, kernel, view

#: Points of a step that are looked at, its end included.
_POINTS = 8
_BISECTIONS = 44
#: Part of a step that may lie beyond a jump at its end.
_BEYOND = 1e-7
#: Part of an argument, or of 1, by which it must be beyond a jump: what rests there has not crossed it.
_ROUNDING = 1e-10
_EPS = 2.220446049250313e-16


@compiled
def _arguments(run: Memory, theta: float) -> int:
    """Arguments at a fraction of the step; accelerations and multipliers are taken to change evenly."""
    n_q, n_v, n_u, n_lam = run.n_q, run.n_v, run.n_u, run.n_lam
    y, z0, z1 = run.event_y, run.z0, run.z1
    if theta == 0.0:
        copy(run.y0, y)
    elif theta == 1.0:
        copy(run.y1, y)
    else:
        dense_value(run, run.coef, theta, y)
    run.t[0] = run.t_now + theta * run.h if theta < 1.0 else run.t_new
    copy(view(y, 0, n_q), run.q)
    copy(view(y, n_q, n_v), run.v)
    copy(view(y, n_q + n_v, n_u), run.u)
    a, lam = run.a, run.lam
    for k in range(n_v):
        a[k] = (1.0 - theta) * z0[k] + theta * z1[k]
    for k in range(n_lam):
        lam[k] = (1.0 - theta) * z0[n_v + k] + theta * z1[n_v + k]
    return call_entry(run.watch_entry, 1, 0, run.inputs, run.watch_outputs, run.watch_work)


@compiled
def _place(run: Memory, j: int, x: float) -> float:
    """Number of the interval of argument j in which x is."""
    borders = run.watch_borders
    first, end = run.watch_first[j], run.watch_first[j + 1]
    period, turns = run.watch_period[j], 0.0
    if period > 0.0:
        turns = np.floor((x - borders[first]) / period)
        x -= turns * period
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if borders[middle] <= x:
            low = middle + 1
        else:
            high = middle
    place = float(low - first)
    return place if run.watch_kind[j] & WATCH.FOLDED else place + turns * (end - first)


@compiled
def _jumped(run: Memory, j: int) -> bool:
    """Whether argument j is beyond a jump, and not by rounding alone."""
    x = run.watched[j]
    aside = _ROUNDING * max(1.0, abs(x))
    start = run.watch_start[j]
    return _place(run, j, x) != start and _place(run, j, x - aside) != start and _place(run, j, x + aside) != start


@compiled
def _too_far(run: Memory, j: int) -> bool:
    """Whether argument j has passed over two borders."""
    place = _place(run, j, run.watched[j])
    return max(run.watch_high[j], place) - min(run.watch_low[j], place) > 1.0


@compiled
def _something(run: Memory) -> int:
    """What arguments have met: nothing, two borders, or a jump."""
    found = 0
    for j in range(run.n_watched):
        if run.watch_kind[j] & WATCH.JUMPS:
            if _jumped(run, j):
                return 2
        elif _too_far(run, j):
            found = 1
    return found


@kernel
def look(run: Memory) -> int:
    """Look along the step; where it has missed something, leave a shorter size in h_next and ask for another attempt.

    ``landed`` tells that the step ends at a jump.
    """
    run.landed = 0
    if _arguments(run, 0.0):
        return STATUS.RAISED
    for j in range(run.n_watched):
        place = _place(run, j, run.watched[j])
        run.watch_start[j] = run.watch_low[j] = run.watch_high[j] = place
    before = 0.0
    for point in range(1, _POINTS + 1):
        theta = point / _POINTS
        if _arguments(run, theta):
            return STATUS.RAISED
        if _something(run):
            return _shorten(run, before, theta)
        for j in range(run.n_watched):
            place = _place(run, j, run.watched[j])
            run.watch_low[j] = min(run.watch_low[j], place)
            run.watch_high[j] = max(run.watch_high[j], place)
        before = theta
    return STATUS.OK


@compiled
def _shorten(run: Memory, before: float, after: float) -> int:
    """Between two fractions of the step there is something; it shall end there."""
    for _ in range(_BISECTIONS):
        middle = 0.5 * (before + after)
        if _arguments(run, middle):
            return STATUS.RAISED
        if _something(run):
            after = middle
        else:
            before = middle
    if _arguments(run, after):
        return STATUS.RAISED
    is_jump = _something(run) == 2
    if is_jump and 1.0 - after <= _BEYOND:
        run.landed = 1
        return STATUS.OK
    size = abs(run.h) * (after * (1.0 + 0.25 * _BEYOND) if is_jump else before)
    smallest = max(64.0 * _EPS * max(abs(run.t_now), 1e-12 * abs(run.t_end - run.t_now)), run.h_min)
    if not smallest < size < abs(run.h):  # closer together than steps can be
        run.landed = 1 if is_jump else 0
        return STATUS.OK
    if is_jump and not run.landing:
        run.landing, run.h_wanted = 1, abs(run.h)
    run.h_next = size
    run.rejected += 1
    run.after_reject = 1
    return STATUS.REJECTED
