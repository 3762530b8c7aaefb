"""A run on its way through modes: which constraints hold, with which parameters, method and solver; its records."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.arguments import listed
from dalembert.equations import Equations
from dalembert.equations.contract.provider import Pattern
from dalembert.errors import SimulationError
from dalembert.integrate.events.event import Switching
from dalembert.integrate.events.watching import check_drives
from dalembert.integrate.frame.memory import REASON, Memory
from dalembert.integrate.methods.method import Method
from dalembert.integrate.run.choosing import MethodChoice, options_for
from dalembert.integrate.run.live import Floats, LiveRun, Options
from dalembert.integrate.run.monitor import Monitor, Reports
from dalembert.integrate.run.records import Recorder
from dalembert.native.slots import INTEGER, REAL
from dalembert.solution import EventRecord

#: So many memories of runs that have ended are kept with their equations.
_MOST_IDLE = 8
#: A state that is moved onto the constraints by more than this part of its size is worth a word.
_MOVED = 1e-6
#: What goes on where a run changes its mode, its method or its solver; slots that all runs have at the same places.
_CARRIED = (
    "t_now", "t_end", "direction", "h_next", "h_smallest", "h_largest", "worst_g", "worst_moved",
    "t_from", "t_limit", "event_scale", "stopped_by", "landing", "h_wanted", "pace_begun", "pace_ahead", "pace_t",
    "late_worst", "step_time_worst",
)  # fmt: skip
_CARRIED_REALS, _CARRIED_INTS = (
    np.array([Memory.slots[name].place for name in _CARRIED if Memory.slots[name].kind == kind])
    for kind in (REAL, INTEGER)
)
_CARRIED_VECTORS = ("phi1", "signs", "countdown", "threshold", "pace_base", "pace_last", "pace_until", "step_times")


@functools.cache
def _places_of(kind: type[Memory], names: tuple[str, ...]) -> list[tuple[str, int]]:
    """Where counters stand among the whole numbers of a kind of run."""
    return [(name, kind.slots[name].place) for name in names]


@dataclass(eq=False)
class Beginning:
    """What runs that are alike in all begin with: options that they have in common, and the method that "auto" has
    found for them."""

    chosen: tuple[Method, MethodChoice] | None = None
    again: bool = False  # whether there was more than one such run: then they have a memory of their own
    idle: list[LiveRun] = field(default_factory=list)
    point: FirstPoint | None = None  # where they stand before their first step

    def memory(self, method: Method) -> LiveRun | None:
        """That of an earlier run, as it was at its beginning."""
        try:
            found = self.idle.pop()
        except IndexError:
            return None
        if found.method is not method:
            return None
        found.begin_again()
        return found

    def course(self) -> Any:
        """Another such run, at its first point; None if that is not known, or no memory is idle."""
        if self.point is None:
            return None
        try:
            memory = self.idle.pop()
        except IndexError:
            return None
        return self.point.course(memory)


#: What each run has for itself, whatever it begins with.
_OWN_PARTS = frozenset(
    {
        "live", "own", "lent", "recorder", "choice", "methods", "overrides", "reports", "records", "stops", "carried",
        "exchanged",
    }
)  # fmt: skip


class FirstPoint:
    """Where runs that are alike in all stand before their first step: the start is projected and recorded, and the
    method is chosen.  To come here is a third of the Python of a short run."""

    def __init__(self, course: Course) -> None:
        self._kind = type(course)
        self._parts = {name: part for name, part in course.__dict__.items() if name not in _OWN_PARTS}
        self._recorder, self._choice = course.recorder.again(), course.choice.copied()
        self._methods, self._overrides = list(course.methods), dict(course.overrides)
        self._memory = course.live.snapshot()

    def course(self, live: LiveRun) -> Course:
        """Another run in the memory of one that has ended."""
        live.set_back(self._memory)
        made = object.__new__(self._kind)
        made.__dict__.update(
            self._parts, live=live, own=live, lent={}, recorder=self._recorder.again(), choice=self._choice.copied(),
            methods=self._methods[:], overrides=self._overrides.copy(), reports=Reports(), records=[], stops=[],
            carried={}, exchanged=[],
        )  # fmt: skip
        return made


@dataclass
class Course:
    """A run with its modes, its events and its records."""

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
    pattern: Pattern | None = None  # of the Jacobian, as far as it was estimated
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
    choice: MethodChoice = field(default_factory=MethodChoice)  # of the method, if it may be changed
    #: of runs that are like this one in all; None if there cannot be another one
    beginning: Beginning | None = None
    lent: dict[Hashable, LiveRun] = field(default_factory=dict)  # memory that other runs may have afterwards
    own: LiveRun | None = None  # memory that only runs which are like this one in all have afterwards
    note: str = ""  # what the message shall say besides
    later: str = ""  # the same, once there are further steps

    def __post_init__(self) -> None:
        if self.beginning is not None and self.beginning.chosen is not None:
            self.method, self.choice = self.beginning.chosen[0], self.beginning.chosen[1].copied()
        self.methods = self.methods or [self.method.name]
        self.held = self.held or self.rows
        self.switching = Switching(self.equations, self.given_events)
        self.recorder = Recorder(self.equations, self.options, self.t_eval, self.keep_dense)
        self.recorder.cuts = bool(self.given_events)
        self.own = None if self.beginning is None else self.beginning.memory(self.method)
        if self.own is None:
            self.make_live()
        else:
            self._go_on_with(self.own)

    def make_live(self) -> None:
        """The run of the mode at hand: of the rows that are active, with the parameters, the method and the options as
        they are now; in the memory of another run, where that is idle: laying it out is a fifth of the Python of a
        short one."""
        options, exchanges = self._options_of_method, len(self.held) > len(self.rows)
        lends = not (self.given_events or options.monitor or options.realtime or self.pattern is not None)
        idle: dict[Hashable, LiveRun] = self.equations.kept("idle runs", dict)
        key = (
            id(self.method), self.rows, options.dense, options.ends, options.formalism, options.solver, options.checks,
            exchanges,
        )  # fmt: skip
        found = idle.pop(key, None) if lends and key not in self.lent else None
        if found is not None and found.method is self.method:
            if self.beginning is not None and found.options is options:  # where these are, all is the same
                found.begin_again()
                self._go_on_with(found)
                self.lent[key] = found
                return
        else:
            found = None
        active = self.equations.restricted(self.rows)
        parameters = active.parameter_vector(self.overrides)
        breaks = self._breaks_of(active, parameters)
        if found is None or not found.begin_anew(options, parameters, breaks):
            events = self.switching.of(active, self.held)
            found = LiveRun(
                active, self.method, options, parameters, events, breaks, exchanges=exchanges, pattern=self.pattern
            )
        self._go_on_with(found)
        if lends and found.reusable and key not in self.lent:
            found.remember_beginning()
            self.lent[key] = found

    def _go_on_with(self, live: LiveRun) -> None:
        self.live = live
        self.recorder.breaks |= set(live.breaks)
        self.recorder.use(live.equations, live.method, live.run.p, self.held)

    @property
    def _options_of_method(self) -> Options:
        return options_for(self.method, self.options) if self.automatic else self.options

    def give_back(self) -> None:
        """Let the next runs of the same equations have the memory of this one, which has ended."""
        if self.beginning is not None:
            self._leave_to_alike(self.beginning)
        if not self.lent:
            return
        idle: dict[Hashable, LiveRun] = self.equations.kept("idle runs", dict)
        idle.update(self.lent)
        for old in list(idle)[: max(0, len(idle) - _MOST_IDLE)]:
            idle.pop(old, None)  # other threads may have done it

    def _leave_to_alike(self, beginning: Beginning) -> None:
        if self.own is None and beginning.again and len(self.lent) == 1 and self.live in self.lent.values():
            self.own = self.lent.popitem()[1]
        if self.own is not None and len(beginning.idle) < _MOST_IDLE:
            beginning.idle.append(self.own)
        beginning.again = True

    def _breaks_of(self, active: Equations, p: Floats) -> tuple[float, ...]:
        """Instants at which right sides are not smooth with these parameters, in the direction of time."""
        sign = 1.0 if self.span[1] >= self.span[0] else -1.0
        return tuple(sorted(active.all_breaks(self.span, p), key=lambda t: sign * t))

    def keeps_borders(self, p: Floats) -> bool:
        """Whether breaks and borders of the run are those with these parameters too."""
        active, old = self.live.equations, np.array(self.live.run.p)
        return active.borders().same(p, old) and active.borders(self.method.least_borders).same(p, old)

    def check_drives(self, y: Floats) -> None:
        """Refuse constraints that jump from here on."""
        live, s = self.live, self.equations.sizes
        if not live.breaks:
            return
        ahead = float(live.run.t_now), self.span[1]
        check_drives(live.equations, live.breaks, ahead, np.array(live.run.p), y, self.options.atol[s.q : s.q + s.v])

    def begin(self, y: Floats, lam: Floats | None = None) -> None:
        """Set the start of the run; ``lam`` are multipliers, of all rows, to begin with."""
        self.start = np.array(y)
        self.live.start(self.span[0], y, self.span[1])
        self.check_drives(y)
        if lam is not None:
            self.live.guess(lam[list(self.rows)])

    def advance(self) -> int:
        """A slice; before one that starts anew, multipliers to begin with where forces depend on them."""
        run = self.live.run
        if run.restart and run.friction and not run.z0[run.n_v :].any():
            self.live.find_multipliers(run.t_now, np.array(run.y0))
        return self.live.advance()

    def stands_at_first_point(self) -> None:
        """Let further runs that are like this one in all begin here; not where functions of the user were called on the
        way, which may have to be called each time."""
        beginning = self.beginning
        if beginning is None or beginning.point is not None or self.live is not self.own or self.equations.samplers:
            return
        if self.live.forgets:
            beginning.point = FirstPoint(self)

    def completed(self) -> bool:
        """Project the point at which the run stands and find its accelerations, in a slice without steps."""
        self.live.run.slice = 0
        reason = self.advance()
        if reason == REASON.STOPPED_BY_EXCEPTION:
            self.live.raise_pending()
        return reason != REASON.UNDERFLOW

    def restart(self) -> bool:
        """Project after a jump, and record the new state at the same instant."""
        live = self.live
        if not self.completed():
            return False
        self.recorder.jump(live.run.t_now, live.run.y0, live.run.z0)
        return True

    def moved_from(self, y: Floats) -> tuple[str, float, float] | None:
        """What the projection has moved furthest: its name, how far beside its size, and how far; None if it is no more
        than rounding and tolerance."""
        now = self.live.run.y0
        if now.tobytes() == y.tobytes():  # as mostly; a tenth of the time of comparing numbers
            return None
        change = now - y
        moved = np.abs(change) / (self.live.run.scale + np.abs(y))
        if not moved.size or not moved.max() > _MOVED:
            return None
        i = int(np.argmax(moved))
        names = [name for key in ("q", "v", "u") for name in self.equations.names[key]]
        return names[i], float(moved[i]), float(change[i])

    def independent(self, held: tuple[int, ...], y: Floats) -> tuple[int, ...]:
        """Those of the constraints that shall hold which the others do not imply."""
        s = self.equations.sizes
        q, v, u = np.split(y, [s.q, s.q + s.v])
        found = self.equations.restricted(held).check(
            q, v, u, t=self.live.run.t_now, parameters=self.overrides, redundant=self.redundant
        )
        return tuple(held[i] for i in found.rows)

    def switch(self, rows: tuple[int, ...]) -> None:
        """Go on with other constraints or another solver: a run of its own, with the same clock and counters."""
        old = self.live.run
        self.carried |= self.counts(old.counters)
        self.reports = Reports()  # counts start anew
        self.rows, self.pattern = rows, None
        self.make_live()
        new = self.live.run
        new.reals[_CARRIED_REALS], new.ints[_CARRIED_INTS] = old.reals[_CARRIED_REALS], old.ints[_CARRIED_INTS]
        if self.given_events or old.pace > 0.0:
            for vector in _CARRIED_VECTORS:
                getattr(new, vector)[:] = getattr(old, vector)
        if self.method.starts_small:
            new.h_next = 0.0

    def regrow(self, pattern: Pattern) -> None:
        """Go on with another pattern of the Jacobian: the same run, in a memory that is laid out for it."""
        old, self.pattern = self.live, pattern
        self.live = LiveRun(
            old.equations, self.method, self._options_of_method, np.array(old.run.p), old.events, old.breaks,
            exchanges=old.exchanges, pattern=pattern,
        )  # fmt: skip
        self.live.take_over(old)

    def count(self, name: str) -> int:
        """A counter, with what runs before a mode switch have counted; 0 for one that the method does not have."""
        run, carried = self.live.run, self.carried.get(name, 0)
        slot = run.slots.get(name)
        return carried if slot is None else carried + run.ints.item(slot.place)

    def counts(self, names: tuple[str, ...]) -> dict[str, int]:
        """Several counters that the method has.  One by one: of a handful, that is a third of the time of a list of
        places."""
        run, carried = self.live.run, self.carried
        kind: type[Memory] = type(run)
        item = run.ints.item
        counted: dict[str, int] = {name: item(place) for name, place in _places_of(kind, names)}
        for name, count in carried.items():
            if name in counted:
                counted[name] += count
        return counted

    def all_rows(self, lam: Floats) -> Floats:
        """Multipliers of all constraints, zeros for those that are not active."""
        full = np.zeros(self.equations.sizes.lam)
        full[list(self.rows)] = lam
        return full

    def parameters(self) -> dict[str, Any]:
        """Values of all parameters as they are now."""
        return {**self.equations.parameters, **self.overrides}


def constraint_rows(equations: Equations, constraints: Sequence[str | int]) -> tuple[int, ...]:
    """Numbers of constraints that are given by names or numbers."""
    if isinstance(constraints, (str, int)):
        raise SimulationError(f"constraints must be a list of names or numbers, got {constraints!r}")
    items = listed(constraints, "constraints, names or numbers,", SimulationError)
    return tuple(sorted({equations.index("lam", item) for item in items}))
