"""A run with everything around it: modes, events and their actions, records, how it ends and how it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dalembert.arguments import listed
from dalembert.equations import Equations, State
from dalembert.equations.contract.evaluation import Evaluation
from dalembert.equations.contract.rank import best_rows
from dalembert.errors import NotFiniteError, SimulationError
from dalembert.integrate.events.event import Change, Switching, act, constraint_names
from dalembert.integrate.events.watching import check_drives
from dalembert.integrate.frame.memory import COUNTERS, ORIGIN, REASON, STATUS
from dalembert.integrate.methods.method import Method
from dalembert.integrate.methods.registry import method_named
from dalembert.integrate.run import outcome as endings
from dalembert.integrate.run.checkpoint import StoredRun
from dalembert.integrate.run.live import ARRAYS, Floats, LiveRun, Options
from dalembert.integrate.run.monitor import Monitor, Reports
from dalembert.integrate.run.progress import Interruption, Progress, ProgressLine
from dalembert.integrate.run.records import Recorder
from dalembert.solution import Checkpoint, EventRecord, Solution, Statistics

#: So many stops in succession, each within this part of the span from the last, are chattering.
_CHATTER_COUNT, _CHATTER_GAP = 40, 1e-8
#: A start that is moved onto the constraints by more than this part of its size is worth a word.
_MOVED = 1e-6
#: Values of parameters that move a state onto the constraints by more, relative to 1 + its size, contradict it.
_CONTRADICTED = 1e-3
#: Largest number of unknowns for which a dense factorisation takes the place of a structured one that failed.
_LARGEST_PIVOTED = 3000
#: With fewer unknowns than this it does so at once.
_SMALL = 60
#: "auto" starts with the first of these, and changes to the second where it sees after so many steps that too many lie
#: ahead.
FIRST_METHOD, _STIFF_METHOD = "dop853", "radau"
_STEPS_TO_JUDGE, _TOO_MANY_STEPS = 1000, 100_000
#: That is judged after multiples of so many steps, wherever slices end.
_JUDGED_AFTER = 500
#: Other rows of dependent constraints are used where they span so much more.
_BETTER = 3.0
#: So many changes of these rows are told one by one.
_TOLD = 4


@dataclass
class Task:
    """A run with everything around it: modes, events and their actions, records, its checkpoint."""

    equations: Equations
    method: Method
    options: Options
    span: tuple[float, float]
    overrides: dict[str, Any]
    given_events: list[Any]
    t_eval: Floats | None
    keep_dense: bool
    rows: tuple[int, ...]  # active rows of the constraints
    held: tuple[int, ...] = ()  # all rows that hold: the active ones, and those that depend on them
    automatic: bool = False  # whether the method may be changed
    redundant: str = "refuse"  # or "accept" rows that depend on others
    monitor: Monitor | None = None  # is told about each step, if the options keep what it needs
    reports: Reports = field(default_factory=Reports)
    live: LiveRun = field(init=False)
    recorder: Recorder = field(init=False)
    switching: Switching = field(init=False)
    records: list[EventRecord] = field(default_factory=list)
    stops: list[tuple[float, int]] = field(default_factory=list)  # instants and numbers of events that stopped the run
    carried: dict[str, int] = field(default_factory=dict)  # counts of runs before a mode switch
    start: Floats = field(init=False)  # as it was given, before any projection
    methods: list[str] = field(default_factory=list)  # all that were used
    exchanged: list[str] = field(default_factory=list)  # rows of redundant constraints, and from when on
    note: str = ""  # what the message shall say besides
    later: str = ""  # the same, once there are further steps

    def __post_init__(self) -> None:
        self.methods = self.methods or [self.method.name]
        self.held = self.held or self.rows
        self.switching = Switching(self.equations, self.given_events)
        self.recorder = Recorder(self.equations, self.options, self.t_eval, self.keep_dense)
        self._make_live()

    def _make_live(self) -> None:
        active = self.equations.restricted(self.rows)
        events = self.switching.of(active, self.held)
        parameters = active.parameter_vector(self.overrides)
        breaks = self._breaks_of(active, parameters)
        self.recorder.breaks |= set(breaks)
        exchanges = len(self.held) > len(self.rows)
        self.live = LiveRun(active, self.method, self.options, parameters, events, breaks, exchanges=exchanges)
        self.recorder.use(active, self.live.method, parameters, self.held)

    def _breaks_of(self, active: Equations, p: Floats) -> tuple[float, ...]:
        """Instants at which right sides are not smooth with these parameters, in the direction of time."""
        sign = 1.0 if self.span[1] >= self.span[0] else -1.0
        return tuple(sorted(active.all_breaks(self.span, p), key=lambda t: sign * t))

    def _keeps_breaks(self, p: Floats) -> bool:
        """Whether the breaks of the run are those with these parameters too."""
        active = self.live.equations
        return not active.borders().parametric or self._breaks_of(active, p) == self.live.breaks

    def _check_drives(self, y: Floats) -> None:
        """Refuse constraints that jump from here on."""
        live, s = self.live, self.equations.sizes
        ahead = float(live.run.t_now), self.span[1]
        check_drives(live.equations, live.breaks, ahead, np.array(live.run.p), y, self.options.atol[s.q : s.q + s.v])

    def check_rates(self) -> None:
        """Refuse equations that move otherwise than those of a stored state: names and sizes alone tell little."""
        run = self.live.run
        if run.restart:
            return
        run.slice = 0
        if self.live.advance() == REASON.STOPPED_BY_EXCEPTION:
            self.live.raise_pending()
        stored, found = run.rate0, run.rate1
        if not np.allclose(stored, found, rtol=1e-9, atol=1e-9 * np.abs(stored).max(initial=0.0)):
            raise SimulationError(f"the run was made with other equations than '{self.equations.name}' as given here")

    def change_parameters(self, values: Mapping[str, Any] | None) -> None:
        """Go on with other values of parameters, from a state that they do not contradict."""
        live = self.live
        if values is None:
            return
        live.equations.parameter_vector(values)  # complains about what is none
        overrides = {**self.overrides, **values}
        p = live.equations.parameter_vector(overrides)
        if np.array_equal(p, live.run.p):
            return
        self.overrides = overrides
        y = np.array(live.run.y0)
        rows = self._independent(self.held, y)
        if rows != self.rows or not self._keeps_breaks(p):
            self._switch(rows)
        else:
            live.run.p[:] = p
            self.recorder.use(live.equations, live.method, p, self.held)
        live = self.live
        self._check_drives(y)
        live.run.y0[:] = y
        live.run.restart, live.run.origin = 1, ORIGIN.CHANGED
        where = f"with these parameters the state at t = {live.run.t_now:.6g} is not on the constraints"
        remedy = "start a new run from a state that was assembled with them"
        if not self._restart():
            raise SimulationError(f"{where}, and cannot be brought there; {remedy}")
        if (moved := self._moved_from(y)) and moved[1] > _CONTRADICTED:
            raise SimulationError(f"{where}: {moved[0]} would have to move by {moved[2]:.3g}; {remedy}")
        if moved:
            self.note += f" Other parameters moved the state onto the constraints: {moved[0]} by {moved[2]:.3g}."

    def begin(self, y: Floats, lam: Floats | None = None) -> None:
        """Set the start of the run; ``lam`` are multipliers, of all rows, to begin with."""
        self.start = np.array(y)
        self.live.start(self.span[0], y, self.span[1])
        self._check_drives(y)
        if lam is not None:
            self.live.guess(lam[list(self.rows)])

    # ------------------------------------------------------------------------------------------------------- running

    def run(self, max_steps: int | None, progress: Progress | bool | None) -> Solution:
        """Slices until something ends the run."""
        report = ProgressLine(self.span) if progress is True else progress or None
        interruption = Interruption(self._end_slice)
        interruption.begin()
        try:
            return self._run(max_steps, report, interruption)
        finally:
            interruption.end()
            if isinstance(report, ProgressLine):
                report.end(self.live.run.t_now, self.statistics())

    def _run(self, max_steps: int | None, report: Progress | None, interruption: Interruption) -> Solution:
        limit = np.inf if max_steps is None else self._count("steps") + max_steps
        try:
            while True:
                live = self.live
                fresh = bool(live.run.restart) and not self.recorder.started
                if fresh:
                    try:
                        started = self._first_point()
                    except Exception as error:
                        return self._finish(endings.raised(error, live.run.t_now))
                    if not started:
                        if self._fall_back():
                            continue
                        return self._finish(endings.failed_start(live))
                steps = self._count("steps")
                live.run.slice = int(min(live.slice, limit - steps, _JUDGED_AFTER - steps % _JUDGED_AFTER))
                reason = self._advance()
                if failed := self._collect():
                    return self._finish(failed)
                if reason == REASON.STOPPED_BY_EXCEPTION:
                    return self._finish(self._exception_ending())
                if reason == REASON.BREAK_REACHED:
                    try:
                        reason = self._pass_break()
                    except Exception as error:
                        return self._finish(endings.raised(error, live.run.t_now))
                if reason == REASON.EVENT_FOUND:
                    ending = self._after_event()
                    if ending is not None:
                        return self._finish(ending)
                elif reason == REASON.FINISHED:
                    self._tell(report, self.span[1])
                    return self._finish(endings.finished(self.span[1]))
                elif reason == REASON.DEPENDENT:
                    self._choose_rows()
                elif reason == REASON.UNDERFLOW:
                    if self._choose_rows(failed=True) or self._fall_back():
                        continue
                    return self._finish(endings.underflow(live))
                self._tell(report, live.run.t_now)
                if self.automatic and self._stiff():
                    self._change_method(method_named(_STIFF_METHOD))
                if interruption.asked:
                    return self._finish(endings.interrupted(live.run.t_now))
                if self._count("steps") >= limit:
                    return self._finish(endings.step_limit(max_steps, live.run.t_now))
        except KeyboardInterrupt:
            self._collect()
            t = self.live.run.t_now
            early = endings.interrupted_early(t, "before its start was completed")
            return self._finish(endings.interrupted(t) if self.recorder.started else early)

    def _end_slice(self) -> None:
        """Let the frame return after the attempt at hand."""
        self.live.run.slice = 0

    def _tell(self, report: Progress | None, t: float) -> None:
        """Say how far the run is."""
        if report is not None:
            with self._carried_by("progress"):
                report(t, self.statistics())

    @contextmanager
    def _carried_by(self, who: str) -> Iterator[None]:
        """Exceptions of those that only look on are the user's own; they carry what was computed as ``solution``."""
        try:
            yield
        except Exception as error:
            vars(error)["solution"] = self._finish(endings.raised(error, self.live.run.t_now, who))
            error.add_note(f"{who} of da.simulate has raised this; its attribute 'solution' holds the run so far")
            raise

    def _advance(self) -> int:
        """A slice; before one that starts anew, multipliers to begin with where forces depend on them."""
        run = self.live.run
        if run.restart and run.friction and not run.z0[run.n_v :].any():
            self.live.find_multipliers(run.t_now, np.array(run.y0))
        return self.live.advance()

    def _completed(self) -> bool:
        """Project the point at which the run stands and find its accelerations, in a slice without steps."""
        self.live.run.slice = 0
        reason = self._advance()
        if reason == REASON.STOPPED_BY_EXCEPTION:
            self.live.raise_pending()
        return reason != REASON.UNDERFLOW

    def _first_point(self) -> bool:
        """Project the start and record it."""
        live = self.live
        if not self._completed():
            return False
        self.recorder.start(live.run.t_now, live.run.y0, live.run.z0)
        if moved := self._moved_from(self.start):
            self.note += f" The start was moved onto the constraints: {moved[0]} by {moved[2]:.3g}."
        return True

    def _moved_from(self, y: Floats) -> tuple[str, float, float] | None:
        """What the projection has moved furthest: its name, how far beside its size, and how far; None if it is no more
        than rounding and tolerance."""
        change = self.live.run.y0 - y
        moved = np.abs(change) / (self.live.run.scale + np.abs(y))
        if not moved.size or not moved.max() > _MOVED:
            return None
        i = int(np.argmax(moved))
        names = [name for key in ("q", "v", "u") for name in self.equations.names[key]]
        return names[i], float(moved[i]), float(change[i])

    def _collect(self) -> endings.Ending | None:
        """Take over what a slice has left, all of it; an ending if a function of the user fails on the way."""
        live = self.live
        if self.later and live.run.steps:
            self.note, self.later = self.note + self.later, ""
        records = live.take_records()
        failed = self._record(records)
        s = live.equations.sizes
        for row in live.take_events():
            number, t = int(row[0]), float(row[1])
            q, v, u, a, lam = np.split(row[2:], np.cumsum([s.q, s.v, s.u, s.v]))
            name = live.events.names[number] if live.events is not None else ""
            lam = self.recorder.shared(t, q, self._all_rows(lam))
            self.records.append(EventRecord(number, name, t, q, v, a, lam, u))
        if self.monitor is not None:
            with self._carried_by("monitor"):
                for report in self.reports.of(records):
                    self.monitor(report)
        return failed

    def _record(self, records: Floats) -> endings.Ending | None:
        """Add steps to the records; an ending if a function fails at an instant of t_eval between them."""
        try:
            self.recorder.add(records)
        except KeyboardInterrupt:
            self.recorder.add(records, sampled=False)
            return endings.interrupted_early(self.live.run.t_now, "while instants of t_eval were computed")
        except Exception as error:
            self.recorder.add(records, sampled=False)
            t = self.live.run.t_now
            own = isinstance(error, (NotFiniteError, SimulationError))
            return endings.incomplete(error, t) if own else endings.raised(error, t)
        return None

    def _all_rows(self, lam: Floats) -> Floats:
        full = np.zeros(self.equations.sizes.lam)
        full[list(self.rows)] = lam
        return full

    def _exception_ending(self) -> endings.Ending:
        try:
            self.live.raise_pending()
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return endings.raised(error, self.live.run.t_now)
        return endings.raised(None, self.live.run.t_now)

    # -------------------------------------------------------------------------------------------------------- events

    def _after_event(self) -> endings.Ending | None:
        """Do what a stopping event asks for; an ending, or None to go on."""
        live = self.live
        assert live.events is not None
        number = live.run.stopped_by
        event, name = live.events.events[number], live.events.names[number]
        t = live.run.t_now
        last = event.terminal and sum(record.index == number for record in self.records) >= int(event.terminal)
        if event.action is None:
            return endings.event(name, t)
        self.stops.append((t, number))
        if self._chatters():
            return endings.chattering([live.events.names[k] for _, k in self.stops[-_CHATTER_COUNT:]], t)
        s = live.equations.sizes
        y, z = np.array(live.run.y0), np.array(live.run.z0)
        q, v, u = np.split(y, [s.q, s.q + s.v])
        state = State(t, q, v, z[: s.v], self.recorder.shared(t, q, self._all_rows(z[s.v :])), u)
        try:
            modes = constraint_names(self.equations, self.held)
            change = act(self.equations, event, name, state, live.run.p, modes)
            others = [(live.events.names.index(other), other) for other in change.also]
            self.records += [replace(self.records[-1], index=k, name=other) for k, other in others]
            for k, _ in others:  # terminal events among them have had one root more
                live.run.countdown[k] -= 1
            self._apply(change, q, v, u)
        except KeyboardInterrupt:  # what the action has changed is not known
            return endings.interrupted_early(t, f"in the action of event '{name}'")
        except Exception as error:
            return endings.raised(error, t)
        return endings.event(name, t) if change.terminate or last else None

    def _apply(self, change: Change, q: Floats, v: Floats, u: Floats) -> None:
        live, equations = self.live, self.live.equations
        y = np.concatenate(
            [
                q if change.q is None else equations.vector("q", change.q),
                v if change.v is None else equations.vector("v", change.v),
                u if change.u is None else equations.vector("u", change.u),
            ]
        )
        held = self.held if change.constraints is None else constraint_rows(self.equations, change.constraints)
        left = held == self.held and np.array_equal(y, live.run.y0)
        overrides = {**self.overrides, **(change.parameters or {})}
        p = equations.parameter_vector(overrides) if change.parameters else np.array(live.run.p)
        self.overrides = overrides
        switched = held != self.held or (change.parameters and not self._keeps_breaks(p))
        if switched:
            rows = self.rows if held == self.held else self._independent(held, y)
            self.held = held
            self._switch(rows)
            live = self.live
        elif change.parameters:
            live.run.p[:] = p
            self.recorder.use(equations, live.method, p, self.held)
        if switched or change.parameters:
            self._check_drives(y)
        live.run.y0[:] = y
        live.run.restart, live.run.origin = 1, ORIGIN.LEFT if left else ORIGIN.CHANGED
        if self._restart():
            return
        live.run.y0[:] = y  # what failed may have left it half changed
        if self._fall_back():
            self.live.run.origin = live.run.origin
            if self._restart():
                return
        raise SimulationError(
            "after the action of an event the state cannot be projected onto the constraints; let the action return a "
            "state that nearly satisfies them"
        )

    def _independent(self, held: tuple[int, ...], y: Floats) -> tuple[int, ...]:
        """Those of the constraints that shall hold which the others do not imply."""
        s = self.equations.sizes
        q, v, u = np.split(y, [s.q, s.q + s.v])
        found = self.equations.restricted(held).check(
            q, v, u, t=self.live.run.t_now, parameters=self.overrides, redundant=self.redundant
        )
        return tuple(held[i] for i in found.rows)

    def _restart(self) -> bool:
        """Project after a jump, and record the new state at the same instant."""
        live = self.live
        if not self._completed():
            return False
        self.recorder.jump(live.run.t_now, live.run.y0, live.run.z0)
        return True

    def _pass_break(self) -> int:
        """Go on behind a break, if that is possible; velocities that an impulse has changed there are recorded like
        those of an action."""
        run = self.live.run
        y = np.array(run.y0)
        if not self._completed():
            return REASON.UNDERFLOW
        if self._moved_from(y):
            # Positions do not jump: they were moved by the rounding that tells the sides of the break apart.
            run.y0[: run.n_q] = y[: run.n_q]
            self.recorder.jump(run.t_now, run.y0, run.z0)
        return REASON.SLICE_DONE

    def _stiff(self) -> bool:
        """Whether an explicit method creeps: the whole span would take very many steps."""
        steps, done = self._count("steps"), abs(self.live.run.t_now - self.span[0])
        span = abs(self.span[1] - self.span[0])
        if self.method.implicit or steps < _STEPS_TO_JUDGE or steps % _JUDGED_AFTER:
            return False
        return steps * span > _TOO_MANY_STEPS * done

    def _change_method(self, method: Method) -> None:
        """Go on with another method from where the run is."""
        y = np.array(self.live.run.y0)
        self.method = method
        self.methods.append(method.name)
        self._switch(self.rows)
        self.live.run.h_next = 0.0
        self.live.run.y0[:] = y
        self.live.run.restart = 1

    def _fall_back(self) -> bool:
        """Where a solution without row pivoting has failed, go on with one that has it.

        It fails where M has a zero, which a parameter can bring about, or where constraints lose rank.
        """
        live = self.live
        failure = live.run.failure
        on_atoms = "explicit" in live.providers
        suspects = (STATUS.SINGULAR, STATUS.NOT_FINITE, STATUS.PROJECTION_FAILED) if on_atoms else (STATUS.SINGULAR,)
        unknowns = live.n_z + (live.n_y + live.equations.sizes.g if self.method.implicit else 0)
        # A structured solver gives way to the sparse one, which can pivot, and that to the dense one.
        solver = "dense" if on_atoms or self.options.solver == "sparse" or unknowns < _SMALL else "sparse"
        if failure not in suspects or (self.options.solver == "dense" and not on_atoms):
            return False
        if solver == "dense" and unknowns > _LARGEST_PIVOTED:
            return False
        if endings.culprit(live):  # no solver helps
            return False
        self.later = (
            f" From t = {live.run.t_now:.6g} on the matrix of constrained motion was factorised with row "
            f"pivoting (solver='{solver}'); the first solver had failed there."
        )
        y = np.array(live.run.y0) if self.recorder.started else self.start
        self.options = replace(self.options, solver=solver, formalism="contract")
        self.recorder.options = self.options
        self._switch(self.rows)
        self.live.run.y0[:] = y
        self.live.run.restart = 1
        self.live.run.h_next = 0.0  # that of the failed attempts would end the run at once
        return True

    def _choose_rows(self, failed: bool = False) -> bool:
        """Go on with others of the constraints that depend on each other, if they are more independent than those in
        use; whether it is so."""
        run, s = self.live.run, self.equations.sizes
        if not run.exchanges or not self.recorder.started:
            return False
        y, t = np.array(run.y0), run.t_now
        q, v, u = np.split(y, [s.q, s.q + s.v])
        found = best_rows(Evaluation(self.equations, t, q, v, u, run.p), self.held, self.rows)
        if found is None:  # to be looked at again in the next steps, but not for ever
            run.row_best[:] = np.maximum(run.row_remains, 0.5 * run.row_best)
            return False
        if found.better < _BETTER:
            run.row_best[:] = run.row_remains
            return False
        out, back = (
            constraint_names(self.equations, sorted(set(those) - set(others)))
            for those, others in ((self.rows, found.rows), (found.rows, self.rows))
        )
        self.exchanged.append(f"{', '.join(out)} instead of {', '.join(back)} from t = {t:.6g} on")
        self._switch(found.rows)
        new = self.live.run
        new.y0[:] = y
        new.restart, new.origin = 1, ORIGIN.BREAK  # events go on as they are
        if failed:
            new.h_next = 0.0
        return True

    def _switch(self, rows: tuple[int, ...]) -> None:
        """Go on with other constraints or another solver: a run of its own, with the same clock and counters."""
        old = self.live.run
        self.carried |= {name: self._count(name) for name in old.counters}
        self.reports = Reports()  # counts start anew
        self.rows = rows
        self._make_live()
        new = self.live.run
        for name in _CARRIED:
            setattr(new, name, getattr(old, name))
        for vector in ("phi1", "signs", "countdown", "threshold"):
            getattr(new, vector)[:] = getattr(old, vector)
        if self.method.starts_small:
            new.h_next = 0.0

    def _chatters(self) -> bool:
        last = self.stops[-_CHATTER_COUNT:]
        if len(last) < _CHATTER_COUNT:
            return False
        gap = _CHATTER_GAP * abs(self.span[1] - self.span[0])
        return all(abs(b[0] - a[0]) <= gap for a, b in pairwise(last))

    # -------------------------------------------------------------------------------------------------------- result

    def _count(self, name: str) -> int:
        """A counter, with what runs before a mode switch have counted; 0 for one that the method does not have."""
        own = getattr(self.live.run, name) if name in self.live.run.slots else 0
        return self.carried.get(name, 0) + int(own)

    def statistics(self) -> Statistics:
        """The work done so far."""
        run = self.live.run
        counts = {name: self._count(name) for name in {**dict.fromkeys(run.counters), **self.carried}}
        extra: dict[str, int | float] = {
            "projection_iterations": counts["projection_iterations"], "constraint_residual": run.worst_g,
            "projection_change": run.worst_moved,
        }  # fmt: skip
        if counts["njev"]:
            extra |= {key: counts.get(name, 0) for key, name in _OF_IMPLICIT.items()}
        steps = counts["steps"]
        return Statistics(
            **{name: counts[name] for name in COUNTERS if name != "projection_iterations"},
            step_min=run.h_smallest if steps else None,
            step_max=run.h_largest if steps else None,
            extra=extra,
        )

    def _note_on_rows(self) -> str:
        """What became of constraints that depend on each other, where one choice of them did not do for all."""
        count = len(self.exchanged)
        if not count:
            return ""
        told = "; ".join(self.exchanged[:_TOLD])
        more = f"; and so on, {count} times in all" if count > _TOLD else ""
        return f" Redundant constraints were left out by turns, as the others came close to dependence: {told}{more}."

    def _parameters(self) -> dict[str, Any]:
        """Values of all parameters as they are now."""
        return {**self.equations.parameters, **self.overrides}

    def _finish(self, ending: endings.Ending) -> Solution:
        if not self.recorder.started:  # not even the start could be completed
            live = self.live
            self.recorder.start(live.run.t_now, self.start, np.full(live.n_z, np.nan))
        points, dense = self.recorder.result()
        names = {key: tuple(value) for key, value in self.equations.names.items()}
        n_events = len(self.given_events)
        rtol, atol = self.options.rtol, self.options.atol
        remark = ""
        if ending.success and not ending.resumable:
            every, y = [*names["q"], *names["v"], *names["u"]], np.concatenate([points[k] for k in (1, 2, 5)])
            remark = endings.below_tolerance(every, y, atol, self.options.scale, len(names["u"]))
        return Solution(
            **dict(zip(("t", "q", "v", "a", "lam", "u"), points, strict=True)),  # type: ignore[arg-type]
            names=names,
            success=ending.success,
            status=ending.status,
            outcome=ending.outcome,
            message=ending.message + self.note + self._note_on_rows() + remark,
            statistics=self.statistics(),
            method=", then ".join(self.methods),
            rtol=rtol,
            atol=float(atol[0]) if np.all(atol == atol[0]) else atol,
            parameters=self._parameters(),
            title=self.equations.name,
            t_events=[np.array([r.t for r in self.records if r.index == k]) for k in range(n_events)],
            events=list(self.records),
            sol=dense,
            checkpoint=self._checkpoint(ending) if ending.resumable else None,
        )

    # ---------------------------------------------------------------------------------------------------- checkpoint

    def _checkpoint(self, ending: endings.Ending) -> Checkpoint:
        header = {
            "equations": self.equations.name,
            "method": self.method.stored(),
            "automatic": self.automatic,
            "methods": self.methods,
            "note": self.note,
            "later": self.later,
            "redundant": self.redundant,
            "span": list(self.span),
            "rows": list(self.rows),
            "held": list(self.held),
            # All of them: the equations that the run is resumed with may have other defaults.
            "overrides": {key: np.asarray(value).tolist() for key, value in self._parameters().items()},
            "parameters": {key: list(np.shape(value)) for key, value in self.equations.parameters.items()},
            "dense": self.keep_dense,
            "options": self.options.stored(),
            "modes": self.recorder.made_by(),
            "memory": self.live.run.fingerprint(),
            "stops": [[t, k] for t, k in self.stops],
            "exchanged": self.exchanged,
            "carried": self.carried,
            "n_events": len(self.given_events),
            "events": [[r.index, r.name, r.t] for r in self.records],
        }  # fmt: skip
        arrays = {
            **self.live.state(), **{key: np.array(getattr(self.options, key)) for key in ARRAYS},
            **self.recorder.state(),
        }  # fmt: skip
        if self.t_eval is not None:
            arrays["t_eval"] = self.t_eval
        if self.records:
            arrays["event_states"] = np.array([np.concatenate([r.q, r.v, r.u, r.a, r.lam]) for r in self.records])
        return Checkpoint(arrays, header)

    def way_of(self, stored: Mapping[str, Any], formalism: str, solver: str) -> tuple[Method, Options]:
        """Method and options of a mode, of which a checkpoint tells."""
        method = self.method if stored == self.method.stored() else Method.restored(stored)
        return method, replace(self.options, formalism=formalism, solver=solver)

    @classmethod
    def from_checkpoint(
        cls, stored: StoredRun, options: Options, equations: Equations, events: list[Any], method: Method | None = None
    ) -> Task:
        """The task as it was when the checkpoint was made; ``method`` is needed where this process does not know it."""
        if method is not None and method.stored() != stored.method:
            raise SimulationError(f"the run was made with the method {stored.method}, given is {method.stored()}")
        method = method or Method.restored(stored.method)
        task = cls(
            equations, method, options, stored.span, dict(stored.overrides), events, stored.t_eval, stored.dense,
            stored.rows, stored.held, stored.automatic, stored.redundant,
        )  # fmt: skip
        if stored.memory != task.live.run.fingerprint():
            raise SimulationError("the run was stored by a version with another memory, and cannot be resumed here")
        task.live.restore({name: stored.arrays[name].value for name in ("ints", "reals")}, stored.span)
        task.recorder.restore(stored.arrays, [task.way_of(*one) for one in stored.modes])
        for values in np.unique([mode.completer.parameters for mode in task.recorder.modes], axis=0):
            task.recorder.breaks |= set(equations.all_breaks(stored.span, values))
        task.overrides = _other_values(equations, task.live.run.p)
        task.check_rates()
        task.methods, task.note, task.later = list(stored.methods), stored.note, stored.later
        task.stops, task.carried, task.records = list(stored.stops), dict(stored.carried), list(stored.records)
        task.exchanged = list(stored.exchanged)
        return task


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


def constraint_rows(equations: Equations, constraints: Sequence[str | int]) -> tuple[int, ...]:
    """Numbers of constraints that are given by names or numbers."""
    if isinstance(constraints, (str, int)):
        raise SimulationError(f"constraints must be a list of names or numbers, got {constraints!r}")
    items = listed(constraints, "constraints, names or numbers,", SimulationError)
    return tuple(sorted({equations.index("lam", item) for item in items}))


#: What goes on where a run changes its mode, its method or its solver.
_CARRIED = (
    "t_now", "t_end", "direction", "h_next", "h_smallest", "h_largest", "worst_g", "worst_moved",
    "t_from", "t_limit", "event_scale", "stopped_by", "landing", "h_wanted",
)  # fmt: skip
#: Counts of implicit methods in ``Statistics.extra``, by their names there.
_OF_IMPLICIT = {
    "jacobian_nfev": "nfev_jacobian", "jacobians_first": "renewed_first", "jacobians_slow": "renewed_slow",
    "jacobians_failed": "renewed_failed",
    "stage_jacobians": "stage_jacobians", "inner_iterations": "inner_iterations",
}  # fmt: skip
