"""A run with everything around it: slices of steps until something ends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.equations import Equations
from dalembert.errors import DalembertWarning, NotFiniteError, SimulationError, warn_caller
from dalembert.integrate.frame.memory import REASON
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run import outcome as endings
from dalembert.integrate.run.changes import after_event, sample
from dalembert.integrate.run.conclusion import conclude, counter_names, statistics
from dalembert.integrate.run.continuation import take_over
from dalembert.integrate.run.course import Course
from dalembert.integrate.run.getting_on import Getting
from dalembert.integrate.run.growth import estimate_pattern
from dalembert.integrate.run.live import Floats, Options
from dalembert.integrate.run.progress import Interruption, Progress, ProgressLine
from dalembert.integrate.run.remedies import choose_rows, fall_back, regain_digits
from dalembert.solution import EventRecord, Solution

if TYPE_CHECKING:
    from dalembert.integrate.run.checkpoint import StoredRun
    from dalembert.integrate.run.journalling import JournalWriter

#: Seconds of the clock that a slice of a run at a pace takes at most.
_PATIENCE = 0.2
#: Part of its size that a coordinate of a start may be moved by without a warning.
_FAR_OFF = 1e-2


class Task(Course):
    """A course that is run to its end."""

    #: what is told to those who write it down, between slices
    journal: JournalWriter | None = None
    #: a warning about the start, which is given outside of what reports exceptions
    doubt: str = ""

    @classmethod
    def from_checkpoint(
        cls, stored: StoredRun, options: Options, equations: Equations, events: list[Any], method: Method | None = None
    ) -> Task:
        """The task as it was when the checkpoint was made; ``method`` is needed where this process does not know it."""
        from dalembert.integrate.run.checkpoint import stored_pattern

        if method is not None and method.stored() != stored.method:
            raise SimulationError(f"the run was made with the method {stored.method}, given is {method.stored()}")
        method = method or Method.restored(stored.method)
        pattern = stored_pattern(stored.pattern, method.pattern_shape(equations.restricted(stored.rows)))
        task = cls(
            equations, method, options, stored.span, dict(stored.overrides), events, stored.t_eval, stored.dense,
            stored.rows, stored.held, stored.automatic, stored.redundant, pattern=pattern,
        )  # fmt: skip
        take_over(task, stored)
        return task

    def run(self, max_steps: int | None, progress: Progress | bool | None) -> Solution:
        """Slices until something ends the run."""
        report = ProgressLine(self.span) if progress is True else progress or None
        interruption = Interruption(self._end_slice)
        interruption.begin()
        if self.journal is not None:
            self.journal.start()
        try:
            solution = self._run(max_steps, report, interruption)
            if self.journal is not None:
                self.journal.end(self, solution)
        finally:
            interruption.end()
            if isinstance(report, ProgressLine):
                report.end(self.live.run.t_now, statistics(self))
        if solution.status == 0:
            self.give_back()
        return solution

    def _run(self, max_steps: int | None, report: Progress | None, interruption: Interruption) -> Solution:
        limit = np.inf if max_steps is None else self.count("steps") + max_steps
        # Where nobody looks on, what "auto" looks at between slices leaves the records of steps where they are.
        alone = self.automatic and report is None and self.monitor is None and self.journal is None
        alone &= self.t_eval is None and not self.given_events and max_steps is None
        getting = Getting.on(self)
        try:
            while True:
                live = self.live
                fresh = not self.recorder.started and bool(live.run.restart)
                if fresh:
                    try:
                        started = self._first_point()
                    except Exception as error:
                        return conclude(self, endings.raised(error, live.run.t_now))
                    if self.doubt:
                        doubt, self.doubt = self.doubt, ""
                        warn_caller(doubt, DalembertWarning)
                    if not started:
                        if fall_back(self):
                            continue
                        return conclude(self, endings.failed_start(live))
                steps = self.count("steps")
                ahead = int(min(live.slice, limit - steps))
                if self.automatic:
                    ahead = min(ahead, self.choice.steps_until(steps))
                # Ctrl-C is answered between slices.
                live.run.slice = self._paced_slice(ahead) if live.options.realtime > 0.0 else ahead
                reason = self.advance()
                stuck = getting.look(self)
                if alone and reason == REASON.SLICE_DONE and not (interruption.asked or stuck):
                    if failed := self._choose():
                        return conclude(self, failed)
                    if self.live is not live or live.run.recorded < live.slice:
                        continue
                if failed := self.collect():
                    return conclude(self, failed)
                if reason == REASON.STOPPED_BY_EXCEPTION:
                    return conclude(self, self._exception_ending())
                if reason == REASON.BREAK_REACHED:
                    try:
                        reason = self._pass_break()
                    except Exception as error:
                        return conclude(self, endings.raised(error, live.run.t_now))
                if reason == REASON.EVENT_FOUND:
                    ending = after_event(self)
                    if ending is not None:
                        return conclude(self, ending)
                elif reason == REASON.FINISHED:
                    self._tell(report, self.span[1])
                    return conclude(self, endings.finished(self.span[1]))
                elif reason == REASON.PATTERN_ASKED:
                    try:
                        estimated = estimate_pattern(self)
                    except Exception as error:
                        return conclude(self, endings.raised(error, live.run.t_now))
                    if not estimated:
                        return conclude(self, self._exception_ending())
                elif reason == REASON.DEPENDENT:
                    choose_rows(self)
                elif reason == REASON.DIGITS_LOST:
                    regain_digits(self)
                elif reason == REASON.UNDERFLOW:
                    if choose_rows(self, failed=True) or fall_back(self):
                        continue
                    return conclude(self, endings.underflow(live, self.equations.guards))
                self._tell(report, live.run.t_now)
                if self.automatic and (failed := self._choose()):
                    return conclude(self, failed)
                if self.journal is not None:
                    self.journal.note(self)
                if interruption.asked:
                    return conclude(self, endings.interrupted(live.run.t_now))
                if stuck is not None:
                    return conclude(self, stuck)
                if self.count("steps") >= limit:
                    return conclude(self, endings.step_limit(max_steps, live.run.t_now))
        except KeyboardInterrupt:
            self.collect()
            t = self.live.run.t_now
            early = endings.interrupted_early(t, "before its start was completed")
            return conclude(self, endings.interrupted(t) if self.recorder.started else early)

    def _paced_slice(self, steps: int) -> int:
        """So many steps that a slice takes no longer than a user waits for an answer."""
        run = self.live.run
        size = run.h_fixed or run.h_next
        return max(1, min(steps, int(_PATIENCE * run.pace / size))) if size > 0.0 else 1

    def _end_slice(self) -> None:
        """Let the frame return after the attempt at hand."""
        self.live.run.slice = 0

    def _tell(self, report: Progress | None, t: float) -> None:
        """Say how far the run is."""
        if report is not None:
            with self._carried_by("progress"):
                report(t, statistics(self))

    @contextmanager
    def _carried_by(self, who: str) -> Iterator[None]:
        """Exceptions of those that only look on are the user's own; they carry what was computed as ``solution``."""
        try:
            yield
        except Exception as error:
            vars(error)["solution"] = conclude(self, endings.raised(error, self.live.run.t_now, who))
            error.add_note(f"{who} of da.simulate has raised this; its attribute 'solution' holds the run so far")
            raise

    def _first_point(self) -> bool:
        """Project the start and record it."""
        if not self.completed() or not sample(self):
            return False
        if self.automatic and not self.choice.begun:
            self._choose_beginning()
            if self.live.run.restart and not self.completed():
                return False
        live = self.live
        self.recorder.start(live.run.t_now, live.run.y0, live.run.z0)
        if moved := self.moved_from(self.start):
            self.note += f" The start was moved onto the constraints: {moved[0]} by {moved[2]:.3g}."
            self.doubt = self._far_from_constraints()
        self.stands_at_first_point()
        return True

    def _far_from_constraints(self) -> str:
        """That a start was far from the constraints on positions, in words; nothing where it was not."""
        run = self.live.run
        y, now, scale = self.start[: run.n_q], run.y0[: run.n_q], run.scale[: run.n_q]
        away = np.abs(now - y) / (scale + np.abs(y))
        if not away.max(initial=0.0) > _FAR_OFF:
            return ""
        i = int(np.argmax(away))
        return (
            f"'{self.equations.name}': the start does not meet the constraints; {self.equations.names['q'][i]} was "
            f"moved from {y[i]:.6g} to {now[i]:.6g} to meet them. Give a start that meets them, such as "
            "equations.assemble(q, v)"
        )

    def _choose_beginning(self) -> None:
        """Begin with another method where that is better from the start on, as if nothing else had been."""
        before = self.live
        self.choice.begin(self)
        if self.live is not before:
            self.live.start(self.span[0], self.start, self.span[1])
        if self.beginning is not None:
            self.beginning.chosen = self.method, self.choice.copied()

    def _choose(self) -> endings.Ending | None:
        """Go on with another method where that is better; an ending if a function of the user fails meanwhile."""
        try:
            self.choice.look(self)
        except Exception as error:
            return self.collect() or endings.raised(error, self.live.run.t_now)
        return None

    def _pass_break(self) -> int:
        """Go on behind a break, if that is possible; velocities that an impulse has changed there are recorded like
        those of an action."""
        run = self.live.run
        y = np.array(run.y0)
        if not self.completed():
            return REASON.UNDERFLOW
        if self.moved_from(y):
            # Positions do not jump: they were moved by the rounding that tells the sides of the break apart.
            run.y0[: run.n_q] = y[: run.n_q]
            self.recorder.jump(run.t_now, run.y0, run.z0)
        return REASON.SLICE_DONE if sample(self) else REASON.UNDERFLOW

    def collect(self) -> endings.Ending | None:
        """Take over what a slice has left, all of it; an ending if a function of the user fails on the way."""
        live = self.live
        if self.later and live.run.steps:
            self.note, self.later = self.note + self.later, ""
        records = live.take_records()
        failed = self._record(records)
        s = live.equations.sizes
        for row in live.take_events() if self.given_events else ():
            number, t = int(row[0]), float(row[1])
            q, v, u, a, lam = np.split(row[2:], np.cumsum([s.q, s.v, s.u, s.v]))
            name = live.events.names[number] if live.events is not None else ""
            lam = self.recorder.shared(t, q, self.all_rows(lam))
            self.records.append(EventRecord(number, name, t, q, v, a, lam, u))
        if self.monitor is not None:
            with self._carried_by("monitor"):
                for report in self.reports.of(records, counter_names(live.run)):
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

    def _exception_ending(self) -> endings.Ending:
        try:
            self.live.raise_pending()
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return endings.raised(error, self.live.run.t_now)
        return endings.raised(None, self.live.run.t_now)
