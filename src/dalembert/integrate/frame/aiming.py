"""Borders at which right sides jump, found by attempts that were rejected for them.

A force that jumps where an argument passes a border, such as that of a damper below a wheel at the edge of a bump, is
no jump of what is compared: nobody has told of it.  Control of errors alone creeps up to it by steps that shrink and
grow again, ten or twenty times.  So an attempt whose error is too large is looked at, along the parabola through its
start, with the rates there, and its end: if right sides on both sides of a border differ by more than the tolerance
allows for the rest of the attempt, the next one ends shortly before the border, and a small step leads across, as at
jumps that are known (:mod:`~dalembert.integrate.frame.watch`).  It is as long as what jumps may last unseen.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.frame.control import error_norm, shortest_again
from dalembert.integrate.frame.formalism import load, rate
from dalembert.integrate.frame.memory import LANDING, STATUS, Memory
from dalembert.integrate.frame.watch import BISECTIONS, POINTS, arguments_at, moved_on, place_of
from dalembert.linalg.vector_operations import clear, copy
from dalembert.native.kernel import compiled, kernel

#: Part of the attempt beside the border at which its sides are compared.
_ASIDE = 1e-8
#: Part of the tolerance that a jump may amount to.
_ALLOWED = 0.1
#: Factor of the first step behind a border that is made again: what begins there is not as smooth as its order says.
_FRESH = 0.5
#: Part of the attempt that the border may be closer than it seems: its end was wrong, after all.
_UNSURE = 5e-3
#: The border is looked for within so many of the small steps across, or this part of the step before; at most so many
#: of them are taken at once.
_AHEAD, _AHEAD_OF_STEP, _AT_ONCE = 64.0, 0.1, 4.0
#: The step across is no longer than this part of the way to the border, and of what was wanted.
_LONGEST = 0.01


@compiled
def _tried_at(run: Memory, theta: float, bend: float) -> int:
    """Arguments at a fraction of the attempt, with accelerations and multipliers of its start; on the parabola, or on
    its tangent where bend is 0."""
    y0, y1, slope, y, h = run.y0, run.y1, run.rate0, run.event_y, run.h
    for k in range(y.size):
        y[k] = y0[k] + theta * (h * slope[k] + bend * theta * (y1[k] - y0[k] - h * slope[k]))
    return arguments_at(run, run.t_now + theta * h)


@compiled
def _jump(run: Memory, before: float, after: float, bend: float) -> float:
    """How much rates differ between two fractions of the attempt, in units of the tolerance; −1 after an exception."""
    change = run.event_rate
    clear(change)
    for side in range(2):
        theta = before - _ASIDE if side == 0 else after + _ASIDE
        if _tried_at(run, theta, bend):
            return -1.0
        load(run, run.t_now + theta * run.h, run.event_y)
        status = rate(run, STAGE.T, run.event_y)
        if status:
            return -1.0 if status == STATUS.RAISED else 0.0
        for k in range(change.size):
            change[k] = run.event_y[k] - change[k]
    size = error_norm(run, change)
    return size if size < np.inf else 0.0


@compiled
def _first_border(run: Memory, bend: float) -> tuple[float, float]:
    """Fractions of the attempt before and behind the first border; both 0 where there is none, or −1 after an
    exception."""
    before = 0.0
    for point in range(1, POINTS + 1):
        after = point / POINTS
        if _tried_at(run, after, bend):
            return -1.0, -1.0
        if moved_on(run, 0.0):
            for _ in range(BISECTIONS):
                middle = 0.5 * (before + after)
                if _tried_at(run, middle, bend):
                    return -1.0, -1.0
                if moved_on(run, 0.0):
                    after = middle
                else:
                    before = middle
            return before, after
        before = after
    return 0.0, 0.0


@kernel
def aim(run: Memory) -> int:
    """After an attempt that was rejected: let the next one end before a border, if the border is to blame."""
    size = abs(run.h)
    if run.landing != LANDING.NO:
        run.landing, run.h_next = LANDING.NO, min(run.h_next, run.h_wanted)
    copy(run.z0, run.a)
    if _tried_at(run, 0.0, 0.0):
        return STATUS.RAISED
    for j in range(run.n_watched):
        run.watch_start[j] = place_of(run, j, run.watched[j])
    for bend in (1.0, 0.0):
        before, after = _first_border(run, bend)
        if after < 0.0:
            return STATUS.RAISED
        if after > 0.0:
            jump = _jump(run, before, after, bend)
            if jump < 0.0:
                return STATUS.RAISED
            if jump * size > _ALLOWED:  # stages see all of it, however close to the end
                _end_before(run, before * size, jump)
                return STATUS.OK
    if run.fresh:
        run.h_next *= _FRESH
    return STATUS.OK


@compiled
def _end_before(run: Memory, way: float, jump: float) -> None:
    """Let the next attempt end shortly before a jump so far away, or across it."""
    run.h_wanted = run.h_next
    run.h_across = max(min(_ALLOWED / jump, _LONGEST * min(way, run.h_wanted)), 16.0 * shortest_again(run))
    near = way <= run.h_across
    run.landing = LANDING.ACROSS if near else LANDING.BEFORE
    run.h_next = run.h_across if near else way - min(max(0.5 * run.h_across, _UNSURE * abs(run.h)), 0.5 * way)


@compiled
def _ahead(run: Memory, way: float) -> int:
    """Arguments so far behind the end of the step, along the rates there."""
    y1, slope, y = run.y1, run.rate1, run.event_y
    for k in range(y.size):
        y[k] = y1[k] + way * slope[k]
    return arguments_at(run, run.t_new + way)


@kernel
def approach(run: Memory) -> int:
    """After a step that was to end before a border: the step across is as long as it has to be, or another one leads
    closer."""
    copy(run.z1, run.a)
    if _ahead(run, 0.0):
        return STATUS.RAISED
    for j in range(run.n_watched):
        run.watch_start[j] = place_of(run, j, run.watched[j])
    before, after = 0.0, max(_AHEAD * run.h_across, _AHEAD_OF_STEP * abs(run.h))
    if _ahead(run, run.direction * after):
        return STATUS.RAISED
    if not moved_on(run, 0.0):
        return STATUS.OK
    for _ in range(BISECTIONS):
        middle = 0.5 * (before + after)
        if _ahead(run, run.direction * middle):
            return STATUS.RAISED
        if moved_on(run, 0.0):
            after = middle
        else:
            before = middle
    if after <= _AT_ONCE * run.h_across:
        run.h_next = after + 0.5 * run.h_across
    else:
        run.landing, run.h_next = LANDING.BEFORE, after - 0.5 * run.h_across
    return STATUS.OK
