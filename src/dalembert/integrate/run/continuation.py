"""How a run goes on later: its checkpoint, and the course that takes one over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dalembert.equations import Equations
from dalembert.errors import SimulationError
from dalembert.integrate.frame.memory import ORIGIN, REASON, Memory
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run.changes import sample
from dalembert.integrate.run.course import Course
from dalembert.integrate.run.live import ARRAYS, Floats, Options
from dalembert.solution import Checkpoint, EventRecord

if TYPE_CHECKING:
    from dalembert.integrate.run.checkpoint import StoredRun


class MemoryLeft(NamedTuple):
    """What the memory of a run that has ended holds, and its kind."""

    state: dict[str, NDArray[Any]]
    kind: type[Memory]

    def run(self) -> Any:
        """Its numbers under their names, as far as they are no vectors."""
        return self.kind(np.zeros(0, dtype=np.int64), self.state["ints"], self.state["reals"])


def left_behind(course: Course) -> tuple[Course, MemoryLeft]:
    """What is left of a run that has ended: all but its memory, of which the next one may have need, and what stands
    in that, without its buffers."""
    kept = object.__new__(type(course))
    kept.__dict__.update(course.__dict__, live=None, beginning=None, lent={}, own=None)
    return kept, MemoryLeft(course.live.state(), type(course.live.run))


def checkpoint_of(course: Course, left: MemoryLeft | None = None) -> Checkpoint:
    """All that the rest of the run depends on.

    Of a run that has ended this is what is ``left``; it may be extended, and begins anew at its end."""
    if left is None:
        left = MemoryLeft(course.live.state(), type(course.live.run))
        ended = False
    else:
        left.state["ints"][left.kind.slots["restart"].place] = 1
        ended = True
    grown, pattern = course.recorder.growth(), course.pattern
    header = standing(course, left.kind) | {
        "ended": ended,
        "modes": grown.made_by(),
        "stops": [[t, k] for t, k in course.stops],
        "exchanged": course.exchanged,
        "pattern": None if pattern is None else [pattern.rows.tolist(), pattern.columns.tolist()],
        "events": [[r.index, r.name, r.t] for r in course.records],
    }
    arrays = standing_arrays(course, left.state) | grown.arrays()
    if course.t_eval is not None:
        arrays["t_eval"] = course.t_eval
    return Checkpoint(arrays | event_arrays(course.records), header)


def standing(course: Course, kind: type[Memory] | None = None) -> dict[str, Any]:
    """Where a run stands and how it is made, besides what grows with its steps; plain data."""
    memory: Any = kind or type(course.live.run)
    return {
        "equations": course.equations.name,
        "method": course.method.stored(),
        "automatic": course.automatic,
        "choice": course.choice.stored(),
        "methods": list(course.methods),
        "note": course.note,
        "later": course.later,
        "redundant": course.redundant,
        "span": list(course.span),
        "rows": list(course.rows),
        "held": list(course.held),
        # All of them: the equations that the run is resumed with may have other defaults.
        "overrides": {key: np.asarray(value).tolist() for key, value in course.parameters().items()},
        "parameters": {key: list(np.shape(value)) for key, value in course.equations.parameters.items()},
        "dense": course.keep_dense,
        "options": course.options.stored(),
        "memory": _fingerprint(memory),
        "carried": dict(course.carried),
        "n_events": len(course.given_events),
    }


@cache  # a journal asks for it with every record, and it takes a millisecond
def _fingerprint(kind: Any) -> str:
    return str(kind.fingerprint())


def standing_arrays(course: Course, state: dict[str, NDArray[Any]] | None = None) -> dict[str, NDArray[Any]]:
    """The memory of a run, its tolerances and sizes."""
    return {
        **(course.live.state() if state is None else state),
        **{key: np.array(getattr(course.options, key)) for key in ARRAYS},
        **course.recorder.rest(),
    }  # fmt: skip


def event_arrays(records: Sequence[EventRecord]) -> dict[str, Floats]:
    """The motion at events, and the impulses of impacts, one row each; zeros where there was none."""
    if not records:
        return {}
    return {
        "event_states": np.array([np.concatenate([r.q, r.v, r.u, r.a, r.lam]) for r in records]),
        "event_impulses": np.array([r.impulse if r.impulse.size else np.zeros_like(r.lam) for r in records]),
    }


def _way_of(course: Course, stored: Mapping[str, Any], formalism: str, solver: str) -> tuple[Method, Options]:
    """Method and options of a mode, of which a checkpoint tells."""
    method = course.method if stored == course.method.stored() else Method.restored(stored)
    return method, replace(course.options, formalism=formalism, solver=solver)


def take_over(course: Course, stored: StoredRun) -> None:
    """Bring a course that was made anew to where the checkpoint was made."""
    if stored.memory != course.live.run.fingerprint():
        raise SimulationError("the run was stored by a version with another memory, and cannot be resumed here")
    course.live.restore({name: stored.arrays[name].value for name in ("ints", "reals")}, stored.span)
    course.recorder.restore(stored.arrays, [_way_of(course, *one) for one in stored.modes])
    for values in np.unique([mode.completer.parameters for mode in course.recorder.modes], axis=0):
        course.recorder.breaks |= set(course.equations.all_breaks(stored.span, values))
    course.overrides = _other_values(course.equations, course.live.run.p)
    _check_rates(course)
    course.methods, course.note, course.later = list(stored.methods), stored.note, stored.later
    course.stops, course.carried, course.records = list(stored.stops), dict(stored.carried), list(stored.records)
    course.exchanged, course.choice = list(stored.exchanged), stored.choice


def extend(course: Course, until: float, t_eval: Floats | None, ended: bool) -> None:
    """Let a run go on to another end: a run of its own, which knows the breaks of the longer span, with the same clock
    and counters."""
    old = course.live.run
    y, rates, stopped = np.array(old.y0), np.array(old.rate0), int(old.stopped_by) if old.n_events else -1
    course.span, course.t_eval = (course.span[0], until), t_eval
    course.recorder.t_eval = t_eval
    finished = ended and not (course.records and course.records[-1].t == old.t_now)
    z = np.array(old.z0)
    course.switch(course.rows)
    new = course.live.run
    new.t_end = until
    new.y0[:], new.z0[:] = y, z
    new.lam[:] = z[new.n_v :]
    new.restart = 1
    new.origin = ORIGIN.BREAK if finished or not ended else ORIGIN.CHANGED
    if stopped >= 0 and ended:  # the next of its roots ends the run again
        new.countdown[stopped] = max(int(new.countdown[stopped]), 1)
    if finished and course.equations.samplers:
        new.slice = 0  # what is due at the old end has waited for this
        if not course.completed() or not sample(course):
            raise SimulationError(f"the run cannot go on from t = {old.t_now:.9g}")
    elif finished and old.t_now not in course.recorder.breaks:
        if not course.completed():
            raise SimulationError(f"the run cannot go on from t = {old.t_now:.9g}")
        _check_same(course, rates, np.array(new.rate0))


def _check_rates(course: Course) -> None:
    """Refuse equations that move otherwise than those of a stored state: names and sizes alone tell little."""
    run = course.live.run
    if run.restart or (run.ended and run.bare_ends):  # rates of a point beside the end of the last step
        return
    run.slice = 0
    if course.live.advance() == REASON.STOPPED_BY_EXCEPTION:
        course.live.raise_pending()
    _check_same(course, run.rate0, run.rate1)


def _check_same(course: Course, stored: Floats, found: Floats) -> None:
    """Rates of a stored state, and those that the equations give."""
    if not np.allclose(stored, found, rtol=1e-9, atol=1e-9 * np.abs(stored).max(initial=0.0)):
        raise SimulationError(f"the run was made with other equations than '{course.equations.name}' as given here")


def _other_values(equations: Equations, p: Floats) -> dict[str, Any]:
    """Parameters in a vector whose values are not the defaults of the equations."""
    found: dict[str, Any] = {}
    at = 0
    for key, value in equations.parameters.items():
        shape, size = np.shape(value), int(np.size(value))
        numbers = p[at : at + size].reshape(shape)
        at += size
        if not np.array_equal(numbers, np.asarray(value, dtype=float)):
            found[key] = float(numbers) if shape == () else np.array(numbers)
    return found
