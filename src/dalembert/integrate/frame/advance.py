"""The frame around every method: attempts, judges, projects, looks for events, records; in slices of many steps.

A method supplies ``begin`` (after a start, a jump, a break: there is no history), ``attempt`` (from y0 to y1 and error,
leaving y0 and its history as they are), ``accepted`` (the step counts, y1 is projected and perhaps cut short by an
event: fold it into the history) and ``interpolate`` (coefficients of its dense output).  A controller judges the error
and chooses the next size.  All else is here, and knows no method by name.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.contract.convention import STAGE
from dalembert.integrate.events.search import most_events
from dalembert.integrate.frame.contract_formalism import lost_digits, rank_margin
from dalembert.integrate.frame.control import first_step, set_weights
from dalembert.integrate.frame.cubic import interpolate_step
from dalembert.integrate.frame.explicit_formalism import noise
from dalembert.integrate.frame.formalism import complete, load, rate
from dalembert.integrate.frame.independence import look_at_rows, measure_rows
from dalembert.integrate.frame.memory import LANDING, MONITOR, ORIGIN, REASON, STATUS, VERDICT, Memory
from dalembert.integrate.frame.pacing import await_end, begin_pace, count_step
from dalembert.linalg.vector_operations import copy
from dalembert.native.kernel import call_kernel, compiled, flush_subnormals, kernel, restore_mode, view

#: Steps that differ from the rest of the way by less than this are stretched to its end.
_STRETCH = 1.01
#: After an attempt that has failed, other than by its error, the size is multiplied by this; by the second number where
#: an iteration has not converged, which half of a step often mends.
_AFTER_FAILURE, _AFTER_ITERATION = 0.25, 0.5
#: Pivots that have shrunk so much, and by this factor within a step, tell that constraints are about to lose rank; so
#: many other sizes of the step are tried then.
_NEAR_SINGULAR, _SHRUNK, _DETOURS = 1e-2, 0.1, 5
#: Projection may change the end of a step by so many times the tolerance, which is many times the error that the step
#: claims; more, and the step has lost its way.
_DRIFT = 100.0
_EPS = 2.220446049250313e-16
#: Part of an instant beside which right sides are on one side of it, wherever rounding puts their choice.
ASIDE = 8.0 * _EPS
#: Attempts of a slice beyond its steps: a run that creeps returns too, and can be interrupted.
_PATIENCE = 32
#: Errors of accelerations that add more than this part of the tolerance in a step make steps shorter.
LOST = 0.1
#: What controllers remember of the error of a step that there was not.
_NO_ERROR = 1e-4


# ---------------------------------------------------------------------------------------------------------- records


@compiled
def record_width(run: Memory) -> int:
    """Reals per recorded step: t, y, z; if kept, the size of the step and its coefficients; what a monitor is told."""
    width = 1 + run.n_y + run.n_z + (MONITOR.end + run.told_counters.size if run.monitored else 0)
    return width + 1 + run.coef.size + run.coef_z.size if run.keep_dense else width


@compiled
def _record(run: Memory) -> None:
    """Keep the step that leads to t_new, y1, z1."""
    n, n_z, width = run.n_y, run.n_z, record_width(run)
    target = view(run.records, run.recorded * width, width)
    target[0] = run.t_new
    copy(run.y1, view(target, 1, n))
    copy(run.z1, view(target, 1 + n, n_z))
    if run.keep_dense:
        at = 1 + n + n_z
        target[at] = run.h
        copy(run.coef, view(target, at + 1, run.coef.size))
        copy(run.coef_z, view(target, at + 1 + run.coef.size, run.coef_z.size))
    if run.monitored:
        counters = run.told_counters
        told = view(target, width - MONITOR.end - counters.size, MONITOR.end + counters.size)
        told[MONITOR.STEP] = run.t_new - run.t_now
        told[MONITOR.ORDER] = run.order_used
        told[MONITOR.ERROR] = run.error
        told[MONITOR.REJECTED] = run.rejected
        told[MONITOR.NFEV] = run.nfev
        told[MONITOR.ITERATIONS] = run.iterations
        told[MONITOR.RENEWAL] = run.renewal
        told[MONITOR.NJEV], told[MONITOR.NLU] = run.njev, run.nlu
        words = run.ints
        for k in range(counters.size):
            told[MONITOR.end + k] = words[counters[k]]
    run.recorded += 1


# ----------------------------------------------------------------------------------------------- beginnings and stops


@compiled
def _next_to(t: float, direction: float) -> float:
    """An instant beside t."""
    return t + direction * max(abs(t), 1e-290) * ASIDE


@compiled
def _next_stop(run: Memory) -> None:
    """Find the next break, and the instants up to which right sides may see."""
    breaks, direction = run.breaks, run.direction
    for _ in range(run.next_break, run.n_breaks):
        if direction * (breaks[run.next_break] - run.t_now) > 0.0:
            break
        run.next_break += 1
    run.t_stop = run.t_end
    run.t_from, run.t_limit = -direction * np.inf, run.t_end  # forces may be known up to the end and no further
    passed = run.next_break - 1
    if passed >= 0 and breaks[passed] == run.t_now:
        run.t_from = _next_to(breaks[passed], direction)
    if run.next_break < run.n_breaks:
        at = breaks[run.next_break]
        if direction * (at - run.t_end) <= 0.0:
            run.t_stop = at
            run.t_limit = _next_to(at, -direction)


@compiled
def _begin(run: Memory) -> int:
    """After a start, a jump or a break: make y0 consistent, find z0 and rate0, tell the method that it has no history,
    choose a step if none is known."""
    _next_stop(run)
    if run.friction:  # what was looked at between steps shall not show
        copy(view(run.z0, run.n_v, run.n_lam), run.lam)
    status = complete(run, run.t_now, run.y0, run.z0, run.rate0)
    if status:
        return status
    if run.exchanges:
        status = measure_rows(run)
        if status:
            return status
        look_at_rows(run)
    run.margin_old = rank_margin(run)
    run.fresh, run.after_reject, run.after_failure = 1, 0, 0
    if run.landing != LANDING.NO:  # the jump, if it is still ahead, is to be found from here
        run.landing = LANDING.NO
        if run.h_next > 0.0:
            run.h_next = run.h_wanted
    run.error_old = _NO_ERROR
    if run.begin_kernel:
        status = call_kernel(run.begin_kernel, run)
        if status:
            return status
    if run.n_events:
        status = call_kernel(run.start_signs_kernel, run)
        if status:
            return status
    if run.starts_small and run.steps:
        run.h_next = 0.0
    if run.h_fixed > 0.0:
        run.h_next = run.h_fixed
    if not run.h_next > 0.0:
        status = first_step(run)
        if status:
            return status
    run.restart = 0
    return STATUS.OK


@compiled
def _tell_all(run: Memory) -> int:
    """Once per slice programs are told that all is new, parameters too; from then on they are told from the time on.

    Slices must not show in results or statistics: counters and the multipliers, from which friction iterates, are put
    back.
    """
    factorisations, solutions = run.nlu, run.nsolve
    load(run, run.t_now, run.y0)
    status = rate(run, STAGE.P, run.rate1)
    run.tell_implicit = 1
    run.nfev -= 1
    run.nlu, run.nsolve = factorisations, solutions
    copy(view(run.z0, run.n_v, run.n_lam), run.lam)
    return status


# ------------------------------------------------------------------------------------------------------- one step


@compiled
def _why_return(run: Memory, done: int, tried: int) -> int:
    """The reason to return before another step, if there is one."""
    if run.direction * (run.t_end - run.t_now) <= 0.0:
        return REASON.FINISHED
    if done >= run.slice or tried >= run.slice + _PATIENCE:
        return REASON.SLICE_DONE
    most = most_events(run.n_events, run.n_checks)
    full = run.recorded >= run.capacity or run.events_recorded + most > run.event_capacity
    return REASON.BUFFER_FULL if full else REASON.GO_ON


@compiled
def _set_size(run: Memory) -> bool:
    """The size of this attempt: not beyond the next stop, and no sliver left before it. False if it is too small."""
    left = abs(run.t_stop - run.t_now)
    wanted = run.h_next if not run.h_next > run.h_max else run.h_max  # NaN stays, and is too small
    # A size that was given up shall not come back.
    to_stop = wanted * (1.0 if run.after_reject else _STRETCH) >= left
    halved = 2.0 * wanted > left and run.h_fixed == 0.0 and run.landing == LANDING.NO
    size = left if to_stop else (0.5 * left if halved else wanted)
    run.to_stop = 1 if to_stop else 0
    run.h = run.direction * size
    run.t_new = run.t_stop if to_stop else run.t_now + run.h
    # Close to t = 0 steps may be much smaller than the time resolution elsewhere, but not without end.
    scale = max(abs(run.t_now), 1e-12 * abs(run.t_end - run.t_now))
    return to_stop or (size >= 4.0 * _EPS * scale and size >= run.h_min)


@compiled
def _ends_badly(run: Memory) -> bool:
    """Whether the step ends much closer to a loss of rank than it began. Pivots vanish with the square of the distance
    in time."""
    return run.margin < _NEAR_SINGULAR and run.margin < _SHRUNK * run.margin_old


@compiled
def _detour(run: Memory) -> bool:
    """Another size for a step that would end close to an instant at which constraints lose rank; False if all were
    tried.

    The early stages of a step that starts there meet accelerations that are lost in noise: shorter and shorter steps
    would creep up to that instant. A step from a safer distance crosses it, so this one goes beyond it, or ends well
    before.
    """
    if run.avoided >= _DETOURS:
        return False
    if run.avoided == 0:
        run.h_avoided = abs(run.h)
    run.avoided += 1
    run.rejected += 1
    k = run.avoided
    run.h_next = run.h_avoided * (1.0 + 0.12 * k if k <= 2 else 1.0 - 0.15 * k)
    return True


@compiled
def _try_step(run: Memory) -> int:
    """Attempt, judge, project, interpolate, look for what was missed and for events. Leaves the step as it shall be
    recorded."""
    size, proposed = abs(run.h), run.h_next
    set_weights(run)
    run.iterations = 0
    if run.friction:  # an attempt that has failed may have left anything there
        copy(view(run.z0, run.n_v, run.n_lam), run.lam)
    status = call_kernel(run.attempt_kernel, run)
    if status:
        return status
    if not run.error < np.inf:
        return STATUS.NOT_FINITE
    if call_kernel(run.control_kernel, run) != VERDICT.ACCEPT:
        run.rejected += 1
        run.after_reject = 1
        status = call_kernel(run.aim_kernel, run) if run.aim_kernel else STATUS.OK
        return status if status else STATUS.REJECTED
    run.after_reject = 0
    if run.to_stop and size < proposed:  # a step cut short says little about the next one
        run.h_next = max(run.h_next, proposed)
    if not (run.ended and run.bare_ends) or run.to_stop:
        status = complete(run, run.t_new, run.y1, run.z1, run.rate1)
        if status:
            return status
        if run.h_fixed == 0.0 and not run.moved <= _DRIFT:
            return STATUS.DRIFTED
        if run.h_fixed == 0.0 and run.confirm_kernel:
            status = call_kernel(run.confirm_kernel, run)
            if status:
                return status
        if run.fixed_pivots:
            run.lost = noise(run) if run.explicit_entry else lost_digits(run)
    run.margin = rank_margin(run)
    if not run.to_stop and _ends_badly(run) and _detour(run):
        return STATUS.REJECTED
    if run.exchanges:
        status = measure_rows(run)
        if status:
            return status
    looks = run.n_watched > 0 and (run.looks_along or run.landing != LANDING.NO)
    if run.keep_dense or looks or (run.n_events and run.n_checks > 1):
        status = interpolate_step(run)
        if status:
            return status
    if looks:
        status = call_kernel(run.look_kernel, run)
        if status:
            return status
    if run.n_events:
        moved = run.moved  # points within the step are projected too
        status = call_kernel(run.find_events_kernel, run)
        run.moved = moved
    return status


@compiled
def _give_up(run: Memory, status: int) -> None:
    """After an attempt that was not accepted."""
    if status == STATUS.REJECTED:
        run.failure = STATUS.OK
        return
    run.failure = status
    run.rejected += 1
    run.after_reject = 1
    if status == STATUS.NEWTON_FAILED and run.iterates:
        run.h_next = _AFTER_ITERATION * abs(run.h)
    else:
        run.after_failure = 1
        run.h_next = _AFTER_FAILURE * abs(run.h)


@compiled
def _settle(run: Memory) -> int:
    """The step counts: let the method fold it into its history, record it, make its end the start of the next one."""
    if run.accepted_kernel:
        status = call_kernel(run.accepted_kernel, run)
        if status:
            return status
    run.failure = STATUS.OK
    run.steps += 1
    run.avoided = run.after_failure = 0
    if run.landing == LANDING.BEFORE:
        run.landing, run.h_next = LANDING.ACROSS, run.h_across
        if run.approach_kernel:
            status = call_kernel(run.approach_kernel, run)
            if status:
                return status
    elif run.landing == LANDING.ACROSS:
        run.landing, run.h_next = LANDING.NO, run.h_wanted
    run.margin_old = run.margin
    run.worst_moved = max(run.worst_moved, run.moved)
    run.h_smallest = min(run.h_smallest, abs(run.h))
    run.h_largest = max(run.h_largest, abs(run.h))
    _record(run)
    run.t_now, run.h_old = run.t_new, run.h
    copy(run.y1, run.y0)
    copy(run.z1, run.z0)
    copy(run.rate1, run.rate0)
    run.fresh = run.renewal = 0
    return STATUS.OK


@compiled
def _reason_of(run: Memory, status: int) -> int:
    """The reason to return after something that cannot be made again with another size has ended so."""
    if status == STATUS.RAISED:
        return REASON.STOPPED_BY_EXCEPTION
    if status:
        run.failure = status
        return REASON.UNDERFLOW
    return REASON.GO_ON


@compiled
def _advance(run: Memory) -> int:
    done = 0
    if _tell_all(run) == STATUS.RAISED:
        return REASON.STOPPED_BY_EXCEPTION
    reason = _reason_of(run, _begin(run)) if run.restart else REASON.GO_ON
    for tried in range(run.slice + _PATIENCE + 1):
        if reason == REASON.GO_ON:
            reason = _why_return(run, done, tried)
        if reason != REASON.GO_ON:
            break
        if run.pace > 0.0:
            begin_pace(run)
            if not await_end(run):
                return REASON.SLICE_DONE
        if not _set_size(run):
            return REASON.UNDERFLOW
        status = _try_step(run)
        if status == STATUS.RAISED:
            return REASON.STOPPED_BY_EXCEPTION
        if status == STATUS.PATTERN_UNKNOWN:  # the same attempt is made again
            return REASON.PATTERN_ASKED
        if status == STATUS.UNSOLVED:
            return _reason_of(run, status)
        if status:
            _give_up(run, status)
            continue
        reason = _reason_of(run, _settle(run))
        if reason != REASON.GO_ON:
            break
        done += 1
        if run.pace > 0.0:
            count_step(run)
        if run.n_events and run.stopped_by >= 0:
            run.restart = 1
            return REASON.EVENT_FOUND
        if (run.to_stop or (run.n_watched and run.landed)) and run.t_now != run.t_end:
            # Right sides may jump here: start again from the other side, with the step that was in use.
            run.origin = ORIGIN.BREAK
            if run.impulsive and run.to_stop:
                run.restart = 1
                return REASON.BREAK_REACHED
            reason = _reason_of(run, _begin(run))
        if run.lost > LOST and reason == REASON.GO_ON and run.t_now != run.t_end:
            return REASON.DIGITS_LOST
        if run.exchanges and look_at_rows(run) and reason == REASON.GO_ON and run.t_now != run.t_end:
            return REASON.DEPENDENT
    return reason


@kernel
def advance(run: Memory) -> int:
    """Up to ``slice`` steps; says why it returns. ``failure`` tells the last failure of an attempt."""
    # Numbers that die out along a mechanism become subnormal, and those cost a hundred times the time of others.
    mode = flush_subnormals()
    reason = _advance(run)
    paced = run.pace > 0.0 and reason != REASON.SLICE_DONE and reason != REASON.BUFFER_FULL
    if paced and not await_end(run) and reason == REASON.FINISHED:
        reason = REASON.SLICE_DONE  # a signal is answered before the end has come
    restore_mode(mode)
    return reason


@kernel
def complete_points(run: Memory) -> int:
    """Project ``n_points`` points (t, y) and complete them by (a, λ); rows are t, y, z. Returns 0, or the number of the
    first point, from 1, that cannot be completed."""
    mode = flush_subnormals()
    failed = _complete_points(run)
    restore_mode(mode)
    return failed


@compiled
def _complete_points(run: Memory) -> int:
    n, n_z = run.n_y, run.n_z
    width = 1 + n + n_z
    for k in range(run.n_points):
        row = view(run.points, k * width, width)
        y = view(row, 1, n)
        if k == 0:
            load(run, row[0], y)
            if rate(run, STAGE.P, run.rate1) == STATUS.RAISED:
                return k + 1
        if complete(run, row[0], y, run.z1, run.rate1):
            return k + 1
        copy(run.z1, view(row, 1 + n, n_z))
    return 0
