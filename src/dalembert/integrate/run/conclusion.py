"""What a run leaves: its solution, with the work that was done and what has to be said."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from dalembert.equations import Equations
from dalembert.integrate.fixed.imex_memory import ImexMemory
from dalembert.integrate.frame.memory import COUNTERS, Memory
from dalembert.integrate.frame.pacing import BINS_PER_OCTAVE, FIRST_BIN, time_below
from dalembert.integrate.implicit.differences_memory import DifferencesMemory
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.jacobian import jacobian_of
from dalembert.integrate.run import outcome as endings
from dalembert.integrate.run.choosing import counted_methods, limits_told
from dalembert.integrate.run.continuation import MemoryLeft, checkpoint_of, left_behind
from dalembert.integrate.run.course import Course
from dalembert.integrate.run.live import Floats
from dalembert.solution import Checkpoint, Solution, Statistics
from dalembert.solution.deferred import Deferred
from dalembert.solution.solution import solution_of_run

#: Endings, finished and after so many steps as were asked for, that say what limited the steps.
_LIMITS_TOLD = 0, 2
#: So many changes of these rows are told one by one.
_TOLD = 4
#: Counts that some methods have, in ``Statistics.extra`` by the names of their slots, or by others.
_EXTRA = {
    "nfev_jacobian": "jacobian_nfev", "renewed_first": "jacobians_first", "renewed_slow": "jacobians_slow",
    "renewed_failed": "jacobians_failed", "renewed_alpha": "jacobians_alpha", "renewed_pattern": "jacobians_pattern",
}  # fmt: skip


def conclude(course: Course, ending: endings.Ending) -> Solution:
    """The solution as far as the run has come, whatever has ended it.  What few ask for is made when it is asked for,
    from what the memory of the run was at its end."""
    live = course.live
    if not course.recorder.started:  # not even the start could be completed
        course.recorder.start(live.run.t_now, course.start, np.full(live.n_z, np.nan))
    (t, q, v, a, lam, u), y = course.recorder.result()
    equations, options = course.equations, course.options
    names: dict[str, tuple[str, ...]] = dict(equations.kept("names of rows", lambda: _names(equations)))
    ending = _grown(course, ending, names, t, y)
    kept, left = left_behind(course)
    checkpoint = _checkpoint(course, ending, kept, left)
    limited = (limits_told(course) if ending.status in _LIMITS_TOLD else "") + _note_on_updates(course)
    later: dict[str, Callable[[], Any]] = {
        "message": lambda: _message(kept, ending, limited, left.run(), names, t, y),
        "statistics": lambda: statistics_of(left.run(), kept.carried),
        "sol": lambda: kept.recorder.dense(names),
        "parameters": kept.parameters,
    }
    if live.options.realtime > 0.0:  # of which more is counted
        found = statistics(course)
        later["statistics"] = lambda: found
    events = course.records[:]
    parts = {
        "t": t,
        "q": q,
        "v": v,
        "a": a,
        "lam": lam,
        "u": u,
        "names": names,
        "success": ending.success,
        "status": ending.status,
        "outcome": ending.outcome,
        "method": counted_methods(course.methods),
        "rtol": options.rtol,
        "atol": np.array(options.atol) if options.one_atol is None else options.one_atol,
        "title": equations.name,
        "t_events": [np.array([r.t for r in events if r.index == k]) for k in range(len(course.given_events))],
        "events": events,
    }
    return solution_of_run(parts, checkpoint, later)


def _grown(
    course: Course, ending: endings.Ending, names: Mapping[str, tuple[str, ...]], t: Floats, y: Floats
) -> endings.Ending:
    """The ending as it is, unless the motion has grown beyond all sizes of the mechanism: in steps of one size, whose
    errors nothing controls, or until a step could not be made."""
    run = course.live.run
    step = run.h_largest if course.method.steps_alike or course.method.fixed_size is not None else None
    if not (ending.success and step is not None) and ending.status not in endings.OF_GROWTH:
        return ending
    size = np.abs(run.y0)
    if y.shape[1]:
        size = np.fmax(size, np.abs(y).max(axis=1))
    start = y[:, 0] if t.size and t[0] == course.span[0] else np.zeros_like(size)
    growth = endings.GreatestGrowth.of(names, size, start, course.options.scale)
    if growth is None:
        return ending
    n_v = course.live.equations.sizes.v
    point = {
        "p": np.array(run.p), "t": np.array([run.t_now]), "q": np.array(run.y0[: run.n_q]),
        "v": np.array(run.y0[run.n_q : run.n_q + n_v]), "u": np.array(run.y0[run.n_q + n_v :]),
        "lam": np.array(run.z0[n_v:]),
    }  # fmt: skip
    powers: dict[str, float] = {}
    with suppress(Exception):  # laws need no value there
        powers = course.live.equations.powers(point)
    return endings.unbounded(ending, growth, float(run.t_now), step, powers)


def _message(
    course: Course,
    ending: endings.Ending,
    limited: str,
    run: Memory,
    names: dict[str, tuple[str, ...]],
    t: Floats,
    y: Floats,
) -> str:
    """How a run has ended, what limited its steps, and what else has to be said."""
    remark = ""
    if ending.success and not ending.resumable:
        size = np.maximum.reduce(np.abs(y), axis=1, initial=0.0)
        remark = endings.below_tolerance(names, size, course.options.atol, course.options.scale)
    notes = course.note + _note_on_rows(course) + _note_on_guards(course) + course.choice.said(course)
    notes += _note_on_size(course, run)
    notes += course.equations.remark(t, y[: course.equations.sizes.q])
    return ending.message + notes + limited + remark


def _note_on_size(course: Course, run: Memory) -> str:
    """Steps of one size that were divided."""
    failed = statistics_of(run, course.carried).rejected
    if not (run.h_fixed > 0.0 and failed):
        return ""
    return (
        f" Not all steps have the size {run.h_fixed:.6g}: {failed} attempts failed and were repeated with smaller "
        "sizes; give a smaller size."
    )


def _names(equations: Equations) -> dict[str, tuple[str, ...]]:
    return {key: tuple(value) for key, value in equations.names.items()}


def _checkpoint(course: Course, ending: endings.Ending, kept: Course, left: MemoryLeft) -> Checkpoint | Deferred | None:
    """What the run goes on from: at once where it was stopped, when it is asked for where it has ended."""
    if ending.extendable:
        return Deferred(lambda: checkpoint_of(kept, left))
    return checkpoint_of(course) if ending.resumable else None


def counter_names(run: Memory) -> list[str]:
    """Names of the counters that not every run has."""
    return [_EXTRA.get(name, name) for name in run.own_counters()]


@functools.cache
def _places_of_counters(kind: type[Memory]) -> tuple[tuple[str, ...], list[int]]:
    """Names of the counters of a kind of run, and where they stand among its whole numbers."""
    return kind.counters, [kind.slots[name].place for name in kind.counters]


def statistics(course: Course) -> Statistics:
    """The work done so far."""
    return statistics_of(course.live.run, course.carried)


def statistics_of(run: Any, carried: Mapping[str, int]) -> Statistics:
    """Counts in the memory of a run, and those that were carried over from memories before."""
    kind: type[Memory] = type(run)
    names, places = _places_of_counters(kind)
    counts = dict(zip(names, run.ints[places].tolist(), strict=True))
    for name, count in carried.items():
        counts[name] = counts.get(name, 0) + count
    extra: dict[str, int | float] = {
        "projection_iterations": counts["projection_iterations"], "constraint_residual": run.worst_g,
        "projection_change": run.worst_moved,
    }  # fmt: skip
    extra |= {_EXTRA.get(name, name): count for name, count in counts.items() if name not in COUNTERS}
    if isinstance(run, ImexMemory) and run.n_s:
        extra["auxiliary_residual"] = run.worst_h
    if isinstance(run, ImplicitMemory):
        extra |= {"pattern_nonzeros": run.n_entries, "pattern_groups": run.n_groups}
    elif isinstance(run, DifferencesMemory) and run.n_groups:
        extra |= {"pattern_nonzeros": run.entry_row.size, "pattern_groups": run.n_groups}
    if run.pace > 0.0:
        extra |= {
            "overruns": counts["overruns"], "late_worst": run.late_worst, "step_time_worst": run.step_time_worst,
            "step_time_median": time_below(run.step_times, 0.5), "step_time_99": time_below(run.step_times, 0.99),
            "step_time_9999": time_below(run.step_times, 0.9999),
        }  # fmt: skip
        extra |= {
            f"step_times_below_{1e6 * FIRST_BIN * 2**k:g}us": int(run.step_times[: 1 + k * BINS_PER_OCTAVE].sum())
            for k in range(4, 16)
        }
    steps = counts["steps"]
    return Statistics(
        **{name: counts[name] for name in COUNTERS if name not in ("projection_iterations", "overruns")},
        step_min=run.h_smallest if steps else None,
        step_max=run.h_largest if steps else None,
        extra=extra,
    )


def _note_on_rows(course: Course) -> str:
    """What became of constraints that depend on each other, where one choice of them did not do for all."""
    count = len(course.exchanged)
    if not count:
        return ""
    told = "; ".join(course.exchanged[:_TOLD])
    more = f"; and so on, {count} times in all" if count > _TOLD else ""
    return f" Redundant constraints were left out by turns, as the others came close to dependence: {told}{more}."


def _note_on_guards(course: Course) -> str:
    """Conditions that were lost in a run that went on: the first of each kind by its name, the others by their number;
    kinds differ by more than the names of elements."""
    noticed = [guard.name for guard in course.equations.guards if not guard.ends]
    found = [record for record in course.records if record.name in noticed]
    if not found:
        return ""
    firsts: dict[str, str] = {}
    for record in found:
        firsts.setdefault(re.sub(r"'[^']*'", "", record.name), f"{record.name} at t = {record.t:.9g}")
    others = len(found) - len(firsts)
    more = f"; and {others} more such events: see sol.events" if others else ""
    return f" Noticed, without an end to the run: {'; '.join(firsts.values())}{more}."


def _note_on_updates(course: Course) -> str:
    """What became of Jacobians that were to follow excitations, where none could be found."""
    run, live = course.live.run, course.live
    if not isinstance(run, ImplicitMemory) or run.extends or jacobian_of(course.method.strategy).update != "extended":
        return ""
    why = live.equations.lacks("excited") or "nothing in its Jacobian depends on w"
    return (
        f" Jacobians were updated as with update='partitioned': '{live.equations.name}' has nothing that is driven "
        f"and may be followed, and excitations that update='extended' could follow are not known ({why})."
    )
