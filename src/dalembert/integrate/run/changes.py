"""What others change in a run: actions of events, and parameters that a run goes on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from dalembert.equations import State
from dalembert.equations.contract.checks import mass_is_lost
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.sampling import due
from dalembert.errors import EquationsError, SimulationError
from dalembert.integrate.events.event import Change, act, constraint_names
from dalembert.integrate.frame.memory import ORIGIN
from dalembert.integrate.run import outcome as endings
from dalembert.integrate.run.course import Course, constraint_rows
from dalembert.integrate.run.live import Floats
from dalembert.integrate.run.remedies import fall_back, pivoting
from dalembert.solution import EventRecord

#: So many stops in succession, each within this part of the span from the last, are chattering.
_CHATTER_COUNT, _CHATTER_GAP = 40, 1e-8
#: Those of the last part of the run are told where an event without a direction acts twice at one instant.
_ACCUMULATED = 1e-2
#: Values of parameters that move a state onto the constraints by more, relative to 1 + its size, contradict it.
_CONTRADICTED = 1e-3


def after_event(course: Course) -> endings.Ending | None:
    """Do what a stopping event asks for; an ending, or None to go on."""
    live = course.live
    assert live.events is not None
    number = live.run.stopped_by
    event, name = live.events.events[number], live.events.names[number]
    t = live.run.t_now
    last = event.terminal and sum(record.index == number for record in course.records) >= int(event.terminal)
    if event.action is None:
        lost = name in (guard.name for guard in course.equations.guards)
        return endings.lost(name, t) if lost else endings.event(name, t)
    course.stops.append((t, number))
    if _chatters(course):
        return endings.chattering([live.events.names[k] for _, k in course.stops[-_CHATTER_COUNT:]], t)
    if event.direction == 0 and course.stops[-2:] == [(t, number)] * 2:
        # Nothing was seen of the way on which it has left its root and come back; its action would let it through.
        near = _ACCUMULATED * abs(course.span[1] - course.span[0])
        return endings.chattering([live.events.names[k] for s, k in course.stops if abs(t - s) <= near], t)
    s = live.equations.sizes
    y, z = np.array(live.run.y0), np.array(live.run.z0)
    q, v, u = np.split(y, [s.q, s.q + s.v])
    state = State(t, q, v, z[: s.v], course.recorder.shared(t, q, course.all_rows(z[s.v :])), u)
    try:
        modes = constraint_names(course.equations, course.held)
        change = act(course.equations, event, name, state, live.run.p, modes)
        if change.impulse is not None:
            impulse = course.equations.vector("lam", change.impulse)
            if not impulse.any() and _hit_already(course.records):
                last = False
                live.run.countdown[number] += 1
                del course.records[-1]
            else:
                course.records[-1] = replace(course.records[-1], impulse=impulse)
        others = [(live.events.names.index(other), other) for other in change.also]
        course.records += [replace(course.records[-1], index=k, name=other) for k, other in others]
        for k, _ in others:  # terminal events among them have had one root more
            live.run.countdown[k] -= 1
        _apply(course, change, q, v, u)
    except KeyboardInterrupt:  # what the action has changed is not known
        return endings.interrupted_early(t, f"in the action of event '{name}'")
    except Exception as error:
        return endings.raised(error, t, f"the action of event '{name}'")
    return endings.event(name, t) if change.terminate or last else None


def _hit_already(records: Sequence[EventRecord]) -> bool:
    """Whether the last record is one of a stop that was hit together with another one, a rounding before its own root
    was found."""
    *earlier, now = records
    near = 8 * np.finfo(float).eps * abs(now.t)
    return any(one.index == now.index and abs(one.t - now.t) <= near and one.impulse.any() for one in earlier[-99:])


def _apply(course: Course, change: Change, q: Floats, v: Floats, u: Floats) -> None:
    """Go on with what an action has changed."""
    live, equations = course.live, course.live.equations
    y = np.concatenate(
        [
            q if change.q is None else equations.vector("q", change.q),
            v if change.v is None else equations.vector("v", change.v),
            u if change.u is None else equations.vector("u", change.u),
        ]
    )
    held = course.held if change.constraints is None else constraint_rows(course.equations, change.constraints)
    left = held == course.held and np.array_equal(y, live.run.y0)
    overrides = {**course.overrides, **(change.parameters or {})}
    p = equations.parameter_vector(overrides) if change.parameters else np.array(live.run.p)
    course.overrides = overrides
    light = bool(change.parameters) and _takes_pivots(course, y, p)
    switched = held != course.held or light or (change.parameters and not course.keeps_borders(p))
    if switched:
        rows = course.rows if held == course.held else course.independent(held, y)
        course.held = held
        course.switch(rows)
        live = course.live
    elif change.parameters:
        live.run.p[:] = p
        course.recorder.use(equations, live.method, p, course.held)
    if switched or change.parameters:
        course.check_drives(y)
    live.run.y0[:] = y
    live.run.restart, live.run.origin = 1, ORIGIN.LEFT if left else ORIGIN.CHANGED
    if course.restart():
        return
    live.run.y0[:] = y  # what failed may have left it half changed
    if fall_back(course):
        course.live.run.origin = live.run.origin
        if course.restart():
            return
    raise SimulationError(
        "after the action of an event the state cannot be projected onto the constraints; let the action return a "
        "state that nearly satisfies them"
    )


def _takes_pivots(course: Course, y: Floats, p: Floats) -> bool:
    """Whether a mass has become next to nothing, so that the run goes on with a solver that looks for its pivots."""
    equations = course.live.equations
    if course.options.solver != "auto":
        return False
    q, v, u = np.split(y, [equations.sizes.q, equations.sizes.q + equations.sizes.v])
    try:
        light = mass_is_lost(Evaluation(equations, course.live.run.t_now, q, v, u, p))
    except EquationsError:  # the run will say what is wrong
        return False
    if light:
        course.options = replace(course.options, solver=pivoting(equations.sizes), formalism="contract")
        course.recorder.options = course.options
    return light


def sample(course: Course) -> bool:
    """Let what is sampled here change external states, and go on from there; False if that is not possible."""
    live, equations = course.live, course.equations
    called = due(equations.samplers, live.run.t_now) if equations.samplers else []
    if not called:
        return True
    s, y, z = equations.sizes, np.array(live.run.y0), np.array(live.run.z0)
    q, v, u = np.split(y, [s.q, s.q + s.v])
    state = State(float(live.run.t_now), q, v, z[: s.v], course.all_rows(z[s.v :]), u)
    # All of them see the same state.
    changes = [one.sampled(state, np.array(live.run.p)) for one in called]
    for change in changes:
        for i, value in change.items():
            y[s.q + s.v + i] = value
    if np.array_equal(y, live.run.y0):
        return True
    live.run.y0[:] = y
    live.run.restart, live.run.origin = 1, ORIGIN.BREAK
    if course.recorder.started:
        return course.restart()
    live.run.origin = ORIGIN.START
    course.start[s.q + s.v :] = y[s.q + s.v :]  # which is part of the start, and not moved onto anything
    return course.completed()


def _chatters(course: Course) -> bool:
    """Whether events stop the run again and again without getting on."""
    last = course.stops[-_CHATTER_COUNT:]
    if len(last) < _CHATTER_COUNT:
        return False
    gap = _CHATTER_GAP * abs(course.span[1] - course.span[0])
    return all(abs(b[0] - a[0]) <= gap for a, b in pairwise(last))


def change_parameters(course: Course, values: Mapping[str, Any] | None) -> None:
    """Go on with other values of parameters, from a state that they do not contradict."""
    live = course.live
    if values is None:
        return
    live.equations.parameter_vector(values)  # complains about what is none
    overrides = {**course.overrides, **values}
    p = live.equations.parameter_vector(overrides)
    if np.array_equal(p, live.run.p):
        return
    course.overrides = overrides
    y = np.array(live.run.y0)
    rows = course.independent(course.held, y)
    if _takes_pivots(course, y, p) or rows != course.rows or not course.keeps_borders(p):
        course.switch(rows)
    else:
        live.run.p[:] = p
        course.recorder.use(live.equations, live.method, p, course.held)
    live = course.live
    course.check_drives(y)
    live.run.y0[:] = y
    live.run.restart, live.run.origin = 1, ORIGIN.CHANGED
    where = f"with these parameters the state at t = {live.run.t_now:.6g} is not on the constraints"
    remedy = "start a new run from a state that was assembled with them"
    if not course.restart():
        raise SimulationError(f"{where}, and cannot be brought there; {remedy}")
    if (moved := course.moved_from(y)) and moved[1] > _CONTRADICTED:
        raise SimulationError(f"{where}: {moved[0]} would have to move by {moved[2]:.3g}; {remedy}")
    if moved:
        course.note += f" Other parameters moved the state onto the constraints: {moved[0]} by {moved[2]:.3g}."
