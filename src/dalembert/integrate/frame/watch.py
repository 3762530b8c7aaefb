"""What a step must not miss: borders of tables and of other choices, looked at along the dense output.

The arguments of tables, comparisons and whole numbers are evaluated at points of an accepted step, on the bare
polynomials, which takes no evaluation of the equations.  Stages see a right side at a few instants only: a step whose
argument has passed over two borders is made again, to end between them.  One over a jump is made again, to end shortly
before it, so that no stage sees the other side; a tiny step leads across, and the next one begins anew.
"""

from __future__ import annotations

import numpy as np

from dalembert.integrate.events.search import dense_value
from dalembert.integrate.frame.control import shortest_again
from dalembert.integrate.frame.memory import LANDING, STATUS, WATCH, Memory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import call_entry, compiled, kernel, view

#: Points of a step that are looked at, its end included.
_POINTS = 8
_BISECTIONS = 44
#: Part of a step that lies between its end and the jump that it shall end at, and how many of these lead across.
_SHORT, _ACROSS = 1e-9, 8.0
#: Part of an argument, or of 1, by which it must be beyond a jump: what rests there has not crossed it.
_ROUNDING = 1e-10
#: Part of a step, at its end, in which something that was not seen does little.
_LITTLE = 1e-6


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
def _jumped(run: Memory, j: int, aside: float) -> bool:
    """Whether argument j is beyond a jump, and so far beyond it."""
    x, start = run.watched[j], run.watch_start[j]
    aside *= max(1.0, abs(x))
    return _place(run, j, x) != start and _place(run, j, x - aside) != start and _place(run, j, x + aside) != start


@compiled
def _too_far(run: Memory, j: int) -> bool:
    """Whether argument j has passed over two borders."""
    place = _place(run, j, run.watched[j])
    return max(run.watch_high[j], place) - min(run.watch_low[j], place) > 1.0


@compiled
def _something(run: Memory, aside: float) -> int:
    """What arguments have met: nothing, two borders, or a jump that they are so far beyond."""
    found = 0
    for j in range(run.n_watched):
        if run.watch_kind[j] & WATCH.JUMPS:
            if _jumped(run, j, aside):
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
        if _something(run, 0.0 if run.landing == LANDING.ACROSS else _ROUNDING):
            return _shorten(run, before, theta)
        for j in range(run.n_watched):
            place = _place(run, j, run.watched[j])
            run.watch_low[j] = min(run.watch_low[j], place)
            run.watch_high[j] = max(run.watch_high[j], place)
        before = theta
    return _look_at_end(run) if run.unseen > 0.0 else STATUS.OK


@compiled
def _look_at_end(run: Memory) -> int:
    """A border in the part that the method has not seen: the step shall end there, but for a little."""
    before, after = 1.0 - run.unseen, 1.0 - _LITTLE
    if _arguments(run, before):
        return STATUS.RAISED
    for j in range(run.n_watched):
        run.watch_start[j] = _place(run, j, run.watched[j])
    if _arguments(run, after):
        return STATUS.RAISED
    if not _moved(run):
        return STATUS.OK
    for _ in range(_BISECTIONS):
        middle = 0.5 * (before + after)
        if _arguments(run, middle):
            return STATUS.RAISED
        if _moved(run):
            after = middle
        else:
            before = middle
    run.h_next = abs(run.h) * after
    run.rejected += 1
    run.after_reject = 1
    return STATUS.REJECTED


@compiled
def _moved(run: Memory) -> bool:
    """Whether an argument is in another interval."""
    for j in range(run.n_watched):
        if _place(run, j, run.watched[j]) != run.watch_start[j]:
            return True
    return False


@compiled
def _shorten(run: Memory, before: float, after: float) -> int:
    """Between two fractions of the step there is something; it shall end there."""
    for _ in range(_BISECTIONS):
        middle = 0.5 * (before + after)
        if _arguments(run, middle):
            return STATUS.RAISED
        if _something(run, 0.0):
            after = middle
        else:
            before = middle
    if _arguments(run, after):
        return STATUS.RAISED
    smallest = shortest_again(run)
    size = abs(run.h) * before
    if _something(run, 0.0) == 2:
        if run.landing == LANDING.ACROSS:
            run.landed = 1
            return STATUS.OK
        if run.landing == LANDING.NO:
            run.h_wanted = abs(run.h)
        short = max(_SHORT * run.h_wanted, smallest)
        run.h_across = _ACROSS * short
        near = size <= 0.5 * run.h_across
        run.landing = LANDING.ACROSS if near else LANDING.BEFORE
        size = run.h_across if near else size - short
    elif not smallest < size:  # closer together than steps can be
        return STATUS.OK
    run.h_next = size
    run.rejected += 1
    run.after_reject = 1
    return STATUS.REJECTED
