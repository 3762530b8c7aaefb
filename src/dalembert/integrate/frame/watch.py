"""What a step must not miss: borders of tables and of other choices, looked at along the dense output.

The arguments of tables, comparisons and whole numbers are evaluated at points of an accepted step, on the bare
polynomials, which takes no evaluation of the equations.  Stages see a right side at a few instants only: a step whose
argument has passed over two borders is made again, to end in the middle between them, where what is there is seen.  One
over a jump is made again, to end shortly before it, so that no stage sees the other side; a tiny step leads across, and
the next one begins anew.  Methods that may not evaluate right sides in a part of the step at all, but for its start or
its end, are looked after there: a border that matters is made the end of the step.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.events.search import dense_value
from dalembert.integrate.frame.control import error_norm, shortest_again
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import LANDING, STATUS, WATCH, Memory
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import call_entry, compiled, kernel, view

#: Points of a step that are looked at, its end included.
POINTS = 8
BISECTIONS = 44
#: Borders that are looked at in a part of a step that the method has not seen.
_BORDERS = 8
#: Part of a step that lies between its end and the jump that it shall end at, and how many of these lead across.
_SHORT, _ACROSS = 1e-9, 8.0
#: Part of an argument, or of what it is measured by, by which it must be beyond a border: what rests there has not
#: crossed it.
_ROUNDING = 1e-10
#: Part of an interval beside its ends in which a step that starts there has seen nothing of the interval.
_EDGE = 0.01
#: Part of a step, at its ends, in which something that was not seen does little.
_LITTLE = 1e-6
#: Part of the tolerance that it may amount to.
_ALLOWED = 0.1
#: Part of a step beside a border in which it is not sure on which side rounding lets the right sides be.
_ASIDE = 1e-3


@compiled
def arguments_at(run: Memory, t: float) -> int:
    """Arguments at the point in ``event_y``."""
    n_q, n_v, y = run.n_q, run.n_v, run.event_y
    run.t[0] = t
    copy(view(y, 0, n_q), run.q)
    copy(view(y, n_q, n_v), run.v)
    copy(view(y, n_q + n_v, run.n_u), run.u)
    return call_entry(run.watch_entry, 1, 0, run.inputs, run.watch_outputs, run.watch_work)


@compiled
def _arguments(run: Memory, theta: float) -> int:
    """Arguments at a fraction of the step; accelerations and multipliers are taken to change evenly."""
    n_v, n_lam = run.n_v, run.n_lam
    y, z0, z1 = run.event_y, run.z0, run.z1
    if theta == 0.0:
        copy(run.y0, y)
    elif theta == 1.0:
        copy(run.y1, y)
    else:
        dense_value(run, run.coef, theta, y)
    a, lam = run.a, run.lam
    for k in range(n_v):
        a[k] = (1.0 - theta) * z0[k] + theta * z1[k]
    for k in range(n_lam):
        lam[k] = (1.0 - theta) * z0[n_v + k] + theta * z1[n_v + k]
    return arguments_at(run, run.t_now + theta * run.h if theta < 1.0 else run.t_new)


@compiled
def _turns(run: Memory, j: int, x: float) -> float:
    """Whole periods of argument j before x."""
    period = run.watch_period[j]
    return np.floor((x - run.watch_borders[run.watch_first[j]]) / period) if period > 0.0 else 0.0


@compiled
def _below(run: Memory, j: int, x: float) -> int:
    """How many borders of argument j, within the period of x, are not above x."""
    borders, first, end = run.watch_borders, run.watch_first[j], run.watch_first[j + 1]
    x -= _turns(run, j, x) * run.watch_period[j]
    low, high = first, end
    for _ in range(first, end):
        if low == high:
            break
        middle = (low + high) // 2
        if borders[middle] <= x:
            low = middle + 1
        else:
            high = middle
    return low - first


@compiled
def place_of(run: Memory, j: int, x: float) -> float:
    """Number of the interval of argument j in which x is."""
    place = float(_below(run, j, x))
    if run.watch_kind[j] & WATCH.FOLDED:
        return place
    return place + _turns(run, j, x) * (run.watch_first[j + 1] - run.watch_first[j])


@compiled
def _edge(run: Memory, j: int, x: float) -> float:
    """How close to an end of its interval x has seen nothing of it; 0 where the interval has no other end."""
    first, n = run.watch_first[j], run.watch_first[j + 1] - run.watch_first[j]
    borders, period, k = view(run.watch_borders, first, n), run.watch_period[j], _below(run, j, x)
    if run.watch_kind[j] & WATCH.FOLDED:  # its ends are not passed
        return 0.0
    if period > 0.0 and k == n:
        return _EDGE * (borders[0] + period - borders[n - 1])
    return _EDGE * (borders[k] - borders[k - 1]) if 0 < k < n else 0.0


@compiled
def _beyond(run: Memory, j: int, aside: float) -> bool:
    """Whether argument j is beyond a border, and so far beyond it."""
    x, start = run.watched[j], run.watch_start[j]
    aside *= max(run.watch_scale[j], abs(x))
    return (
        place_of(run, j, x) != start and place_of(run, j, x - aside) != start and place_of(run, j, x + aside) != start
    )


@compiled
def _hides(run: Memory, j: int) -> bool:
    """Whether something lies between borders of argument j: one border alone cannot be passed twice."""
    return run.watch_first[j + 1] - run.watch_first[j] > 1 or run.watch_period[j] > 0.0


@compiled
def _too_far(run: Memory, j: int) -> bool:
    """Whether argument j has passed over two borders."""
    if not _hides(run, j):
        return False
    place = place_of(run, j, run.watched[j])
    return max(run.watch_high[j], place) - min(run.watch_low[j], place) > 1.0


@compiled
def _something(run: Memory, aside: float) -> int:
    """What arguments have met: nothing, two borders, or a jump that they are so far beyond."""
    found = 0
    for j in range(run.n_watched):
        if run.watch_kind[j] & WATCH.JUMPS:
            if _beyond(run, j, aside):
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
        x = run.watched[j]
        place = run.watch_start[j] = place_of(run, j, x)
        if not _hides(run, j):
            continue
        edge = _edge(run, j, x)
        # An interval that lies beside may be much shorter than the edge: one counts.
        run.watch_low[j] = place if place_of(run, j, x - edge) == place else place - 1.0
        run.watch_high[j] = place if place_of(run, j, x + edge) == place else place + 1.0
    if run.landing == LANDING.ACROSS:
        if _arguments(run, 1.0):
            return STATUS.RAISED
        run.landed = 1 if moved_on(run, 0.0) else 0
    before = 0.0
    for point in range(1, POINTS + 1 if run.watch_between else 1):
        theta = point / POINTS
        if _arguments(run, theta):
            return STATUS.RAISED
        if _something(run, _ROUNDING if run.landing == LANDING.NO else 0.0):
            return _shorten(run, before, theta)
        for j in range(run.n_watched):
            if not _hides(run, j):
                continue
            place = place_of(run, j, run.watched[j])
            run.watch_low[j] = min(run.watch_low[j], place)
            run.watch_high[j] = max(run.watch_high[j], place)
        before = theta
    status = _look_at_part(run, _LITTLE, run.unseen_first) if run.unseen_first > 0.0 else STATUS.OK
    if status == STATUS.OK and run.unseen_last > 0.0:
        status = _look_at_part(run, 1.0 - run.unseen_last, 1.0 - _LITTLE)
    return status


@compiled
def _look_at_part(run: Memory, before: float, after: float) -> int:
    """The first border that matters in a part that the method has not seen: the step shall end there, but for a
    little."""
    end = after
    for _ in range(_BORDERS):
        if _arguments(run, before):
            return STATUS.RAISED
        for j in range(run.n_watched):
            run.watch_start[j] = place_of(run, j, run.watched[j])
        if _arguments(run, end):
            return STATUS.RAISED
        if not moved_on(run, _ROUNDING):
            return STATUS.OK
        after = end
        for _ in range(BISECTIONS):
            middle = 0.5 * (before + after)
            if _arguments(run, middle):
                return STATUS.RAISED
            if moved_on(run, 0.0):
                after = middle
            else:
                before = middle
        status = _missed(run, before, after)
        if status == STATUS.RAISED:
            return status
        size = abs(run.h) * after
        if status != STATUS.OK and shortest_again(run) < size and after < 1.0 - _LITTLE:  # it does not end there yet
            run.h_next = size
            run.rejected += 1
            run.after_reject = 1
            return STATUS.REJECTED
        before = after
    return STATUS.OK


@compiled
def _missed(run: Memory, before: float, after: float) -> int:
    """Whether a border between two fractions of the step matters: rates of the side that was not seen, as long as that
    lasts, change more than the tolerance allows."""
    first = after <= run.unseen_first
    if _arguments(run, after + _ASIDE if first else before - _ASIDE):
        return STATUS.RAISED
    load(run, run.t[0], run.event_y)
    status = rate(run, STAGE.T, run.event_rate)
    if status:
        return status
    change, seen = run.event_rate, run.rate0 if first else run.rate1
    for k in range(change.size):
        change[k] -= seen[k]
    part = after if first else 1.0 - before
    return STATUS.OK if part * abs(run.h) * error_norm(run, change) <= _ALLOWED else STATUS.REJECTED


@compiled
def moved_on(run: Memory, aside: float) -> bool:
    """Whether an argument is in another interval, and so far inside of it."""
    for j in range(run.n_watched):
        if _beyond(run, j, aside):
            return True
    return False


@compiled
def _entered(run: Memory, end: float) -> float:
    """The fraction of the step at which the argument that passes over a second border there has passed over the one
    before; 0 where it has started beyond it, -1 after an exception."""
    j = 0
    for _ in range(run.n_watched - 1):
        if not run.watch_kind[j] & WATCH.JUMPS and _too_far(run, j):
            break
        j += 1
    if _arguments(run, end):
        return -1.0
    place = place_of(run, j, run.watched[j])
    if place == run.watch_start[j]:
        return 0.0
    before, after = 0.0, end
    for _ in range(BISECTIONS):
        middle = 0.5 * (before + after)
        if _arguments(run, middle):
            return -1.0
        if place_of(run, j, run.watched[j]) == place:
            after = middle
        else:
            before = middle
    return after


@compiled
def _shorten(run: Memory, before: float, after: float) -> int:
    """Between two fractions of the step there is something; it shall end there."""
    for _ in range(BISECTIONS):
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
    else:
        entered = _entered(run, before)
        if entered < 0.0:
            return STATUS.RAISED
        size *= 0.5 * (entered / before + 1.0) if before > 0.0 else 0.0
        if not smallest < size:  # closer together than steps can be
            return STATUS.OK
    run.h_next = size
    run.rejected += 1
    run.after_reject = 1
    return STATUS.REJECTED
