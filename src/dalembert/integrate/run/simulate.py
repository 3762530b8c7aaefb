"""The runner: from equations, a span of time and a start to a solution."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dalembert.arguments import flag, known_keywords, listed, reals, shown
from dalembert.equations import Equations
from dalembert.errors import DalembertWarning, SimulationError, suggestion, warn_caller
from dalembert.integrate.events.event import Event, with_functions
from dalembert.integrate.events.stops import guard_events, stop_events
from dalembert.integrate.methods.method import Method
from dalembert.integrate.methods.registry import method_named, method_of
from dalembert.integrate.run.changes import change_parameters
from dalembert.integrate.run.choosing import FIRST_METHOD
from dalembert.integrate.run.continuation import extend
from dalembert.integrate.run.course import constraint_rows
from dalembert.integrate.run.live import Floats, Options
from dalembert.integrate.run.monitor import Monitor, table
from dalembert.integrate.run.outputs import Outputs
from dalembert.integrate.run.portraying import portray
from dalembert.integrate.run.prepared import MOST_PREPARED, Prepared, usual_key
from dalembert.integrate.run.progress import Progress
from dalembert.integrate.run.remedies import pivoting
from dalembert.integrate.run.sizing import sizing
from dalembert.integrate.run.starting import start_state
from dalembert.integrate.run.task import Task
from dalembert.linalg.saddle import MODES
from dalembert.solution import Solution
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.solution_errors import FileFormatError

if TYPE_CHECKING:
    from dalembert.solution import Checkpoint, Journal

#: What a smaller rtol asks for is lost in rounding from the first step on.
SMALLEST_RTOL = 1e-15
#: Check points for events in a step that are worth their time.
MOST_CHECKS = 10_000
#: As many as there are unless a user says it; steps of one size are short, and shall all take the same time.
USUAL_CHECKS = 4
_FORMALISMS = ("explicit", "contract")
#: Part of the period of a controller that a run is longer than if it is more than a look at the start.
_SHORT_LOOK = 1e-3
_LARGEST = int(np.finfo(float).max)
#: What a checkpoint says of the options of a run.
_OPTIONS = (
    "rtol", "time_scale", "first_step", "min_step", "max_step", "dense", "formalism", "solver", "checks", "monitor",
)  # fmt: skip
_TOLERANCES = "tolerances are rtol, beside the size of each coordinate and velocity, and atol, in their units"
#: Runs of larger systems keep their dense output only if they are asked to.
_DENSE_LIMIT = 2000


@known_keywords(SimulationError, tol=_TOLERANCES, tolerance=_TOLERANCES, eps=_TOLERANCES)
def simulate(
    equations: Equations | Any,
    span: Sequence[float] | None = None,
    start: Any = None,
    *,
    method: str | Method = "auto",
    rtol: float = 1e-6,
    atol: ArrayLike | None = None,
    t_eval: ArrayLike | None = None,
    events: Sequence[Any] = (),
    parameters: Mapping[str, Any] | None = None,
    dense_output: bool | None = None,
    first_step: float | None = None,
    min_step: float = 0.0,
    max_step: float = np.inf,
    max_steps: int | None = None,
    event_checks: int | None = None,
    redundant: str = "refuse",
    constraints: Sequence[str | int] | None = None,
    formalism: str = "auto",
    solver: str = "auto",
    outputs: Mapping[str, Callable[..., Any]] | None = None,
    progress: Progress | bool | None = None,
    monitor: Monitor | bool | None = None,
    realtime: bool | float = False,
    journal: Journal | str | Path | None = None,
) -> Solution:
    """Integrate equations of motion.

    :param equations: made by :func:`dalembert.trace`, :class:`dalembert.Elements` or a model; or a problem of
        :mod:`dalembert.problems`, which has a span and a start of its own
    :param span: first and last instant; the last may be the earlier one
    :param start: a :class:`State` as ``equations.assemble``, ``equilibrium`` or ``sol.state(-1)`` give it, a point
        ``sol.sol(t)``, or ``(q, v)``, ``(q, v, u)``; it is projected onto the constraints. A dictionary of q, v, u may
        hold ``lam`` too, as a State does: multipliers to begin with, where forces depend on them
    :param method: "auto", one of ``dalembert.methods()``, or a method with options, such as ``Radau(stages=5)``
    :param rtol: relative tolerance of q, v and u
    :param atol: absolute tolerance, one number or one per entry of (q, v, u); for a model by default 1e-8 of its
        characteristic length, of a radian and of velocities with which these are passed through (see "Integration"),
        otherwise 1e-8.  What was used is in ``sol.atol``
    :param t_eval: instants to report; the ends of all steps if left away
    :param events: :class:`Event` objects, or functions with SciPy's attributes ``terminal`` and ``direction``
    :param parameters: values other than the defaults of the equations
    :param dense_output: keep the motion between the steps as ``sol.sol``; by default for all but very large systems
    :param max_steps: stop after so many steps; the run can be resumed
    :param formalism: "auto", "explicit" (accelerations solved on atoms) or "contract" (matrices factorised by
        ``solver``: "auto" or one of the modes on the page "Linear algebra")
    :param constraints: names or numbers of the multipliers whose rows hold from the start on; all but those of stops
        if left away
    :param redundant: "accept" constraints that say the same; multipliers are then those of the smallest norm
    :param outputs: sensors: functions of any of ``t, q, v, a, lam, u, p``, evaluated at the instants of the result,
        ``sol["name"]``; those of a model are measured too
    :param progress: True for a line on the terminal, or a function of (t, statistics), called after each slice of steps
    :param monitor: True for a table of all steps (t, h, order, error, attempts given up, evaluations, iterations, why
        Newton matrices were renewed), or a function that is told about each
    :param realtime: True: a second of the motion takes a second of the clock, steps that are done earlier wait; or how
        many seconds of the motion pass in one.  What is computed is the same; ``statistics`` counts overruns and times
    :param journal: a file that the result is stored in, ``"run.nc"``; a run that takes longer than half a second writes
        ``run.nc.journal`` while it goes, from which :func:`resume` goes on whatever has ended it (page "Journal").
        :class:`Journal` has options

    The result has SciPy's names: ``t``, ``q``, ``v``, ``a``, ``lam`` of shape (n, n_t), ``status``, ``message``,
    ``success``, ``nfev``, ``t_events``, ``sol``.  A run that ends badly returns what was computed, and says in
    ``message`` what happened and what helps.
    """
    problem, equations, span, start = _taken_apart(equations, span, start)
    usual = (
        first_step is None and event_checks is None and constraints is None and outputs is None and monitor is None
        and journal is None and realtime is False
        and type(min_step) is type(max_step) is float and min_step == 0.0 and max_step == np.inf
        and type(formalism) is type(solver) is str and formalism == solver == "auto"
        and type(events) in (tuple, list) and not events
    )  # fmt: skip
    key = usual_key(span, start, method, rtol, atol, t_eval, parameters, dense_output, redundant) if usual else None
    known: dict[Any, Prepared] = equations.kept("prepared runs", dict)
    prepared = known.get(key) if key is not None else None
    if prepared is None:
        prepared = _prepared(
            equations, span, start, method, rtol, atol, t_eval, events, parameters, dense_output, first_step, min_step,
            max_step, event_checks, redundant, constraints, formalism, solver, outputs, monitor, realtime,
        )  # fmt: skip
        if key is not None and prepared.remember():
            for old in list(known)[: max(0, len(known) - MOST_PREPARED + 1)]:
                known.pop(old, None)  # other threads may have done it
            known[key] = prepared
    if progress is not None or monitor is not None:
        _check_listeners(progress=progress, monitor=monitor)
    if max_steps is not None:
        _check_numbers(max_steps=max_steps)
    title = getattr(problem, "title", equations.name)
    task = None if prepared.beginning is None else prepared.beginning.course()
    if task is None:
        task = Task(
            equations, prepared.method, prepared.options, prepared.span, dict(parameters or {}), prepared.events,
            prepared.times, prepared.dense, prepared.active, prepared.held, prepared.automatic, redundant,
            monitor=table() if monitor is True else monitor or None, beginning=prepared.beginning,
        )  # fmt: skip
        if rtol < SMALLEST_RTOL:
            task.note = f" rtol = {SMALLEST_RTOL:g} was used, the smallest that makes sense in double precision."
        task.begin(prepared.y, prepared.lam)
        if journal is not None:
            from dalembert.integrate.run.earlier import new_writer

            task.journal = new_writer(journal, title)
    solution = _carried_out(task, prepared.outputs, max_steps, progress, title)
    solution.origin = _Origin(equations, events, outputs)
    return solution


def _prepared(
    equations: Equations,
    span: Any,
    start: Any,
    method: str | Method,
    rtol: float,
    atol: ArrayLike | None,
    t_eval: ArrayLike | None,
    events: Sequence[Any],
    parameters: Mapping[str, Any] | None,
    dense_output: bool | None,
    first_step: float | None,
    min_step: float,
    max_step: float,
    event_checks: int | None,
    redundant: str,
    constraints: Sequence[str | int] | None,
    formalism: str,
    solver: str,
    outputs: Mapping[str, Callable[..., Any]] | None,
    monitor: Monitor | bool | None,
    realtime: bool | float,
) -> Prepared:
    """What a user has said about a run, looked at and completed."""
    t0, t1 = _checked_span(span)
    if not isinstance(redundant, str) or redundant not in ("refuse", "accept"):
        raise SimulationError(f"redundant must be 'refuse' or 'accept', got {shown(redundant)}")
    if dense_output is not None:
        flag(dense_output, "dense_output", SimulationError)
    _check_listeners(monitor=monitor)
    _check_numbers(first_step, min_step, max_step, None, event_checks)
    automatic = isinstance(method, str) and method == "auto"
    chosen = method_named(FIRST_METHOD) if automatic else method_of(method)
    _check_fixed_step(chosen, first_step, min_step, max_step)
    formalism = _checked_formalism(formalism, solver, chosen)
    given_events = with_functions(equations, _checked_events(events))
    measured = Outputs(equations, outputs)
    state = start_state(equations, start, t0)
    lam = state.lam if state.lam.any() else None
    given_events += stop_events(equations, (t0, t1), state, parameters)
    given_events += guard_events(equations)
    _warn_of_periods(equations, abs(t1 - t0))
    rows = _first_rows(equations) if constraints is None else constraint_rows(equations, constraints)
    found = equations.restricted(rows).check(
        state.q, state.v, state.u, t=t0, parameters=parameters, redundant=redundant,
        lam=None if lam is None else lam[list(rows)],
    )  # fmt: skip
    active = tuple(rows[i] for i in found.rows)
    point = found.point if active == tuple(rows) else None
    sizes = sizing(equations, active, state, parameters, abs(t1 - t0), point)
    n_y = equations.sizes.q + equations.sizes.v + equations.sizes.u
    dense = n_y <= _DENSE_LIMIT if dense_output is None else bool(dense_output)
    times = None if t_eval is None else _checked_times(t_eval, t0, t1)
    tolerances = sizes.atol if atol is None else _checked_atol(atol, equations)
    if _checked_rtol(rtol) == 0.0 and atol is not None and not np.all(atol):
        raise SimulationError(
            "rtol and atol must not both be zero: no step is as exact as that. Leave them away, or give the error that "
            f"may be made; {_TOLERANCES}"
        )
    options = Options(
        rtol=max(_checked_rtol(rtol), SMALLEST_RTOL),
        atol=tolerances,
        scale=sizes.scale,
        time_scale=1.0 / sizes.rate,
        drift=sizes.drift,
        first_step=first_step,
        min_step=min_step,
        max_step=max_step,
        # Ends of the span are ends of steps: nothing has to be interpolated for them.
        dense=dense or (times is not None and not np.isin(times, (t0, t1)).all()),
        # Pivots on atoms are entries of M; where that is singular by itself they may vanish. Others than rows with
        # pivoting take them too.
        formalism=formalism if (found.definite and found.weighty) or formalism != "auto" else "contract",
        solver=solver if found.weighty or solver != "auto" else pivoting(equations.sizes),
        checks=event_checks or (1 if chosen.steps_alike else USUAL_CHECKS),
        monitor=bool(monitor),
        realtime=_checked_pace(realtime),
        ends=times is None,
    )
    return Prepared(
        chosen, automatic, options, (t0, t1), given_events, times, dense, active, rows,
        np.concatenate([state.q, state.v, state.u]), lam, measured,
    )  # fmt: skip


def _warn_of_periods(equations: Equations, duration: float) -> None:
    """Say which controllers are not called again within a run; very short runs are looks at the start."""
    for one in equations.samplers:
        if _SHORT_LOOK * one.period < duration < one.period:
            warn_caller(
                f"'{equations.name}': the sampled controller '{one.name}' has a period of {one.period:g} s, and the "
                f"run takes {duration:g} s, so that it is called once at most and its outputs stay as they are. Give "
                "the period in seconds, 0.005 for 5 ms",
                DalembertWarning,
            )


def _carried_out(
    task: Task, measured: Outputs, max_steps: int | None, progress: Progress | bool | None, title: str, had: Any = ()
) -> Solution:
    """The result of a task, with its sensors and its looks; stored, if it has a journal. ``had`` are names of sensors
    of an earlier part of the run."""
    parameters_at, writer = task.recorder.parameters_at, task.journal
    try:
        result = portray(measured.measure(task.run(max_steps, progress), parameters_at), task.equations, parameters_at)
        result.title = title
        if had and (lost := [name for name in had if name not in result.outputs]):
            result.message += f" Outputs of the first part are missing: {', '.join(lost)}. Give them to resume() again."
        if writer is not None:
            writer.store(result)
        return result
    finally:
        if writer is not None:
            writer.close()


class _Origin(NamedTuple):
    """What a run was made with, as it was given, for those who go on with it in the same process."""

    equations: Equations
    events: Any
    outputs: Mapping[str, Callable[..., Any]] | None


@known_keywords(SimulationError)
def resume(
    solution: Solution | str | Path,
    equations: Equations | Any = None,
    *,
    until: float | None = None,
    t_eval: ArrayLike | None = None,
    method: Method | None = None,
    events: Sequence[Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    max_steps: int | None = None,
    outputs: Mapping[str, Callable[..., Any]] | None = None,
    progress: Progress | bool | None = None,
    journal: Journal | str | Path | None = None,
    force: bool = False,
) -> Solution:
    """Go on with a run that was interrupted or stopped by ``max_steps``, exactly as if it had never stopped; or extend
    one that is finished, or was ended by an event, ``da.resume(sol, until=10)``.

    ``solution`` is what there is of it, or the file of a run with a journal, ``"run.nc"`` or ``"run.nc.journal"``: it
    goes on where the last sound record was written, and stores its result there at its end.  If it turns out that it
    had ended, its result is given back.  A journal that was written by other versions of the package or of NumPy, or on
    another processor, is refused, as the result would not be the same to the last bit; ``force`` takes it all the same.

    ``equations``, ``events`` and ``outputs`` must be those of the first part.  A run of the same process knows them;
    for one that was loaded or pickled they must be given again, as functions are not stored.  So must ``method``, but
    only where it is an own one that this process does not know.  The result holds the whole run.

    ``until`` is the new end; what ends the run there, or at an event, is a restart: steps go on with the size that they
    had.  An event that ended the run is passed, and ends it again at its next root.  Where the first part was recorded
    at ``t_eval``, further instants must be given.

    Parameters are those of the first part, whatever defaults ``equations`` have; ``parameters`` that are given have
    other values from here on.  Values with which the state is not on the constraints are refused.
    """
    from dalembert.integrate.run.earlier import earlier_part  # files and journals, which other runs do not wait for

    _check_numbers(max_steps=max_steps)
    _check_listeners(progress=progress)
    flag(force, "resume: force", SimulationError)
    origin = getattr(solution, "origin", None)
    origin = origin if isinstance(origin, _Origin) else None
    if equations is None:
        if origin is None:
            raise SimulationError(
                "resume: this run was loaded, copied or pickled, or is a file, and does not know its equations; "
                "give them: da.resume(solution, equations, …)"
            )
        equations = origin.equations
    equations = _taken_apart(equations, (), ())[1]
    if origin is not None:
        events = origin.events if events is None else events
        outputs = origin.outputs if outputs is None else outputs
    events = () if events is None else events
    measured = Outputs(equations, outputs)
    given_events = with_functions(equations, _checked_events(events))
    own = None if method is None else method_of(method)
    part = earlier_part(solution, journal, force, extends=until is not None)
    if part.result is not None:
        return part.result
    try:
        try:
            task = _restored(part.checkpoint, equations, given_events, own)
            header = ForeignData(part.checkpoint.header, "header")
            ended = header["ended"].flag() if "ended" in part.checkpoint.header else False
        except FileFormatError as error:
            raise SimulationError(f"the checkpoint of '{part.title}' cannot be resumed: {error}") from None
        part.hand_over(task)
        if until is not None:
            end = _checked_end(until, task.live.run.t_now, task.span)
            extend(task, end, _further_times(task, t_eval, end), ended)
        elif ended:
            raise SimulationError(
                f"this run has ended at t = {task.live.run.t_now:.9g}; say how far it shall go on: "
                "da.resume(solution, until=…)"
            )
        elif t_eval is not None:
            raise SimulationError("resume: t_eval is for a run that is extended, with until=…; others keep theirs")
        change_parameters(task, parameters)
        task.note += part.note
    except BaseException:
        part.close()
        raise
    result = _carried_out(task, measured, max_steps, progress, part.title, part.outputs)
    result.origin = _Origin(equations, events, outputs)
    return result


def _checked_end(until: Any, t: float, span: tuple[float, float]) -> float:
    """Where an extended run ends: beyond the instant at which it stands."""
    if not _is_number(until) or not math.isfinite(until):
        raise SimulationError(f"resume: until must be a finite number, got {shown(until)}")
    sign = 1.0 if span[1] >= span[0] else -1.0
    if not sign * (until - t) > 0.0:
        raise SimulationError(f"resume: until must be beyond t = {t:.9g}, where the run stands; got {float(until):.9g}")
    return float(until)


def _further_times(task: Task, t_eval: ArrayLike | None, until: float) -> Floats | None:
    """Instants of output of an extended run: those that it has, and further ones."""
    if task.t_eval is None:
        if t_eval is not None:
            raise SimulationError(
                "resume: t_eval cannot begin with the second part: the first has the ends of its steps"
            )
        return None
    if t_eval is None:
        raise SimulationError(
            "resume: this run is recorded at t_eval; give further instants for the part that is added: "
            "da.resume(solution, until=…, t_eval=…)"
        )
    return np.concatenate([task.t_eval, _checked_times(t_eval, task.live.run.t_now, float(until))])


def _restored(point: Checkpoint, equations: Equations, events: list[Any], method: Method | None) -> Task:
    """The task of a checkpoint, of which nothing is believed that a user could not have given."""
    from dalembert.integrate.run.checkpoint import read_checkpoint

    own = 2 * len(equations.switches) + len(equations.guards)
    stored = read_checkpoint(point, equations, len(events) + own)
    given = stored.options
    if missing := [key for key in _OPTIONS if key not in given]:
        raise FileFormatError(f"header.options lacks '{missing[0]}'.")
    limit = np.inf if given["max_step"] is None else given["max_step"]
    _check_numbers(given["first_step"], given["min_step"], limit, None, given["checks"])
    said = ForeignData(given, "header.options")
    time_scale = said["time_scale"].number(finite=True)
    if not time_scale > 0.0:
        raise FileFormatError("header.options.time_scale must be positive.")
    dense, formalism, solver = said["dense"].flag(), said["formalism"].text(), said["solver"].text()
    known = method or Method.restored(stored.method)
    _checked_formalism(formalism, solver, known)
    _check_fixed_step(known, given["first_step"], given["min_step"], limit)
    if stored.t_eval is not None:
        _checked_times(stored.t_eval, *stored.span)
    between = stored.t_eval is not None and not np.isin(stored.t_eval, stored.span).all()
    if not dense and (stored.dense or between):
        raise FileFormatError("header.options.dense must be true for dense output, or instants between steps.")
    options = Options(
        rtol=max(_checked_rtol(given["rtol"]), SMALLEST_RTOL), atol=_checked_atol(stored.atol, equations),
        scale=stored.scale, drift=stored.drift, time_scale=time_scale,
        first_step=given["first_step"], min_step=given["min_step"], max_step=limit, checks=int(given["checks"]),
        dense=dense, formalism=formalism, solver=solver, monitor=said["monitor"].flag(),
        realtime=said["realtime"].number(finite=True) if "realtime" in given else 0.0, ends=stored.t_eval is None,
    )  # fmt: skip
    own_events = stop_events(equations, stored.span) + guard_events(equations)
    return Task.from_checkpoint(stored, options, equations, events + own_events, method)


def _taken_apart(given: Any, span: Any, start: Any) -> tuple[Any, Equations, Any, Any]:
    """A problem of the library and its equations, span and start; of equations these must be given."""
    if not isinstance(given, Equations):
        if not isinstance(found := getattr(given, "equations", None), Equations):
            wanted = "make its equations first, model.equations()" if callable(found) else "got something else"
            raise SimulationError(
                "equations must be made by a model, by dalembert.trace or Elements(…).equations(), or be a problem; "
                f"{wanted}: {given!r:.80}"
            )
        return given, found, given.span if span is None else span, given.start if start is None else start
    if span is None or start is None:
        missing = [what for what, given_ in (("a span (t0, t1)", span), ("a start", start)) if given_ is None]
        helps = "" if start is not None else ": (q, v), or a state, such as equations.assemble({…}) gives"
        raise SimulationError(f"'{given.name}' needs {' and '.join(missing)}{helps}")
    return None, given, span, start


def _first_rows(equations: Equations) -> tuple[int, ...]:
    """All constraints but those of stops, on which nothing rests yet."""
    rows = tuple(range(equations.sizes.lam))
    if not equations.inactive:
        return rows
    inactive = {equations.index("lam", name) for name in equations.inactive}
    return tuple(row for row in rows if row not in inactive)


def _checked_formalism(formalism: str, solver: str, method: Method) -> str:
    """The formalism, which a solver decides if there is a choice."""
    for what, value, known in (("formalism", formalism, _FORMALISMS), ("solver", solver, MODES)):
        if not isinstance(value, str) or (value != "auto" and value not in known):
            raise SimulationError(f"there is no {what} '{value}'; {suggestion(str(value), ['auto', *known])}")
    if solver == "auto":
        return formalism
    if formalism == "explicit" and not method.implicit:
        raise SimulationError(f"solver='{solver}' is for formalism='contract'; on atoms nothing is left to solve")
    return "contract" if formalism == "auto" else formalism


def _checked_events(events: Any) -> list[Any]:
    if callable(events) or isinstance(events, Event):
        return [events]
    return list(listed(events, "events, functions or Events,", SimulationError))


def _checked_span(span: Sequence[float]) -> tuple[float, float]:
    ends = reals(span, "span", SimulationError)
    if ends.shape != (2,):
        raise SimulationError(f"span must be two numbers (t0, t1), got {shown(span)}")
    t0, t1 = ends.tolist()
    if not (math.isfinite(t0) and math.isfinite(t1)):
        raise SimulationError(f"span must be finite, got ({t0}, {t1})")
    return t0, t1


def _checked_times(t_eval: ArrayLike, t0: float, t1: float) -> Floats:
    times = reals(t_eval, "t_eval", SimulationError)
    if times.ndim != 1 or not np.isfinite(times).all():
        raise SimulationError("t_eval must be a list of finite numbers")
    sign = 1.0 if t1 >= t0 else -1.0
    if times.size and (np.any(np.diff(sign * times) < 0) or sign * (times[0] - t0) < 0 or sign * (times[-1] - t1) > 0):
        raise SimulationError(f"t_eval must be sorted and lie within the span ({t0:g}, {t1:g})")
    return times


def _checked_rtol(rtol: float) -> float:
    if not _is_number(rtol) or not 0.0 <= rtol < 1.0:
        raise SimulationError(f"rtol must be a number between 0 and 1, got {shown(rtol)}")
    return float(rtol)


def _is_number(value: Any) -> bool:
    """A number that a real number of the machine can hold."""
    if isinstance(value, int):
        return abs(value) <= _LARGEST
    return isinstance(value, (float, np.integer, np.floating))


def _check_listeners(**given: Any) -> None:
    """Whom a run tells about itself: functions, or True."""
    wanted = {"progress": ("t", "statistics"), "monitor": ("step",)}
    for name, listener in given.items():
        if listener is None or isinstance(listener, (bool, np.bool_)):
            continue
        if not callable(listener) or isinstance(listener, type):
            raise SimulationError(f"{name} must be True, False or a function, got {shown(listener)}")
        try:
            signature = inspect.signature(listener)
        except (TypeError, ValueError):  # some built-in functions do not tell
            continue
        try:
            signature.bind(*wanted[name])
        except TypeError as error:
            raise SimulationError(f"{name} must be a function of ({', '.join(wanted[name])}): {error}") from None


def _check_numbers(
    first_step: float | None = None,
    min_step: float = 0.0,
    max_step: float = np.inf,
    max_steps: int | None = None,
    event_checks: int | None = None,
) -> None:
    wrong = ""
    if first_step is not None and not (_is_number(first_step) and 0.0 < first_step < np.inf):
        wrong = f"first_step must be a positive number, got {shown(first_step)}"
    elif not (_is_number(min_step) and 0.0 <= min_step < np.inf):
        wrong = f"min_step must be a zero or positive number, got {shown(min_step)}"
    elif not (_is_number(max_step) and max_step > 0.0):
        wrong = f"max_step must be a positive number, got {shown(max_step)}"
    if wrong:
        raise SimulationError(wrong)
    for name, count, least, most in (
        ("max_steps", max_steps, 0, 2**53), ("event_checks", event_checks, 1, MOST_CHECKS)
    ):  # fmt: skip
        if count is not None and not (isinstance(count, (int, np.integer)) and least <= count <= most):
            limit = "" if isinstance(count, (int, np.integer)) and count < least else f" and at most {most}"
            raise SimulationError(f"{name} must be a whole number, at least {least}{limit}; got {shown(count)}")


def _checked_pace(realtime: Any) -> float:
    """Seconds of the motion in a second of the clock; 0 if nobody waits."""
    if isinstance(realtime, (bool, np.bool_)):
        return float(realtime)
    if not (_is_number(realtime) and 0.0 < realtime < np.inf):
        raise SimulationError(f"realtime must be True, False or a positive number, got {shown(realtime)}")
    return float(realtime)


def _check_fixed_step(method: Method, first_step: float | None, min_step: float, max_step: float) -> None:
    """Steps of one size leave nothing to be said about sizes, but what it is."""
    size = method.fixed_size
    if size is None:
        if method.steps_alike and first_step is None:
            raise SimulationError(
                f"'{method.name}' makes steps of one size; say it: {type(method).__name__}(step=1e-3), or first_step="
            )
        return
    said = f"{type(method).__name__}(step={size:g})" if method.controller is None else f"FixedStep(size={size:g})"
    if first_step is not None:
        raise SimulationError(f"all steps have the size {size:g}, as {said} says; leave first_step away")
    if not min_step <= size <= max_step:
        raise SimulationError(f"{said} is not within min_step={min_step:g} and max_step={max_step:g}")


def _checked_atol(atol: ArrayLike, equations: Equations) -> Floats:
    n = equations.sizes.q + equations.sizes.v + equations.sizes.u
    values = reals(atol, f"atol, one number or {n} for (q, v, u),", SimulationError)
    if values.shape == () and 0.0 <= values < np.inf:
        return np.full(n, max(float(values), 1e-300))
    if values.shape not in ((), (n,)):
        raise SimulationError(f"atol must be one number or {n} numbers, for (q, v, u); got the shape {values.shape}")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise SimulationError("atol must be finite and not negative")
    return np.array(np.broadcast_to(np.maximum(values, 1e-300), (n,)))
