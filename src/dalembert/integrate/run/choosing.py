"""The right method by itself: what "auto" looks at, and when it goes on with a method of the other family.

It begins with an explicit method.  From time to time it asks what limits the steps: where h |λ| of the largest
eigenvalue is as large as the stability of an explicit method allows (E. Hairer, G. Wanner, Solving Ordinary
Differential Equations II, section IV.2), accuracy would allow longer ones, and an implicit method is tried.  |λ| comes
from the power method (:mod:`~dalembert.integrate.frame.fastest`), once in many steps, so that single steps pay nothing
for it.  A trial is judged
by what was counted: the time that each family has covered, per operations.  The one that was slower is left, and is
tried again after a longer while.  While an implicit method is in use, the size of steps that |λ| would allow an
explicit one says when that is worth a trial.  Nothing depends on the clock, so that runs are the same again; their
checkpoints hold all of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dalembert.errors import lacks_value
from dalembert.integrate.frame.fastest import FASTEST
from dalembert.integrate.frame.fastest import fastest_motion as power_method
from dalembert.integrate.implicit.implicit_memory import ImplicitMemory
from dalembert.integrate.implicit.layout import SPARSE_FROM
from dalembert.integrate.methods.registry import method_named
from dalembert.integrate.run import outcome as endings
from dalembert.integrate.run.live import Floats, LiveRun, Options
from dalembert.integrate.run.remedies import change_method
from dalembert.linalg.plan import DENSE
from dalembert.solution.deferred import Deferred
from dalembert.solution.foreign_data import ForeignData
from dalembert.solution.solution_errors import FileFormatError
from dalembert.symbolic import CompiledFunction

if TYPE_CHECKING:
    from dalembert.equations import Equations
    from dalembert.integrate.methods.method import Method
    from dalembert.integrate.run.course import Course
    from dalembert.integrate.run.task import Task

#: "auto" starts with this one, and tries one of three others, by the relative tolerance and the size of the system.  At
#: 1e-6 five stages take a third of the steps of three, and 0.25 to 1.0 of the time at a smaller error (six problems of
#: benchmarks/auto.py).  Their complex factors cost most where full matrices are large: from these unknowns on backward
#: differentiation takes half of the time (30 unknowns: 0.9, 60: 0.45 to 0.53) even with a hundredth of the tolerance;
#: with the same one its errors are tens of times as large.  Where matrices are sparse both take about the same.
FIRST_METHOD, STIFF_METHODS, _FINE_RTOL = "dop853", ("radau9", "radau"), 1e-5
_LARGE_METHOD, _LARGE, _FULL, _LARGE_RTOL = "bdf", 40, 0.25, 1e-7
#: Parts of the tolerances that methods get here, and how many times as many steps they need to show what they can do.
_SHARPER, _MORE_STEPS = {_LARGE_METHOD: 0.03}, {_LARGE_METHOD: 4}
#: Steps after which it is looked at first; the distance doubles up to the second of these, and a trial that has failed
#: makes it longer by the third.  To look takes as long as five to eight steps of a small model, and most runs of
#: mechanisms end within 60.
_FIRST_LOOK, _LONGEST_WAIT, _AFTER_FAILURE = 60, 1000, 4
#: Steps after which a method that was tried is looked at again.
_SETTLED = 100
#: Steps of a trial: at first the size grows, then they count.
_WARMING, _TRIED = 8, 14
#: Explicit steps that stability would ask for, by which a method that was used from the start on is judged a step
#: later, up to where it is looked at anyhow: its steps take about ten times as long, so that a start that was wrong
#: costs a quarter of the explicit run at most.  A look takes up to a tenth of a short run.
_SURE = 40
#: A method is not judged yet whose last step is so many times as long as those of its trial: what dies out at first,
#: such as filters of controllers, would be held against it.
_GROWING = 2.0
#: h |λ| from which stability limits the steps: that of dop853 ends at 6.1, and below the first of these an implicit
#: method was faster in none of 60 random systems of 2 to 12 masses, some of them on stiff springs.  Of what dies out
#: without a swing nothing is left to follow: it limits steps from the second on, by errors that grow with powers of
#: h |λ|.
_LIMITED, _LIMITED_DAMPED = 4.0, 1.0
#: h |λ| of steps that follow the fastest motion.
_FOLLOWED = 0.25
#: h |λ| that an explicit method is expected to make; it is tried where that is so many times as fast.
_REACHED, _MUCH_FASTER = 4.0, 2.0
_EXPLICIT_STAGES = 12
#: Iterations of an explicit evaluation where forces depend on multipliers: 2.5 on a bogie whose wheels creep.
_FRICTION = 2.5
#: Steps that must lie ahead, and for each velocity besides: the derivatives of larger models take longer to be made.
_WORTH, _WORTH_OF_VELOCITY = 200, 20
#: Steps from which a run that was limited says so.
_MANY, _VERY_MANY = 2000, 20_000
_MOST_STEPS = 2**53
#: What functions were called for at points that no step has asked for.
_NEARBY = "where the fastest motion was looked for"
_COUNTS = ("steps", "nfev", "njev", "nlu", "nsolve")


def stiff_method(equations: Equations, rtol: float) -> str:
    """The implicit method that is tried for some equations with a relative tolerance."""
    if rtol >= _LARGE_RTOL and equations.kept("full and large", lambda: _full_and_large(equations)):
        return _LARGE_METHOD
    return STIFF_METHODS[0 if rtol <= _FINE_RTOL else 1]


def _full_and_large(equations: Equations) -> bool:
    """Whether Newton's matrix is large and full, or taken for such."""
    s = equations.sizes
    unknowns, M = s.q + s.v + s.g + s.lam + s.u, equations.program("contract").patterns["M"]
    return unknowns >= _LARGE and (unknowns < SPARSE_FROM or len(M.rows) > _FULL * s.v**2)


def options_for(method: Method, options: Options) -> Options:
    """Options of a method that was chosen: what makes it as accurate as the others."""
    part = _SHARPER.get(method.name, 1.0)
    return options if part == 1.0 else replace(options, rtol=part * options.rtol, atol=part * options.atol)


class Fastest(NamedTuple):
    """The fastest motion at a point: |λ|, whether it dies out without a swing, and what a function has raised for which
    it was not found."""

    rate: float
    damped: bool = False
    raised: Exception | None = None

    def limits(self, size: float) -> bool:
        """Whether stability limits explicit steps of this size."""
        return size * self.rate >= (_LIMITED_DAMPED if self.damped else _LIMITED)


@dataclass(frozen=True)
class Sighting:
    """Where the fastest motion was seen, and its direction in velocities."""

    equations: Equations
    t: float
    y: Floats
    p: Floats
    sizes: Floats  # of velocities
    v: Floats

    @classmethod
    def of(cls, live: LiveRun) -> Sighting:
        """That which was looked for last, in a run that has not gone on since."""
        run, s = live.run, live.equations.sizes
        y, scale, at = np.array(run.y0), run.scale, slice(s.q, s.q + s.v)
        v = (scale[at] + np.abs(y[at])) * run.error_vector[at]
        return cls(live.equations, float(run.t_now), y, np.array(run.p), np.array(scale[at]), v)

    def carrier(self) -> str:
        """The velocity that has most of the kinetic energy of the motion: by itself, one of a light body that is moved
        along would be larger."""
        if not self.v.any():
            return "external states"
        s, y, program = self.equations.sizes, self.y, self.equations.program("contract")
        point = {"p": self.p, "t": np.array([self.t]), "q": y[: s.q], "v": y[s.q : s.q + s.v], "u": y[s.q + s.v :]}
        M, pattern = program(["M"], point)["M"], program.patterns["M"]
        weight, diagonal = np.zeros(s.v), pattern.rows == pattern.columns
        weight[pattern.rows[diagonal]] = M[diagonal]
        if not (np.isfinite(weight).all() and weight.any()):  # functions that have no value here; the run will tell
            weight = 1.0 / self.sizes**2
        return self.equations.names["v"][int(np.argmax(weight * self.v**2))]


@dataclass(slots=True)
class MethodChoice:
    """What has been seen of both families so far."""

    next_at: int = _FIRST_LOOK  # steps of the run after which it is looked at again
    wait: int = _FIRST_LOOK
    phase: str = "settled"  # or "warming", "trial"
    t: float | None = None  # where counting began, with the counts there
    counts: dict[str, int] = field(default_factory=dict)
    #: time covered per operation by the explicit and the implicit method, where they were last in use
    speeds: dict[str, float] = field(default_factory=dict)
    step_work: float = 0.0  # operations of an explicit step
    reason: str | Deferred = ""  # why the implicit method is tried, put into words when somebody reads them
    told: str | Deferred = ""
    given_up: bool = False
    begun: bool = False  # whether the first method is the right one to begin with, as far as can be seen there

    def stored(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        told = {"reason": _words(self.reason), "told": _words(self.told)}
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"counts": dict(self.counts), "speeds": dict(self.speeds)} | told

    def copied(self) -> MethodChoice:
        """For another run that begins like this one.  What was counted is shared: it is replaced, never changed."""
        return MethodChoice(
            self.next_at, self.wait, self.phase, self.t, self.counts, self.speeds, self.step_work, self.reason,
            self.told, self.given_up, self.begun,
        )  # fmt: skip

    @classmethod
    def restored(cls, given: ForeignData) -> MethodChoice:
        """From a checkpoint of anybody."""
        phase, t = given["phase"].text(), given["t"].value
        if phase not in ("settled", "warming", "trial"):
            raise FileFormatError(f"{given.where}.phase must be settled, warming or trial.")
        speeds = {key: item.number(finite=True) for key, item in given["speeds"].entries().items()}
        counts = {key: item.whole(0, _MOST_STEPS) for key, item in given["counts"].entries().items()}
        if set(speeds) - {"explicit", "implicit"} or set(counts) - set(_COUNTS):
            raise FileFormatError(f"{given.where} tells of what nobody counts.")
        return cls(
            given["next_at"].whole(1, _MOST_STEPS), given["wait"].whole(1, _MOST_STEPS), phase,
            None if t is None else given["t"].number(finite=True), counts, speeds,
            given["step_work"].number(finite=True), given["reason"].text(), given["told"].text(),
            given["given_up"].flag(), given["begun"].flag(),
        )  # fmt: skip

    def steps_until(self, steps: int) -> int:
        """Steps of the next slice, so that it ends where the method is looked at."""
        return _LONGEST_WAIT if self.given_up else max(1, self.next_at - steps)

    def begin(self, course: Task) -> None:
        """Before the first step: where a motion dies out so fast that stability would ask for many explicit steps,
        begin with an implicit method, which is held against the speed that an explicit one could have."""
        run, duration = course.live.run, abs(course.span[1] - course.span[0])
        self.begun = True
        if course.method.implicit or run.pace > 0.0 or not duration > 0.0:
            return
        least = self._least_ahead(course)
        fastest = _fastest(course, _REACHED * least / duration)
        if not fastest.damped or fastest.rate * duration < _REACHED * least:
            return
        self.step_work = operations(course.live).of({"steps": 1, "nfev": _EXPLICIT_STAGES})
        stiff, seen = _stiff_method(course), Sighting.of(course.live)
        self.reason = Deferred(
            lambda: (
                f" '{stiff}' was used from the start on: a motion dies out there with |λ| = {fastest.rate:.3g}, "
                f"most of it in {seen.carrier()}, so that stability, not accuracy, would limit the steps of "
                f"'{FIRST_METHOD}'."
            )
        )
        self._change(course, "implicit", 0.0)
        if not self.given_up:
            course.methods = [course.method.name]
            course.carried.clear()
            # Explicit steps that nobody has seen yet may be shorter: h |λ| = 1.4 at filters of controllers.
            self._take_down("explicit", _REACHED / fastest.rate / self.step_work / _MUCH_FASTER)
            # One-step methods find their size within few steps; the others shall not be judged by their start.
            sure = min(fastest.rate * duration / (_REACHED * _SURE), _SETTLED)
            patience = _patience(course)
            self.phase = "trial"
            tried = max(_WARMING + _TRIED, int(sure)) if patience == 1 else _SETTLED * patience
            self._begin_counting(course, tried)

    def look(self, course: Task) -> None:
        """Whether another method would be faster from here on; if so, go on with it."""
        run, steps = course.live.run, course.count("steps")
        if steps < self.next_at or self.given_up or run.pace > 0.0 or run.restart or not run.h_old:
            return
        if self.phase == "settled" and self._ends_soon(course, steps):
            return
        if self.phase == "warming":
            self.phase = "trial"
            self._begin_counting(course, _TRIED * _patience(course))
            return
        implicit = course.method.implicit
        family, other = ("implicit", "explicit") if implicit else ("explicit", "implicit")
        size = self._count(course, family)
        if self.phase == "trial":
            slower = self.speeds[family] < self.speeds.get(other, 0.0)
            if slower and abs(run.h_old) > _GROWING * size:
                self._begin_counting(course, _TRIED * _patience(course))
                return
            self.phase = "settled"
            if slower:
                self.wait = min(_AFTER_FAILURE * self.wait, 16 * _LONGEST_WAIT)
                self._change(course, other, size)
                self._begin_counting(course, self.wait)
                return
            self.wait = _SETTLED * _patience(course)
            self._tell(family)
            self._begin_counting(course, self.wait)
            return
        found = _fastest(course, 0.0 if implicit else _LIMITED_DAMPED / size)
        if self._promises(course, found, size):
            self._try(course, other, found, size)
            return
        self.wait = min(2 * self.wait, max(self.wait, _LONGEST_WAIT))
        self._begin_counting(course, self.wait)

    def _ends_soon(self, course: Task, steps: int) -> bool:
        """Whether the run ends before a trial is worth it, unless steps become shorter; if they do, it is time to look
        again.  Most runs are short, and shall pay nothing but this."""
        covered, least = self._covered(course), self._least_ahead(course)
        ahead = abs(course.span[1] - course.live.run.t_now) * (steps - self.counts.get("steps", 0))
        if covered > 0.0 and ahead >= least * covered:
            return False
        self._begin_counting(course, max(self.wait, least))
        return True

    # ----------------------------------------------------------------------------------------------- what is counted

    def _begin_counting(self, course: Task, steps: int) -> None:
        self.t = float(course.live.run.t_now)
        self.counts = course.counts(_COUNTS)
        self.next_at = self.counts["steps"] + steps

    def _covered(self, course: Task) -> float:
        """The time since counting began."""
        return abs(course.live.run.t_now - (course.span[0] if self.t is None else self.t))

    def _count(self, course: Task, family: str) -> float:
        """Take down the speed since counting began; gives the mean size of steps."""
        done = {name: count - self.counts.get(name, 0) for name, count in course.counts(_COUNTS).items()}
        covered = self._covered(course)
        work = operations(course.live).of(done)
        self._take_down(family, covered / work)
        if family == "explicit":
            self.step_work = work / max(done["steps"], 1)
        return covered / max(done["steps"], 1)

    def _take_down(self, family: str, speed: float) -> None:
        self.speeds = {**self.speeds, family: speed}

    def _least_ahead(self, course: Task) -> int:
        """Steps that must lie ahead for a trial to be worth it; implicit ones are fewer, and nothing has to be made for
        the way back."""
        return _WORTH // 10 if course.method.implicit else _WORTH + _WORTH_OF_VELOCITY * course.equations.sizes.v

    def _promises(self, course: Task, fastest: Fastest, size: float) -> bool:
        """Whether the other family is worth a trial."""
        if not fastest.rate > 0.0:
            return False
        if not course.method.implicit:
            limited = fastest.limits(size)
            # It was left for a speed that explicit methods were thought to have.
            return limited or self.speeds.get("implicit", 0.0) > _MUCH_FASTER * self.speeds["explicit"]
        return _REACHED / fastest.rate > _MUCH_FASTER * self.speeds.get("implicit", 0.0) * self.step_work

    # -------------------------------------------------------------------------------------------------- what is done

    def _try(self, course: Task, family: str, fastest: Fastest, size: float) -> None:
        if family == "implicit":
            limit = min(size, abs(course.live.run.h_old)) * fastest.rate
            stiff, seen = _stiff_method(course), Sighting.of(course.live)
            self.reason = Deferred(
                lambda: (
                    f" From t = {seen.t:.6g} on '{stiff}' took over: stability, not accuracy, limited the steps of "
                    f"'{FIRST_METHOD}' (h |λ| = {limit:.1f} with |λ| = {fastest.rate:.3g}, most of it in "
                    f"{seen.carrier()})."
                )
            )
        self._change(course, family, size if family == "implicit" else min(size, 1.0 / fastest.rate))
        # What is damped is stiff for sure: that the first steps grow does not hide it.
        sure = family == "implicit" and fastest.damped
        if not self.given_up:
            self.phase = "trial" if sure else "warming"
        self._begin_counting(course, (_WARMING + _TRIED if sure else _WARMING) * _patience(course))

    def _change(self, course: Task, family: str, size: float) -> None:
        stiff = _stiff_method(course)
        method, equations = method_named(stiff if family == "implicit" else FIRST_METHOD), course.live.equations
        if equations.kept(("does without", method.name), lambda: _does_without(method, equations)):
            self.given_up = True
            return
        course.collect()
        change_method(course, method, size)

    def said(self, course: Course) -> str:
        """Why other methods were used, also in a run that has ended before a trial of one has."""
        found = _words(self.told) or (_words(self.reason) if course.method.implicit else "")
        changes = len(course.methods) - 1
        if not found and changes:
            stiff = next(name for name in course.methods if name != FIRST_METHOD)
            return (
                f" Stability seemed to limit the steps of '{FIRST_METHOD}', so '{stiff}' was tried, "
                f"{(changes + 1) // 2} times; it was slower, and '{FIRST_METHOD}' went on."
            )
        several = f" Methods were changed {changes} times, to the one that covers more time with less work."
        return found + (several if changes > 1 else "")

    def _tell(self, family: str) -> None:
        if family == "implicit" and not self.told:
            self.told = self.reason


def _words(told: str | Deferred) -> str:
    return str(told.settled()) if isinstance(told, Deferred) else told


def _stiff_method(course: Course) -> str:
    return stiff_method(course.live.equations, course.options.rtol)


def _patience(course: Course) -> int:
    """By how much the steps of the method at hand are more than those of one-step methods."""
    return _MORE_STEPS.get(course.method.name, 1)


def _does_without(method: Method, equations: Equations) -> bool:
    """Whether equations lack what a method needs."""
    return any(equations.lacks(name) for name in method.programs_of(equations))


# ----------------------------------------------------------------------------------------------------------- operations


@dataclass(frozen=True)
class CountedWork:
    """Operations of what is counted in runs of some equations with a method."""

    steps: float
    nfev: float
    njev: float = 0.0
    nlu: float = 0.0
    nsolve: float = 0.0

    def of(self, done: Mapping[str, int]) -> float:
        """All of them together; never zero."""
        return sum(getattr(self, name) * count for name, count in done.items()) + 1.0


def operations(live: LiveRun) -> CountedWork:
    """Those of a run."""
    if live.work_counted is None:
        key = "operations", live.method.uncontrolled, live.options.solver, *live.providers
        live.work_counted = live.equations.kept(key, lambda: _operations(live))
    return live.work_counted


def _operations_of_program(live: LiveRun, name: str) -> float | None:
    """Operations of a program, where they are known."""
    provider = live.providers.get(name)
    owner = None if provider is None else provider.owner
    return float(owner.statistics.operations) if isinstance(owner, CompiledFunction) else None


def _evaluation_work(live: LiveRun) -> float:
    """Operations of one right side: solved on atoms, or by factorising the matrix of constrained motion."""
    s = live.equations.sizes
    if (found := _operations_of_program(live, "rate")) is not None:
        return found
    patterns = live.equations.program("contract").patterns
    entries = sum(len(patterns[key].rows) for key in ("M", "G"))
    return (_operations_of_program(live, "contract") or 60.0 * (s.v + s.lam)) + 12.0 * entries + 10.0 * (s.v + s.lam)


def _operations(live: LiveRun) -> CountedWork:
    """Right sides as their programs have them; all else in units of these, fitted to times of dop853, radau9 and bdf on
    39 problems with 2 to 67 unknowns, 25 of benchmarks/auto.py and 14 random systems of masses: all but one come out
    within 0.67 and 1.25 of the time, with 0.25 ns for an operation.  What is done around a solution costs more than the
    solution where matrices are small.

    Complex factors take four times the real ones, and radau with s stages makes (s − 1)/2 of them for a real one;
    sparse ones take a multiple of their entries.  An explicit step has sums of stages, projection and dense output
    besides."""
    run, evaluation = live.run, _evaluation_work(live)
    if not isinstance(run, ImplicitMemory):
        if run.friction:
            evaluation *= _FRICTION
        return CountedWork(2.0 * evaluation + 40.0 * live.n_y + 4000.0, evaluation)
    n = float(run.n_x)
    derivatives = _operations_of_program(live, "implicit") or 6.0 * evaluation
    pairs = 0.5 * (getattr(live.method, "stages", 1) - 1)
    mean = (1.0 + 4.0 * pairs) / (1.0 + pairs)  # beside real ones
    dense = run.newton_solver == DENSE
    factor = mean * (10.0 * n**2 + n**3 / 9.0) if dense else 16.0 * mean * run.n_entries
    solve = mean * (34.0 * n + 1.4 * n**2) if dense else 4.0 * mean * run.n_entries
    return CountedWork(
        170.0 * live.n_y + 4000.0, min(evaluation, derivatives), 4.0 * derivatives, factor, solve + 1000.0
    )


# ------------------------------------------------------------------------------------------------------- fastest motion


def fastest_motion(live: LiveRun, worth: float = 0.0) -> Fastest:
    """|λ| of the largest eigenvalue of the right side where the run stands; zero where it cannot be found.  One that is
    far below what is ``worth`` knowing is known roughly.

    A function of the user may have no value at points next to the motion; any other exception of it is raised.
    """
    weight = live.run.weight
    weight[:1] = worth  # which of no variables has no place
    found = live.call(power_method)
    if found == FASTEST.RAISED:
        try:
            live.raise_pending()
        except Exception as error:
            if not lacks_value(error):
                raise
            return Fastest(0.0, raised=error)
    if found not in (FASTEST.SEEN, FASTEST.DAMPED):
        return Fastest(0.0)
    return Fastest(weight.item(0), found == FASTEST.DAMPED)


def _fastest(course: Course, worth: float) -> Fastest:
    """The fastest motion where the run stands; the message of the run says so once where a function has no value."""
    found = fastest_motion(course.live, worth)
    if found.raised is not None and _NEARBY not in course.note:
        course.note += endings.left_out(found.raised, course.live.run.t_now, _NEARBY)
    return found


def limits_told(course: Course) -> str:
    """What limited the steps of a run with very many of them, and what would help."""
    run, steps = course.live.run, course.count("steps")
    method = course.method
    if steps < _MANY or method.steps_alike or run.restart or not run.h_old or method.implicit or run.pace > 0.0:
        return ""
    try:
        fastest = fastest_motion(course.live)
    except Exception as error:  # the motion itself is complete
        fastest = Fastest(0.0, raised=error)
    if fastest.raised is not None and _NEARBY not in course.note:
        return endings.left_out(fastest.raised, course.live.run.t_now, _NEARBY)
    if not fastest.rate > 0.0:
        return ""
    size = abs(course.live.run.t_now - course.span[0]) / steps
    limit = size * fastest.rate
    where = f"h |λ| = {limit:.1f} with |λ| = {fastest.rate:.3g}, most of it in {Sighting.of(course.live).carrier()}"
    if fastest.limits(size) and not course.automatic:
        return (
            f" Stability, not accuracy, limited the steps ({where}): an implicit method, such as "
            f"'{_stiff_method(course)}', or "
            "'auto', takes longer ones."
        )
    if limit >= _FOLLOWED and steps >= _VERY_MANY:
        return (
            f" The {steps} steps follow the fastest motion ({where}; a period of {2 * math.pi / fastest.rate:.3g}). If "
            "it is not meant, look at the stiffness and the masses there; if it does not matter, constraints in place "
            "of stiff springs, damping, or larger tolerances make steps longer."
        )
    return ""


def counted_methods(names: Sequence[str]) -> str:
    """Methods in the order of their use."""
    if len(names) <= 4:
        return ", then ".join(names)
    return f"{', then '.join(names[:3])} and so on, {len(names) - 1} changes"
